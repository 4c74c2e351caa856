// The bytes between the importer and the library: what is written comes back, and what was tampered with is refused or
// still makes an assembly.
#include "io/cad/wire.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>

namespace snug::io {
namespace {

using Random = std::mt19937_64;

std::size_t up_to(Random& random, std::size_t most) { return static_cast<std::size_t>(random() % (most + 1)); }
double number(Random& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -40 - static_cast<int>(random() % 30));
}
Vec3 vec(Random& random) { return {number(random), -number(random), number(random)}; }
Rgba color(Random& random) {
  const std::uint64_t bits = random();
  return {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits >> 16),
          255};
}
std::string text(Random& random) {
  std::string s(up_to(random, 12), ' ');
  for (char& c : s) c = static_cast<char>('a' + random() % 26);
  return s;
}

Surface surface(Random& random) {
  Surface s;
  s.name = text(random);
  s.kind = static_cast<SurfaceKind>(random() % 7);
  s.sag = {number(random), random() % 2 == 0};
  s.tolerance = number(random);
  if (is_analytic(s.kind) && random() % 4 != 0) {
    constexpr std::array<Vec3, 4> k_axes{{{0, 0, 1}, {-1, 0, 0}, {0.6, 0.8, 0}, {0, -0.28, 0.96}}};
    s.analytic = AnalyticSurface{.origin = vec(random),
                                 .axis = k_axes[random() % 4],
                                 .radius = 1 + number(random),
                                 .minor_radius = 1 + number(random),
                                 .half_angle = std::numbers::pi / 7,
                                 .hollow = random() % 2 == 0,
                                 .recognised = random() % 2 == 0};
  }
  if (random() % 3 == 0) s.color = color(random);
  return s;
}

MeshInput mesh(Random& random) {
  MeshInput m;
  m.vertices.resize(3 + up_to(random, 6));
  for (Point3& v : m.vertices) v = vec(random);
  m.triangles.resize(1 + up_to(random, 8));
  for (Index3& t : m.triangles)
    for (std::uint32_t& i : t) i = static_cast<std::uint32_t>(random() % m.vertices.size());
  m.surfaces.resize(up_to(random, 4));
  for (Surface& s : m.surfaces) s = surface(random);
  m.vertices[0].x = 1 << 14;  // so that no sag is larger than the mesh
  if (m.surfaces.empty()) return m;
  m.surface_of_triangle.resize(m.triangles.size());
  for (std::uint32_t& s : m.surface_of_triangle) s = static_cast<std::uint32_t>(random() % m.surfaces.size());
  return m;
}

std::vector<CadProblem> problems(Random& random, std::size_t instances) {
  std::vector<CadProblem> list(up_to(random, 3));
  for (CadProblem& p : list) {
    p.part = text(random), p.text = text(random);
    if (instances > 0 && random() % 2 == 0) p.instance = static_cast<std::uint32_t>(random() % instances);
  }
  return list;
}

CadModel model(std::uint64_t seed) {
  Random random(seed);
  CadModel m;
  m.kernel = text(random);
  if (random() % 3 != 0) m.units = static_cast<LengthUnit>(random() % 6);
  m.meshes.resize(1 + up_to(random, 3));
  for (MeshInput& one : m.meshes) one = mesh(random);
  m.frames.resize(up_to(random, 3));
  for (CadFrame& frame : m.frames)
    frame = {text(random), {1 + number(random), number(random), number(random), number(random)}, vec(random)};
  m.instances.resize(up_to(random, 5));
  for (CadInstance& instance : m.instances) {
    instance.path = text(random) + "/" + text(random);
    instance.mesh = static_cast<std::uint32_t>(random() % m.meshes.size());
    instance.rotation = {1 + number(random), number(random), -number(random), number(random)};
    instance.translation = vec(random);
    if (random() % 2 == 0) instance.color = color(random);
    if (!m.frames.empty()) instance.frame = static_cast<std::uint32_t>(random() % m.frames.size());
  }
  m.losses = problems(random, m.instances.size()), m.problems = problems(random, m.instances.size());
  return m;
}

