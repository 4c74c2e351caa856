// Parts that turn about axes, on whole paths and up to their first contact, where the answer is known; how far they come, and how deep.

#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/first_contact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace snug {
namespace {

constexpr double k_pi = std::numbers::pi;
constexpr Vec3 k_up{0, 0, 1};

Shape box(const Point3& lo, const Point3& hi) { return Shape(scenes::box(lo, hi)); }
PathPairReport walk(const Shape& a, const Motion& motion, const Shape& b, const PathOptions& options = {}) {
  return check_path(a, motion, b, Motion::rest({}), options).value();
}

/// A door from its hinge at zero to x = 4, 0.2 thick; its own origin is elsewhere.
const Shape& door() {
  static const Shape shape = box({7, 3, 0}, {11, 3.2, 2});
  return shape;
}
Motion opened(double radians, double advance = 0) {
  return Motion::rest(translation(-7, -3, 0)).then(1, Turn{{0, 0, 5}, k_up, radians, advance}).value();
}

TEST(PathTurn, ADoorHitsTheWallWhereItsArcDoes) {
  const Shape wall = box({-5, 3, -1}, {5, 4, 3});
  // Its outer corner at (4, 0.2) reaches y = 3.
  const double angle = std::asin(3 / std::hypot(4, 0.2)) - std::atan2(0.2, 4.0), t = angle / (k_pi / 2);
  const auto report = walk(door(), opened(k_pi / 2), wall);
  EXPECT_EQ(report.verdict, Verdict::clash);
  ASSERT_TRUE(report.first_contact && report.first_contact_travel && report.first_clash_travel);
  EXPECT_LE(report.first_contact->t_lo, t);
  EXPECT_NEAR(report.first_contact->t_hi, t, 3e-6);
  // Its middle is at (2, 0.1).
  EXPECT_NEAR(report.first_contact_travel->a.length, std::hypot(2, 0.1) * angle, 1e-4);
  EXPECT_NEAR(report.first_contact_travel->a.radians, angle, 1e-5);
  EXPECT_EQ(report.first_contact_travel->b.length, 0);
  Scratch scratch;
  const auto met = first_contact(door(), opened(k_pi / 2), wall, Motion::rest({}), scratch).value();
  ASSERT_TRUE(met.yes());
  EXPECT_NEAR(met->t, t, 1e-9);
  EXPECT_LE(met->t, t + 1e-12);
  // What keeps clear of the arc by a hair, and would be met on the chord.
  const Shape post = box({2.84, 2.84, 0}, {3, 3, 2});
  EXPECT_EQ(walk(door(), opened(k_pi / 2), post).verdict, Verdict::clear);
  EXPECT_TRUE(first_contact(door(), opened(k_pi / 2), post, Motion::rest({}), scratch).value().no());
}

TEST(PathTurn, GoesAsFarAsItSaysAndThatWay) {
  // A post at 200 degrees: 250 degrees to the left reach it, the same pose by the shorter way to the right does not.
  const double at = 200 * k_pi / 180;
  const Point3 middle{3 * std::cos(at), 3 * std::sin(at), 1};
  const Shape post = box(middle - Vec3{0.05, 0.05, 1}, middle + Vec3{0.05, 0.05, 1});
  const double whole = 250 * k_pi / 180;
  Scratch scratch;
  const auto met = first_contact(door(), opened(whole), post, Motion::rest({}), scratch).value();
  ASSERT_TRUE(met.yes());
  EXPECT_NEAR(met->t, 200.0 / 250, 0.04);
  EXPECT_NEAR(walk(door(), opened(whole), post).first_contact->t_hi, met->t, 1e-5);
  EXPECT_EQ(walk(door(), opened(whole - 2 * k_pi), post).verdict, Verdict::clear);
  // Seven times past it in as many turns.
  const auto often = walk(door(), opened(14 * k_pi), post);
  EXPECT_EQ(often.intervals.size(), 7U);
  ASSERT_EQ(often.interval_travel.size(), 7U);
  EXPECT_NEAR(often.interval_travel[6].begin.a.radians - often.interval_travel[5].begin.a.radians, 2 * k_pi, 1e-4);
}

TEST(PathTurn, AScrewTurnsOutOfItsHole) {
  // A square shank beside a wall: its edges stay clear of it while it turns ten times and rises by 5, or reach it.
  const Shape wall = box({0.8, -5, 0}, {2, 5, 3});
  const Motion out = Motion::rest({}).then(1, Turn{{}, k_up, 20 * k_pi, 5}).value();
  EXPECT_EQ(walk(box({-0.5, -0.5, -1}, {0.5, 0.5, 1}), out, wall).verdict, Verdict::clear);
  const auto wide = walk(box({-0.6, -0.6, -1}, {0.6, 0.6, 1}), out, wall);
  EXPECT_EQ(wide.verdict, Verdict::clash);
  const double first = (k_pi / 4 - std::acos(0.8 / std::hypot(0.6, 0.6))) / (20 * k_pi);
  EXPECT_NEAR(wide.first_contact->t_hi, first, 3e-6);
  // Four edges a turn, as long as the shank is beside the wall: it ends 3 - 0 above 1 - 5 t.
  EXPECT_EQ(wide.intervals.size(), 32U);
  EXPECT_TRUE(wide.undecided.empty());
  EXPECT_NEAR(wide.first_contact_travel->a.length, 5 * first, 1e-4);
}

TEST(PathTurn, PartsOfOneTurningGroupRestAgainstEachOther) {
  Assembly assembly(LengthUnit::millimetre);
  for (const auto& [path, at] : {std::pair{"door/leaf", translation(4, 1, 0)},
                                 {"door/handle", rotation(k_up, 1)},
                                 {"post", translation(-9, 0, 0)}})
    ASSERT_TRUE(assembly.add({path, scenes::box({0, 0, 0}, {3, 0.5, 2}), at}));
  const Motion turn = Motion::rest({}).then(1, Turn{{1, 1, 0}, k_up, 5}).value();
  std::vector<Motion> motions;
  for (const Part& part : assembly.parts())
    motions.push_back(part.path == "post" ? Motion::rest(part.pose) : turn.carrying(part.pose));
  const auto report = check_path(assembly, motions, {.all_gaps = true}).value();
  EXPECT_EQ(report.coverage.pairs_at_rest, 1U);
  EXPECT_EQ(report.coverage.parts_moving, 2U);
}

TEST(PathDepth, IsThatOfTheDeepestInstant) {
  // Down to 0.5 below the surface, and up again.
  const Shape block = box({-1, -1, 0}, {1, 1, 1}), plate = box({-10, -10, -2}, {10, 10, 0});
  const Motion dips =
      Motion::make({{0, translation(0, 0, 1)}, {1, translation(0, 0, -0.5)}, {4, translation(0, 0, 1)}}).value();
  const auto report = walk(block, dips, plate);
  ASSERT_EQ(report.depths.size(), 1U);
  ASSERT_TRUE(report.depths[0]);
  EXPECT_NEAR(report.depths[0]->t, 1, 0.1);
  EXPECT_LE(report.depths[0]->lower, 0.5);
  EXPECT_GE(report.depths[0]->lower, 0.45);
  EXPECT_GE(report.depths[0]->upper, report.depths[0]->lower);
  EXPECT_LE(report.depths[0]->upper, 0.51);
  EXPECT_NEAR(report.interval_travel[0].begin.a.length, 1, 1e-4);
  EXPECT_NEAR(report.interval_travel[0].end.a.length, 2, 1e-4);
  EXPECT_TRUE(walk(block, dips, plate, {.depths = false}).depths.empty());
  // At rest against each other.
  const auto rest = check_path(block, Motion::rest(translation(0, 0, -0.5)), plate, Motion::rest({})).value();
  ASSERT_EQ(rest.depths.size(), 1U);
  EXPECT_NEAR(rest.depths[0]->lower, 0.5, 0.05);
}

/// A cube of edge 10 with n by n squares on each face.
Shape fine_cube(int n) {
  MeshInput input;
  const auto face = [&](const Point3& at, const Vec3& u, const Vec3& v) {
    const auto base = static_cast<std::uint32_t>(input.vertices.size()), row = static_cast<std::uint32_t>(n + 1);
    for (int i = 0; i <= n; ++i)
      for (int k = 0; k <= n; ++k) input.vertices.push_back(at + (10.0 * i / n) * u + (10.0 * k / n) * v);
    for (std::uint32_t i = 0; i + 1 < row; ++i)
      for (std::uint32_t k = 0; k + 1 < row; ++k) {
        const std::uint32_t p = base + i * row + k;
        input.triangles.push_back({p, p + row, p + row + 1});
        input.triangles.push_back({p, p + row + 1, p + 1});
        input.surface_of_triangle.insert(input.surface_of_triangle.end(), 2,
                                         static_cast<std::uint32_t>(input.surfaces.size()));
      }
    input.surfaces.emplace_back();
  };
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  face({}, y, x), face({}, x, z), face({}, z, y);
  face({0, 0, 10}, x, y), face({0, 10, 0}, z, x), face({10, 0, 0}, y, z);
  return Shape(Mesh::build(std::move(input)).value());
}

TEST(PathWork, OfFacesThatSlideFlushIsThatOfOthers) {
  const Shape cube = fine_cube(16);
  const auto slide = [&](double height) {
    const Motion motion =
        Motion::make({{0, translation(0.3, 1.7, height)}, {1, translation(6.3, 2.1, height)}}).value();
    return walk(cube, motion, cube, {.depths = false});
  };
  const auto flush = slide(10), clash = slide(9.5);
  EXPECT_EQ(flush.verdict, Verdict::touch);
  ASSERT_EQ(flush.touch_intervals.size(), 1U);
  EXPECT_EQ(flush.touch_intervals[0], (TimeSpan{0, 1}));
  EXPECT_EQ(clash.verdict, Verdict::clash);
  EXPECT_LE(flush.pairs, 10 * clash.pairs);
  // Not one look at each two triangles of the faces that slide on one another, in each of hundreds of pieces of time.
  EXPECT_LE(flush.pairs, 200'000U);
}

}  // namespace
}  // namespace snug
