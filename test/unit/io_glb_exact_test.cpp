// What GLB cannot hold in floats comes back bit for bit from the notes beside them, or the file is refused.
#include "scenes/random.hpp"
#include "scenes/scene.hpp"
#include "scenes/solids.hpp"
#include "unit/io_gltf_builder.hpp"

#include <snug/check.hpp>
#include <snug/io.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace snug {
namespace {

using test::Glb;
using test::TempDir;
using Code = IoError::Code;

constexpr LengthUnit k_units[] = {LengthUnit::micrometre, LengthUnit::millimetre, LengthUnit::centimetre,
                                  LengthUnit::metre,      LengthUnit::inch,       LengthUnit::foot};

/// Doubles of all sizes whose metres fit into floats.
double any_length(scenes::Random& random) {
  if (random.below(8) == 0) return random.below(2) == 0 ? 0.0 : -0.0;
  return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(160)) - 60);
}

Mesh any_mesh(scenes::Random& random) {
  MeshInput input;
  for (std::uint64_t i = 0, n = 3 + random.below(20); i < n; ++i) {
    const double x = any_length(random), y = any_length(random);
    input.vertices.push_back({x, y, any_length(random)});
  }
  for (std::uint32_t i = 0; i + 2 < input.vertices.size(); ++i) {
    input.triangles.push_back({i, i + 1, i + 2});
    input.surface_of_triangle.push_back(static_cast<std::uint32_t>(random.below(3)));
  }
  for (int i = 0; i < 3; ++i) {
    // So large that all of the vertices are where they may be.
    Surface surface{.name = "s", .kind = SurfaceKind::cylinder, .sag = {0x1p110 * random.uniform(1, 2), i == 1}};
    surface.tolerance = random.uniform(0, 1);
    surface.analytic = AnalyticSurface{.origin = {any_length(random), any_length(random), any_length(random)},
                                       .axis = {0, 0, 1},
                                       .radius = random.uniform(0.1, 9)};
    input.surfaces.push_back(surface);
  }
  return Mesh::build(std::move(input)).value();
}

void expect_same_bits(const Assembly& before, const Assembly& after) {
  EXPECT_EQ(before.units(), after.units());
  ASSERT_EQ(before.parts().size(), after.parts().size());
  for (std::size_t i = 0; i < before.parts().size(); ++i) {
    const Part &a = before.parts()[i], &b = after.parts()[i];
    EXPECT_EQ(a.pose, b.pose);
    ASSERT_EQ(a.mesh.vertices().size(), b.mesh.vertices().size());
    EXPECT_EQ(std::memcmp(a.mesh.vertices().data(), b.mesh.vertices().data(), a.mesh.vertices().size_bytes()), 0);
    EXPECT_TRUE(std::ranges::equal(a.mesh.triangles(), b.mesh.triangles()));
    EXPECT_TRUE(std::ranges::equal(a.mesh.surfaces(), b.mesh.surfaces()));
  }
}

TEST_F(Glb, EveryDoubleOfEveryUnitComesBackBitForBit) {
  const TempDir dir;
  for (std::uint64_t seed = 0, n = test::scaled(300); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    Assembly before(k_units[seed % std::size(k_units)]);
    const Mesh mesh = any_mesh(random);
    for (int i = 0; i < 3; ++i)
      (void)before
          .add({"part " + std::to_string(i), i == 1 ? any_mesh(random) : mesh,
                compose(translation(any_length(random), any_length(random), any_length(random)),
                        rotation({1, 2, random.uniform(-1, 1)}, random.uniform(-3, 3)))})
          .value();
    std::vector<Problem> lost;
    save(before, dir.path() / "x.glb", {.problems = &lost}).value();
    EXPECT_TRUE(lost.empty()) << lost.front().text;
    const auto after = test::load_assembly(dir.path() / "x.glb");
    ASSERT_TRUE(after) << after.error().message();
    expect_same_bits(before, *after);
    EXPECT_EQ(before.distinct_meshes(), after->distinct_meshes());
    EXPECT_TRUE(after->problems().empty());
  }
}