void expect_equal(const CadModel& a, const CadModel& b) {
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.units, b.units);
  EXPECT_EQ(a.losses, b.losses);
  EXPECT_EQ(a.problems, b.problems);
  ASSERT_EQ(a.meshes.size(), b.meshes.size());
  for (std::size_t i = 0; i < a.meshes.size(); ++i) {
    EXPECT_EQ(a.meshes[i].vertices, b.meshes[i].vertices);
    EXPECT_EQ(a.meshes[i].triangles, b.meshes[i].triangles);
    EXPECT_EQ(a.meshes[i].surfaces, b.meshes[i].surfaces);
    EXPECT_EQ(a.meshes[i].surface_of_triangle, b.meshes[i].surface_of_triangle);
  }
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    EXPECT_EQ(a.frames[i].path, b.frames[i].path);
    EXPECT_EQ(a.frames[i].rotation, b.frames[i].rotation);
    EXPECT_EQ(a.frames[i].translation, b.frames[i].translation);
  }
  ASSERT_EQ(a.instances.size(), b.instances.size());
  for (std::size_t i = 0; i < a.instances.size(); ++i) {
    EXPECT_EQ(a.instances[i].path, b.instances[i].path);
    EXPECT_EQ(a.instances[i].mesh, b.instances[i].mesh);
    EXPECT_EQ(a.instances[i].rotation, b.instances[i].rotation);
    EXPECT_EQ(a.instances[i].translation, b.instances[i].translation);
    EXPECT_EQ(a.instances[i].color, b.instances[i].color);
    EXPECT_EQ(a.instances[i].frame, b.instances[i].frame);
  }
}

/// Refused with words, or an assembly that can be built and that is written as the very same bytes. True if accepted.
bool is_refused_or_sound(std::string_view bytes) {
  auto decoded = decode(bytes);
  if (!decoded) {
    EXPECT_FALSE(decoded.error().empty());
    return false;
  }
  EXPECT_EQ(encode(*decoded), bytes);
  for (const CadInstance& instance : decoded->instances) {
    EXPECT_LT(instance.mesh, decoded->meshes.size());
    EXPECT_TRUE(Pose::make(instance.rotation, instance.translation));
  }
  for (MeshInput& m : decoded->meshes) {
    const auto built = Mesh::build(std::move(m));
    EXPECT_TRUE(built) << built.error().message();
  }
  return true;
}

TEST(CadWire, BringsBackWhatWasWritten) {
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    const CadModel written = model(seed);
    const std::string bytes = encode(written);
    EXPECT_EQ(bytes, encode(written));
    const auto read = decode(bytes);
    ASSERT_TRUE(read) << read.error();
    expect_equal(written, *read);
    EXPECT_TRUE(is_refused_or_sound(bytes));
  }
}

TEST(CadWire, RefusesEveryTruncationAndEverythingThatFollows) {
  for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
    SCOPED_TRACE(seed);
    const std::string bytes = encode(model(seed));
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_FALSE(decode(std::string_view(bytes).substr(0, length))) << length;
    EXPECT_FALSE(decode(bytes + '\0'));
    EXPECT_FALSE(decode(bytes + bytes));
  }
}

TEST(CadWire, SurvivesEverySingleByteChanged) {
  std::size_t accepted = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(12); ++seed) {
    const std::string bytes = encode(model(seed));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      for (const unsigned change : {0x01U, 0x80U, 0xFFU, 0x40U}) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ change);
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", byte " << i << ", change " << change);
        ++(is_refused_or_sound(changed) ? accepted : refused);
      }
  }
  EXPECT_GT(accepted, 0U);
  EXPECT_GT(refused, 0U);
}

