#include "scenes/solids.hpp"
#include "unit/io_memory.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace snug {
namespace {

using test::BadFile;
using test::put;
using test::read_bytes;
using test::replaced;
using Code = IoError::Code;

Result<Assembly, IoError> read_ply(std::string_view bytes, LoadOptions options = {}) {
  return read_bytes(FileFormat::ply, bytes, std::move(options));
}

const std::string k_square_header =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
const std::string k_square = k_square_header + "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";

TEST(Ply, ReadsTextAndFansPolygonsInOrder) {
  const auto read = read_ply(k_square).value();
  ASSERT_EQ(read.parts().size(), 1U);
  EXPECT_EQ(read.parts()[0].path, "file");
  EXPECT_EQ(read.units(), LengthUnit::millimetre);
  const Mesh& mesh = read.parts()[0].mesh;
  EXPECT_EQ(mesh.vertices()[2], (Point3{1, 1, 0}));
  ASSERT_EQ(mesh.triangles().size(), 2U);
  EXPECT_EQ(mesh.triangles()[0], (Index3{0, 1, 2}));
  EXPECT_EQ(mesh.triangles()[1], (Index3{0, 2, 3}));
  EXPECT_TRUE(mesh.surfaces_by_crease());
  EXPECT_TRUE(read.problems().empty());
}

TEST(Ply, ListsPolygonsThatTheirFansLeave) {
  // An arrowhead whose notch lies opposite the first corner is cut well; one whose notch is beside it is not.
  const auto with_face = [](const char* face) {
    return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
           "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n4 -2 0\n1 0 0\n4 2 0\n4 " +
           std::string(face) + "\n";
  };
  EXPECT_TRUE(read_ply(with_face("0 1 2 3")).value().problems().empty());
  const auto folded = read_ply(with_face("1 2 3 0")).value();
  ASSERT_EQ(folded.problems().size(), 1U);
  EXPECT_EQ(folded.problems()[0].text, "1 polygon is not convex, and its fan of triangles leaves it");
}

TEST(Ply, ReadsCrlfByteOrderMarkAndNoFinalLineEnd) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : k_square) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  text.resize(text.size() - 2);
  EXPECT_EQ(read_ply(text).value().parts()[0].mesh.triangles().size(), 2U);
}

TEST(Ply, ReadsAnyOrderTypesExtraElementsAndLists) {
  const std::string text =
      "ply\ncomment made by hand\nformat ascii 1.0\nobj_info num_cols 3\n"
      "element camera 1\nproperty list uint8 float32 view\nproperty int id\n"
      "element face 2\nproperty uchar red\nproperty list uchar uint32 vertex_index\nproperty list int8 float64 "
      "texcoord\n"
      "element nothing 5\n"
      "element vertex 4\nproperty float64 z\nproperty list uchar int near\nproperty int16 x\nproperty float quality\n"
      "property float32 y\n"
      "element edge 1\nproperty int a\nproperty int b\nend_header\n"
      "2 0.5 1e3 7\n"
      "9 3 0 1 2 0\n8 3 0 2 3 2 .5 .25\n"
      "0.1 0 1 9 2\n\n0.2 2 5 6 3 9 4\n0.3 0 -5 9 6\n0.4 1 1 7 9 8\n"
      "0 1\n";
  const auto read = read_ply(text).value();
  const Mesh& mesh = read.parts()[0].mesh;
  ASSERT_EQ(mesh.vertices().size(), 4U);
  EXPECT_EQ(mesh.vertices()[0], (Point3{1, 2, 0.1}));
  EXPECT_EQ(mesh.vertices()[1], (Point3{3, 4, 0.2}));
  EXPECT_EQ(mesh.vertices()[2], (Point3{-5, 6, 0.3}));
  EXPECT_EQ(mesh.vertices()[3], (Point3{7, 8, 0.4}));
  EXPECT_EQ(mesh.triangles()[1], (Index3{0, 2, 3}));
}