TEST_F(Glb, ScenesKeepTheirVerdicts) {
  const TempDir dir;
  for (const char* name : {"control-box", "digger", "plant", "lattice", "workbench"}) {
    SCOPED_TRACE(name);
    const scenes::Scene scene = scenes::find(name)->make({});
    save(scene.assembly, dir.path() / "x.glb").value();
    const auto after = test::load_assembly(dir.path() / "x.glb");
    ASSERT_TRUE(after) << after.error().message();
    expect_same_bits(scene.assembly, *after);
    const CheckOptions options{.tolerances = {.clearance = scene.clearance}};
    const CheckReport of_scene = check(scene.assembly, options), of_file = check(*after, options);
    EXPECT_EQ(of_scene.count, of_file.count);
    ASSERT_EQ(of_scene.findings.size(), of_file.findings.size());
    for (std::size_t i = 0; i < of_scene.findings.size(); ++i) {
      EXPECT_EQ(of_scene.findings[i].id, of_file.findings[i].id);
      EXPECT_EQ(of_scene.findings[i].verdict, of_file.findings[i].verdict);
      EXPECT_EQ(of_scene.findings[i].firm, of_file.findings[i].firm);
    }
  }
}

TEST_F(Glb, DoublesAreWrittenOnlyWhereFloatsDoNotDo) {
  const TempDir dir;
  for (const double side : {0.5, 0.1}) {
    Assembly assembly(LengthUnit::metre);
    (void)assembly.add({"box", scenes::box({0, 0, 0}, {side, side, side}), {}}).value();
    save(assembly, dir.path() / "x.glb").value();
    EXPECT_EQ(test::slurp(dir.path() / "x.glb").find("exact") != std::string::npos, side == 0.1);
  }
}

TEST_F(Glb, MetresCanBeAskedForAndNothingElse) {
  const TempDir dir;
  Assembly before(LengthUnit::inch);
  (void)before.add({"box", scenes::box({0, 0, 0}, {1, 2, 3}), translation(10, 0, 0)}).value();
  save(before, dir.path() / "x.glb").value();
  const Assembly metres = test::load_assembly(dir.path() / "x.glb", {.units = LengthUnit::metre}).value();
  EXPECT_EQ(metres.units(), LengthUnit::metre);
  ASSERT_EQ(metres.problems().size(), 1U);
  EXPECT_NE(metres.problems()[0].text.find("lengths converted from in to m"), std::string::npos);
  EXPECT_EQ(metres.parts()[0].pose.translation().x, 0.254);
  EXPECT_EQ(metres.parts()[0].mesh.bounds().hi, (Point3{0.0254, 0.0508, 0.0762}));
  expect_same_bits(before, test::load_assembly(dir.path() / "x.glb", {.units = LengthUnit::inch}).value());
  const auto wrong = test::load_assembly(dir.path() / "x.glb", {.units = LengthUnit::foot});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, Code::invalid_option);
}

/// A box of 8 vertices, so 192 bytes of doubles at the beginning of the binary chunk.
class Noted : public Glb {
 protected:
  void SetUp() override {
    Glb::SetUp();
    Assembly assembly(LengthUnit::millimetre);
    (void)assembly.add({"box", scenes::box({0, 0, 0}, {0.1, 0.2, 0.3}), translation(10, 0, 0)}).value();
    save(assembly, dir_.path() / "x.glb").value();
    bytes_ = test::slurp(dir_.path() / "x.glb");
    std::uint32_t json = 0;
    std::memcpy(&json, bytes_.data() + 12, 4);
    binary_ = 12 + 8 + json + 8;
  }
  /// Of the same length, so that all else stays in place.
  void replace(const std::string& from, const std::string& to) {
    ASSERT_EQ(from.size(), to.size());
    const auto at = bytes_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bytes_.replace(at, from.size(), to);
  }
  void put(std::size_t vertex, double x) { std::memcpy(bytes_.data() + binary_ + 24 * vertex, &x, sizeof x); }
  [[nodiscard]] double get(std::size_t vertex) const {
    double x = 0;
    std::memcpy(&x, bytes_.data() + binary_ + 24 * vertex, sizeof x);
    return x;
  }
  Result<Assembly, IoError> read() { return test::load_assembly(dir_.write("y.glb", bytes_)); }
  void expect_error(Code code, const std::string& words) {
    const auto loaded = read();
    ASSERT_FALSE(loaded) << words;
    EXPECT_EQ(loaded.error().code, code) << loaded.error().message();
    EXPECT_NE(loaded.error().message().find(words), std::string::npos) << loaded.error().message();
  }

  TempDir dir_;
  std::string bytes_;
  std::size_t binary_ = 0;
};

TEST_F(Noted, IsReadAsItIs) {
  const auto loaded = read();
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->parts()[0].mesh.bounds().hi, (Point3{0.1, 0.2, 0.3}));
}

