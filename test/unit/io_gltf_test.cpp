#include "io/gltf/buffers.hpp"
#include "io/gltf/placement.hpp"
#include "unit/io_gltf_builder.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace snug {
namespace {

using test::Gltf;
using test::GltfBuilder;
using test::read_bytes;
using Code = IoError::Code;

Assembly read_gltf(std::string_view bytes) { return read_bytes(FileFormat::gltf, bytes).value(); }

std::vector<Point3> posed_vertices(const Part& part) {
  std::vector<Point3> out(part.mesh.vertices().size());
  part.pose.apply(part.mesh.vertices(), out);
  return out;
}

void expect_near(const Point3& a, const Point3& b) {
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], 1e-12);
}

bool has_problem(const Assembly& assembly, std::string_view words) {
  return std::ranges::any_of(assembly.problems(), [&](const Problem& p) { return p.text.find(words) != p.text.npos; });
}

TEST_F(Gltf, ReadsEmbeddedAndBinaryFilesAlike) {
  GltfBuilder builder;
  builder.corner();
  for (const std::string& bytes : {builder.embedded(), builder.glb(), "\xEF\xBB\xBF" + builder.embedded()}) {
    const Assembly read = read_gltf(bytes);
    EXPECT_EQ(read.units(), LengthUnit::metre);
    ASSERT_EQ(read.parts().size(), 1U);
    EXPECT_EQ(read.parts()[0].path, "corner");
    EXPECT_EQ(read.parts()[0].pose, Pose{});
    const Mesh& mesh = read.parts()[0].mesh;
    const std::vector<Point3> expected{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    EXPECT_TRUE(std::ranges::equal(mesh.vertices(), expected));
    ASSERT_EQ(mesh.triangles().size(), 3U);
    EXPECT_EQ(mesh.triangles()[1], (Index3{0, 1, 3}));
    ASSERT_EQ(mesh.surfaces().size(), 1U);
    EXPECT_EQ(mesh.surfaces()[0].name, "primitive 0");
    EXPECT_TRUE(read.problems().empty());
  }
}

TEST_F(Gltf, UnitsAreMetresUnlessDeclaredOtherwise) {
  GltfBuilder builder;
  builder.corner();
  const auto metres = read_bytes(FileFormat::gltf, builder.embedded(), {.units = LengthUnit::metre});
  ASSERT_TRUE(metres.has_value());
  EXPECT_TRUE(metres->problems().empty());
  const auto read = read_bytes(FileFormat::gltf, builder.embedded(), {.units = LengthUnit::millimetre});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->units(), LengthUnit::millimetre);
  EXPECT_EQ(read->parts()[0].mesh.bounds(), metres->parts()[0].mesh.bounds());
  ASSERT_EQ(read->problems().size(), 1U);
  EXPECT_EQ(read->problems()[0].text, "lengths are taken to be in mm, as declared; by its format the file is in m");
  // The mesh alone comes in the file's own unit, whatever the options say.
  const test::TempDir dir;
  EXPECT_TRUE(load_mesh(dir.write("a.glb", builder.glb()), {.units = LengthUnit::millimetre}).has_value());
}

TEST_F(Gltf, NodesBecomePartsAtPosesAndInstancesShareMeshes) {
  GltfBuilder builder;
  builder.corner("");
  builder.nodes = {
      R"({"name":"root","translation":[10,0,0],"children":[1,2,3,4]})",
      R"({"name":"arm","rotation":[0,0,0.7071067811865476,0.7071067811865476],"children":[5]})",
      R"({"name":"a","mesh":0})",
      R"({"name":"a","mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]})",
      R"({"mesh":0,"scale":[2,2,2]})",
      R"({"name":"tip","mesh":0,"translation":[1,0,0]})",
  };
  builder.more = R"(,"scenes":[{"nodes":[0]}],"scene":0)";
  const Assembly read = read_gltf(builder.glb());
  ASSERT_EQ(read.parts().size(), 4U);
  const auto paths = {"root/arm/tip", "root/a", "root/a#2", "root/node 4"};
  EXPECT_TRUE(std::ranges::equal(read.parts(), paths, {}, &Part::path));
  EXPECT_EQ(read.distinct_meshes(), 2U);  // the scaled one is another mesh
  EXPECT_TRUE(read.parts()[0].mesh.same_data(read.parts()[2].mesh));
  expect_near(posed_vertices(read.parts()[0])[1], {10, 2, 0});
  expect_near(posed_vertices(read.parts()[1])[1], {11, 0, 0});
  expect_near(posed_vertices(read.parts()[2])[1], {15, 7, 7});
  expect_near(posed_vertices(read.parts()[3])[3], {10, 0, 6});
  EXPECT_TRUE(has_problem(read, "renamed"));
}

