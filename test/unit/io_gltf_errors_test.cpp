#include "unit/io_gltf_builder.hpp"

#include <snug/io.hpp>

#include <algorithm>

namespace snug {
namespace {

using test::BadFile;
using test::Gltf;
using test::GltfBuilder;
using test::replaced;
using Code = IoError::Code;

GltfBuilder corner() {
  GltfBuilder builder;
  builder.corner();
  return builder;
}

std::string with_more(const std::string& more) {
  GltfBuilder builder = corner();
  builder.more = more;
  return builder.embedded();
}

std::string with_nodes(std::vector<std::string> nodes, const std::string& more = "") {
  GltfBuilder builder;
  builder.corner("");
  builder.nodes = std::move(nodes);
  builder.more = more;
  return builder.embedded();
}

TEST_F(Gltf, SaysWhatIsWrongWithTheText) {
  const std::string good = corner().embedded();
  for (const BadFile& bad : {
           BadFile{"empty", "", Code::truncated, "unexpected end of input"},
           BadFile{"half", good.substr(0, good.size() / 2), Code::truncated, "file.x:"},
           BadFile{"not JSON", "{\"asset\":\n{\"version\":\"2.0\"},\n oops}", Code::malformed,
                   "file.x:3: at byte 30: "},
           BadFile{"trailing", good + "x", Code::malformed, "file.x:"},
           BadFile{"number overflow", with_more(",\"extras\":1e999"), Code::malformed, "file.x:"},
           BadFile{"deep", with_more(",\"extras\":" + std::string(100, '[') + std::string(100, ']')), Code::too_large,
                   "nested deeper than 64 levels"},
           BadFile{"very deep", std::string(10'000'000, '['), Code::too_large, "nested deeper than 64 levels"},
           BadFile{"not UTF-8", with_more(",\"extras\":\"\xFF\""), Code::malformed, "file.x:"},
           BadFile{"array", "[]", Code::malformed, "expected an object, found an array"},
           BadFile{"no asset", "{}", Code::malformed, "expected an 'asset'"},
           BadFile{"version 1", replaced(good, "\"2.0\"", "\"1.0\""), Code::unsupported,
                   ":1: at byte 9: expected glTF version 2.x, found '1.0'"},
           BadFile{"version number", replaced(good, "\"2.0\"", "2"), Code::malformed,
                   "expected a string as 'version', found a number"},
           BadFile{"least version", replaced(good, "\"2.0\"", "\"2.1\",\"minVersion\":\"2.1\""), Code::unsupported,
                   "minVersion of 2.0, found '2.1'"},
           BadFile{"draco", with_more(R"(,"extensionsRequired":["KHR_draco_mesh_compression"])"), Code::unsupported,
                   "requires the extension 'KHR_draco_mesh_compression'"},
           BadFile{"unknown extension", with_more(R"(,"extensionsRequired":["ACME_x"])"), Code::unsupported,
                   "'ACME_x', which is not read"},
           BadFile{"list that is none", with_more(R"(,"scenes":3)"), Code::malformed,
                   "expected an array as 'scenes', found a number"},
           BadFile{"list of numbers", with_more(R"(,"scenes":[3])"), Code::malformed,
                   "expected objects in 'scenes', found a number"},
           BadFile{"nothing", R"({"asset":{"version":"2.0"}})", Code::malformed,
                   "expected triangles in the scene, found none"},
       })
    test::expect_refused(FileFormat::gltf, bad);
}

TEST_F(Gltf, SaysWhatIsWrongWithNodesAndScenes) {
  for (const BadFile& bad : {
           BadFile{"self", with_nodes({R"({"children":[0]})"}), Code::malformed, "node 0 is its own child"},
           BadFile{"cycle",
                   with_nodes({R"({"mesh":0})", R"({"children":[2]})", R"({"children":[3]})", R"({"children":[1]})"}),
                   Code::malformed, "node 1 is its own ancestor"},
           BadFile{"two parents", with_nodes({R"({"children":[2]})", R"({"children":[2]})", R"({"mesh":0})"}),
                   Code::malformed, "node 2 has more than one parent"},
           BadFile{"twice a child", with_nodes({R"({"children":[1,1]})", R"({"mesh":0})"}), Code::malformed,
                   "node 1 has more than one parent"},
           BadFile{"child out of range", with_nodes({R"({"children":[7]})"}), Code::out_of_range,
                   "'children' names 7, but 'nodes' has 1 item"},
           BadFile{"child not an index", with_nodes({R"({"children":[0.5]})"}), Code::malformed,
                   "expected indices in 'children'"},
           BadFile{"mesh out of range", with_nodes({R"({"mesh":1})"}), Code::out_of_range,
                   "'mesh' is 1, but 'meshes' has 1 item"},
           BadFile{"negative mesh", with_nodes({R"({"mesh":-1})"}), Code::malformed, "expected an index as 'mesh'"},
           BadFile{"mesh by name", with_nodes({R"({"mesh":"m"})"}), Code::malformed, "expected an index as 'mesh'"},
           BadFile{"scene out of range", with_nodes({R"({"mesh":0})"}, R"(,"scene":4,"scenes":[{"nodes":[0]}])"),
                   Code::out_of_range, "'scene' is 4"},
           BadFile{"scene lists a child",
                   with_nodes({R"({"children":[1]})", R"({"mesh":0})"}, R"(,"scenes":[{"nodes":[1]}])"),
                   Code::malformed, "node 1 is listed in the scene although it has a parent"},
           BadFile{"scene lists twice", with_nodes({R"({"mesh":0})"}, R"(,"scenes":[{"nodes":[0,0]}])"),
                   Code::malformed, "listed before"},
           BadFile{"empty scene", with_nodes({R"({"mesh":0})"}, R"(,"scenes":[{}])"), Code::malformed,
                   "expected triangles in the scene"},
           BadFile{"short matrix", with_nodes({R"({"mesh":0,"matrix":[1,0,0]})"}), Code::malformed,
                   "expected 16 numbers as 'matrix'"},
           BadFile{"perspective", with_nodes({R"({"mesh":0,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]})"}),
                   Code::malformed, "expected a last row of 0 0 0 1"},
           BadFile{"both", with_nodes({R"({"mesh":0,"scale":[1,1,1],"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]})"}),
                   Code::malformed, "both a matrix and translation"},
           BadFile{"words", with_nodes({R"({"mesh":0,"translation":[1,"2",3]})"}), Code::malformed,
                   "expected 3 numbers as 'translation'"},
           BadFile{"zero rotation", with_nodes({R"({"mesh":0,"rotation":[0,0,0,0]})"}), Code::malformed,
                   "expected a rotation of unit length in node 0"},
           BadFile{"long rotation", with_nodes({R"({"mesh":0,"rotation":[0,0,0,2]})"}), Code::malformed, "found 2"},
           BadFile{"far away", with_nodes({R"({"mesh":0,"translation":[1e305,0,0]})"}), Code::non_finite,
                   "node 0 stands beyond all limits"},
           BadFile{"overflowing",
                   with_nodes({R"({"scale":[1e200,1,1],"children":[1]})", R"({"mesh":0,"scale":[1e200,1,1]})"}),
                   Code::non_finite, "node 1 stands beyond all limits"},
           BadFile{"scaled away", with_nodes({R"({"mesh":0,"scale":[1e305,1,1]})"}), Code::non_finite,
                   "a vertex becomes too large"},
       })
    test::expect_refused(FileFormat::gltf, bad);

