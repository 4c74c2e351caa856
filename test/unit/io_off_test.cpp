#include "scenes/solids.hpp"
#include "unit/io_memory.hpp"

#include <snug/inspect.hpp>
#include <snug/io.hpp>

#include <algorithm>
#include <array>

namespace snug {
namespace {

using test::BadFile;
using test::read_bytes;
using test::replaced;
using Code = IoError::Code;

Mesh read_mesh(std::string_view text) { return read_bytes(FileFormat::off, text).value().parts()[0].mesh; }

const std::string k_square = "OFF\n4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";

TEST(Off, ReadsVerticesAndFansPolygonsInOrder) {
  const Mesh mesh = read_mesh(k_square);
  EXPECT_EQ(mesh.vertices().size(), 4U);
  EXPECT_EQ(mesh.vertices()[2], (Point3{1, 1, 0}));
  ASSERT_EQ(mesh.triangles().size(), 2U);
  EXPECT_EQ(mesh.triangles()[0], (Index3{0, 1, 2}));
  EXPECT_EQ(mesh.triangles()[1], (Index3{0, 2, 3}));
}

TEST(Off, ReadsItsVariants) {
  const Mesh plain = read_mesh(k_square);
  for (const std::string_view text : {
           "OFF 4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
           "OFF 4 1\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3",
           "# by hand\n\nOFF # keyword\n# counts\n4 1 4 # of all\n\n0 0 0\n1 0 0 # second\n#\n1 1 0\n0 1 0\n4 0 1 2 3 "
           "# end\n\n",
           "COFF\n4 1 4\n0 0 0 255 0 0 255\n1 0 0 0.5 0.5 0.5 1\n1 1 0 1 1 1\n0 1 0 0 0 0 0\n4 0 1 2 3 0.5 0.5 0.5\n",
           "NOFF\n4 1 4\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3 17\n",
           "STCNOFF\n4 1 4\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
           "OFF\r\n4 1 4\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n4 0 1 2 3\r\n",
           "\xEF\xBB\xBFOFF\n4 1 4\n\t0 0 0\n 1 0 0\n1 1 0\n0 1 0\n4  0\t1 2 3\n",
       })
    EXPECT_EQ(read_mesh(text).hash(), plain.hash()) << text;
}

TEST(Off, LinesMayEndAnywhere) {
  const Mesh plain = read_mesh(k_square);
  for (const std::string_view text : {
           "OFF 4 1 4 0 0 0 1 0 0 1 1 0 0 1 0 4 0 1 2 3",
           "OFF\n4\n1\n4\n0 0 0 1 0 0\n1 1 0 0 1 0\n4 0 1 2 3\n",
           "OFF\n4 1\n0\n0\n0\n1 0 0 # half way\n1 1 0 0 1\n0 4\n0 1 2\n3\n",
       })
    EXPECT_EQ(read_mesh(text).hash(), plain.hash()) << text;
}

TEST(Off, ListsPolygonsThatFansLeave) {
  // An arrowhead seen from a corner beside its notch, and from the notch, which sees all of it.
  const std::string arrow = "OFF\n4 1 0\n0 0 0\n2 1 0\n0 2 0\n1 1 0\n";
  const auto wrong = read_bytes(FileFormat::off, arrow + "4 0 1 2 3\n").value();
  ASSERT_EQ(wrong.problems().size(), 1U);
  EXPECT_EQ(wrong.problems()[0].part, wrong.parts()[0].path);
  EXPECT_EQ(wrong.problems()[0].text, "1 polygon is not convex, and its fan of triangles leaves it");
  EXPECT_TRUE(read_bytes(FileFormat::off, arrow + "4 3 0 1 2\n")->problems().empty());
  EXPECT_TRUE(read_bytes(FileFormat::off, k_square)->problems().empty());
}

TEST(Off, ListsFacesThatAreNone) {
  const auto read = read_bytes(FileFormat::off, "OFF\n3 3 0\n0 0 0\n1 0 0\n1 1 0\n2 0 1\n3 0 1 2\n1 0\n").value();
  EXPECT_EQ(read.parts()[0].mesh.triangles().size(), 1U);
  ASSERT_EQ(read.problems().size(), 1U);
  EXPECT_EQ(read.problems()[0].text, "2 faces with fewer than three corners left out");
}

TEST(Off, SaysWhatIsWrongAndWhere) {
  const std::string& s = k_square;
  for (const BadFile& bad : {
           BadFile{"empty", "", Code::truncated, "expected 'OFF', found the end of the file"},
           BadFile{"only comments", "# OFF\n", Code::truncated, "expected 'OFF'"},
           BadFile{"keyword", replaced(s, "OFF", "OOPS"), Code::malformed, ":1: expected 'OFF', found 'OOPS'"},
           BadFile{"prefix", replaced(s, "OFF", "XOFF"), Code::malformed, "found 'XOFF'"},
           BadFile{"four dimensions", replaced(s, "OFF", "4OFF"), Code::unsupported, "expected three coordinates"},
           BadFile{"n dimensions", replaced(s, "OFF", "nOFF"), Code::unsupported, "found 'nOFF'"},
           BadFile{"binary", replaced(s, "OFF", "OFF BINARY"), Code::unsupported, "binary OFF is not read"},
           BadFile{"no counts", "OFF\n", Code::truncated, "expected the numbers of vertices and faces"},
           BadFile{"word for count", replaced(s, "4 1 4", "4 one 4"), Code::malformed,
                   ":2: expected the number of faces, found 'one'"},
           BadFile{"count missing", replaced(s, "4 1 4", "4"), Code::malformed,
                   "expected the number of faces, found nothing"},
           BadFile{"count too many", replaced(s, "4 1 4", "4 1 4 4"), Code::malformed,
                   "expected the end of the line after the counts"},
           BadFile{"negative count", replaced(s, "4 1 4", "4 -1 4"), Code::malformed, "negative"},
           BadFile{"huge count", replaced(s, "4 1 4", "4 99999999999 4"), Code::too_large, "more than 2^32 - 1"},
           BadFile{"count that does not fit", replaced(s, "4 1 4", "4000000000 1 4"), Code::truncated,
                   ":2: expected 4000000000 vertices and 1 face, which do not fit"},
           BadFile{"vertices missing", replaced(s, "4 1 4", "5 1 4"), Code::truncated,
                   "expected face 0 of 1, found the end of the file"},
           BadFile{"vertices too many", replaced(s, "4 1 4", "3 1 4"), Code::malformed,
                   ":7: expected the end of the file after the last face"},
           BadFile{"faces missing", replaced(s, "4 1 4", "4 2 4"), Code::truncated, "expected face 1 of 2"},
           BadFile{"faces too many", s + "3 0 1 2\n", Code::malformed,
                   ":8: expected the end of the file after the last face"},
           BadFile{"word for number", replaced(s, "1 1 0", "1 x 0"), Code::malformed,
                   ":5: expected three coordinates of vertex 2, found 'x'"},
           BadFile{"number missing", replaced(s, "1 1 0", "1 1"), Code::malformed, "found nothing"},
           BadFile{"nan", replaced(s, "1 1 0", "1 NaN 0"), Code::non_finite,
                   ":5: expected three coordinates of vertex 2, found 'NaN'"},
           BadFile{"infinity", replaced(s, "1 1 0", "1 1 inf"), Code::non_finite, "'inf'"},
           BadFile{"index too large", replaced(s, "4 0 1 2 3", "4 0 1 2 9"), Code::out_of_range,
                   ":7: vertex 9 of face 0 does not exist: there are 4 vertices"},
           BadFile{"negative index", replaced(s, "4 0 1 2 3", "4 0 1 2 -1"), Code::out_of_range, "vertex -1"},
           BadFile{"polygon too short", replaced(s, "4 0 1 2 3", "5 0 1 2 3"), Code::malformed,
                   "expected a vertex index, found nothing"},
           BadFile{"gigantic polygon", replaced(s, "4 0 1 2 3", "9223372036854775807 0 1"), Code::malformed,
                   "expected a vertex index, found nothing"},
           BadFile{"negative polygon", replaced(s, "4 0 1 2 3", "-3 0 1 2"), Code::malformed,
                   "a negative number of corners"},
           BadFile{"junk behind a vertex", replaced(s, "1 1 0", "1 1 0 red"), Code::malformed,
                   ":5: expected numbers to the end of the line, found 'red'"},
           BadFile{"junk behind a face", replaced(s, "4 0 1 2 3", "4 0 1 2 3 1 0x"), Code::malformed,
                   ":7: expected numbers to the end of the line, found '0x'"},
           BadFile{"no triangle", replaced(s, "4 0 1 2 3", "2 0 1"), Code::malformed, "expected triangles, found none"},
           BadFile{"no face", "OFF 0 0 0\n", Code::malformed, "expected triangles, found none"},
       })
    test::expect_refused(FileFormat::off, bad);
}

TEST(Off, ReadsRealFiles) {
  const auto folder = test::data_dir();
  if (folder.empty()) GTEST_SKIP() << "no folder of data; set SNUG_DATA";
  for (const char* name : {"ballA.off", "ballB.off"}) {
    const auto path = folder / "meshes" / name;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no file " << path;
    const Mesh mesh = load_mesh(path).value();
    EXPECT_EQ(mesh.vertices().size(), 1900U) << name;
    EXPECT_EQ(mesh.triangles().size(), 3796U) << name;
    EXPECT_TRUE(inspect(mesh).closed) << name;
  }
}

TEST(Off, ReportsProgressAndCanBeCancelled) {
  std::string text = "OFF 3 100000 0\n0 0 0\n1 0 0\n0 1 0\n";
  for (int i = 0; i < 100000; ++i) text += "3 0 1 2\n";
  std::vector<double> seen;
  ASSERT_TRUE(
      read_bytes(FileFormat::off, text, {.progress = [&](double share) { seen.push_back(share); }}).has_value());
  EXPECT_GT(seen.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  CancelToken cancel;
  const auto read =
      read_bytes(FileFormat::off, text,
                 {.progress = [&](double share) { share > 0.1 ? cancel.cancel() : void(); }, .cancel = &cancel});
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::cancelled);
}

TEST(Off, WrittenAndReadAgainHasEveryBit) {
  const test::TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  const Pose pose = compose(translation(1, 2, 3), rotation({1, 2, 3}, 1));
  (void)assembly.add({"can", scenes::cylinder(1, 2, 7), pose});
  (void)assembly.add({"box", scenes::box({0, 0, 0}, {1, 1, 1.0 / 3}), {}});
  ASSERT_TRUE(save(assembly, dir.path() / "a.off"));
  const auto again = test::load_assembly(dir.path() / "a.off", test::in_mm());
  ASSERT_TRUE(again) << again.error().message();
  ASSERT_EQ(again->parts().size(), 1U);
  const Mesh& mesh = again->parts()[0].mesh;
  std::size_t v = 0, t = 0;
  for (const Part& part : assembly.parts()) {
    const auto first = static_cast<std::uint32_t>(v);
    for (const Point3& p : part.mesh.vertices()) EXPECT_EQ(mesh.vertices()[v++], part.pose.apply(p));
    for (const Index3& c : part.mesh.triangles())
      EXPECT_EQ(mesh.triangles()[t++], (Index3{c[0] + first, c[1] + first, c[2] + first}));
  }
  EXPECT_EQ(mesh.vertices().size(), v);
  EXPECT_EQ(mesh.triangles().size(), t);
}

}  // namespace
}  // namespace snug