TEST_F(Gltf, ScalesShearsAndMirrorsAreBakedIn) {
  GltfBuilder builder;
  builder.corner("");
  builder.nodes = {
      R"({"name":"mirror","mesh":0,"scale":[-1,1,1],"translation":[1,2,3]})",
      R"({"name":"shear","mesh":0,"matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]})",
      R"({"name":"stretch","scale":[1,2,4],"children":[3]})",
      R"({"name":"turned","mesh":0,"rotation":[0.5,0.5,0.5,0.5]})",
      R"({"name":"flat","mesh":0,"scale":[1,1,0]})",
      R"({"name":"mirrored by matrix","mesh":0,"matrix":[0,-3,0,0,-3,0,0,0,0,0,3,0,0,0,0,1]})",
  };
  const Assembly read = read_gltf(builder.embedded());
  ASSERT_EQ(read.parts().size(), 5U);
  const Part& mirror = read.parts()[0];
  expect_near(posed_vertices(mirror)[1], {0, 2, 3});
  EXPECT_EQ(mirror.mesh.triangles()[1], (Index3{0, 3, 1}));  // turned over, so that outside stays outside
  expect_near(posed_vertices(read.parts()[1])[2], {1, 2, 0});
  EXPECT_EQ(read.parts()[1].mesh.triangles()[1], (Index3{0, 1, 3}));
  // x -> y -> z -> x, then the parent's stretch.
  expect_near(posed_vertices(read.parts()[2])[1], {0, 2, 0});
  expect_near(posed_vertices(read.parts()[2])[2], {0, 0, 8});
  expect_near(posed_vertices(read.parts()[2])[3], {3, 0, 0});
  expect_near(posed_vertices(read.parts()[3])[3], {0, 0, 0});
  EXPECT_TRUE(has_problem(read, "its scale makes it flat"));
  expect_near(posed_vertices(read.parts()[4])[1], {0, -3, 0});
  expect_near(posed_vertices(read.parts()[4])[2], {-6, 0, 0});
  EXPECT_EQ(read.parts()[4].mesh.triangles()[1], (Index3{0, 3, 1}));
}

TEST_F(Gltf, InstancesScaledAlikeShareEvenWhenMatricesWereRounded) {
  GltfBuilder builder;
  builder.corner("");
  // Columns of length 0.001, printed in single precision, turned by different angles.
  builder.nodes = {
      R"({"mesh":0,"scale":[0.001,0.001,0.001]})",
      R"({"mesh":0,"matrix":[0.0008660254,0.0005,0,0,-0.0005,0.0008660254,0,0,0,0,0.001,0,1,0,0,1]})",
      R"({"mesh":0,"matrix":[0.0005,0.0008660254,0,0,-0.0008660254,0.0005,0,0,0,0,0.001,0,2,0,0,1]})",
      R"({"mesh":0,"matrix":[0.8660254,0.5,0,0,-0.5,0.8660254,0,0,0,0,1,0,2,0,0,1]})",
      R"({"mesh":0})",
  };
  const Assembly read = read_gltf(builder.glb());
  EXPECT_EQ(read.parts().size(), 5U);
  EXPECT_EQ(read.distinct_meshes(), 2U);
  EXPECT_TRUE(read.parts()[3].mesh.same_data(read.parts()[4].mesh));
  EXPECT_TRUE(has_problem(read, "3 parts stand by matrices that are rotations and scales to single precision only"));
}