  std::vector<std::string> chain;
  for (int i = 1; i <= 300; ++i) chain.push_back("{\"children\":[" + std::to_string(i) + "]}");
  chain.emplace_back(R"({"mesh":0})");
  test::expect_refused(FileFormat::gltf,
                       {"deep tree", with_nodes(chain), Code::too_large, "nodes are nested deeper than 256 levels"});
}

TEST_F(Gltf, SaysWhatIsWrongWithBuffersAndAccessors) {
  const GltfBuilder good = corner();
  const std::string text = good.embedded();
  const auto accessor = [&](std::size_t i, const std::string& json) {
    GltfBuilder builder = good;
    builder.accessors[i] = json;
    return builder.embedded();
  };
  const auto mesh = [&](const std::string& json) {
    GltfBuilder builder = good;
    builder.meshes[0] = json;
    return builder.embedded();
  };
  const auto positions = [](float value) {
    GltfBuilder builder;
    const auto p = builder.positions({{0, 0, 0}, {1, value, 0}, {0, 1, 0}});
    builder.mesh(GltfBuilder::primitive(p));
    builder.nodes = {R"({"mesh":0})"};
    return builder.glb();
  };
  for (
      const BadFile& bad : {
          BadFile{"no uri", good.json(""), Code::malformed, "expected a 'uri' in buffer 0, found none"},
          BadFile{"extension buffer", good.json(R"(,"extensions":{"EXT_meshopt_compression":{"fallback":true}})"),
                  Code::unsupported, "buffer 0 needs the extension 'EXT_meshopt_compression'"},
          BadFile{"uri number", good.json(",\"uri\":3"), Code::malformed, "expected a string as 'uri'"},
          BadFile{"not base64", good.json(",\"uri\":\"data:text/plain,hello\""), Code::unsupported,
                  "expected base64 data in buffer 0"},
          BadFile{"bad base64", good.json(",\"uri\":\"data:;base64,****\""), Code::malformed, "found other characters"},
          BadFile{"short data", good.json(",\"uri\":\"data:;base64,AAAA\""), Code::truncated, "in buffer 0, found 3"},
          BadFile{"lying view", replaced(text, "\"byteLength\":48", "\"byteLength\":4800000000000"), Code::out_of_range,
                  "bufferView 0 reaches beyond"},
          BadFile{"offset overflow", replaced(text, "\"byteOffset\":0", "\"byteOffset\":9007199254740992"),
                  Code::out_of_range, "bufferView 0 reaches beyond"},
          BadFile{"negative offset", replaced(text, "\"byteOffset\":0", "\"byteOffset\":-4"), Code::malformed,
                  "expected a whole number as 'byteOffset'"},
          BadFile{"view without buffer", replaced(text, "\"buffer\":0,", ""), Code::malformed,
                  "expected a 'buffer' in bufferView 0"},
          BadFile{"lying count", accessor(0, R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":5})"),
                  Code::out_of_range, "accessor 0 has 5 elements, more than bufferView 0 of 48 bytes can hold"},
          BadFile{"huge count",
                  accessor(0, R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":4294967295})"),
                  Code::out_of_range, "more than bufferView 0"},
          BadFile{"more than ids",
                  accessor(0, R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":9007199254740992})"),
                  Code::too_large, "more than 2^32 - 1 elements"},
          BadFile{"zero count", accessor(0, R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":0})"),
                  Code::malformed, "found a count of 0"},
          BadFile{"zeros without end", accessor(0, R"({"componentType":5126,"type":"VEC3","count":4000000000})"),
                  Code::malformed, "expected a 'bufferView' in accessor 0, found none"},
          BadFile{
              "sparse zeros without end",
              accessor(
                  0,
                  R"({"componentType":5126,"type":"VEC3","count":4000000000,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}}})"),
              Code::too_large, "MiB of meshes"},
          BadFile{"type", accessor(0, R"({"bufferView":0,"componentType":5130,"type":"VEC3","count":3})"),
                  Code::malformed, "expected a known 'componentType', found 5130"},
          BadFile{"integer positions", accessor(0, R"({"bufferView":0,"componentType":5125,"type":"VEC3","count":3})"),
                  Code::malformed, "expected positions of type float"},
          BadFile{"shape", accessor(0, R"({"bufferView":0,"componentType":5126,"type":"VEC2","count":3})"),
                  Code::malformed, "expected type VEC3 of accessor 0, found 'VEC2'"},
          BadFile{"view out of range", accessor(0, R"({"bufferView":9,"componentType":5126,"type":"VEC3","count":3})"),
                  Code::out_of_range, "'bufferView' is 9"},
          BadFile{"float indices", accessor(1, R"({"bufferView":0,"componentType":5126,"type":"SCALAR","count":3})"),
                  Code::malformed, "expected unsigned indices in accessor 1"},
          BadFile{"index out of range", accessor(0, R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":3})"),
                  Code::out_of_range, "is 3, but there are 3 vertices"},
          BadFile{"not a multiple of three",
                  accessor(1, R"({"bufferView":1,"componentType":5123,"type":"SCALAR","count":8})"), Code::malformed,
                  "expected a multiple of three corners in primitive 0, found 8"},
          BadFile{"stride", replaced(text, "\"byteLength\":48", "\"byteLength\":48,\"byteStride\":8"), Code::malformed,
                  "expected a 'byteStride' of at least 12, found 8"},
          BadFile{
              "sparse too many",
              accessor(
                  0,
                  R"({"componentType":5126,"type":"VEC3","count":3,"sparse":{"count":4,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}}})"),
              Code::out_of_range, "a sparse accessor replaces 4 of 3 elements"},
          BadFile{
              "sparse order",
              accessor(
                  0,
                  R"({"componentType":5126,"type":"VEC3","count":3,"sparse":{"count":3,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}}})"),
              Code::malformed, "expected ascending indices"},
          BadFile{"sparse without",
                  accessor(0, R"({"componentType":5126,"type":"VEC3","count":3,"sparse":{"count":1}})"),
                  Code::malformed, "expected 'indices' and 'values'"},
          BadFile{"no primitives", mesh(R"({"primitives":[]})"), Code::malformed, "expected primitives in mesh 0"},
          BadFile{"no attributes", mesh(R"({"primitives":[{}]})"), Code::malformed,
                  "expected 'attributes' of a primitive"},
          BadFile{"mode", mesh(R"({"primitives":[{"attributes":{"POSITION":0},"mode":7}]})"), Code::malformed,
                  "expected a mode from 0 to 6, found 7"},
          BadFile{"only lines", mesh(R"({"primitives":[{"attributes":{"POSITION":0},"mode":1}]})"), Code::malformed,
                  "expected triangles in the scene"},
          BadFile{"position out of range", mesh(R"({"primitives":[{"attributes":{"POSITION":2}}]})"),
                  Code::out_of_range, "'POSITION' is 2"},
          BadFile{"material out of range",
                  mesh(R"({"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]})"),
                  Code::out_of_range, "'material' is 0"},
          BadFile{
              "hidden draco",
              replaced(
                  mesh(
                      R"({"primitives":[{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":{}}}]})"),
                  "{\"bufferView\":0,", "{"),
              Code::unsupported, "'KHR_draco_mesh_compression'"},
          BadFile{"nan", positions(std::numeric_limits<float>::quiet_NaN()), Code::non_finite,
                  "element 1 of accessor 0 is not finite"},
          BadFile{"infinity", positions(std::numeric_limits<float>::infinity()), Code::non_finite,
                  "element 1 of accessor 0 is not finite"},
      })
    test::expect_refused(FileFormat::gltf, bad);
}

