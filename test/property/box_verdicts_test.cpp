#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

// Boxes on a coarse grid: their faces are flush, their edges meet and their corners coincide all the time, and every answer
// is known from their coordinates.

namespace snug {
namespace {

using scenes::Random;

struct Truth {
  Verdict verdict = Verdict::clear;
  double depth = 0, volume = 1, squared_gap = 0;
};

Truth truth_of(const Aabb& a, const Aabb& b) {
  Truth truth;
  bool overlap = true, a_in_b = true, b_in_a = true;
  truth.depth = 1e9;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double shared = std::min(a.hi[axis], b.hi[axis]) - std::max(a.lo[axis], b.lo[axis]);
    overlap = overlap && shared > 0;
    truth.volume *= std::max(shared, 0.0);
    truth.squared_gap += shared < 0 ? shared * shared : 0;
    truth.depth = std::min({truth.depth, a.hi[axis] - b.lo[axis], b.hi[axis] - a.lo[axis]});
    a_in_b = a_in_b && b.lo[axis] < a.lo[axis] && a.hi[axis] < b.hi[axis];
    b_in_a = b_in_a && a.lo[axis] < b.lo[axis] && b.hi[axis] < a.hi[axis];
  }
  if (a_in_b || b_in_a)
    truth.verdict = Verdict::contained;
  else if (overlap)
    truth.verdict = Verdict::clash;
  else if (truth.squared_gap == 0)
    truth.verdict = Verdict::touch;
  return truth;
}

Aabb random_box(Random& random) {
  const auto at = [&] { return static_cast<double>(random.below(5)); };
  const double x0 = at(), y0 = at();
  const Point3 lo{x0, y0, at()};
  const auto side = [&] { return 1 + static_cast<double>(random.below(4)); };
  const double x = side(), y = side();
  return {lo, lo + Vec3{x, y, side()}};
}

TEST(BoxVerdicts, AreThoseOfTheirCoordinatesInAnyRotation) {
  std::array<std::size_t, 6> seen{};
  const std::uint64_t count = test::scaled(3000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Aabb a = random_box(random);
    // Now and then one that is sure to lie inside.
    const Aabb b = seed % 20 == 0 ? Aabb{a.lo - Vec3{1, 2, 1}, a.hi + Vec3{2, 1, 1}} : random_box(random);
    const Truth truth = truth_of(a, b);
    ++seen[static_cast<std::size_t>(truth.verdict)];
    const Shape shape_a(scenes::box(a.lo, a.hi)), shape_b(scenes::box(b.lo, b.hi));
    for (const Pose& pose : {Pose{}, random.pose(seed % 2 == 0 ? 1 : 1000)}) {
      const PairReport r = assess(shape_a, pose, shape_b, pose);
      ASSERT_EQ(to_string(r.verdict), to_string(truth.verdict));
      const double noise = 100 * r.resolution;
      if (r.verdict >= Verdict::clash) {
        ASSERT_TRUE(r.depth && r.volume);
        ASSERT_LE(r.depth->lower, truth.depth + noise);
        ASSERT_NEAR(r.depth->upper, truth.depth, noise);
        ASSERT_NEAR(r.volume->value, truth.volume, r.volume->error + 100 * noise);
      }
      const PairReport asked = assess(shape_a, pose, shape_b, pose, {.tolerances = {.clearance = 100}});
      if (r.verdict == Verdict::clear) {
        ASSERT_EQ(asked.verdict, Verdict::near);
        ASSERT_NEAR(*asked.gap, std::sqrt(truth.squared_gap), noise);
      } else {
        ASSERT_EQ(asked.verdict, r.verdict);
      }
    }
  }
  for (const Verdict verdict : {Verdict::clear, Verdict::touch, Verdict::clash})
    EXPECT_GT(seen[static_cast<std::size_t>(verdict)], count / 50) << to_string(verdict);
  EXPECT_GT(seen[static_cast<std::size_t>(Verdict::contained)], count / 50);
}

TEST(BoxVerdicts, TouchOverlapForgivesExactlyWhatItSays) {
  const Shape a(scenes::box({0, 0, 0}, {4, 4, 4})), b(scenes::box({1, 1, 3.5}, {3, 3, 6}));
  for (const Pose& pose : test::cube_rotations()) {
    const auto verdict = [&](double overlap) {
      return assess(a, pose, b, pose, {.tolerances = {.touch_overlap = overlap}}).verdict;
    };
    EXPECT_EQ(verdict(0.5), Verdict::touch);
    EXPECT_EQ(verdict(0.51), Verdict::touch);
    EXPECT_EQ(verdict(0.49), Verdict::clash);
  }
}

}  // namespace
}  // namespace snug