TEST_F(Gltf, ScalesThatDifferStayDifferent) {
  GltfBuilder builder;
  builder.corner("");
  // A millionth apart, and once by a matrix of all the digits a double has.
  builder.nodes = {
      R"({"mesh":0,"scale":[1,1,1]})",
      R"({"mesh":0,"scale":[1.0000005,1.0000005,1.0000005]})",
      R"({"mesh":0,"matrix":[0.8660258367971405,0.50000025,0,0,-0.50000025,0.8660258367971405,0,0,0,0,1.0000005,0,0,0,0,1]})",
      R"({"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,4,0,0,1.00000006]})",
  };
  const Assembly read = read_gltf(builder.glb());
  EXPECT_FALSE(read.parts()[0].mesh.same_data(read.parts()[1].mesh));
  EXPECT_TRUE(read.parts()[1].mesh.same_data(read.parts()[2].mesh));
  EXPECT_EQ(read.parts()[2].mesh.bounds().hi.x, 1.0000005);
  // A common divisor a little off one divides.
  EXPECT_EQ(read.parts()[3].pose.translation().x, 4 / 1.00000006);
  EXPECT_TRUE(read.problems().empty()) << read.problems()[0].text;
}

TEST_F(Gltf, ErrorsInDataNameTheByteOfTheirFile) {
  GltfBuilder builder;
  builder.corner();
  const auto at = [](std::string bytes, std::size_t place, std::string_view by) {
    return bytes.replace(place, by.size(), by);
  };
  const std::string nan("\0\0\xC0\x7F", 4), seven("\7\0", 2);
  const std::string glb = builder.glb();
  const std::size_t data = glb.size() - (builder.binary.size() + 3) / 4 * 4;

  const auto bad_vertex = read_bytes(FileFormat::gltf, at(glb, data + 24 + 4, nan));
  EXPECT_EQ(bad_vertex.error().byte, data + 24) << bad_vertex.error().message();
  const auto bad_index = read_bytes(FileFormat::gltf, at(glb, data + 48 + 6, seven));
  EXPECT_EQ(bad_index.error().byte, data + 48 + 6);
  EXPECT_EQ(bad_index.error().text, "index 3 of accessor 1 is 7, but there are 4 vertices");

  const test::TempDir folder;
  folder.write("d.bin", at(builder.binary, 12, nan));
  const auto external = test::load_assembly(folder.write("m.gltf", builder.external("d.bin")));
  EXPECT_EQ(external.error().path, (folder.path() / "d.bin").string());
  EXPECT_EQ(external.error().byte, 12U);
}

TEST_F(Gltf, PlacementsMultiplyLikeMatrices) {
  // Random chains of nodes against plain 4x4 products.
  std::uint64_t state = 7;
  const auto next = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 40) / (1 << 24) * 2 - 1;
  };
  const Point3 probe{0.3, -0.7, 1.1};
  for (int chain = 0; chain < 500; ++chain) {
    io::Placement placement;
    std::vector<std::pair<io::Matrix3, Vec3>> maps;
    for (int depth = 0; depth < 4; ++depth) {
      io::LocalTransform local;
      local.translation = {next(), next(), next()};
      io::Matrix3 linear{};
      if (chain % 3 == 0) {
        for (double& e : linear) e = next();
        local.linear = io::factor(linear);
      } else {
        const Pose pose = Pose::make({next(), next(), next(), next()}, {}).value();
        const Vec3 s{next(), chain % 3 == 1 ? next() : 1, 1};
        for (std::size_t i = 0; i < 9; ++i) linear[i] = pose.matrix()[i] * s[i % 3];
        local.linear = {pose.rotation(), {s.x, 0, 0, 0, s.y, 0, 0, 0, s.z}, 0};
      }
      maps.emplace_back(linear, local.translation);
      placement = io::place_child(placement, local).value();
    }
    Point3 expected = probe;
    for (auto map = maps.rbegin(); map != maps.rend(); ++map)
      expected = (io::operator*(map->first, expected)) + map->second;
    const Point3 found = placement.pose.apply(io::operator*(placement.stretch, probe));
    EXPECT_LE(placement.off, io::k_noticeable);
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(found[axis], expected[axis], 1e-11) << chain;
  }
}

