#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

// What the steering constants of contacts of regions decide: each test fails if its constant is doubled or halved.

namespace snug {
namespace {

using Normal = RayContactOptions::Normal;

Shape box(const Vec3& half) { return Shape(scenes::box(-half, half)); }

/// k_same_direction, 31 degrees.
TEST(ContactRegionConstants, WallsAreApartFrom31DegreesOn) {
  // A peg and a hole of twelve sides each, 30 degrees from one to the next: one wall.
  const Shape peg(scenes::cylinder(1, 4, 12)), hole(scenes::pipe(2, 1.05, 2, 12));
  Scratch scratch;
  const Contacts round = contacts(peg, translation(0.15, 0, -1), hole, {}, scratch).value();
  EXPECT_EQ(round.patches.size(), 1U);
  // A groove whose walls are 45 degrees apart: two.
  const double rise = 2 * std::tan(22.5 * std::numbers::pi / 180);
  const std::pair<double, double> walls[] = {{0, 0}, {-2, rise}, {-2, -1}, {2, -1}, {2, rise}};
  const Shape groove(scenes::prism(walls, -1, 1));
  const Contacts bent = contacts(box({0.5, 0.25, 0.25}), translation(0, 0.2, 0), groove, {}, scratch).value();
  ASSERT_EQ(bent.patches.size(), 2U);
  for (const ContactArea& patch : bent.patches)
    EXPECT_NEAR(patch.normal.y, std::cos(22.5 * std::numbers::pi / 180), 1e-9);
}

/// k_cancels, half of the curves' area vectors.
TEST(ContactRegionConstants, CurvesCancelWhereLessThanHalfOfThemIsLeft) {
  // A bar straight through a ridge: of its two curves a share of sin(slope) is left, which points up out of the ridge.
  const Shape bar = box({2, 0.05, 0.05});
  const auto ridge = [](double slope) {
    const double half = std::tan(slope * std::numbers::pi / 180);
    const std::pair<double, double> section[] = {{0, 0.5}, {-half, -0.5}, {half, -0.5}};
    return Shape(scenes::prism(section, -0.2, 0.2));
  };
  Scratch scratch;
  const auto found = [&](double slope) {
    const Contacts all = contacts(bar, {}, ridge(slope), {}, scratch, {.normal = Normal::smooth}).value();
    EXPECT_EQ(all.patches.size(), 1U);
    return all.patches[0];
  };
  // 0.42: the bar goes through. The shortest way out is to the side.
  EXPECT_NEAR(std::abs(found(25).normal.z), 1, 1e-9);
  EXPECT_NEAR(found(25).depth, 0.25, 1e-9);
  // 0.71: the bar lies across, and the area vector says which way it is pushed.
  EXPECT_NEAR(found(45).normal.y, 1, 1e-9);
}

/// k_walls, half of the depth along the area vector.
TEST(ContactRegionConstants, WallsHoldAShaftWhereTheyAreLessThanHalfAsDeep) {
  // A bush of radius 1 with a slit of 160 degrees, and shafts that are too thick for it by 0.4 and by 0.9. Walls are as deep as that, beside
  // the way out through the slit between a quarter and a half, and more than a half.
  constexpr std::uint32_t k_sides = 40;
  const double open = 80 * std::numbers::pi / 180;
  MeshInput bush;
  const auto id = [&](std::uint32_t end, std::uint32_t ring, std::uint32_t i) {
    return (2 * end + ring) * (k_sides + 1) + i;
  };
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    bush.triangles.push_back({a, b, c}), bush.triangles.push_back({a, c, d});
  };
  for (const double z : {-0.5, 0.5})
    for (const double radius : {1.0, 2.0})
      for (std::uint32_t i = 0; i <= k_sides; ++i) {
        const double angle = open + (2 * std::numbers::pi - 2 * open) * i / k_sides;
        bush.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
      }
  for (std::uint32_t i = 0; i < k_sides; ++i) {
    quad(id(0, 1, i), id(0, 1, i + 1), id(1, 1, i + 1), id(1, 1, i));
    quad(id(0, 0, i + 1), id(0, 0, i), id(1, 0, i), id(1, 0, i + 1));
    quad(id(1, 0, i), id(1, 1, i), id(1, 1, i + 1), id(1, 0, i + 1));
    quad(id(0, 1, i), id(0, 0, i), id(0, 0, i + 1), id(0, 1, i + 1));
  }
  quad(id(0, 0, 0), id(0, 1, 0), id(1, 1, 0), id(1, 0, 0));
  quad(id(0, 1, k_sides), id(0, 0, k_sides), id(1, 0, k_sides), id(1, 1, k_sides));
  const Shape hole(Mesh::build(std::move(bush)).value());
  Scratch scratch;
  const auto held = [&](double thicker) {
    const Shape shaft(scenes::cylinder(1 + thicker, 0.6, 48));
    return contacts(shaft, translation(0, 0, -0.3), hole, {}, scratch, {.normal = Normal::smooth}).value();
  };
  const Contacts thin = held(0.4), thick = held(0.9);
  EXPECT_EQ(thin.patches.size(), 6U);
  for (const ContactArea& patch : thin.patches) EXPECT_NEAR(patch.depth, 0.4, 0.05);
  ASSERT_EQ(thick.patches.size(), 1U);
  EXPECT_NEAR(thick.patches[0].normal.x, 1, 1e-6);
}

/// k_lean, three quarters of the half width for the deepest depth.
TEST(ContactRegionConstants, PointsOfABallLieTwoThirdsOut) {
  constexpr double k_sunk = 0.08;
  const Shape ball(scenes::sphere(1, 128, 256)), floor(scenes::box({-3, -3, -1}, {3, 3, 0}));
  const Pose pose = compose(translation(0, 0, 1 - k_sunk), rotation({1, 0, 0}, 1.3));
  Scratch scratch;
  const Contacts found = contacts(ball, pose, floor, {}, scratch).value();
  const double radius = std::sqrt(2 * k_sunk);
  int out = 0;
  for (const Contact& c : found.contacts) {
    const double far = std::hypot(c.on_a.x, c.on_a.y) / radius;
    if (far < 0.2) continue;  // the deepest
    ++out;
    EXPECT_GT(far, 0.5);
    EXPECT_LT(far, 0.8);
  }
  EXPECT_EQ(out, 8);
}

/// k_next_to, 1/64 of a manifold's width.
TEST(ContactRegionConstants, PointsCloserThanA64thOfTheWidthAreOne) {
  // A block with one corner cut off. Seen from above, the cut is `cut` long; the manifold is as wide as the diagonal.
  const auto corners = [](double cut) {
    const double c = cut / std::sqrt(2.0);
    const std::pair<double, double> section[] = {{0, 0}, {1, 0}, {1, 1 - c}, {1 - c, 1}, {0, 1}};
    const Shape block(scenes::prism(section, 0, 1)), floor(scenes::box({-3, -3, -1}, {3, 3, 0}));
    Scratch scratch;
    const Contacts found = contacts(block, translation(0, 0, -0.01), floor, {}, scratch).value();
    return found.contacts.size();
  };
  const double width = std::sqrt(2.0);
  EXPECT_EQ(corners(width / 45), 5U);
  EXPECT_EQ(corners(width / 90), 4U);
}

/// k_moved_on, a quarter of a manifold's width.
TEST(ContactRegionConstants, IdsStayWhereAPointRollsOnByLessThanAQuarterOfTheWidth) {
  const Shape roller(scenes::cylinder(1, 1, 720)), floor(scenes::box({-9, -9, -1}, {9, 9, 0}));
  const auto kept = [&](double step) {
    // So small that a point which rolls on is not simply near.
    ContactTracker tracker = ContactTracker::make({.displacement_threshold = 0.06, .distance_extension = 0.07}).value();
    std::vector<std::uint64_t> before;
    std::size_t same = 0, all = 0;
    for (int i = 0; i < 6; ++i) {
      const Pose lying = rotation({1, 0, 0}, std::numbers::pi / 2), turned = rotation({0, 1, 0}, step * i);
      const Pose pose =
          compose(translation(step * i, 0, 1 - 1e-4), compose(turned, compose(lying, translation(0, 0, -0.5))));
      const Contacts found = contacts(roller, pose, floor, {}, tracker);
      std::vector<std::uint64_t> now;
      for (const Contact& c : found.contacts)
        if (!c.predicted) now.push_back(c.id);
      for (const std::uint64_t id : now) same += std::ranges::count(before, id) > 0 ? 1 : 0;
      if (i > 0) all += now.size();
      before = now;
    }
    EXPECT_GE(all, 10U);
    return static_cast<double>(same) / static_cast<double>(all);
  };
  EXPECT_EQ(kept(0.2), 1);
  EXPECT_EQ(kept(0.3), 0);
}

/// k_looks, 4,096 triangles of both patches.
TEST(ContactRegionConstants, WalksBeginAsLongAsTheyLookAtFewTriangles) {
  // What a minimum costs beyond the smooth normal, in steps of a budget: all walks on coarse patches, some of them on fine ones.
  Scratch scratch;
  Contacts found;
  const auto steps_of = [&](const Shape& shape, const Pose& pose, Normal normal) {
    std::uint64_t too_few = 0, enough = 1U << 24U;
    while (enough - too_few > 1) {
      const std::uint64_t steps = (too_few + enough) / 2;
      const auto answer = try_contacts(shape, pose, shape, {}, scratch, found, {.steps = steps}, {.normal = normal});
      (answer.value().decided() ? enough : too_few) = steps;
    }
    return static_cast<double>(enough);
  };
  const Pose pose = compose(translation(0.9, 0.1, 0.45), rotation({1, 0.2, 0.1}, 0.8));
  const auto beside_smooth = [&](std::uint32_t fine) {
    const Shape torus(scenes::torus(1, 0.3, 2 * fine, fine));
    return steps_of(torus, pose, Normal::minimum) / steps_of(torus, pose, Normal::smooth);
  };
  EXPECT_GT(beside_smooth(20), 15);
  EXPECT_GT(beside_smooth(40), 4);
  EXPECT_LT(beside_smooth(40), 8);
}

}  // namespace
}  // namespace snug
