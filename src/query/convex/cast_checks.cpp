#include "query/convex/cast_checks.hpp"

#include "geometry/vec_ops.hpp"

#include <cmath>

namespace snug::query {

bool good_motion(const Vec3& motion) noexcept {
  return std::isfinite(motion.x) && std::isfinite(motion.y) && std::isfinite(motion.z) &&
         max_abs(motion) <= k_max_coordinate;
}

std::optional<CastError::Code> wrong_ray(const Ray& ray, double t_max) noexcept {
  if (!good_motion(ray.origin) || !good_motion(ray.direction) || !(max_abs(ray.direction) > 0))
    return CastError::Code::bad_ray;
  if (!(t_max >= 0)) return CastError::Code::bad_limit;
  return std::nullopt;
}

std::optional<CastError::Code> wrong_cast(const Ray& ray, const Pose& pose, double t_max) noexcept {
  if (!pose.is_valid()) return CastError::Code::bad_pose;
  return wrong_ray(ray, t_max);
}

std::optional<CastError::Code> wrong_cast(const Vec3& motion, const Posed& moving, const Posed& other) noexcept {
  if (!moving.is_mesh() && !moving.primitive().bounded()) return CastError::Code::unbounded;
  if (!are_valid(moving.pose, other.pose)) return CastError::Code::bad_pose;
  if (!good_motion(motion)) return CastError::Code::bad_motion;
  return std::nullopt;
}

std::optional<double> boxes_meet(const Aabb& moving, const Vec3& way, const Aabb& other, double limit) noexcept {
  double enter = 0, leave = limit;
  for (std::size_t i = 0; i < 3; ++i)
    if (!narrow(other.lo[i] - moving.hi[i], other.hi[i] - moving.lo[i], way[i], enter, leave)) return std::nullopt;
  return enter;
}

void move_up_to(double reached, const Vec3& motion, ShapeCastHit& hit) noexcept {
  if (!(reached > hit.t)) return;
  hit.on_moving = hit.on_moving + (reached - hit.t) * motion;
  hit.t = reached;
}

}  // namespace snug::query