TEST_F(Gltf, PrimitivesBecomeSurfaces) {
  GltfBuilder builder;
  const auto p = builder.positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  const auto q = builder.positions({{5, 0, 0}, {6, 0, 0}, {5, 1, 0}});
  const auto u8 = builder.indices<std::uint8_t>({0, 1, 2});
  const auto u32 = builder.indices<std::uint32_t>({1, 3, 2});
  const auto index = [](std::size_t i, int mode = 4) {
    return ",\"indices\":" + std::to_string(i) + ",\"mode\":" + std::to_string(mode);
  };
  builder.mesh(GltfBuilder::primitive(p, index(u8) + ",\"material\":1") + ',' + GltfBuilder::primitive(q) + ',' +
               GltfBuilder::primitive(p, index(u32)) + ',' + GltfBuilder::primitive(p, index(u32, 1)) +
               ",{\"attributes\":{}}");
  builder.nodes = {R"({"mesh":0,"name":"n"})"};
  builder.more = R"(,"materials":[{},{"name":"steel"}])";
  const Assembly read = read_gltf(builder.glb());
  const Mesh& mesh = read.parts()[0].mesh;
  EXPECT_EQ(mesh.vertices().size(), 7U);  // primitives that share an accessor share its vertices
  const std::vector<Index3> expected{{0, 1, 2}, {4, 5, 6}, {1, 3, 2}};
  EXPECT_TRUE(std::ranges::equal(mesh.triangles(), expected));
  ASSERT_EQ(mesh.surfaces().size(), 3U);
  EXPECT_EQ(mesh.surfaces()[0].name, "steel");
  EXPECT_EQ(mesh.surfaces()[1].name, "primitive 1");
  EXPECT_EQ(mesh.surface_of(2), 2U);
  EXPECT_TRUE(has_problem(read, "1 primitive of points or lines left out"));
  EXPECT_TRUE(has_problem(read, "1 primitive without positions left out"));
}

TEST_F(Gltf, ReadsStripsAndFans) {
  GltfBuilder builder;
  const auto p = builder.positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 2, 0}, {1, 2, 0}});
  const auto strip = builder.indices<std::uint16_t>({0, 1, 2, 3, 3, 4, 4, 5, 2});
  builder.mesh(GltfBuilder::primitive(p, ",\"mode\":5") + ',' + GltfBuilder::primitive(p, ",\"mode\":6") + ',' +
               GltfBuilder::primitive(p, ",\"mode\":5,\"indices\":" + std::to_string(strip)));
  builder.nodes = {R"({"mesh":0})"};
  const Assembly read = read_gltf(builder.embedded());
  const std::vector<Index3> expected{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}, {0, 1, 2}, {0, 2, 3},
                                     {0, 3, 4}, {0, 4, 5}, {0, 1, 2}, {1, 3, 2}, {4, 5, 2}};
  EXPECT_TRUE(std::ranges::equal(read.parts()[0].mesh.triangles(), expected));
  EXPECT_TRUE(has_problem(read, "4 stitching triangles of the strip in primitive 2 left out"));
}

TEST_F(Gltf, ReadsInterleavedSparseAndQuantisedData) {
  GltfBuilder builder;
  std::string interleaved;  // position, then normal
  for (int v = 0; v < 4; ++v)
    for (const float c : {1.0F * static_cast<float>(v), 2.0F, 3.0F, 0.0F, 0.0F, 1.0F}) test::put(interleaved, c);
  const auto view = builder.view(interleaved, ",\"byteStride\":24");
  const auto strided = builder.accessor(view, 5126, 3, "VEC3", ",\"byteOffset\":24");

  std::string where, what;
  test::put(where, std::uint16_t{1});
  for (const float c : {7.0F, 8.0F, 9.0F}) test::put(what, c);
  const auto where_view = builder.view(where), what_view = builder.view(what);
  builder.accessors.push_back(
      R"({"componentType":5126,"type":"VEC3","count":3,"sparse":{"count":1,"indices":{"componentType":5123,"bufferView":)" +
      std::to_string(where_view) + R"(},"values":{"bufferView":)" + std::to_string(what_view) + "}}}");
  const std::size_t sparse = builder.accessors.size() - 1;

  std::string small;
  for (const int c : {127, -127, 64, 0, -128, 1, 2, 3, 4}) test::put(small, static_cast<std::int8_t>(c));
  const auto quantised = builder.accessor(builder.view(small), 5120, 3, "VEC3", ",\"normalized\":true");
  builder.mesh(GltfBuilder::primitive(strided) + ',' + GltfBuilder::primitive(sparse) + ',' +
               GltfBuilder::primitive(quantised));
  builder.nodes = {R"({"mesh":0})"};
  builder.more =
      R"(,"extensionsRequired":["KHR_mesh_quantization"],"extensionsUsed":["KHR_mesh_quantization","KHR_materials_unlit","ACME_thing"])";
  const Assembly read = read_gltf(builder.glb());
  const auto v = read.parts()[0].mesh.vertices();
  ASSERT_EQ(v.size(), 9U);
  EXPECT_EQ(v[0], (Point3{1, 2, 3}));
  EXPECT_EQ(v[2], (Point3{3, 2, 3}));
  EXPECT_EQ(v[3], (Point3{0, 0, 0}));
  EXPECT_EQ(v[4], (Point3{7, 8, 9}));
  EXPECT_EQ(v[6], (Point3{1, -1, 64.0 / 127}));
  EXPECT_EQ(v[7].y, -1);
  ASSERT_EQ(read.problems().size(), 1U);
  EXPECT_EQ(read.problems()[0].text, "the extension 'ACME_thing' is ignored");
}

