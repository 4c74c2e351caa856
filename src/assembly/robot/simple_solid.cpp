#include "assembly/robot/simple_solid.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::robot {

namespace {

using namespace assembly;
using Kind = Primitive::Kind;

double outside(double x, double y, double z) {
  return length_of({std::max(x, 0.0), std::max(y, 0.0), std::max(z, 0.0)});
}

/// The point of a ball about zero that is nearest to v.
Vec3 within_ball(const Vec3& v, double radius) {
  const double length = length_of(v);
  return length > radius ? (radius / length) * v : v;
}

}  // namespace

double depth_in(const Primitive& solid, const Point3& p) noexcept {
  const Vec3& half = solid.half();
  switch (solid.kind()) {
    case Kind::sphere:
      return solid.radius() - length_of(p);
    case Kind::capsule:
      return solid.radius() - length_of({p.x, p.y, p.z - std::clamp(p.z, -half.z, half.z)});
    case Kind::box: {
      const double x = std::abs(p.x) - half.x, y = std::abs(p.y) - half.y, z = std::abs(p.z) - half.z;
      const double nearest = std::max({x, y, z});
      return nearest > 0 ? -outside(x, y, z) : -nearest;
    }
    case Kind::cylinder: {
      const double across = length_of({p.x, p.y, 0}) - solid.radius(), along = std::abs(p.z) - half.z;
      const double nearest = std::max(across, along);
      return nearest > 0 ? -outside(across, along, 0) : -nearest;
    }
    case Kind::half_space:
      return solid.offset() - dot(solid.normal(), p);
    case Kind::hull:
    case Kind::cone:
    case Kind::ellipsoid:
    case Kind::triangle:
    case Kind::plane:
      break;
  }
  return -std::numeric_limits<double>::infinity();
}

double largest_depth(const Primitive& solid) noexcept {
  const Vec3& half = solid.half();
  switch (solid.kind()) {
    case Kind::sphere:
    case Kind::capsule:
      return solid.radius();
    case Kind::box:
      return std::min({half.x, half.y, half.z});
    case Kind::cylinder:
      return std::min(solid.radius(), half.z);
    case Kind::half_space:
      return std::numeric_limits<double>::infinity();
    case Kind::hull:
    case Kind::cone:
    case Kind::ellipsoid:
    case Kind::triangle:
    case Kind::plane:
      break;
  }
  return 0;
}

Point3 nearest_in(const Primitive& solid, const Point3& p) noexcept {
  const Vec3& half = solid.half();
  const auto clamped = [](double value, double limit) { return std::clamp(value, -limit, limit); };
  switch (solid.kind()) {
    case Kind::sphere:
      return within_ball(p, solid.radius());
    case Kind::capsule: {
      const Point3 on{0, 0, clamped(p.z, half.z)};
      return on + within_ball(p - on, solid.radius());
    }
    case Kind::box:
      return {clamped(p.x, half.x), clamped(p.y, half.y), clamped(p.z, half.z)};
    case Kind::cylinder: {
      const Vec3 across = within_ball({p.x, p.y, 0}, solid.radius());
      return {across.x, across.y, clamped(p.z, half.z)};
    }
    case Kind::half_space:
      return p - std::max(0.0, dot(solid.normal(), p) - solid.offset()) * solid.normal();
    case Kind::cone:
    case Kind::ellipsoid:
      return {};
    case Kind::plane:
      return p - (dot(solid.normal(), p) - solid.offset()) * solid.normal();
    case Kind::triangle:
    case Kind::hull:
      break;
  }
  return *std::ranges::min_element(solid.points(), {}, [&](const Point3& q) { return length_of(q - p); });
}

std::optional<Primitive> eroded(const Primitive& solid, double depth) {
  const auto made = [](Result<Primitive, PrimitiveError> result) {
    return result ? std::optional(*result) : std::nullopt;
  };
  const Vec3& half = solid.half();
  switch (solid.kind()) {
    case Kind::sphere:
      return made(Primitive::sphere(solid.radius() - depth));
    case Kind::capsule:
      return made(Primitive::capsule(solid.radius() - depth, 2 * half.z));
    case Kind::box:
      return made(Primitive::box({2 * (half.x - depth), 2 * (half.y - depth), 2 * (half.z - depth)}));
    case Kind::cylinder:
      return made(Primitive::cylinder(solid.radius() - depth, 2 * (half.z - depth)));
    case Kind::half_space:
      return made(Primitive::half_space(solid.normal(), solid.offset() - depth));
    case Kind::hull:
    case Kind::cone:
    case Kind::ellipsoid:
    case Kind::triangle:
    case Kind::plane:
      break;
  }
  return std::nullopt;
}

}  // namespace snug::robot
