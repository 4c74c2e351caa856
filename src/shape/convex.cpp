#include "shape/convex.hpp"

namespace snug::shape {

Point3 furthest_of(std::span<const Point3> points, const Vec3& direction) noexcept {
  std::size_t best = 0;
  double most = dot(points[0], direction);
  for (std::size_t i = 1; i < points.size(); ++i)
    if (const double along = dot(points[i], direction); along > most) most = along, best = i;
  return points[best];
}

}  // namespace snug::shape

namespace snug::detail {

Convex::Convex(const Primitive& primitive, double scale) noexcept : scale_(scale) {
  switch (primitive.kind()) {
    case Primitive::Kind::sphere:
    case Primitive::Kind::capsule:
      radius_ = scale * primitive.radius();
      half_ = scale * primitive.half();
      return;
    case Primitive::Kind::box:
      half_ = scale * primitive.half();
      return;
    case Primitive::Kind::cylinder:
      core_ = Core::cylinder;
      half_ = {scale * primitive.radius(), 0, scale * primitive.half().z};
      return;
    case Primitive::Kind::hull:
      core_ = Core::hull;
      points_ = primitive.points_->centred;
      return;
    case Primitive::Kind::half_space:
      break;  // has no furthest points: see half_space.hpp
  }
}

Point3 Convex::support_unturned(const Vec3& direction) const noexcept {
  switch (core_) {
    case Core::points:
      return furthest_of(points_, direction);
    case Core::hull:
      return scale_ * furthest_of(points_, direction);
    case Core::box:
      return {direction.x < 0 ? -half_.x : half_.x, direction.y < 0 ? -half_.y : half_.y,
              direction.z < 0 ? -half_.z : half_.z};
    case Core::cylinder: {
      // Scaled first: directions almost along the axis have a part across it whose square is nothing.
      const double across = std::max(std::abs(direction.x), std::abs(direction.y));
      const double z = direction.z < 0 ? -half_.z : half_.z;
      if (!(across > 0)) return {half_.x, 0, z};
      const double x = direction.x / across, y = direction.y / across, length = std::sqrt(x * x + y * y);
      return {half_.x * (x / length), half_.x * (y / length), z};
    }
  }
  return {};
}

Point3 Convex::support(const Vec3& direction) const noexcept {
  if (!turned_) return support_unturned(direction) + shift_;
  return turn(rotation_, support_unturned(turn_back(rotation_, direction))) + (centre_ + shift_);
}

}  // namespace snug::detail
