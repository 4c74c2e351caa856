#include "bvh/dop24/dop.hpp"
#include "query/pairs/dop/axes.hpp"
#include "scenes/random.hpp"
#include "simd/axes_scalar.hpp"
#include "support.hpp"
#if defined(__x86_64__)
#include "simd/axes_sse2.hpp"
#endif

#include <gtest/gtest.h>

#include <cmath>

namespace snug::detail {
namespace {

using scenes::Random;

// What the fixed-point test rests on, for every set there is.
static_assert(corners_are_simple<6>() && corners_are_simple<14>() && corners_are_simple<18>() &&
              corners_are_simple<24>() && corners_are_simple<26>());
static_assert(dihedral_angles_are_wide<6>() && dihedral_angles_are_wide<14>() && dihedral_angles_are_wide<18>() &&
              dihedral_angles_are_wide<24>() && dihedral_angles_are_wide<26>());

Vec3 unit_vector(Random& random) {
  while (true) {
    const Vec3 v = random.point(-1, 1);
    const double length = std::sqrt(dop_corners::dot(v, v));
    if (length > 0.1 && length <= 1) return (1 / length) * v;
  }
}

template <unsigned K>
void hold_directions() {
  const auto whole = whole_directions<K>();
  for (unsigned i = 0; i < K; ++i) {
    const Vec3& d = k_directions<K>[i];
    EXPECT_NEAR(dop_corners::dot(d, d), 1, 1e-15);
    EXPECT_EQ(k_directions<K>[(i + K / 2) % K], -d);
    for (unsigned j = 0; j < i; ++j) EXPECT_FALSE(whole[i] == whole[j]);
  }
  // The cones of the corners hold every direction, and the shares are what docs/proof.md says.
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 v = unit_vector(random);
    unsigned held = 0;
    for (const DopCorner& corner : k_corners<K>) {
      double least = 2, most = 0, sum = 0;
      for (const Vec3& row : corner.inverse) {
        const double share = dop_corners::dot(row, v);
        least = std::min(least, share), most = std::max(most, share), sum += share;
      }
      if (least < -1e-12) continue;
      ++held;
      EXPECT_LE(most, 1 + 1e-12);
      EXPECT_GE(sum, 1 - 1e-12);
      EXPECT_LE(sum, std::sqrt(squared_r_max<K>()) + 1e-12);
    }
    EXPECT_GE(held, 1U);
  }
}

TEST(Dop, DirectionsAreUnitVectorsInPairsWhoseConesHoldEverything) {
  hold_directions<6>();
  hold_directions<14>();
  hold_directions<18>();
  hold_directions<24>();
  hold_directions<26>();
  EXPECT_NEAR(std::sqrt(squared_r_max<24>()), 1.2393, 1e-4);
  EXPECT_EQ(k_corners<24>.size(), 44U);
}

template <unsigned K>
void hold_bounds() {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Point3> a(1 + random.below(6)), b(1 + random.below(6));
    for (Point3& p : a) p = random.point(-1, 1);
    for (Point3& p : b) p = random.point(-1, 1);
    const auto dop_a = Dop<K>::tight(a), dop_b = Dop<K>::tight(b);
    const auto both = Dop<K>::merged(dop_a, dop_b);
    EXPECT_TRUE(both.contains(dop_a) && both.contains(dop_b));
    EXPECT_EQ(both, Dop<K>::merged(dop_b, dop_a));
    for (unsigned i = 0; i < K; ++i) {
      double most = -10, touched = -10;
      for (const Point3& p : a) most = std::max(most, dop_corners::dot(k_directions<K>[i], p));
      touched = std::max(dop_a.d[i], dop_b.d[i]);
      EXPECT_NEAR(dop_a.d[i], most, 1e-15);  // tight
      EXPECT_EQ(both.d[i], touched);         // and no larger than needed
    }
    EXPECT_GE(both.width(), std::max(dop_a.width(), dop_b.width()));
    // Slabs that are apart have no point in common; a shared point makes them overlap.
    EXPECT_TRUE(dop_a.slabs_overlap(both));
    std::vector<Point3> shared = b;
    shared.push_back(a[0]);
    EXPECT_TRUE(dop_a.slabs_overlap(Dop<K>::tight(shared)));
    EXPECT_TRUE(Dop<K>::tight(shared).slabs_overlap(dop_a));
    std::vector<Point3> moved = a;
    const Vec3 away = (dop_a.d[0] + dop_a.d[K / 2] + 1) * k_directions<K>[0];
    for (Point3& p : moved) p = p + away;
    EXPECT_FALSE(dop_a.slabs_overlap(Dop<K>::tight(moved)));
  }
  EXPECT_FALSE(Dop<K>().slabs_overlap(Dop<K>::tight(std::array{Point3{}})));
}

