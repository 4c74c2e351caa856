#include "query/ray/relative_motion.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>

namespace snug::detail {

namespace {

Point3 back(const Pose& pose, const Point3& p) noexcept { return turn_back(pose.matrix(), p - pose.translation()); }

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
  double most = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Point3 p{(corner & 1) != 0 ? region.hi.x : region.lo.x, (corner & 2) != 0 ? region.hi.y : region.lo.y,
                   (corner & 4) != 0 ? region.hi.z : region.lo.z};
    const Point3 in_a = back(pose_a, p), in_b = back(pose_b, p);
    most = std::max(most, length_of(in_b - back(then.pose_b, then.pose_a.apply(in_a))));
    most = std::max(most, length_of(in_a - back(then.pose_a, then.pose_b.apply(in_b))));
  }
  return most + (deformation(then.a, a) + deformation(then.b, b));
}

}  // namespace snug::detail