/// A mesh with awkward properties before, between and after those that count.
std::string awkward_binary(std::endian order) {
  std::string out =
      order == std::endian::big ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n";
  out +=
      "element vertex 5\nproperty uchar flag\nproperty double y\nproperty float x\nproperty short z\n"
      "element extra 2\nproperty list ushort double values\nproperty char tail\n"
      "element face 4\nproperty float weight\nproperty list uchar int vertex_indices\nproperty ushort surface\n"
      "element edge 1\nproperty int a\nend_header\n";
  for (int v = 0; v < 5; ++v) {
    put(out, static_cast<std::uint8_t>(v), order);
    put(out, 0.1 * v, order);
    put(out, static_cast<float>(v) + 0.5F, order);
    put(out, static_cast<std::int16_t>(-v * v), order);
  }
  for (const int count : {3, 0}) {
    put(out, static_cast<std::uint16_t>(count), order);
    for (int i = 0; i < count; ++i) put(out, 1.0, order);
    put(out, 'x', order);
  }
  const std::vector<std::vector<std::int32_t>> faces{{0, 1, 2}, {0, 1, 2, 3}, {0, 4}, {2, 3, 4}};
  std::uint16_t surface = 700;
  for (const auto& face : faces) {
    put(out, 1.5F, order);
    put(out, static_cast<std::uint8_t>(face.size()), order);
    for (const std::int32_t v : face) put(out, v, order);
    put(out, surface, order);
    surface = static_cast<std::uint16_t>(surface - 100);
  }
  put(out, 3, order);
  return out;
}

TEST(Ply, ReadsBothBinaryOrders) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const auto read = read_ply(awkward_binary(order)).value();
    const Mesh& mesh = read.parts()[0].mesh;
    ASSERT_EQ(mesh.vertices().size(), 5U);
    for (int v = 0; v < 5; ++v) EXPECT_EQ(mesh.vertices()[v], (Point3{v + 0.5, 0.1 * v, -1.0 * v * v}));
    const std::vector<Index3> expected{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {2, 3, 4}};
    EXPECT_TRUE(std::ranges::equal(mesh.triangles(), expected));
    // Numbers without names become surfaces in ascending order.
    ASSERT_EQ(mesh.surfaces().size(), 3U);
    EXPECT_EQ(mesh.surfaces()[0].name, "400");
    EXPECT_EQ(mesh.surface_of(0), 2U);
    EXPECT_EQ(mesh.surface_of(1), 1U);
    EXPECT_EQ(mesh.surface_of(3), 0U);
    ASSERT_EQ(read.problems().size(), 1U);
    EXPECT_EQ(read.problems()[0].text, "1 face with fewer than three corners left out");
  }
}

TEST(Ply, EveryCutOfABinaryFileIsAnError) {
  const std::string whole = awkward_binary(std::endian::little);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read_ply(whole.substr(0, length)).has_value()) << length;
  EXPECT_FALSE(read_ply(whole + 'x').has_value());
}

TEST(Ply, EveryCutOfATextFileIsAnErrorOrTheSameMesh) {
  for (std::size_t length = 0; length + 1 < k_square.size(); ++length)
    EXPECT_FALSE(read_ply(k_square.substr(0, length)).has_value()) << length;
}

TEST(Ply, ManyFacesOfAllSizesComeThroughTheBuffer) {
  // Longer than any buffer, with sizes that change now and then, so that records straddle its end.
  std::string body;
  std::vector<Index3> expected;
  std::uint32_t faces = 0;
  for (std::uint32_t i = 0; body.size() < (5U << 20); ++i, ++faces) {
    const std::uint32_t corners = i % 1000 < 600 ? 3 : i % 1000 < 900 ? 4 : 3 + i % 7;
    put(body, static_cast<std::uint8_t>(corners));
    for (std::uint32_t c = 0; c < corners; ++c) put(body, (i + c) % 100);
    put(body, i % 5);
    for (std::uint32_t c = 2; c < corners; ++c) expected.push_back({i % 100, (i + c - 1) % 100, (i + c) % 100});
  }
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\nelement vertex 100\nproperty float x\nproperty float y\n"
      "property float z\nelement face " +
      std::to_string(faces) + "\nproperty list uchar uint vertex_indices\nproperty int surface\nend_header\n";
  for (int v = 0; v < 100; ++v) put(bytes, static_cast<float>(v)), put(bytes, 0.0F), put(bytes, 1.0F);
  const auto read = read_ply(bytes + body).value();
  const Mesh& mesh = read.parts()[0].mesh;
  EXPECT_TRUE(std::ranges::equal(mesh.triangles(), expected));
  EXPECT_EQ(mesh.surfaces().size(), 5U);
}

