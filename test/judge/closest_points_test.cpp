#include "cgal_judge.hpp"
#include "degenerate_pairs.hpp"
#include "judge_support.hpp"

#include <snug/triangle.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace snug::judge {
namespace {

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

double largest_coordinate(const Triangle& a, const Triangle& b, const Point3& origin) {
  double most = 0;
  for (const Triangle* t : {&a, &b})
    for (const Point3& p : t->corner) {
      const Vec3 v = p - origin;
      most = std::max({most, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    }
  return most;
}

/// A witness is rounded once or twice, to the grid of the coordinates it lies among.
constexpr double k_witness_error = 8 * 0x1p-53;
/// A shared point must lie on two triangles at once, which slivers and small angles make harder.
constexpr double k_shared_point_error = 256 * 0x1p-53;
/// Beside a gap smaller than this part of the triangles, no arithmetic short of exact keeps a relative error.
constexpr double k_smallest_gap = 0x1p-50;

struct Measured {
  std::size_t disjoint = 0, meeting = 0;
  double worst = 0;  ///< relative error of the distance
};

void check_meeting(const Triangle& a, const Triangle& b) {
  const ClosestPoints found = closest_points(a, b);
  ASSERT_EQ(found.distance, 0) << to_hex(a, b);
  ASSERT_EQ(found.on_a, found.on_b) << to_hex(a, b);
  const double rounding = k_shared_point_error * largest_coordinate(a, b, {});
  ASSERT_LE(cgal_distance(found.on_a, a), rounding) << to_hex(a, b) << "\n  on_a = " << to_hex(found.on_a);
  ASSERT_LE(cgal_distance(found.on_b, b), rounding) << to_hex(a, b) << "\n  on_b = " << to_hex(found.on_b);
}

void check_disjoint(const Triangle& a, const Triangle& b, Measured& measured) {
  const ClosestPoints found = closest_points(a, b);
  ASSERT_GT(found.distance, 0) << to_hex(a, b);
  const double rounding = k_witness_error * largest_coordinate(a, b, {});
  ASSERT_LE(cgal_distance(found.on_a, a), rounding) << to_hex(a, b) << "\n  on_a = " << to_hex(found.on_a);
  ASSERT_LE(cgal_distance(found.on_b, b), rounding) << to_hex(a, b) << "\n  on_b = " << to_hex(found.on_b);
  ASSERT_NEAR(length(found.on_a - found.on_b), found.distance, 4 * rounding + 1e-15 * found.distance) << to_hex(a, b);

  const double smallest_gap = k_smallest_gap * largest_coordinate(a, b, a[0]);
  const double error = cgal_distance_error(a, b, found.distance);
  if (found.distance > smallest_gap) {
    measured.worst = std::max(measured.worst, error);
    ASSERT_LE(error, 1e-12) << "distance " << found.distance << to_hex(a, b);
  } else {
    // Exactly zero would be contact; a true gap must not be far larger than the one reported.
    ASSERT_LE(cgal_distance(a, b), 2 * smallest_gap) << "distance " << found.distance << to_hex(a, b);
  }
  // The witnesses may differ with the order of arguments, the distance may not do so by more than its error.
  ASSERT_NEAR(closest_points(b, a).distance, found.distance, std::max(smallest_gap, 2e-12 * found.distance))
      << to_hex(a, b);
}

template <class Make>
void check_pairs(const char* what, std::uint64_t seed, std::size_t count, Make make) {
  SCOPED_TRACE(testing::Message() << what << ", seed " << seed);
  Random random(seed);
  Measured measured;
  for (std::size_t i = 0; i != scaled(count); ++i) {
    const auto [a, b, placement] = make(random);
    if (cgal_relation(a, b) != Relation::disjoint) {
      ++measured.meeting;
      check_meeting(a, b);
      if (!testing::Test::HasFatalFailure()) check_meeting(b, a);
    } else {
      ++measured.disjoint;
      check_disjoint(a, b, measured);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  std::printf("%-28s | %6zu apart | %6zu meeting | worst relative error %.1e\n", what, measured.disjoint,
              measured.meeting, measured.worst);
}

void transform(TrianglePair& pair, double scale, const Vec3& offset) {
  for (Triangle* t : {&pair.a, &pair.b})
    for (Point3& p : t->corner) p = scale * p + offset;
}

/// Any size; no further from the origin than a thousand times the size, as the promise demands.
void place_anywhere(TrianglePair& pair, Random& random) {
  const double size = std::ldexp(1, static_cast<int>(random.integer(-30, 30)));
  const double distance = random.one_in(2) ? 0 : size * std::pow(10, random.between(0, 2.5));
  transform(pair, size, random.in_cube(distance));
}

TEST(ClosestPointsJudged, OnGenericPairs) {
  check_pairs("generic", 21, 40'000, [](Random& random) {
    TrianglePair pair = generic_pair(random);
    // Back near the origin: generic pairs may lie further out than the promise reaches.
    const Vec3 home = pair.a[0];
    transform(pair, 1, -home);
    return pair;
  });
}

TEST(ClosestPointsJudged, AtAllDistances) {
  check_pairs("gaps from 1e-9 to 1e6 sizes", 22, 20'000, [](Random& random) {
    TrianglePair pair{{{random.in_cube(1), random.in_cube(1), random.in_cube(1)}},
                      {{random.in_cube(1), random.in_cube(1), random.in_cube(1)}}};
    const double gap = std::pow(10, random.between(-9, 6));
    double top = -1, bottom = 1;
    for (const Point3& p : pair.a.corner) top = std::max(top, p.z);
    for (const Point3& p : pair.b.corner) bottom = std::min(bottom, p.z);
    for (Point3& p : pair.b.corner) p.z += top - bottom + gap;
    return pair;
  });
}

TEST(ClosestPointsJudged, OnNearlyParallelEdges) {
  check_pairs("nearly parallel edges", 23, 30'000, [](Random& random) {
    // Ridges that face one another along the x axis, skewed by next to nothing or nothing at all.
    const double skew = random.one_in(4) ? 0 : std::pow(10, random.between(-17, -1));
    const double gap = std::pow(10, random.between(-6, 1));
    const double x = random.between(-1, 1);
    TrianglePair pair{{{{{-1, 0, 0}, {1, 0, 0}, {x, random.between(-1, 1), -1}}}},
                      {{{{x - 1, -skew, gap}, {x + 1, skew, gap}, {0, random.between(-1, 1), gap + 1}}}}};
    place_anywhere(pair, random);
    return pair;
  });
}

TEST(ClosestPointsJudged, OnParallelFaces) {
  check_pairs("parallel faces", 24, 20'000, [](Random& random) {
    TrianglePair pair{{{random.in_cube(1), random.in_cube(1), random.in_cube(1)}},
                      {{random.in_cube(1), random.in_cube(1), random.in_cube(1)}}};
    const double tilt = random.one_in(3) ? 0 : std::pow(10, random.between(-17, -3));
    const double gap = std::pow(10, random.between(-6, 1));
    for (Point3& p : pair.a.corner) p.z = 0;
    for (Point3& p : pair.b.corner) p.z = gap + tilt * p.x;
    place_anywhere(pair, random);
    return pair;
  });
}

TEST(ClosestPointsJudged, OnDegenerateAndCoplanarPairs) {
  for (const PairClass pair_class : k_pair_classes)
    check_pairs(std::string(to_string(pair_class)).c_str(), 30 + static_cast<std::uint64_t>(pair_class), 3'000,
                [&](Random& random) { return degenerate_pair(pair_class, random); });
}

}  // namespace
}  // namespace snug::judge