TEST_F(Gltf, SaysAtWhichByteAGlbIsWrong) {
  const std::string good = corner().glb();
  const auto word = [&](std::size_t at, std::uint32_t value) {
    std::string bytes = good, number;
    test::put(number, value);
    return bytes.replace(at, 4, number);
  };
  for (const BadFile& bad : {
           BadFile{"header cut", good.substr(0, 10), Code::truncated, "a GLB header of 12 bytes"},
           BadFile{"version", word(4, 1), Code::unsupported, "at byte 4: expected glTF version 2, found 1"},
           BadFile{"cut", good.substr(0, good.size() - 1), Code::truncated, "at byte 8: expected"},
           BadFile{"too long", good + "abcd", Code::malformed, "at byte 8: the header tells of"},
           BadFile{"lying length", word(8, 0xFFFFFFFF), Code::truncated, "expected 4294967295 bytes"},
           BadFile{"chunk too long", word(12, 0x7FFFFFFF), Code::truncated,
                   "at byte 12: expected a chunk of 2147483647 bytes"},
           BadFile{"no JSON first", word(16, 0x004E4942), Code::malformed, "at byte 12: expected the JSON chunk first"},
           BadFile{"broken JSON", word(20, 0x20202020), Code::malformed, "at byte 2"},
       })
    test::expect_refused(FileFormat::gltf, bad);
  for (std::size_t length = 0; length < good.size(); length += 7)
    EXPECT_FALSE(test::read_bytes(FileFormat::gltf, good.substr(0, length)).has_value()) << length;
}