TEST_F(Gltf, MeshesThatShareOneArrayTakeWhatTheyUse) {
  GltfBuilder builder;
  const auto p = builder.positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 9}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}});
  const auto a = builder.indices<std::uint8_t>({0, 1, 2});
  const auto b = builder.indices<std::uint8_t>({5, 6, 4});
  builder.mesh(GltfBuilder::primitive(p, ",\"indices\":" + std::to_string(a)));
  builder.mesh(GltfBuilder::primitive(p, ",\"indices\":" + std::to_string(b)));
  builder.nodes = {R"({"mesh":0})", R"({"mesh":1})"};
  const Assembly read = read_gltf(builder.glb());
  EXPECT_EQ(read.parts()[0].mesh.vertices().size(), 3U);
  const Mesh& second = read.parts()[1].mesh;
  EXPECT_EQ(second.vertices().size(), 3U);
  EXPECT_EQ(second.triangles()[0], (Index3{1, 2, 0}));
  EXPECT_EQ(second.vertices()[1], (Point3{2, 1, 1}));
}

TEST_F(Gltf, KeepsRoomForPartsThatAreReadOnly) {
  // Eleven bytes a node, in no scene or in another one.
  GltfBuilder builder;
  builder.corner("");
  constexpr std::size_t k_nodes = 20'000;
  builder.nodes.assign(k_nodes, R"({"mesh":0})");
  builder.nodes.push_back(R"({"children":[0,1]})");
  builder.more = R"(,"scene":1,"scenes":[{"nodes":[5,6,7]},{"nodes":[)" + std::to_string(k_nodes) + "]}]";
  const std::string text = builder.embedded();
  const LoadOptions options;
  auto source = io::ByteSource::from_memory(std::as_bytes(std::span(text)), "file.gltf", options);
  const auto raw = io::read_gltf(source, options);
  ASSERT_TRUE(raw) << raw.error().message();
  EXPECT_EQ(raw->parts.size(), 2U);
  EXPECT_LE(raw->parts.capacity(), 4U);
}

TEST_F(Gltf, ChoosesTheDefaultSceneAndTakesMeshesWithoutNodes) {
  GltfBuilder builder;
  builder.corner("");
  builder.meshes.push_back(builder.meshes[0]);
  builder.meshes[1].insert(1, R"("name":"second",)");
  const Assembly no_nodes = read_gltf(builder.glb());
  ASSERT_EQ(no_nodes.parts().size(), 2U);
  EXPECT_EQ(no_nodes.parts()[0].path, "mesh 0");
  EXPECT_EQ(no_nodes.parts()[1].path, "second");

  builder.nodes = {R"({"mesh":0,"name":"x"})", R"({"mesh":1,"name":"y"})", R"({"mesh":0,"name":"z"})"};
  EXPECT_EQ(read_gltf(builder.glb()).parts().size(), 3U);
  builder.more = R"(,"scene":1,"scenes":[{"nodes":[0,1]},{"nodes":[2]}],"animations":[])";
  const Assembly chosen = read_gltf(builder.glb());
  ASSERT_EQ(chosen.parts().size(), 1U);
  EXPECT_EQ(chosen.parts()[0].path, "z");
  EXPECT_TRUE(has_problem(chosen, "scene 1 of 2 is read, the others are not"));
  EXPECT_TRUE(has_problem(chosen, "1 mesh is used by no node of the scene and left out"));
  EXPECT_TRUE(has_problem(chosen, "animations are ignored"));
}

