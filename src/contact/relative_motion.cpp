#include "contact/relative_motion.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

namespace {

/// Eight points, axis by axis: what is done to all of them is done to several at a time.
struct EightPoints {
  double x[8], y[8], z[8];
};

/// From the world into a body's frame.
EightPoints back(const Pose& pose, const EightPoints& p) noexcept {
  const auto& r = pose.matrix();
  const Vec3& t = pose.translation();
  EightPoints out;
  for (int i = 0; i < 8; ++i) {
    const double x = p.x[i] - t.x, y = p.y[i] - t.y, z = p.z[i] - t.z;
    out.x[i] = (r[0] * x + r[3] * y) + r[6] * z;
    out.y[i] = (r[1] * x + r[4] * y) + r[7] * z;
    out.z[i] = (r[2] * x + r[5] * y) + r[8] * z;
  }
  return out;
}

EightPoints posed(const Pose& pose, const EightPoints& p) noexcept {
  const auto& r = pose.matrix();
  const Vec3& t = pose.translation();
  EightPoints out;
  for (int i = 0; i < 8; ++i) {
    out.x[i] = ((r[0] * p.x[i] + r[1] * p.y[i]) + r[2] * p.z[i]) + t.x;
    out.y[i] = ((r[3] * p.x[i] + r[4] * p.y[i]) + r[5] * p.z[i]) + t.y;
    out.z[i] = ((r[6] * p.x[i] + r[7] * p.y[i]) + r[8] * p.z[i]) + t.z;
  }
  return out;
}

/// The square of the longest way between two of the same number.
double longest_squared(const EightPoints& p, const EightPoints& q) noexcept {
  double squares[8], most = 0;
  for (int i = 0; i < 8; ++i) {
    const double x = p.x[i] - q.x[i], y = p.y[i] - q.y[i], z = p.z[i] - q.z[i];
    squares[i] = (x * x + y * y) + z * z;
  }
  for (const double square : squares) most = std::max(most, square);
  return most;
}

/// How far the vertices of a body moved in its own frame.
double deformation(const Shape& then, const Shape& now) noexcept {
  if (then.mesh().same_data(now.mesh())) return 0;
  double most = 0;
  const auto before = then.mesh().vertices(), after = now.mesh().vertices();
  for (std::size_t v = 0; v < std::min(before.size(), after.size()); ++v)
    most = std::max(most, length_of(after[v] - before[v]));
  return most;
}

}  // namespace

double displacement(const PairMoment& then, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const Aabb& region) {
  // A point's way is a convex function of the point: it is longest at a corner of the region.
  EightPoints corners;
  for (int i = 0; i < 8; ++i) {
    corners.x[i] = (i & 1) != 0 ? region.hi.x : region.lo.x;
    corners.y[i] = (i & 2) != 0 ? region.hi.y : region.lo.y;
    corners.z[i] = (i & 4) != 0 ? region.hi.z : region.lo.z;
  }
  const EightPoints in_a = back(pose_a, corners), in_b = back(pose_b, corners);
  const double most = std::sqrt(std::max(longest_squared(in_b, back(then.pose_b, posed(then.pose_a, in_a))),
                                         longest_squared(in_a, back(then.pose_a, posed(then.pose_b, in_b)))));
  return most + (deformation(then.a, a) + deformation(then.b, b));
}

}  // namespace snug::detail