TEST_F(Noted, FloatsAreTakenWhereTheDoublesAreGone) {
  const std::string whole = bytes_;
  for (const auto& [from, to, words] :
       {std::array{"\"byteLength\":192", "\"byteLength\":168", "are 168 bytes instead of 192"},
        {"\"byteLength\":192", "\"byteLength\":216", "are 216 bytes instead of 192"},
        {"\"exact\":0", "\"exact\":9", "are not in the file"}}) {
    SCOPED_TRACE(words);
    bytes_ = whole;
    replace(from, to);
    const auto loaded = read();
    ASSERT_TRUE(loaded) << loaded.error().message();
    const auto rounded = [](double millimetres) {
      return 1000 * static_cast<double>(static_cast<float>(millimetres / 1000));
    };
    const Point3 hi = loaded->parts()[0].mesh.bounds().hi;
    EXPECT_DOUBLE_EQ(hi.x, rounded(0.1));
    EXPECT_DOUBLE_EQ(hi.z, rounded(0.3));
    EXPECT_NE(hi.x, 0.1);
    ASSERT_EQ(loaded->problems().size(), 1U);
    EXPECT_NE(loaded->problems()[0].text.find(words), std::string::npos) << loaded->problems()[0].text;
  }
}

TEST_F(Noted, NotFinite) {
  put(3, std::numeric_limits<double>::quiet_NaN());
  expect_error(Code::non_finite, "element 3 of the exact positions of accessor 0 is not finite");
  put(3, std::numeric_limits<double>::infinity());
  expect_error(Code::non_finite, "element 3");
}

TEST_F(Noted, MismatchWithTheFloats) {
  const double x = get(1);
  put(1, std::nextafter(x, 1e9));  // the same float stands for it: no one can tell, and nobody needs to
  EXPECT_TRUE(read());
  for (const double other : {x + 1e-6, -1.0, 1e300, std::numeric_limits<double>::max()}) {
    put(1, other);
    expect_error(Code::malformed, "element 1 of the exact positions of accessor 0 is not what the accessor holds");
  }
}

TEST_F(Noted, UnitThatIsNone) {
  replace("\"unit\":\"mm\"", "\"unit\":\"xx\"");
  expect_error(Code::malformed, "expected a unit of length in the notes");
}

TEST_F(Noted, NodesThatWereMovedCountWhereTheyAre) {
  replace("\"translation\":[0.01,0,0]", "\"translation\":[0.02,0,0]");
  const auto loaded = read();
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->parts()[0].pose.translation(), (Vec3{20, 0, 0}));
  ASSERT_EQ(loaded->problems().size(), 1U);
  EXPECT_NE(loaded->problems()[0].text.find("1 node was moved"), std::string::npos);
}

TEST_F(Noted, NotesSurviveToolsThatDropTheUnitOfTheWhole) {
  // The first note is that of the asset; without it the file is in metres, and every other note still names its unit.
  replace("\"extras\":{\"snug\":{\"unit\":\"mm\"}}", "\"extras\":{\"tool\":{\"unit\":\"mm\"}}");
  const auto loaded = read();
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->units(), LengthUnit::metre);
  EXPECT_EQ(loaded->parts()[0].pose.translation(), (Vec3{0.01, 0, 0}));
  EXPECT_EQ(loaded->parts()[0].mesh.bounds().hi, (Point3{0.1 / 1000, 0.2 / 1000, 0.3 / 1000}));
}

TEST(Units, ConversionIsAsGoodAsDoublesAllow) {
  EXPECT_EQ(convert_length(240, LengthUnit::millimetre, LengthUnit::metre), 0.24);
  EXPECT_EQ(convert_length(0.1, LengthUnit::metre, LengthUnit::millimetre), 100);
  EXPECT_EQ(convert_length(1, LengthUnit::inch, LengthUnit::millimetre), 25.4);
  EXPECT_EQ(convert_length(25.4, LengthUnit::millimetre, LengthUnit::inch), 1);
  EXPECT_EQ(convert_length(2, LengthUnit::foot, LengthUnit::inch), 24);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    for (const LengthUnit from : k_units)
      for (const LengthUnit to : k_units) {
        const double value = any_length(random);
        const double there = convert_length(value, from, to), back = convert_length(there, to, from);
        EXPECT_LE(std::abs(back - value), 3 * 0x1p-52 * std::abs(value));
        if (from == to) {
          EXPECT_EQ(std::bit_cast<std::uint64_t>(there), std::bit_cast<std::uint64_t>(value));
        }
      }
  }
}

}  // namespace
}  // namespace snug
