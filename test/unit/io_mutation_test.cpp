// Valid files with seeded damage: each loads as something sane, or fails with a message that tells where; nothing else
// may happen.
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "unit/io_gltf_builder.hpp"

#include <cmath>

namespace snug {
namespace {

using test::TempDir;
using Code = IoError::Code;

std::string saved(const std::string& name, const SaveOptions& options) {
  const TempDir dir;
  Assembly assembly(LengthUnit::metre);
  const Mesh can = scenes::cylinder(1, 2, 6);
  (void)assembly.add({"can", can, {}}).value();
  (void)assembly.add({"box", scenes::box({0, 0, 0}, {1, 2, 3}), translation(1, 0.1, 0)}).value();
  (void)assembly.add({"again", can, rotation({0, 0, 1}, 1)}).value();
  save(assembly, dir.path() / name, options).value();
  return test::slurp(dir.path() / name);
}

std::string tree(bool binary) {
  test::GltfBuilder builder;
  builder.corner("");
  builder.nodes = {
      R"({"name":"root","translation":[10,0,0],"children":[1,2,3]})",
      R"({"name":"arm","rotation":[0,0,0.6,0.8],"children":[4]})",
      R"({"name":"a","mesh":0,"scale":[1,2,-3]})",
      R"({"name":"b","mesh":0,"matrix":[0,1,0,0,-1,0.5,0,0,0,0,1,0,5,6,7,1]})",
      R"({"name":"tip","mesh":0})",
  };
  builder.more = R"(,"scenes":[{"nodes":[0]}],"scene":0,"extensionsUsed":["ACME_x"])";
  return binary ? builder.glb() : builder.embedded();
}

struct Whole {
  std::string name;  ///< of the test
  FileFormat format;
  std::string bytes;
};

std::vector<Whole> wholes() {
  return {
      {"obj", FileFormat::obj, saved("x.obj", {})},
      {"obj_of_polygons", FileFormat::obj,
       "o a\nv 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\ng s\nf 1/1 2//2 3 -1\nusemtl m\nf 1 2 \\\n3\no b\nf 5 1 2 3 4\nv 1 1 "
       "1\n"},
      {"stl", FileFormat::stl, saved("x.stl", {})},
      {"stl_text", FileFormat::stl, saved("x.stl", {.ascii = true})},
      {"ply", FileFormat::ply, saved("x.ply", {})},
      {"ply_text", FileFormat::ply, saved("x.ply", {.ascii = true})},
      {"off", FileFormat::off, "OFF\n4 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 2 1 0 255 0 0\n3 0 1 3\n"},
      {"glb_written", FileFormat::gltf, saved("x.glb", {})},
      {"glb", FileFormat::gltf, tree(true)},
      {"gltf", FileFormat::gltf, tree(false)},
  };
}

void damage(std::string& bytes, scenes::Random& random) {
  constexpr std::string_view k_words[] = {
      "nan",  "-1",    "0",      "1e999", "\n", "\\\n",       "f ",
      "v ",   "o x\n", "solid ", "/",     "\r", "#",          "-",
      ".",    "e",     "g ",     " ",     "[",  "]",          "{",
      "}",    ",",     "\"",     ":",     "3 ", "4294967295", "99999999999999999999",
      "5126", "5121",  "list"};
  for (std::uint64_t i = 0, times = 1 + random.below(3); i < times && !bytes.empty(); ++i) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = std::min<std::size_t>(bytes.size() - at, 1 + random.below(40));
    switch (random.below(8)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random.below(256));
        break;
      case 2:
        bytes[at] = static_cast<char>('0' + random.below(10));
        break;
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.erase(at, length);
        break;
      case 5:
        bytes.insert(at, bytes.substr(random.below(bytes.size()), length));
        break;
      case 6:
        bytes.insert(at, k_words[random.below(std::size(k_words))]);
        break;
      default:
        bytes.replace(at, length, length, static_cast<char>(random.below(256)));
        break;
    }
  }
}

void expect_sane(const Assembly& assembly) {
  ASSERT_FALSE(assembly.parts().empty());
  for (const Part& part : assembly.parts()) {
    ASSERT_FALSE(part.path.empty());
    ASSERT_GT(part.mesh.triangles().size(), 0U);
    for (const Point3& v : part.mesh.vertices())
      for (const double c : {v.x, v.y, v.z}) ASSERT_LE(std::abs(c), k_max_coordinate);
    for (const Index3& t : part.mesh.triangles())
      for (const std::uint32_t v : t) ASSERT_LT(v, part.mesh.vertices().size());
    for (std::uint32_t t = 0; t < part.mesh.triangles().size(); ++t)
      ASSERT_LT(part.mesh.surface_of(t), part.mesh.surfaces().size());
  }
}

void expect_helpful(const IoError& error, std::string_view bytes) {
  ASSERT_TRUE(error.message().starts_with("/nowhere/file.x")) << error.message();
  ASSERT_GT(error.text.size(), 10U) << error.message();
  // All but these are about content, which is somewhere.
  const bool whole_file = error.code == Code::unknown_format || error.code == Code::not_found;
  ASSERT_TRUE(whole_file || error.line || error.byte) << error.message();
  ASSERT_LE(error.byte.value_or(0), bytes.size());
  const auto lines = 1 + static_cast<std::uint64_t>(std::ranges::count(bytes, '\n') + std::ranges::count(bytes, '\r'));
  ASSERT_LE(error.line.value_or(1), lines);
  ASSERT_GE(error.line.value_or(1), 1U);
}

class Mutations : public testing::TestWithParam<std::size_t> {};

TEST_P(Mutations, LoadOrFailWithAMessage) {
  const Whole whole = wholes()[GetParam()];
  if (whole.format == FileFormat::gltf && !test::reads_gltf()) GTEST_SKIP() << "this build reads no glTF";
  ASSERT_TRUE(test::read_bytes(whole.format, whole.bytes));
  std::uint64_t refused = 0, loaded = 0;
  for (std::uint64_t seed = 0, n = test::scaled(2'000); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    std::string bytes = whole.bytes;
    damage(bytes, random);
    const auto read = test::read_bytes(whole.format, bytes);
    if (read) {
      ++loaded;
      ASSERT_NO_FATAL_FAILURE(expect_sane(*read));
    } else {
      ++refused;
      ASSERT_NO_FATAL_FAILURE(expect_helpful(read.error(), bytes));
    }
  }
  // Damage that is always found, or never, would test half of the reader.
  if (refused + loaded >= 100) {
    EXPECT_GT(refused, (refused + loaded) / 20);
    EXPECT_GT(loaded, (refused + loaded) / 200);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Mutations, testing::Range(std::size_t{0}, std::size_t{10}),
                         [](const auto& which) { return wholes()[which.param].name; });

}  // namespace
}  // namespace snug
