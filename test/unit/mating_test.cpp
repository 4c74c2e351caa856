#include "assembly/verdict/matings.hpp"
#include "geometry/vec_ops.hpp"
#include "mating_parts.hpp"
#include "penetration/mating_rules.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace snug {
namespace {

using penetration::MatingTolerance;
using penetration::PosedSolid;
using scenes::Random;
using std::numbers::pi;
using namespace test;  // NOLINT: all of it is parts

/// What two faces are expected to be to each other.
struct Expected {
  Mating mating = Mating::none;
  double angle = 0, offset = 0;
  std::optional<double> radius_difference = {}, fit = {};
};

struct Scene {
  std::string name;
  MeshInput a, b;
  Pose pose_b;
  std::string face_a, face_b;
  Expected expected;
  double clearance = 0;
};

/// `then` after `first`.
Pose chain(const Pose& first, const Pose& then) { return compose(then, first); }

std::vector<Scene> all_scenes() {
  // 24 segments at radius 5 sag by 0.043, and turned a little their triangles cross those of a bore 0.02 wider.
  const Pose in_bush = chain(rotation({0, 0, 1}, 0.1), translation(0, 0, -2));
  const MeshInput base = plate({0, 0, 0}, {20, 20, 2}), block = plate({0, 0, 0}, {8, 8, 3});
  const Pose lying = rotation({1, 0, 0}, pi / 2);
  const double taper = std::atan(0.5), tip = pi / 2 - taper;
  std::vector<Scene> all;
  all.push_back({"pin with clearance",
                 bush(5.02, 8, 6, 24),
                 pin(5, 10, 24),
                 in_bush,
                 "bore",
                 "side",
                 {Mating::concentric, 0, 0, 0.02, 0.02}});
  all.push_back({"pin with interference",
                 bush(4.98, 8, 6, 24),
                 pin(5, 10, 24),
                 in_bush,
                 "bore",
                 "side",
                 {Mating::concentric, 0, 0, 0.02, -0.02}});
  all.push_back({"pin that fills its bore",
                 bush(5, 8, 6, 24),
                 pin(5, 10, 24),
                 in_bush,
                 "bore",
                 "side",
                 {Mating::coincident, 0, 0, 0.0, 0.0}});
  all.push_back({"pin upside down",
                 bush(5.02, 8, 6, 24),
                 pin(5, 10, 24),
                 chain(rotation({1, 0, 0}, pi), translation(0, 0, 8)),
                 "bore",
                 "side",
                 {Mating::concentric, 0, 0, 0.02, 0.02}});
  all.push_back({"pin with asked clearance",
                 bush(5.5, 8, 6, 64),
                 pin(5, 10, 64),
                 in_bush,
                 "bore",
                 "side",
                 {Mating::concentric, 0, 0, 0.5, 0.5},
                 1});
  all.push_back({"pin off its axis",
                 bush(5.02, 8, 6, 24),
                 pin(5, 10, 24),
                 chain(in_bush, translation(0.01, 0, 0)),
                 "bore",
                 "side",
                 {Mating::none, 0, 0.01, 0.02, 0.02}});
  all.push_back({"pin at the wall",
                 bush(5.02, 8, 6, 24),
                 pin(5, 10, 24),
                 chain(in_bush, translation(0.012, 0.016, 0)),
                 "bore",
                 "side",
                 {Mating::tangent, 0, 0, 0.02, 0.02}});
  // The middle of the bore, where the two are compared, is where the pin is turned about.
  all.push_back({"tilted pin",
                 bush(5.02, 8, 6, 24),
                 pin(5, 10, 24),
                 chain(chain(translation(0, 0, -5), rotation({0, 1, 0}, 0.01)), translation(0, 0, 3)),
                 "bore",
                 "side",
                 {Mating::none, 0.01, 0, 0.02, {}}});
  all.push_back({"shafts end to end",
                 pin(5, 10, 24),
                 pin(5, 4, 20),
                 translation(0, 0, 10),
                 "side",
                 "side",
                 {Mating::coincident, 0, 0, 0.0, {}}});
  all.push_back({"stepped shaft",
                 pin(5, 10, 24),
                 pin(4.9, 4, 24),
                 translation(0, 0, 10),
                 "side",
                 "side",
                 {Mating::concentric, 0, 0, 0.1, {}},
                 0.2});
  all.push_back({"plate on plate", base, block, translation(3, 4, 2), "z+", "z-", {Mating::planar_mate}});
  all.push_back(
      {"plate above plate", base, block, translation(3, 4, 2.3), "z+", "z-", {Mating::planar_mate, 0, 0.3}, 0.5});
  all.push_back(
      {"plate in plate", base, block, translation(3, 4, 1.8), "z+", "z-", {Mating::planar_mate, 0, 0.2}, 0.5});
  all.push_back({"plate deep in plate", base, block, translation(3, 4, 1.8), "z+", "x-", {Mating::none, pi / 2, 0}});
  all.push_back(
      {"flush plates", base, plate({0, 0, 0}, {7, 7, 2}), translation(20, 3, 0), "z+", "z+", {Mating::planar_align}});
  all.push_back({"nearly flush plates",
                 base,
                 plate({0, 0, 0}, {7, 7, 2}),
                 translation(20, 3, 0.01),
                 "z+",
                 "z+",
                 {Mating::none, 0, 0.01},
                 0.1});
  all.push_back({"slanted plate",
                 base,
                 block,
                 chain(rotation({0, 1, 0}, -0.01), translation(3, 4, 2)),
                 "z+",
                 "z-",
                 {Mating::none, 0.01, 0}});
  all.push_back({"ball on plate", base, ball(3, 24), translation(10, 10, 5), "z+", "ball", {Mating::tangent}});
  all.push_back(
      {"ball above plate", base, ball(3, 24), translation(10, 10, 5.25), "z+", "ball", {Mating::none, 0, 0.25}, 1});
  all.push_back(
      {"roller on plate", base, pin(3, 8, 23), chain(lying, translation(10, 14, 5)), "z+", "side", {Mating::tangent}});
  all.push_back({"roller on its end",
                 base,
                 pin(3, 8, 23),
                 translation(10, 10, 2),
                 "z+",
                 "side",
                 {Mating::none, pi / 2, std::nan("")}});
  all.push_back({"ring on plate", base, ring(5, 1.5, 32), translation(10, 10, 3.5), "z+", "ring", {Mating::tangent}});
  all.push_back({"cone on plate",
                 base,
                 plug(1, 3, 4, 24),
                 chain(rotation({0, 1, 0}, tip), translation(5 + 2 * std::sin(tip), 10, 2 + 2 * std::cos(tip))),
                 "z+",
                 "taper",
                 {Mating::tangent}});
  all.push_back({"rollers side by side",
                 pin(3, 8, 24),
                 pin(2, 8, 24),
                 translation(3, 4, 1),
                 "side",
                 "side",
                 {Mating::tangent, 0, 0, 1.0}});
  all.push_back({"crossed rollers",
                 pin(3, 8, 24),
                 pin(2, 8, 24),
                 chain(lying, translation(5, 4, 4)),
                 "side",
                 "side",
                 {Mating::tangent, pi / 2, 0, 1.0}});
  all.push_back({"ball beside roller",
                 pin(3, 8, 24),
                 ball(2, 24),
                 translation(0, 5, 4),
                 "side",
                 "ball",
                 {Mating::tangent, 0, 0, 1.0}});
  all.push_back(
      {"two balls", ball(3, 24), ball(2, 24), translation(0, 3, 4), "ball", "ball", {Mating::tangent, 0, 0, 1.0}});
  all.push_back({"ball in bore",
                 bush(3.01, 6, 8, 24),
                 ball(3, 24),
                 translation(0, 0, 4),
                 "bore",
                 "ball",
                 {Mating::concentric, 0, 0, 0.01, 0.01}});
  all.push_back({"plug in socket",
                 socket(3, 6, 9, 6, 24),
                 plug(3, 6, 6, 20),
                 Pose(),
                 "taper",
                 "taper",
                 {Mating::coincident, 0, 0, 0.0, 0.0}});
  all.push_back({"plug lifted",
                 socket(3, 6, 9, 6, 24),
                 plug(3, 6, 6, 20),
                 translation(0, 0, 0.1),
                 "taper",
                 "taper",
                 {Mating::concentric, 0, 0, 0.05, 0.05}});
  all.push_back({"plug of another taper",
                 socket(3, 6, 9, 6, 24),
                 plug(3, 5.5, 6, 20),
                 Pose(),
                 "taper",
                 "taper",
                 {Mating::concentric, 0, 0, std::nan(""), {}}});
  all.push_back(
      {"ball in cup", cup(3, 6, 24), ball(3, 20), Pose(), "cup", "ball", {Mating::coincident, 0, 0, 0.0, 0.0}});
  all.push_back({"small ball in cup",
                 cup(3, 6, 24),
                 ball(2.98, 20),
                 Pose(),
                 "cup",
                 "ball",
                 {Mating::concentric, 0, 0, 0.02, 0.02}});
  all.push_back(
      {"ring on shaft", pin(3.5, 8, 32), ring(5, 1.5, 32), translation(0, 0, 4), "side", "ring", {Mating::concentric}});
  all.push_back({"the same ring",
                 ring(5, 1.5, 32),
                 ring(5, 1.5, 24),
                 Pose(),
                 "ring",
                 "ring",
                 {Mating::coincident, 0, 0, 0.0, {}}});
  return all;
}

std::uint32_t face(const MeshInput& in, const std::string& name) {
  for (std::uint32_t s = 0; s < in.surfaces.size(); ++s)
    if (in.surfaces[s].name == name) return s;
  ADD_FAILURE() << "no face " << name;
  return 0;
}

const SurfaceMating* find(const std::vector<SurfaceMating>& all, std::uint32_t a, std::uint32_t b) {
  for (const SurfaceMating& m : all)
    if (m.surface_a == a && m.surface_b == b) return &m;
  return nullptr;
}

/// NaN expects nothing.
void expect_length(double found, double expected, double slack) {
  if (!std::isnan(expected)) {
    EXPECT_NEAR(found, expected, slack);
  }
}
void expect_length(const std::optional<double>& found, const std::optional<double>& expected, double scale) {
  if (expected && std::isnan(*expected)) return;
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (found) expect_length(*found, *expected * scale, 1e-11 * scale);
}

void expect(const std::vector<SurfaceMating>& all, const Scene& scene, double scale, bool exchanged = false) {
  const std::uint32_t a = face(scene.a, scene.face_a), b = face(scene.b, scene.face_b);
  const SurfaceMating* m = exchanged ? find(all, b, a) : find(all, a, b);
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(to_string(m->mating), to_string(scene.expected.mating));
  EXPECT_NEAR(m->angle, scene.expected.angle, 1e-12);
  expect_length(m->offset, scene.expected.offset * scale, 1e-11 * scale);
  expect_length(m->radius_difference, scene.expected.radius_difference, scale);
  expect_length(m->fit, scene.expected.fit, scale);
}

bool same(const SurfaceMating& x, const SurfaceMating& y) {
  return x.mating == y.mating && x.angle == y.angle && x.offset == y.offset &&
         x.radius_difference == y.radius_difference && x.fit == y.fit;
}

void expect_exchanged(const std::vector<SurfaceMating>& forth, const std::vector<SurfaceMating>& back) {
  ASSERT_EQ(forth.size(), back.size());
  for (const SurfaceMating& m : forth) {
    const SurfaceMating* other = find(back, m.surface_b, m.surface_a);
    ASSERT_NE(other, nullptr);
    EXPECT_TRUE(same(m, *other));
  }
}

TEST(Matings, ComeWithTheVerdictInBothOrders) {
  for (const Scene& scene : all_scenes()) {
    SCOPED_TRACE(scene.name);
    const Shape a{Mesh::build(scene.a).value()}, b{Mesh::build(scene.b).value()};
    AssessOptions options;
    options.tolerances.clearance = scene.clearance;
    const PairReport forth = assess(a, {}, b, scene.pose_b, options), back = assess(b, scene.pose_b, a, {}, options);
    expect(forth.matings, scene, 1);
    expect(back.matings, scene, 1, true);
    expect_exchanged(forth.matings, back.matings);
    EXPECT_TRUE(std::ranges::is_sorted(back.matings, {},
                                       [](const SurfaceMating& m) { return std::pair(m.surface_a, m.surface_b); }));
  }
}

TEST(Matings, HoldInEveryRotationAndAtEveryScale) {
  for (const Scene& scene : all_scenes())
    for (const double scale : {1.0, 1e-3, 1e4}) {
      SCOPED_TRACE(scene.name + " times " + std::to_string(scale));
      const Shape a{Mesh::build(scaled(scene.a, scale)).value()}, b{Mesh::build(scaled(scene.b, scale)).value()};
      Random random(7);
      std::vector<Pose> poses = cube_rotations();
      for (int i = 0; i < 6; ++i) poses.push_back(random.pose(50 * scale));
      const Pose pose_b = Pose::make(scene.pose_b.rotation(), scale * scene.pose_b.translation()).value();
      for (const Pose& pose : poses) {
        const PosedSolid posed_a(a, pose), posed_b(b, compose(pose, pose_b));
        const auto forth = assembly::matings(posed_a, posed_b, scale * std::max(scene.clearance, 1e-9), {});
        const auto back = assembly::matings(posed_b, posed_a, scale * std::max(scene.clearance, 1e-9), {});
        expect(forth, scene, scale);
        expect_exchanged(forth, back);
      }
    }
}

TEST(Matings, SurviveLengthsWithoutSquares) {
  for (const double scale : {0x1p-300, 0x1p300})
    for (const Scene& scene : all_scenes()) {
      SCOPED_TRACE(scene.name + " times " + std::to_string(std::ilogb(scale)));
      const Shape a{Mesh::build(scaled(scene.a, scale)).value()}, b{Mesh::build(scaled(scene.b, scale)).value()};
      AssessOptions options;
      options.tolerances.clearance = scale * scene.clearance;
      const Pose pose_b = Pose::make(scene.pose_b.rotation(), scale * scene.pose_b.translation()).value();
      expect(assess(a, {}, b, pose_b, options).matings, scene, scale);
    }
}

TEST(Matings, NameEveryPairOfFacesThatComesNearAndNoOther) {
  const Shape base{Mesh::build(plate({0, 0, 0}, {20, 20, 2})).value()},
      block{Mesh::build(plate({0, 0, 0}, {8, 8, 3})).value()};
  const auto found = assess(base, {}, block, translation(3, 4, 2)).matings;
  // The top of the base meets the bottom of the block and the lower edges of its four walls.
  ASSERT_EQ(found.size(), 5U);
  for (const SurfaceMating& m : found) {
    EXPECT_EQ(m.surface_a, 5U);
    EXPECT_EQ(m.mating, m.surface_b == 4 ? Mating::planar_mate : Mating::none);
    EXPECT_NEAR(m.angle, m.surface_b == 4 ? 0 : pi / 2, 1e-15);
  }
  EXPECT_TRUE(assess(base, {}, block, translation(3, 4, 2.1)).matings.empty());
  EXPECT_EQ(assess(base, {}, block, translation(3, 4, 2.1), {.tolerances = {.clearance = 0.2}}).matings.size(), 5U);
}

TEST(Matings, AreAbsentWhereNothingIsKnown) {
  const Shape known{Mesh::build(pin(5, 10, 24)).value()}, unknown{scenes::bumpy_knot(24, 8)};
  EXPECT_TRUE(assess(known, {}, unknown, translation(1, 0, 0)).matings.empty());
  EXPECT_TRUE(assess(unknown, {}, known, translation(1, 0, 0)).matings.empty());
  Surface spline;
  spline.kind = SurfaceKind::spline;
  const SurfaceMating m = penetration::mating_of(spline, {}, known.mesh().surfaces()[1], {}, MatingTolerance{});
  EXPECT_EQ(m.mating, Mating::none);
}

TEST(Matings, CadTolerancesWidenWhatCountsAsExact) {
  MeshInput a = bush(5.02, 8, 6, 24), b = pin(5, 10, 24);
  const Pose off = translation(0.01, 0, -2);
  const auto mating = [&] {
    const auto report = assess(Shape{Mesh::build(a).value()}, {}, Shape{Mesh::build(b).value()}, off);
    return find(report.matings, face(a, "bore"), face(b, "side"))->mating;
  };
  EXPECT_EQ(mating(), Mating::none);
  a.surfaces[face(a, "bore")].tolerance = 0.006;
  EXPECT_EQ(mating(), Mating::none);
  b.surfaces[face(b, "side")].tolerance = 0.006;
  EXPECT_EQ(mating(), Mating::concentric);
  b.surfaces[face(b, "side")].tolerance = 0.015;
  EXPECT_EQ(mating(), Mating::coincident);
}

TEST(Matings, AreComparedWhereTheFacesAre) {
  // Planes with origins a kilometre away, tilted by less than the angle that counts: flush where they meet.
  Surface a, b;
  a.kind = b.kind = SurfaceKind::plane;
  a.analytic = AnalyticSurface{.origin = {1e6, 0, 0}, .axis = {0, 0, 1}};
  const double tilt = 5e-6;
  b.analytic = AnalyticSurface{.origin = {1e6 * std::cos(tilt), 0, -1e6 * std::sin(tilt)},
                               .axis = {-std::sin(tilt), 0, -std::cos(tilt)}};
  const MatingTolerance tolerance = penetration::mating_tolerance(a, b, 0, 10);
  EXPECT_DOUBLE_EQ(tolerance.length, 1e-5);
  const SurfaceMating m = penetration::mating_of(a, {}, b, {}, tolerance);
  EXPECT_EQ(m.mating, Mating::planar_mate);
  EXPECT_NEAR(m.angle, tilt, 1e-12);
  EXPECT_LT(m.offset, 1e-9);
}

TEST(Matings, FindTheFitsOfHundredsOfPins) {
  MeshInput pins, bushes;
  for (int i = 0; i < 125; ++i) {
    append(bushes, bush(5.02, 8, 6, 16), {20.0 * (i % 12), 20.0 * (i / 12), 0});
    append(pins, pin(5, 10, 16), {20.0 * (i % 12), 20.0 * (i / 12), -2});
  }
  const Shape a{Mesh::build(bushes).value()}, b{Mesh::build(pins).value()};
  const PosedSolid posed_a(a, {}), posed_b(b, {});
  const auto found = assembly::matings(posed_a, posed_b, 1e-9, {});
  std::size_t fits = 0;
  for (const SurfaceMating& m : found)
    if (m.mating == Mating::concentric && m.fit && std::abs(*m.fit - 0.02) < 1e-11) ++fits;
  EXPECT_EQ(fits, 125U);
}

}  // namespace
}  // namespace snug
