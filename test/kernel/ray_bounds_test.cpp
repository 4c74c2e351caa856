// What kernels of rays take for certain, held to what is true.

#include "device/ray_encode.hpp"
#include "geometry/vec_ops.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "kernels_as_cpp.hpp"  // behind all others: it names things as OpenCL does

namespace {

#include "ray_kernels.inc"

}  // namespace

namespace snug {
namespace {

/// A list that has no place for all is no list.
TEST(DeviceKernels, MoreTrianglesThanThereIsRoomForAreNotToldInPart) {
  stackless::SnugNearest nearest{};
  stackless::snug_clear(&nearest);
  for (uint i = 0; i < 3; ++i) stackless::snug_offer(&nearest, 10 + i, false, 0.5F, 1.0F);
  uint told[SNUG_RAY_TRIANGLES] = {1, 2, 3, 4}, count = 4;
  EXPECT_TRUE(stackless::snug_conclude(&nearest, told, &count));
  EXPECT_EQ(count, 7U);
  stackless::snug_offer(&nearest, 13, false, 0.5F, 1.0F);
  EXPECT_FALSE(stackless::snug_conclude(&nearest, told, &count));
  // Nor one of those soonest that has lost one it may have met before.
  stackless::snug_offer(&nearest, 14, false, 0.5F, 1.0F);
  count = 0;
  EXPECT_FALSE(stackless::snug_conclude(&nearest, told, &count));
}

/// A number that floats round by as much as they can, to either side.
double far_from_floats(double x, scenes::Random& random) {
  const float below = static_cast<float>(x);
  const double step = std::nextafter(below, 10.0F) - double{below};
  return below + (random.below(2) != 0 ? 0.4999 : -0.4999) * step;
}

/// What kernels take for certain of a line and a triangle, beside what is true, computed in twice the digits of their numbers and more. Every
/// bound holds, and none is so wide that nothing could be told.
TEST(DeviceKernels, BoundsHoldAndAreNoLongerThanTheyNeedBe) {
  const auto count = test::scaled(200000);
  using Number = long double;
  Number of_side = 0, of_place = 0, of_plane = 0;
  std::uint64_t met = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    scenes::Random random(seed);
    const auto spread = [&] { return std::pow(2.0, -static_cast<double>(random.below(12))); };
    // Triangles of all sizes, needles among them, anywhere; lines through them or beside, from as far as may be.
    const double size = spread();
    const Point3 middle = random.point(-1, 1);
    double corner[3][3], origin[3], way[3];
    SnugRayTriangle triangle{};
    stackless::SnugLine line{};
    const double flat = random.below(3) == 0 ? spread() : 1;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        const double x = middle[i] + size * random.uniform(-1, 1) * (i == 2 ? flat : 1);
        corner[k][i] = far_from_floats(std::clamp(x, -1.0, 1.0), random);
        triangle.corner[k][i] = static_cast<float>(corner[k][i]);
      }
    const double u = random.uniform(-0.2, 0.8), v = random.uniform(-0.2, 0.8);
    Vec3 to, from = 2.0 * random.point(-1, 1);
    double at[3];
    for (std::size_t i = 0; i < 3; ++i)
      at[i] = corner[0][i] + u * (corner[1][i] - corner[0][i]) + v * (corner[2][i] - corner[0][i]);
    to = {at[0], at[1], at[2]};
    if (random.below(3) == 0) from = to + (2 * spread()) * random.point(-1, 1);
    from = {std::clamp(from.x, -2.0, 2.0), std::clamp(from.y, -2.0, 2.0), std::clamp(from.z, -2.0, 2.0)};
    const double length = geometry::length_of(to - from);
    if (!(length > 1e-9)) continue;
    float squared = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      origin[i] = far_from_floats(from[i], random), way[i] = far_from_floats((to - from)[i] / length, random);
      line.origin[i] = static_cast<float>(origin[i]), line.direction[i] = static_cast<float>(way[i]);
      squared += line.direction[i] * line.direction[i];
    }
    line.per_squared = 1.0F / squared, line.doubt = 3.7e-7F;

    const auto dot = [](const Number* p, const Number* q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
    Number c[3][3], d[3], side[3], t[3];
    for (std::size_t i = 0; i < 3; ++i) {
      d[i] = way[i];
      for (std::size_t k = 0; k < 3; ++k) c[k][i] = Number{corner[k][i]} - Number{origin[i]};
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Number *p = c[k], *q = c[(k + 1) % 3];
      const Number across[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
      side[k] = dot(across, d), t[k] = dot(c[k], d) / dot(d, d);
    }
    stackless::SnugSeen seen{};
    stackless::snug_see(&line, &triangle, &seen);
    const Number slack = 2.5F * seen.off + 0x1p-19F * seen.reach + 0x1p-23F * std::abs(seen.along);
    for (std::size_t k = 0; k < 3; ++k) {
      of_side = std::max(of_side, std::abs(seen.side[k] - side[k]) / seen.doubt);
      const float place = stackless::snug_dot(seen.u[k], line.direction) * line.per_squared + seen.along;
      of_place = std::max(of_place, std::abs(place - t[k]) / slack);
    }
    // Where it is met, if certainly so.
    const Number sum = side[0] + side[1] + side[2];
    if (!(seen.least > seen.doubt || seen.most < -seen.doubt)) continue;
    ++met;
    const Number where = (side[1] * t[0] + side[2] * t[1] + side[0] * t[2]) / sum;
    float p[3], q[3];
    for (int i = 0; i < 3; ++i) p[i] = seen.u[1][i] - seen.u[0][i], q[i] = seen.u[2][i] - seen.u[0][i];
    const float n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    float first = -SNUG_FAR, last = SNUG_FAR;
    stackless::snug_narrow(&line, &triangle, n, &first, &last);
    if (first == -SNUG_FAR) continue;
    ASSERT_LE(first, where) << seed;
    ASSERT_GE(last, where) << seed;
    const Number half = (Number{last} - first) / 2;
    if (half > 0) of_plane = std::max(of_plane, std::abs(where - (Number{first} + half)) / half);
  }
  std::cout << "at most, of the bounds: sides " << of_side << ", places of corners " << of_place
            << ", where planes are met " << of_plane << "; lines that meet " << met << '\n';
  ASSERT_LE(of_side, 1);
  ASSERT_LE(of_place, 1);
  if (count < 100000) return;
  EXPECT_GT(of_side, 0.1);
  EXPECT_GT(of_place, 0.1);
  EXPECT_GT(of_plane, 0.1);
  EXPECT_GT(4 * met, count);
}

}  // namespace
}  // namespace snug
