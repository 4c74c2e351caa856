#include "contact_push.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

// Pegs in holes: their walls meet along a whole arc, in long triangles that slant across any one way out.

namespace snug {
namespace {

using scenes::Random;
using test::deepest_of;
using test::push_of;

constexpr double k_radius = 10, k_height = 20, k_length = 40;

double along(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// A hole of so many sides through a disk, and a peg that fits in by `clearance`, somewhere in it, askew.
struct PegInHole {
  std::uint32_t sides, peg_sides;
  double clearance, aside;
  Shape peg, hole;
  Pose pose;

  /// The largest circle that the hole has room for.
  [[nodiscard]] double room() const { return k_radius * std::cos(std::numbers::pi / sides); }
  /// How far the peg reaches into the wall anywhere between the ends of the hole: nothing reaches further there than its edges. Negative if it
  /// does not.
  [[nodiscard]] double reach() const {
    double furthest = -std::numeric_limits<double>::infinity();
    const auto see = [&](const Point3& p) {
      for (std::uint32_t i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * (i + 0.5) / sides;
        furthest = std::max(furthest, along({std::cos(angle), std::sin(angle), 0}, p) - room());
      }
    };
    for (std::uint32_t i = 0; i < peg_sides; ++i) {
      const Point3 foot = pose.apply(peg.mesh().vertices()[i]), head = pose.apply(peg.mesh().vertices()[i + peg_sides]);
      for (const double z : {std::clamp(foot.z, 0.0, k_height), std::clamp(head.z, 0.0, k_height)})
        see(foot + ((z - foot.z) / (head.z - foot.z)) * (head - foot));
    }
    return furthest;
  }
};

/// Seen in a mirror on the floor: the diagonals of its sides then run the other way.
Mesh upside_down(const Mesh& mesh, double height) {
  MeshInput input;
  test::append(input, mesh, true);
  for (Point3& p : input.vertices) p.z = height - p.z;
  return Mesh::build(std::move(input)).value();
}

/// A peg of as many sides as its hole, a little narrower, but turned in it, so that its edges bite into the wall all around.
PegInHole tight_peg(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 9> k_sides{6, 8, 12, 16, 24, 32, 48, 64, 96};
  Random random(seed);
  const std::uint32_t sides = k_sides[random.below(k_sides.size())];
  const double clearance = std::pow(10, random.uniform(-3, -1)), aside = clearance * random.uniform(0, 1.5);
  const double way = random.uniform(0, 2 * std::numbers::pi), foot = random.below(2) == 0 ? -10 : -8.7;
  const Mesh hole = scenes::pipe(2 * k_radius, k_radius, k_height, sides);
  return {sides,
          sides,
          clearance,
          aside,
          Shape(scenes::cylinder(k_radius - clearance, k_length, sides)),
          Shape(seed % 2 == 0 ? hole : upside_down(hole, k_height)),
          compose(translation(aside * std::cos(way), aside * std::sin(way), foot),
                  rotation({0, 0, 1}, random.uniform(0.1, 0.9) * 2 * std::numbers::pi / sides))};
}

PegInHole some_peg(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 8> k_sides{6, 8, 12, 16, 24, 32, 64, 96};
  Random random(seed);
  const std::uint32_t sides = k_sides[random.below(k_sides.size())];
  const std::uint32_t peg_sides = random.below(3) > 0 ? sides : k_sides[random.below(k_sides.size())];
  const double clearance = std::pow(10, random.uniform(-3, -1)), aside = clearance * random.uniform(0.5, 4);
  // By half of what there is room for, so that there is a way out; every other one stands straight.
  const double tilt = seed % 2 == 0 ? 0 : random.uniform(0, 0.5) * clearance / k_height;
  const double foot = random.below(3) > 0 ? -10 : random.uniform(1, 19);
  const auto angle = [&] { return random.uniform(0, 2 * std::numbers::pi); };
  const double lean = angle(), way = angle(), turned = angle();
  const double room = k_radius * std::cos(std::numbers::pi / sides);
  return {sides,
          peg_sides,
          clearance,
          aside,
          Shape(scenes::cylinder(room - clearance, k_length, peg_sides)),
          Shape(scenes::pipe(3 * k_radius, k_radius, k_height, sides)),
          compose(translation(aside * std::cos(way), aside * std::sin(way), foot),
                  compose(rotation({std::cos(lean), std::sin(lean), 0}, tilt), rotation({0, 0, 1}, turned)))};
}

TEST(ContactPegs, AreToldAsDeepAsTheyAreAndFindTheirWayOut) {
  Scratch scratch;
  std::uint64_t compared = 0, clear = 0;
  // The first three: triangles that overlap by far more along the blended normal of the wall than across their own faces.
  std::vector<std::uint64_t> seeds{5804, 10488, 14426};
  for (std::uint64_t seed = 0; seed < test::scaled(1500); ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    SCOPED_TRACE(seed);
    const PegInHole it = some_peg(seed);
    const double reach = it.reach();
    if (std::abs(reach) < 1e-6) continue;
    const Contacts found = contacts(it.peg, it.pose, it.hole, {}, scratch).value();
    ASSERT_EQ(found.touching(), reach > 0);
    if (reach < 0) {
      ++clear;
      continue;
    }
    ++compared;
    EXPECT_LE(deepest_of(found), 1.5 * reach);
    const Contacts exchanged = contacts(it.hole, {}, it.peg, it.pose, scratch).value();
    EXPECT_EQ(deepest_of(exchanged), deepest_of(found));
    EXPECT_EQ(exchanged.contacts.size(), found.contacts.size());
    // Where contacts push it: no further than back to the middle.
    Vec3 moved;
    Contacts left = found;
    for (int round = 0; round < 40 && left.touching(); ++round) {
      // A little further than that: two walls that are met in turn would each leave a share of the other's depth for ever.
      const Vec3 push = push_of(left);
      moved = moved + (1.001 + 1e-9 / push.length()) * push;
      left = contacts(it.peg, compose(translation(moved.x, moved.y, moved.z), it.pose), it.hole, {}, scratch).value();
    }
    EXPECT_FALSE(left.touching());
    EXPECT_LE(std::sqrt(along(moved, moved)), 1.5 * it.aside);
  }
  EXPECT_GT(compared, test::scaled(1500) / 4);
  EXPECT_GT(clear, test::scaled(1500) / 8);
}

TEST(ContactPegs, ThatBiteIntoTheWallAllAroundAreToldHowFar) {
  // There is no way out to the side, and none is told that leads all the way through.
  Scratch scratch;
  std::uint64_t compared = 0, deep = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(800); ++seed) {
    SCOPED_TRACE(seed);
    const PegInHole it = tight_peg(seed);
    const double reach = it.reach();
    if (std::abs(reach) < 1e-6) continue;
    const Contacts found = contacts(it.peg, it.pose, it.hole, {}, scratch).value();
    ASSERT_EQ(found.touching(), reach > 0);
    if (reach < 0) continue;
    ++compared;
    EXPECT_LE(deepest_of(found), 3 * reach);
    deep += deepest_of(found) > 2 * reach ? 1 : 0;
    const Contacts exchanged = contacts(it.hole, {}, it.peg, it.pose, scratch).value();
    EXPECT_EQ(deepest_of(exchanged), deepest_of(found));
    EXPECT_EQ(exchanged.contacts.size(), found.contacts.size());
  }
  EXPECT_GT(compared, test::scaled(800) / 2);
  EXPECT_LE(deep, 1 + compared / 50);
}

}  // namespace
}  // namespace snug