Assembly two_parts() {
  Assembly assembly(LengthUnit::inch);
  MeshInput first{{{-0.0, 0x1p-1074, 1e299}, {0.1, -0.2, 1.0 / 3}, {5, 6, 7}, {1, 2, 3}},
                  {{0, 1, 2}, {2, 1, 0}, {0, 2, 3}},
                  {{"top 100 %\n", SurfaceKind::plane, {}},
                   {"", SurfaceKind::unknown, {}},
                   {"unused", SurfaceKind::cone, {0.25, true}}},
                  {1, 0, 1}};
  (void)assembly.add({"gear/box é", Mesh::build(std::move(first)).value(), {}}).value();
  const Mesh cube = scenes::box({0, 0, 0}, {1, 2, 3});
  (void)assembly.add({"cube", cube, {}}).value();
  (void)assembly.add({"turned", cube, rotation({1, 2, 3}, 0.7)}).value();
  return assembly;
}

void expect_same_bits(const Point3& a, const Point3& b) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a[axis]), std::bit_cast<std::uint64_t>(b[axis]));
}

TEST(Ply, RoundTripKeepsPartsSurfacesAndEveryBit) {
  const test::TempDir folder;
  const Assembly before = two_parts();
  for (const bool ascii : {false, true}) {
    const auto path = folder.path() / "file.ply";
    save(before, path, {.ascii = ascii}).value();
    const Assembly after = test::load_assembly(path, {.units = LengthUnit::inch}).value();
    ASSERT_EQ(after.parts().size(), before.parts().size());
    EXPECT_EQ(after.problems().size(), 1U);  // the line end in a name
    for (std::size_t p = 0; p < before.parts().size(); ++p) {
      const Part &a = before.parts()[p], &b = after.parts()[p];
      EXPECT_EQ(a.path, b.path);
      ASSERT_EQ(a.mesh.vertices().size(), b.mesh.vertices().size());
      for (std::size_t v = 0; v < a.mesh.vertices().size(); ++v)
        expect_same_bits(p == 2 ? a.pose.apply(a.mesh.vertices()[v]) : a.mesh.vertices()[v], b.mesh.vertices()[v]);
      EXPECT_TRUE(std::ranges::equal(a.mesh.triangles(), b.mesh.triangles()));
      for (std::uint32_t t = 0; t < a.mesh.triangles().size(); ++t)
        EXPECT_EQ(a.mesh.surface_of(t), b.mesh.surface_of(t));
      const auto kept = [](const Surface& s) { return std::tie(s.name, s.kind, s.sag); };
      EXPECT_TRUE(p == 0 || std::ranges::equal(a.mesh.surfaces(), b.mesh.surfaces(), {}, kept, kept));
    }
    // The line end in the name is kept by the file; load() shows it as a blank.
    const auto surfaces = after.parts()[0].mesh.surfaces();
    ASSERT_EQ(surfaces.size(), 3U);
    EXPECT_EQ(surfaces[0].name, "top 100 % ");
    EXPECT_EQ(surfaces[0].kind, SurfaceKind::plane);
    EXPECT_EQ(surfaces[1].name, "");
    EXPECT_EQ(surfaces[2], (Surface{"unused", SurfaceKind::cone, {0.25, true}}));
  }
}

