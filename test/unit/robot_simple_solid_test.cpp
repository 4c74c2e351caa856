// Depths of points in simple solids, held to distances and to eroded solids.

#include "any_shape.hpp"
#include "assembly/robot/simple_solid.hpp"
#include "scenes/random.hpp"

#include <snug/primitive.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace snug::robot {
namespace {

using scenes::Random;
using test::distance;

std::vector<Primitive> solids() {
  return {Primitive::sphere(0.7).value(), Primitive::capsule(0.3, 1.1).value(), Primitive::box({0.4, 0.9, 1.6}).value(),
          Primitive::cylinder(0.5, 1.2).value(), Primitive::half_space({1, 2, -1}, 0.2).value()};
}

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

TEST(SimpleSolid, DepthsAreDistancesFromTheSurface) {
  Random random(7);
  const Primitive point = Primitive::sphere(0).value();
  for (const Primitive& solid : solids()) {
    SCOPED_TRACE(to_string(solid.kind()));
    int inside = 0, outside = 0;
    for (int i = 0; i < 2000; ++i) {
      const Point3 p{random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)};
      const double depth = depth_in(solid, p);
      const Point3 nearest = nearest_in(solid, p);
      EXPECT_LE(depth, largest_depth(solid));
      EXPECT_GE(depth_in(solid, nearest), -1e-15);
      EXPECT_NEAR(distance(point, translation(p.x, p.y, p.z), solid, {}).value, std::max(0.0, -depth), 1e-11);
      if (depth < 0) {
        EXPECT_NEAR(length(nearest - p), -depth, 1e-14);
        ++outside;
        continue;
      }
      EXPECT_EQ(nearest, p);
      ++inside;
      // A ball as large as the depth is inside: so is each of its points.
      const Vec3 v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      if (length(v) > 0.1) {
        EXPECT_GE(depth_in(solid, p + (depth / length(v)) * v), -1e-14);
      }
      const auto less = eroded(solid, 0.5 * depth), more = eroded(solid, 1.5 * depth);
      ASSERT_TRUE(less);
      EXPECT_GE(depth_in(*less, p), 0.5 * depth - 1e-14);
      if (more) {
        EXPECT_LE(depth_in(*more, p), -0.5 * depth + 1e-14);
      }
    }
    EXPECT_GT(inside, 50);
    EXPECT_GT(outside, 50);
  }
}

TEST(SimpleSolid, HullsHaveNoDepthButPoints) {
  const std::vector<Point3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Primitive hull = Primitive::hull(points).value();
  EXPECT_LT(depth_in(hull, {0.1, 0.1, 0.1}), -1e300);
  EXPECT_EQ(nearest_in(hull, {0.9, 0.2, 0}), points[1]);
  EXPECT_FALSE(eroded(hull, 0.01));
  EXPECT_EQ(largest_depth(hull), 0);
}

}  // namespace
}  // namespace snug::robot