TEST_F(Gltf, ReadsExternalBuffersOfItsFolderOnly) {
  const test::TempDir folder;
  GltfBuilder builder;
  builder.corner();
  std::filesystem::create_directory(folder.path() / "models");
  folder.write("secret.bin", builder.binary);
  folder.write("models/data one.bin", builder.binary);
  std::filesystem::create_symlink("../secret.bin", folder.path() / "models/link.bin");
  std::filesystem::create_symlink("data one.bin", folder.path() / "models/good.bin");
  const auto read = [&](const std::string& uri) {
    return test::load_assembly(folder.write("models/m.gltf", builder.external(uri)));
  };
  for (const char* good : {"data%20one.bin", "data one.bin", "./data%20one.bin", "good.bin"})
    EXPECT_TRUE(read(good).has_value()) << good << ": " << read(good).error().message();
  for (const std::string bad :
       {"../secret.bin", "%2e%2e/secret.bin", "sub/../../secret.bin", "..%2Fsecret.bin", "link.bin", "/etc/passwd",
        "%2Fetc/passwd", "file:///etc/passwd", "http://example.org/x.bin", "C:/x.bin", "..\\\\secret.bin",
        "%5C%5Chost/x", "data%00.bin", "data%zz.bin", ""}) {
    const auto result = read(bad);
    ASSERT_FALSE(result.has_value()) << bad;
    EXPECT_EQ(result.error().code, Code::refused) << result.error().message();
    EXPECT_TRUE(result.error().line.has_value()) << bad;
  }
  EXPECT_EQ(read("missing.bin").error().code, Code::not_found);
  EXPECT_EQ(read(".").error().code, Code::not_a_file);
  folder.write("models/short.bin", builder.binary.substr(1));
  EXPECT_EQ(read("short.bin").error().code, Code::truncated);
  const auto too_large = test::load_assembly(folder.path() / "models/m.gltf", {.max_file_bytes = 10});
  EXPECT_EQ(too_large.error().code, Code::too_large);
}

TEST_F(Gltf, ReadsNoMoreOfABufferThanItDeclares) {
  const test::TempDir folder;
  GltfBuilder builder;
  builder.corner();
  const auto data = folder.write("long.bin", builder.binary);
  std::filesystem::resize_file(data, std::uintmax_t{1} << 34);  // as a whole, more than there is memory
  const auto read = test::load_assembly(folder.write("m.gltf", builder.external("long.bin")));
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->parts()[0].mesh.triangles().size(), 3U);
}

TEST_F(Gltf, BuffersKeepToTheLimitTogether) {
  const test::TempDir folder;
  GltfBuilder builder;
  builder.corner();
  const std::string one = builder.external("a.bin");
  const std::string two =
      test::replaced(test::replaced(one, "\"buffers\":[", "\"buffers\":[{\"byteLength\":64,\"uri\":\"b.bin\"},"),
                     "{\"buffer\":0", "{\"buffer\":1");
  folder.write("a.bin", builder.binary);
  folder.write("b.bin", std::string(64, '\0') + builder.binary);
  const LoadOptions options{.max_file_bytes = one.size() + builder.binary.size() + 50};
  EXPECT_TRUE(test::load_assembly(folder.write("one.gltf", one), options).has_value());
  const auto read = test::load_assembly(folder.write("two.gltf", two), options);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::too_large);
  EXPECT_NE(read.error().text.find("with its buffers the file has more than"), std::string::npos)
      << read.error().message();
}

TEST_F(Gltf, InstancesByExtensionAreNotRead) {
  GltfBuilder builder;
  builder.corner(R"({"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}}}})");
  builder.more = R"(,"extensionsUsed":["EXT_mesh_gpu_instancing"])";
  const auto read = read_bytes(FileFormat::gltf, builder.glb());
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::unsupported);
  EXPECT_NE(read.error().text.find("'EXT_mesh_gpu_instancing', which is not read"), std::string::npos);
}

TEST_F(Gltf, DecodesBase64) {
  EXPECT_EQ(io::decode_base64("Zm9vYmE="), "fooba");
  EXPECT_EQ(io::decode_base64("Zm9vYmE"), "fooba");
  EXPECT_EQ(io::decode_base64(""), "");
  EXPECT_FALSE(io::decode_base64("Zm9v YmE=").has_value());
  EXPECT_FALSE(io::decode_base64("Zm9vY").has_value());
}

}  // namespace
}  // namespace snug