TEST(CadWire, SurvivesRandomChangesOfMany) {
  for (std::uint64_t seed = 0; seed < test::scaled(4000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::string bytes = encode(model(seed % 16));
    for (std::size_t n = 1 + up_to(random, 6); n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    (void)is_refused_or_sound(bytes);
  }
}

/// One triangle, one surface, one instance: small enough to find things in.
CadModel smallest() {
  CadModel m;
  m.kernel = "k";
  MeshInput& one = m.meshes.emplace_back();
  one.vertices = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  one.triangles = {{0, 1, 2}};
  one.surface_of_triangle = {0};
  Surface& ball = one.surfaces.emplace_back();
  ball.kind = SurfaceKind::sphere;
  ball.analytic.emplace().radius = 13;
  m.instances.push_back({.path = "p", .mesh = 0, .rotation = {}, .translation = {17, 18, 19}});
  return m;
}

/// The bytes of `m` with the first 8 that hold `from` made to hold `to`.
std::string with_number(const CadModel& m, double from, double to) {
  std::string bytes = encode(m), pattern(8, '\0');
  std::memcpy(pattern.data(), &from, 8);
  const std::size_t place = bytes.find(pattern);
  EXPECT_NE(place, std::string::npos);
  std::memcpy(bytes.data() + place, &to, 8);
  return bytes;
}

TEST(CadWire, RefusesNumbersThatAreNone) {
  EXPECT_TRUE(decode(encode(smallest())));
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), k_infinity, -k_infinity, 0x1p997, -0x1p997})
    for (const double place : {5.0, 13.0, 18.0})
      EXPECT_FALSE(decode(with_number(smallest(), place, bad))) << place << bad;
  EXPECT_TRUE(decode(with_number(smallest(), 5, 0x1p996)));
  EXPECT_FALSE(decode(with_number(smallest(), 13, 0))) << "a sphere without a radius";
  EXPECT_FALSE(decode(with_number(smallest(), 13, -13)));
  CadModel zero_rotation = smallest();
  zero_rotation.instances[0].rotation = {0, 0, 0, 0};
  EXPECT_FALSE(decode(encode(zero_rotation)));
  CadModel negative_sag = smallest();
  negative_sag.meshes[0].surfaces[0].sag.value = -1;
  EXPECT_FALSE(decode(encode(negative_sag)));
}

TEST(CadWire, RefusesLengthsOutOfProportionToTheMesh) {
  const auto accepted = [](auto&& change) {
    CadModel m = smallest();  // of size 10
    change(m.meshes[0].surfaces[0]);
    return decode(encode(m)).has_value();
  };
  for (const double huge : {1e308, 0x1p996, 1e20, 1.1e4}) {
    EXPECT_FALSE(accepted([&](Surface& s) { s.sag.value = huge; })) << huge;
    EXPECT_FALSE(accepted([&](Surface& s) { s.tolerance = huge; })) << huge;
  }
  EXPECT_TRUE(accepted([](Surface& s) { s.sag.value = s.tolerance = 9e3; }));
  for (const double huge : {1e308, 0x1p996, 1e20, 1.1e13}) {
    EXPECT_FALSE(accepted([&](Surface& s) { s.analytic->radius = huge; })) << huge;
    EXPECT_FALSE(accepted([&](Surface& s) { s.analytic->minor_radius = huge; })) << huge;
    EXPECT_FALSE(accepted([&](Surface& s) { s.analytic->origin.y = -huge; })) << huge;
  }
  EXPECT_TRUE(accepted([](Surface& s) { s.analytic->radius = s.analytic->origin.z = 9e12; })) << "nearly flat";
}

TEST(CadWire, RefusesWhatNamesSomethingThatIsNotThere) {
  const auto refused = [](auto&& spoil) {
    CadModel m = smallest();
    spoil(m);
    return !decode(encode(m));
  };
  EXPECT_TRUE(refused([](CadModel& m) { m.meshes[0].triangles[0][1] = 3; }));
  EXPECT_TRUE(refused([](CadModel& m) { m.meshes[0].surface_of_triangle[0] = 1; }));
  EXPECT_TRUE(refused([](CadModel& m) { m.meshes[0].surface_of_triangle.clear(); }));
  EXPECT_TRUE(refused([](CadModel& m) { m.meshes[0].surfaces.clear(); }));
  EXPECT_TRUE(refused([](CadModel& m) { m.meshes[0].triangles.clear(), m.meshes[0].surface_of_triangle.clear(); }));
  EXPECT_TRUE(refused([](CadModel& m) { m.instances[0].mesh = 1; }));
  EXPECT_TRUE(refused([](CadModel& m) { m.instances[0].frame = 0; }));
  EXPECT_TRUE(refused([](CadModel& m) { m.meshes[0].surfaces[0].kind = SurfaceKind::spline; }));
}

