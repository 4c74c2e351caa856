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
    case Primitive::Kind::cone:
      core_ = Core::cone;
      half_ = {scale * primitive.radius(), 0, scale * primitive.half().z};
      return;
    case Primitive::Kind::ellipsoid:
      // One that is a ball is as exact as that.
      if (is_ball(primitive)) {
        radius_ = scale * primitive.half().x;
        return;
      }
      core_ = Core::ellipsoid;
      half_ = scale * primitive.half();
      return;
    case Primitive::Kind::triangle:
    case Primitive::Kind::hull:
      core_ = Core::hull;
      points_ = primitive.points_->centred;
      return;
    case Primitive::Kind::half_space:
    case Primitive::Kind::plane:
      break;  // have no furthest points: see Plane in query/convex/pair_frame.hpp
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
    case Core::cone: {
      const double across = std::max(std::abs(direction.x), std::abs(direction.y));
      if (!(across > 0)) return direction.z < 0 ? Point3{half_.x, 0, -half_.z} : Point3{0, 0, half_.z};
      const double x = direction.x / across, y = direction.y / across, length = std::sqrt(x * x + y * y);
      // The rim, unless the tip is further: by as much as the height along the direction exceeds the radius.
      if (2 * half_.z * (direction.z / across) > half_.x * length) return {0, 0, half_.z};
      return {half_.x * (x / length), half_.x * (y / length), -half_.z};
    }
    case Core::ellipsoid: {
      const double largest = max_abs(direction);
      if (!(largest > 0)) return {half_.x, 0, 0};
      const Vec3 d{direction.x / largest, direction.y / largest, direction.z / largest};
      const Vec3 stretched{half_.x * d.x, half_.y * d.y, half_.z * d.z};
      const double most = max_abs(stretched);
      // Across a flat ellipsoid every point is as far.
      if (!(most > 0)) return {};
      // Divided: the reciprocal of what is next to nothing is infinite.
      const Vec3 unit{stretched.x / most, stretched.y / most, stretched.z / most};
      const Vec3 on_ball = (1 / length_of(unit)) * unit;
      return {half_.x * on_ball.x, half_.y * on_ball.y, half_.z * on_ball.z};
    }
  }
  return {};
}

std::optional<Revolved> Convex::revolved() const noexcept {
  const auto about = [&](std::size_t i, bool point = false) {
    const Vec3 own{i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0};
    return Revolved{turned_ ? turn(rotation_, own) : own, point};
  };
  switch (core_) {
    case Core::cylinder:
    case Core::cone:
      return about(2);
    case Core::box:  // a point or segment
      if (half_.x == 0 && half_.y == 0) return about(2, half_.z == 0);
      return std::nullopt;
    case Core::ellipsoid:
      if (half_.x == half_.y) return about(2);
      if (half_.x == half_.z) return about(1);
      if (half_.y == half_.z) return about(0);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Point3 Convex::support(const Vec3& direction) const noexcept {
  if (!turned_) return support_unturned(direction) + shift_;
  return turn(rotation_, support_unturned(turn_back(rotation_, direction))) + (centre_ + shift_);
}

}  // namespace snug::detail