TEST_F(Gltf, SmallFilesCannotAskForMuch) {
  // A thousand meshes that name the same megabyte, through accessors that differ, and megabytes that nobody names.
  GltfBuilder builder;
  const auto view = builder.view(std::string(12 * 90'000, '\0'));
  for (int i = 0; i < 1000; ++i) {
    builder.mesh(
        GltfBuilder::primitive(builder.accessor(view, 5126, 90'000 - 3 * static_cast<std::size_t>(i), "VEC3")));
    builder.nodes.push_back("{\"mesh\":" + std::to_string(i) + '}');
  }
  (void)builder.view(std::string(8 << 20, '\0'));
  const auto read = test::read_bytes(FileFormat::gltf, builder.glb());
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::too_large);
  EXPECT_NE(read.error().message().find("more than 99 MiB of meshes"), std::string::npos) << read.error().message();

  // Long names, repeated along every path.
  GltfBuilder names = corner();
  names.nodes = {"{\"name\":\"" + std::string(100'000, 'n') + "\",\"children\":["};
  for (int i = 1; i <= 2000; ++i) {
    names.nodes[0] += (i > 1 ? "," : "") + std::to_string(i);
    names.nodes.emplace_back(R"({"mesh":0})");
  }
  names.nodes[0] += "]}";
  EXPECT_EQ(test::read_bytes(FileFormat::gltf, names.glb()).error().code, Code::too_large);
}

TEST(GltfWithoutJson, IsSaidToBeUnsupported) {
  if (test::reads_gltf()) GTEST_SKIP() << "this build reads glTF";
  const auto read = test::read_bytes(FileFormat::gltf, corner().glb());
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::unsupported);
  EXPECT_NE(read.error().message().find("nlohmann-json3-dev"), std::string::npos);
}

}  // namespace
}  // namespace snug
