#include "assembly/pair_driver.hpp"
#include "query/posed/surface.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

// What a verdict claims about curved and concave bodies, checked point by point: locate() knows nothing of balls, ways out
// and columns.

namespace snug {
namespace {

using scenes::Random;

std::vector<Point3> posed_vertices(const Mesh& mesh, const Pose& pose) {
  std::vector<Point3> out(mesh.vertices().size());
  pose.apply(mesh.vertices(), out);
  return out;
}

bool inside(const Point3& p, const std::vector<Point3>& vertices, const Mesh& mesh) {
  return locate(p, {vertices, mesh.triangles()}).side == Side::inside;
}

class Bodies {
 public:
  Bodies(Mesh a, const Pose& pose_a, Mesh b, const Pose& pose_b)
      : a_(std::move(a)), b_(std::move(b)), at_a_(posed_vertices(a_, pose_a)), at_b_(posed_vertices(b_, pose_b)) {
    for (const Point3& p : at_a_) box_.include(p);
  }
  [[nodiscard]] bool in_both(const Point3& p, const Vec3& b_moved_by = {}) const {
    return inside(p, at_a_, a_) && inside(p - b_moved_by, at_b_, b_);
  }
  [[nodiscard]] const Aabb& box_of_a() const { return box_; }

 private:
  Mesh a_, b_;
  std::vector<Point3> at_a_, at_b_;
  Aabb box_;
};

Vec3 random_direction(Random& random) {
  while (true) {
    const Vec3 v = random.point(-1, 1);
    const double length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    if (length > 0.1 && length <= 1) return (1 / length) * v;
  }
}

Mesh body(std::uint64_t kind) {
  switch (kind % 5) {
    case 0:
      return scenes::torus(1, 0.4, 14, 8);
    case 1:
      return scenes::sphere(0.9, 7, 10);
    case 2:
      return scenes::pipe(0.8, 0.5, 1.5, 11);
    case 3:
      return scenes::bumpy_knot(40, 5);
    default:
      return scenes::box({-0.7, -0.6, -0.5}, {0.7, 0.6, 0.5});
  }
}

TEST(Overlap, BallWayOutAndVolumeHoldPointByPoint) {
  const std::uint64_t count = test::scaled(160);
  std::size_t clashes = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh a = body(seed), b = body(random.below(5));
    const Pose pose_a = random.pose(0.4), pose_b = random.pose(0.4);
    const PairReport r = assess(Shape(a), pose_a, Shape(b), pose_b);
    const Bodies bodies(a, pose_a, b, pose_b);
    const Aabb box = bodies.box_of_a();
    const auto anywhere = [&] {
      const double x = random.uniform(box.lo.x, box.hi.x), y = random.uniform(box.lo.y, box.hi.y);
      return Point3{x, y, random.uniform(box.lo.z, box.hi.z)};
    };
    constexpr int k_samples = 3000;
    int hits = 0;
    for (int i = 0; i < k_samples; ++i) hits += bodies.in_both(anywhere()) ? 1 : 0;
    if (r.verdict < Verdict::clash) {
      ASSERT_EQ(hits, 0) << "a common point, and yet " << to_string(r.verdict);
      continue;
    }
    ++clashes;
    ASSERT_TRUE(r.depth && r.volume);
    ASSERT_LE(r.depth->lower, r.depth->upper);
    ASSERT_GT(r.depth->lower, 0);
    for (int i = 0; i < 60; ++i)
      ASSERT_TRUE(bodies.in_both(r.depth->centre + (0.5 * r.depth->lower * (1 - 1e-12)) * random_direction(random)));
    for (int i = 0; i < 500; ++i) ASSERT_FALSE(bodies.in_both(anywhere(), (1 + 1e-9) * r.depth->escape));
    const Vec3 size = box.hi - box.lo;
    const double all = size.x * size.y * size.z, share = static_cast<double>(hits) / k_samples;
    const double deviation = std::sqrt(std::max(share * (1 - share), 1.0 / k_samples) / k_samples);
    ASSERT_NEAR(r.volume->value, share * all, 5 * deviation * all);
    ASSERT_LT(r.volume->error, 1e-9 * all);
  }
  EXPECT_GE(2 * clashes, count);
}

TEST(Overlap, ClosestPairIsThatOfComparingAll) {
  const std::uint64_t count = test::scaled(120);
  std::size_t apart = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh a = body(seed), b = body(random.below(5));
    const Pose pose_a = random.pose(1.5), pose_b = random.pose(1.5);
    const auto at_a = posed_vertices(a, pose_a), at_b = posed_vertices(b, pose_b);
    double closest = std::numeric_limits<double>::infinity();
    for (const Index3& t : a.triangles())
      for (const Index3& u : b.triangles())
        closest = std::min(
            closest,
            closest_points({{at_a[t[0]], at_a[t[1]], at_a[t[2]]}}, {{at_b[u[0]], at_b[u[1]], at_b[u[2]]}}).distance);
    const PairReport r = assess(Shape(a), pose_a, Shape(b), pose_b, {.tolerances = {.clearance = 100}});
    if (closest == 0 || r.verdict == Verdict::contained) continue;
    ++apart;
    ASSERT_EQ(r.verdict, Verdict::near);
    ASSERT_NEAR(*r.gap, closest, 1e-11 * closest);
    // Just below the gap nothing is near, just above it something is.
    ASSERT_EQ(assess(Shape(a), pose_a, Shape(b), pose_b, {.tolerances = {.clearance = closest * (1 - 1e-9)}}).verdict,
              Verdict::clear);
    ASSERT_EQ(assess(Shape(a), pose_a, Shape(b), pose_b, {.tolerances = {.clearance = closest * (1 + 1e-9)}}).verdict,
              Verdict::near);
  }
  EXPECT_GE(4 * apart, count);
}

TEST(BroadPhase, FindsExactlyTheOverlappingBoxes) {
  for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Aabb> boxes(random.below(60));
    for (Aabb& box : boxes) {
      const auto corner = [&] { return static_cast<double>(random.below(12)); };
      const double x = corner(), y = corner();
      box.lo = {x, y, seed % 2 == 0 ? 0 : corner()};
      const double w = corner() / 4, d = corner() / 4;
      box.hi = box.lo + Vec3{w, d, corner() / 4};
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
        if (boxes[i].overlaps(boxes[j])) expected.emplace_back(i, j);
    ASSERT_EQ(assembly::overlapping_boxes(boxes), expected);
  }
}

}  // namespace
}  // namespace snug