TEST(Ply, OnePartKeepsItsName) {
  const test::TempDir folder;
  Assembly one(LengthUnit::metre);
  (void)one.add({"a/b", scenes::box({0, 0, 0}, {1, 1, 1}), {}}).value();
  save(one, folder.path() / "x.ply").value();
  const Assembly after = test::load_assembly(folder.path() / "x.ply", {.units = LengthUnit::metre}).value();
  EXPECT_EQ(after.parts()[0].path, "a/b");
  const Mesh &read = after.parts()[0].mesh, &written = one.parts()[0].mesh;
  EXPECT_TRUE(std::ranges::equal(read.vertices(), written.vertices()));
  EXPECT_TRUE(std::ranges::equal(read.triangles(), written.triangles()));
  EXPECT_TRUE(std::ranges::equal(read.surfaces(), written.surfaces(), {}, &Surface::name, &Surface::name));
}

TEST(Ply, NumbersThatDoNotFitTheNotesAreTakenByThemselves) {
  const std::string text =
      "ply\nformat ascii 1.0\ncomment snug part 3 first\ncomment snug part 99 second\n"
      "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 3\nproperty list uchar int vertex_indices\nproperty int part\nproperty int surface\nend_header\n"
      "0 0 0\n1 0 0\n1 1 0\n0 1 0\n5 5 5\n6 6 6\n3 0 1 2 8 -1\n3 3 4 5 -4 2\n3 0 2 3 8 4\n";
  const auto read = read_ply(text).value();
  ASSERT_EQ(read.parts().size(), 2U);
  EXPECT_EQ(read.parts()[0].path, "-4");
  EXPECT_EQ(read.parts()[1].path, "8");
  const Mesh& mesh = read.parts()[1].mesh;
  EXPECT_EQ(mesh.vertices().size(), 4U);
  EXPECT_EQ(mesh.triangles()[1], (Index3{0, 2, 3}));
  ASSERT_EQ(mesh.surfaces().size(), 2U);
  EXPECT_EQ(mesh.surfaces()[0].name, "-1");
  EXPECT_EQ(mesh.surfaces()[1].name, "4");
}

