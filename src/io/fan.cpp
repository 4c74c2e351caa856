#include "io/fan.hpp"

#include "geometry/vec_ops.hpp"
#include "io/errors.hpp"

namespace snug::io {

namespace {

Vec3 area_vector(std::span<const Point3> vertices, const Index3& t) noexcept {
  const Vec3 u = vertices[t[1]] - vertices[t[0]], v = vertices[t[2]] - vertices[t[0]];
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

}  // namespace

bool fan_misfits(std::span<const Point3> vertices, std::span<const Index3> fan) noexcept {
  if (fan.size() < 2) return false;
  // The sum of the triangles' area vectors is the polygon's own, whichever way it is cut.
  Vec3 whole;
  for (const Index3& t : fan) whole = whole + area_vector(vertices, t);
  const double noise = 1e-9 * model::dot(whole, whole);
  for (const Index3& t : fan)
    if (model::dot(area_vector(vertices, t), whole) < -noise) return true;
  return false;
}

std::string misfit_fans_text(std::uint64_t count) {
  return counted(count, "polygon is not convex, and its fan of triangles leaves it",
                 "polygons are not convex, and their fans of triangles leave them");
}

}  // namespace snug::io
