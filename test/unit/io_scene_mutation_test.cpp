// Valid PLY, OFF and glTF files with seeded damage: each loads, or fails with a message that names the file.
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "unit/io_gltf_builder.hpp"

namespace snug {
namespace {

std::string saved(const std::string& name, const SaveOptions& options) {
  const test::TempDir dir;
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
  const char* name;
  FileFormat format;
  std::string bytes;
};

void damage(std::string& bytes, scenes::Random& random) {
  constexpr std::string_view k_words[] = {"nan", "-1", "0", "1e999", "\n",   "4294967295", "list", "[", "]",
                                          "{",   "}",  ",", "\"",    "5126", "5121",       "#",    "3 "};
  for (std::uint64_t i = 0, times = 1 + random.below(3); i < times && !bytes.empty(); ++i) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = std::min<std::size_t>(bytes.size() - at, 1 + random.below(40));
    switch (random.below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>('0' + random.below(10));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(at, bytes.substr(random.below(bytes.size()), length));
        break;
      default:
        bytes.insert(at, k_words[random.below(std::size(k_words))]);
        break;
    }
  }
}

TEST(SceneFiles, DamagedOnesLoadOrFailWithAMessage) {
  std::vector<Whole> files{
      {"binary PLY", FileFormat::ply, saved("x.ply", {})},
      {"text PLY", FileFormat::ply, saved("x.ply", {.ascii = true})},
      {"OFF", FileFormat::off, "OFF\n4 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 2 1 0 255 0 0\n3 0 1 3\n"},
      {"written GLB", FileFormat::gltf, saved("x.glb", {})},
      {"GLB", FileFormat::gltf, tree(true)},
      {"glTF", FileFormat::gltf, tree(false)},
  };
  if (!test::reads_gltf()) std::erase_if(files, [](const Whole& whole) { return whole.format == FileFormat::gltf; });
  std::size_t refused = 0, loaded = 0;
  for (const Whole& whole : files) ASSERT_TRUE(test::read_bytes(whole.format, whole.bytes)) << whole.name;
  for (std::uint64_t seed = 0, n = test::scaled(2'000); seed < n; ++seed) {
    const Whole& whole = files[seed % files.size()];
    SCOPED_TRACE(whole.name + std::to_string(seed));
    scenes::Random random(seed);
    std::string bytes = whole.bytes;
    damage(bytes, random);
    const auto read = test::read_bytes(whole.format, bytes);
    if (read) {
      ++loaded;
      for (const Part& part : read->parts()) ASSERT_GT(part.mesh.triangles().size(), 0U);
      continue;
    }
    ++refused;
    ASSERT_FALSE(read.error().path.empty());
    ASSERT_GT(read.error().text.size(), 10U) << read.error().message();
    ASSERT_LE(read.error().byte.value_or(0), bytes.size());
  }
  EXPECT_GT(refused + loaded, 0U);
}

}  // namespace
}  // namespace snug
