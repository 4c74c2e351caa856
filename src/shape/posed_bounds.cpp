#include "shape/posed_bounds.hpp"

#include "geometry/vec_ops.hpp"

#include <cmath>
#include <vector>

namespace snug::shape {

namespace {

constexpr Aabb k_world{{-k_max_coordinate, -k_max_coordinate, -k_max_coordinate},
                       {k_max_coordinate, k_max_coordinate, k_max_coordinate}};

/// Of a box of half extents `half` and all within `radius` of it.
Aabb posed_around(const Aabb& bounds, const Vec3& half, double radius, const Pose& pose) noexcept {
  const Vec3 middle = pose.apply(0.5 * bounds.lo + 0.5 * bounds.hi);
  const auto& r = pose.matrix();
  // The rounding of the vertices, and as much again for each of the three steps above and below.
  const double error = 4 * posing_error(bounds, pose);
  const auto reach = [&](std::size_t row) {
    return (((std::abs(r[row]) * half.x + std::abs(r[row + 1]) * half.y) + std::abs(r[row + 2]) * half.z) + radius) +
           error;
  };
  const Vec3 reaches{reach(0), reach(3), reach(6)};
  return {middle - reaches, middle + reaches};
}

}  // namespace

Aabb posed_bounds(const Aabb& bounds, const Pose& pose) noexcept {
  return posed_around(bounds, 0.5 * bounds.hi - 0.5 * bounds.lo, 0, pose);
}

Aabb exact_bounds(const Mesh& mesh, const Pose& pose) {
  std::vector<Point3> posed(mesh.vertices().size());
  pose.apply(mesh.vertices(), posed);
  Aabb box;
  for (const Index3& t : mesh.triangles())
    for (const std::uint32_t v : t) box.include(posed[v]);
  return box;
}

Aabb posed_bounds(const Posed& body) noexcept {
  if (body.is_mesh()) return posed_bounds(body.shape.bounds(), body.pose);
  const Primitive& primitive = body.primitive();
  switch (primitive.kind()) {
    case Primitive::Kind::sphere:
    case Primitive::Kind::capsule:
      return posed_around(primitive.bounds(), primitive.half(), primitive.radius(), body.pose);
    case Primitive::Kind::half_space:
    case Primitive::Kind::plane:
      return k_world;
    default:
      return posed_bounds(primitive.bounds(), body.pose);
  }
}

double posing_error(const Posed& body) noexcept {
  if (body.is_mesh() || body.primitive().bounded()) return snug::posing_error(body.shape.bounds(), body.pose);
  const double offset = std::abs(body.primitive().offset());
  return snug::posing_error({{-offset, -offset, -offset}, {offset, offset, offset}}, body.pose);
}

}  // namespace snug::shape