TEST(Dop, BoundsAreTightMergedAndCompared) {
  hold_bounds<6>();
  hold_bounds<14>();
  hold_bounds<18>();
  hold_bounds<24>();
  hold_bounds<26>();
}

TEST(Dop, TouchingSlabsOverlap) {
  const auto a = Dop24::tight(std::array{Point3{0, 0, 0}, Point3{1, 1, 1}});
  const auto b = Dop24::tight(std::array{Point3{1, 1, 1}, Point3{2, 2, 2}});
  EXPECT_TRUE(a.slabs_overlap(b));
  EXPECT_TRUE(b.slabs_overlap(a));
}

TEST(DopAxes, MappingsTakeADirectionApartWithoutPositiveWeights) {
  for (std::uint64_t seed = 0; seed < test::scaled(20000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Vec3 l = unit_vector(random);
    if (seed % 5 == 0) l = k_directions<24>[random.below(24)];
    if (seed % 5 == 1)
      l = {random.uniform(-1e-9, 1e-9), std::copysign(std::sqrt(0.5), l.y), std::copysign(std::sqrt(0.5), l.z)};
    const DopMapping m = map_along(l);
    Vec3 sum;
    double total = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_LE(m.weight[i], 1e-15);
      ASSERT_GE(m.weight[i], -1 - 1e-15);
      sum = sum + m.weight[i] * k_directions<24>[m.slab[i]];
      total -= m.weight[i];
    }
    const Vec3 rest = sum - l;
    ASSERT_LE(std::sqrt(dop_corners::dot(rest, rest)), 0x1p-50);
    ASSERT_GE(total, 1 - 1e-15);
    ASSERT_LE(total, 1.24);
  }
}

TEST(DopAxes, MappingsBoundTheImageOfEveryDop) {
  for (std::uint64_t seed = 0; seed < test::scaled(4000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Point3> points(1 + random.below(4));
    for (Point3& p : points) p = random.point(-1, 1);
    const Dop24 dop = Dop24::tight(points);
    const Vec3 l = unit_vector(random);
    const DopMapping m = map_along(l);
    double lower = 0, upper = 0;
    for (std::size_t i = 0; i < 3; ++i)
      lower += m.weight[i] * dop.d[m.slab[i]], upper += m.weight[i] * dop.d[opposite(m.slab[i])];
    for (const Point3& p : points) {
      ASSERT_LE(lower, dop_corners::dot(l, p) + 1e-14);
      ASSERT_GE(-upper, dop_corners::dot(l, p) - 1e-14);
    }
  }
}

TEST(DopAxes, TheOrderHoldsEveryAxisOnce) {
  std::vector<std::array<unsigned, 3>> all;
  for (const AxisOrigin& origin : axis_order()) all.push_back({static_cast<unsigned>(origin.kind), origin.a, origin.b});
  std::ranges::sort(all);
  EXPECT_TRUE(std::ranges::adjacent_find(all) == all.end());
  EXPECT_EQ(std::ranges::count_if(all, [](const auto& o) { return o[0] == 0; }), 12);
  EXPECT_EQ(std::ranges::count_if(all, [](const auto& o) { return o[0] == 1; }), 12);
}

template <class Number>
void hold_sums() {
  // Sums of exactly 0 are of bodies that touch: they do not count.
  alignas(64) Number a[8], b[8], c[8], d[8];
  for (int one = -1; one < 16; ++one)
    for (const int by : {-1, 0, 1}) {
      for (int i = 0; i < 8; ++i) a[i] = 5 + i, b[i] = -5 - i, c[i] = -7 - i, d[i] = 6 + i;
      if (one >= 0) (one < 8 ? a[one] : d[one - 8]) += one < 8 ? by : by + 1;
      const bool expected = one >= 0 && by > 0;
      EXPECT_EQ(lanes::scalar::any_sum_positive(a, b, c, d), expected) << one << ' ' << by;
#if defined(__x86_64__)
      EXPECT_EQ(lanes::sse2::any_sum_positive(a, b, c, d), expected) << one << ' ' << by;
#endif
    }
}

TEST(DopAxes, SumsOfZeroSeparateNothing) {
  hold_sums<double>();
  hold_sums<std::int64_t>();
}

}  // namespace
}  // namespace snug::detail