TEST(Ply, SaysWhatIsWrongAndWhere) {
  const std::string& s = k_square;
  std::string one_double_more = k_square;
  for (const BadFile& bad : {
           BadFile{"empty", "", Code::truncated, "expected 'ply'"},
           BadFile{"not PLY", "plyx\n", Code::malformed, "file.x:1: expected 'ply', found 'plyx'"},
           BadFile{"header only", "ply\n", Code::truncated, "expected 'end_header', found the end of the file"},
           BadFile{"no format", replaced(s, "format ascii 1.0\n", ""), Code::malformed, "expected a line 'format"},
           BadFile{"odd format", replaced(s, "ascii", "ebcdic"), Code::malformed,
                   ":2: expected ascii, binary_little_endian or binary_big_endian, found 'ebcdic'"},
           BadFile{"version", replaced(s, "1.0", "2.0"), Code::unsupported, ":2: expected version 1.0, found '2.0'"},
           BadFile{"keyword", replaced(s, "element face", "elephant face"), Code::malformed,
                   ":7: expected a header line, found 'elephant'"},
           BadFile{"count", replaced(s, "vertex 4", "vertex four"), Code::malformed,
                   ":3: expected 'element <name> <count>', found the count 'four'"},
           BadFile{"negative count", replaced(s, "vertex 4", "vertex -4"), Code::malformed, "'-4'"},
           BadFile{"element twice", replaced(s, "element face 1", "element vertex 1"), Code::malformed,
                   "a second element 'vertex'"},
           BadFile{"property twice", replaced(s, "property float y", "property float x"), Code::malformed,
                   "a second property 'x'"},
           BadFile{"type", replaced(s, "property float x", "property quad x"), Code::malformed,
                   ":4: expected a type such as float or int, found 'quad'"},
           BadFile{"list of float length", replaced(s, "list uchar int", "list float int"), Code::malformed,
                   "an integer type for the length of a list, found 'float'"},
           BadFile{"lost property", replaced(s, "element vertex 4\n", "property float w\nelement vertex 4\n"),
                   Code::malformed, "a property before the first element"},
           BadFile{"no z", replaced(s, "property float z\n", ""), Code::malformed, "expected a property 'z'"},
           BadFile{"no list", replaced(s, "vertex_indices", "corners"), Code::malformed,
                   "expected a list 'vertex_indices'"},
           BadFile{"float indices", replaced(s, "uchar int vertex", "uchar float vertex"), Code::malformed,
                   "expected a list 'vertex_indices' of integers"},
           BadFile{"no faces", replaced(s, "element face 1\nproperty list uchar int vertex_indices\n", ""),
                   Code::malformed, "expected an element 'face'"},
           BadFile{"zero faces", replaced(s, "face 1", "face 0"), Code::malformed, "found no face"},
           BadFile{"strips",
                   replaced(s, "end_header", "element tristrips 1\nproperty list int int vertex_indices\nend_header"),
                   Code::unsupported, "triangle strips (element 'tristrips')"},
           BadFile{"word for number", replaced(s, "1 1 0", "1 one 0"), Code::malformed,
                   ":12: expected y of vertex 2, found 'one'"},
           BadFile{"number with tail", replaced(s, "1 1 0", "1 1x 0"), Code::malformed, "found '1x'"},
           BadFile{"nan", replaced(s, "1 1 0", "1 nan 0"), Code::non_finite,
                   ":12: expected y of vertex 2, found 'nan'"},
           BadFile{"infinity", replaced(s, "1 1 0", "1 1 -inf"), Code::non_finite,
                   "expected z of vertex 2, found '-inf'"},
           BadFile{"too large", replaced(s, "1 1 0", "1 1 1e308"), Code::non_finite, "'1e308'"},
           BadFile{"value missing", replaced(s, "1 1 0", "1 1"), Code::malformed,
                   "expected z of vertex 2, found nothing"},
           BadFile{"value too many", replaced(s, "1 1 0", "1 1 0 0"), Code::malformed,
                   ":12: expected the end of the line after vertex 2, found '0'"},
           BadFile{"index too large", replaced(s, "4 0 1 2 3", "4 0 1 2 4"), Code::out_of_range,
                   ":14: vertex 4 of face 0 does not exist: there are 4 vertices"},
           BadFile{"negative index", replaced(s, "4 0 1 2 3", "4 0 1 2 -1"), Code::out_of_range, "vertex -1 of face 0"},
           BadFile{"real index", replaced(s, "4 0 1 2 3", "4 0 1 2 2.5"), Code::malformed,
                   "expected a vertex index of face 0, found '2.5'"},
           BadFile{"polygon too short", replaced(s, "4 0 1 2 3", "5 0 1 2 3"), Code::malformed, "found nothing"},
           BadFile{"negative polygon", replaced(s, "4 0 1 2 3", "-4 0 1 2 3"), Code::malformed,
                   "a negative number of corners"},
           BadFile{"gigantic polygon", replaced(s, "4 0 1 2 3", "4294967295 0 1 2"), Code::malformed,
                   "expected a vertex index"},
           BadFile{"only thin faces", replaced(s, "4 0 1 2 3", "2 0 1"), Code::malformed,
                   "only faces with fewer than three corners"},
           BadFile{"vertices missing", replaced(s, "vertex 4", "vertex 4000000000"), Code::malformed,
                   "expected the end of the line after vertex 4"},
           BadFile{"faces missing", replaced(s, "face 1", "face 3"), Code::truncated,
                   "expected face 1, found the end of the file"},
           BadFile{"more vertices than ids", replaced(s, "vertex 4", "vertex 5000000000"), Code::too_large,
                   "5000000000 vertices"},
           BadFile{"faces too many", s + "3 0 1 2\n", Code::malformed,
                   ":15: expected the end of the file after the last element"},
           BadFile{"lists of lies",
                   replaced(replaced(s, "property float z\n", "property float z\nproperty list int int n\n"), "0 0 0",
                            "0 0 0 999999999999"),
                   Code::malformed, "expected 'n' of vertex 0"},
       })
    test::expect_refused(FileFormat::ply, bad);
}