TEST(CadWire, RefusesCountsThatLieWithoutAskingForTheMemory) {
  const std::string bytes = encode(smallest());
  // Wherever four bytes stand, as if they were a count: a lie of four billion is refused, or was no count.
  for (std::size_t i = 0; i + 4 <= bytes.size(); ++i) {
    std::string changed = bytes;
    std::memset(changed.data() + i, 0xFF, 4);
    SCOPED_TRACE(i);
    (void)is_refused_or_sound(changed);
  }
}

TEST(CadWire, TellsHowManyProblemsAreLeftOut) {
  for (const auto list : {&CadModel::losses, &CadModel::problems}) {
    CadModel m = smallest();
    (m.*list).resize(k_most_problems, CadProblem{"p", "odd"});
    auto read = decode(encode(m));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ((*read).*list, m.*list);
    (m.*list).resize(k_most_problems + 5, CadProblem{"p", "odd"});
    read = decode(encode(m));
    ASSERT_TRUE(read) << read.error();
    ASSERT_EQ(((*read).*list).size(), k_most_problems);
    EXPECT_EQ(((*read).*list)[k_most_problems - 2], (CadProblem{"p", "odd"}));
    EXPECT_EQ(((*read).*list).back(), (CadProblem{"", "and 6 more"}));
  }
}

TEST(CadWire, RefusesProblemsOfInstancesThatAreNotThere) {
  for (const auto list : {&CadModel::losses, &CadModel::problems}) {
    CadModel m = smallest();
    (m.*list) = {{"p", "odd", static_cast<std::uint32_t>(m.instances.size()) - 1}};
    EXPECT_TRUE(decode(encode(m)));
    (m.*list)[0].instance += 1;
    const auto read = decode(encode(m));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), "a problem names an instance that is not there");
  }
}

TEST(CadWire, RefusesMoreProblemsThanAnybodyReads) {
  // The count of problems is the last number of an answer that has none; that of losses is the one before.
  const std::string bytes = encode(smallest());
  const auto with = [&](std::uint32_t losses, std::uint32_t problems) {
    std::string out = bytes.substr(0, bytes.size() - 8);
    for (const std::uint32_t count : {losses, problems}) {
      const std::size_t place = out.size();
      out.resize(place + 4 + std::size_t{12} * count);  // empty texts, about the first instance
      std::memcpy(out.data() + place, &count, 4);
    }
    return out;
  };
  const auto most = static_cast<std::uint32_t>(k_most_problems);
  EXPECT_TRUE(decode(with(most, most)));
  for (const std::string& many : {with(most + 1, 0), with(0, most + 1), with(5'000'000, 0)}) {
    const auto read = decode(many);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), "too many problems");
  }
}

TEST(CadWire, RefusesFarMoreSurfacesThanTriangles) {
  CadModel m = smallest();
  m.meshes[0].surfaces.resize(1 + 10'000);
  EXPECT_TRUE(decode(encode(m))) << "faces that were lost";
  m.meshes[0].surfaces.resize(2 + 10'000);
  const auto read = decode(encode(m));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), "far more surfaces than triangles");
}

TEST(CadWire, CutsTextsThatAreTooLongBetweenCharacters) {
  const std::string longest((std::size_t{1} << 16) - 1, 'x');
  CadModel m = smallest();
  m.instances[0].path = longest;
  m.instances[0].path.append("\xC3\xA9 and more");
  const auto read = decode(encode(m));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->instances[0].path, longest);
}

}  // namespace
}  // namespace snug::io
