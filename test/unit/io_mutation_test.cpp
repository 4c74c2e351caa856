// Valid files with seeded damage: each loads, or fails with a message that names the file; nothing else may happen.
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "unit/io_support.hpp"

namespace snug {
namespace {

using test::TempDir;

void damage(std::string& bytes, scenes::Random& random) {
  constexpr std::string_view k_words[] = {
      "nan", "-1", "0", "1e999", "\n", "\\\n", "f ", "v ",         "o x\n", "solid ",
      "/",   "\r", "#", "-",     ".",  "e",    "g ", "4294967295", " ",     "99999999999999999999"};
  for (std::uint64_t i = 0, times = 1 + random.below(3); i < times && !bytes.empty(); ++i) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = std::min<std::size_t>(bytes.size() - at, 1 + random.below(40));
    switch (random.below(7)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random.below(256));
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
      case 5:
        bytes.insert(at, k_words[random.below(std::size(k_words))]);
        break;
      default:
        bytes.replace(at, length, std::string(length, static_cast<char>(random.below(256))));
        break;
    }
  }
}

class Mutations : public testing::TestWithParam<std::string> {};

TEST_P(Mutations, LoadOrFailWithAMessage) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"can", scenes::cylinder(1, 2, 6), {}});
  (void)assembly.add({"box", scenes::box({0, 0, 0}, {1, 2, 3}), translation(1, 0.1, 0)});
  const std::string name = GetParam();
  const bool ascii = name.starts_with("text");
  ASSERT_TRUE(save(assembly, dir.path() / name, {.ascii = ascii}));
  const std::string whole = test::slurp(dir.path() / name);
  ASSERT_TRUE(test::load_text(whole, name));

  std::size_t refused = 0;
  for (std::uint64_t seed = 0, n = test::scaled(2'000); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    std::string bytes = whole;
    damage(bytes, random);
    const auto loaded = test::load_text(bytes, name);
    if (loaded) {
      for (const Part& part : loaded->parts()) ASSERT_GT(part.mesh.triangles().size(), 0U);
      continue;
    }
    ++refused;
    ASSERT_TRUE(loaded.error().message().starts_with(name)) << loaded.error().message();
    ASSERT_GT(loaded.error().text.size(), 10U);
    ASSERT_LE(loaded.error().byte.value_or(0), bytes.size());
    const auto lines = 1 + static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
    ASSERT_LE(loaded.error().line.value_or(0), lines);
  }
  EXPECT_GT(refused, 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, Mutations, testing::Values("part.obj", "part.stl", "text.stl"),
                         [](const auto& name) { return name.param == "text.stl" ? "stl_text" : name.param.substr(5); });

}  // namespace
}  // namespace snug