TEST(Ply, SaysAtWhichByteABinaryFileIsWrong) {
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  std::string body;
  for (int i = 0; i < 9; ++i) put(body, static_cast<float>(i));
  std::string face;
  put(face, std::uint8_t{3});
  for (const std::int32_t v : {0, 1, 2}) put(face, v);
  // A line end behind the data is a habit of some writers; anything else is an error.
  for (const char* end : {"", "\n", "\r\n"}) ASSERT_TRUE(read_ply(header + body + face + end).has_value());
  for (const char* junk : {" ", "\n\n", "\n\r", "\n\n\n"})
    ASSERT_FALSE(read_ply(header + body + face + junk).has_value());
  const auto at = [&](std::size_t offset) { return "at byte " + std::to_string(header.size() + offset) + ": "; };

  std::string nan = body;
  nan.replace(16, 4, std::string("\0\0\xC0\x7F", 4));
  std::string index = face;
  index[9] = 3;
  std::string negative = face;
  negative.replace(5, 4, "\xFF\xFF\xFF\xFF");
  const std::string lie = replaced(header, "vertex 3", "vertex 3000000000");
  for (const auto& [bytes, code, words] : {
           std::tuple{header + nan + face, Code::non_finite, at(16) + "expected y of vertex 1, found nan"},
           {header + body + index, Code::out_of_range, at(45) + "vertex 3 of face 0 does not exist"},
           {header + body + negative, Code::out_of_range, at(41) + "vertex -1 of face 0"},
           {header + body + face + "zz", Code::malformed,
            at(49) + "expected the end of the file after the last element, found 2 more bytes"},
           {lie + body + face, Code::truncated,
            std::string("expected 3000000000 elements 'vertex' of at least 12 bytes, found 49 bytes")},
           {header + body + std::string(1, '\x7F'), Code::truncated, std::string("expected 127 corners of face 0")},
           {header + body, Code::truncated, std::string("expected 1 element 'face'")},
       })
    test::expect_refused(FileFormat::ply, {words.c_str(), bytes, code, words.c_str()});
}

TEST(Ply, NeedsUnits) {
  const LoadOptions none;
  auto source = io::ByteSource::from_memory(std::as_bytes(std::span(k_square)), "a.ply", none);
  const auto read = io::load_source(source, none);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::units_missing);
}

TEST(Ply, ReportsProgressAndCanBeCancelled) {
  const test::TempDir folder;
  Assembly assembly(LengthUnit::metre);
  const std::uint32_t side = 400;
  MeshInput grid;
  for (std::uint32_t i = 0; i < side * side; ++i) grid.vertices.push_back({1.0 * (i % side), 1.0 * (i / side), 0});
  for (std::uint32_t i = 0; i + side + 1 < side * side; ++i) grid.triangles.push_back({i, i + 1, i + side});
  grid.surfaces.resize(1);
  grid.surface_of_triangle.assign(grid.triangles.size(), 0);
  (void)assembly.add({"grid", Mesh::build(std::move(grid)).value(), {}}).value();
  const auto path = folder.path() / "grid.ply";

  std::vector<double> seen;
  const auto note = [&](double share) { seen.push_back(share); };
  save(assembly, path, {.progress = note}).value();
  ASSERT_GT(seen.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 1);

  for (const bool ascii : {false, true}) {
    save(assembly, path, {.ascii = ascii}).value();
    seen.clear();
    ASSERT_TRUE(test::load_assembly(path, {.units = LengthUnit::metre, .progress = note}).has_value());
    ASSERT_GT(seen.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(seen.back(), 1);

    CancelToken cancel;
    const auto stop = [&](double share) { share > 0.2 ? cancel.cancel() : void(); };
    const auto read = test::load_assembly(path, {.units = LengthUnit::metre, .progress = stop, .cancel = &cancel});
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, Code::cancelled);
  }

  CancelToken cancel;
  cancel.cancel();
  const auto written = save(assembly, folder.path() / "never.ply", {.cancel = &cancel});
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Code::cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "never.ply"));
}

}  // namespace
}  // namespace snug
