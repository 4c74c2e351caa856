#include "penetration/face_sag.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::penetration {

namespace {

/// Do the corners of a surface's triangles lie in the plane of the largest of them?
bool is_in_one_plane(const Mesh& mesh, std::uint32_t surface, double within) {
  Point3 at;
  Vec3 normal;
  double largest = 0;
  for (const std::uint32_t t : mesh.triangles_of(surface)) {
    const Triangle triangle = mesh.view().triangle(t);
    const Vec3 n = cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    if (const double area = std::sqrt(dot(n, n)); area > largest)
      at = triangle[0], normal = (1 / area) * n, largest = area;
  }
  return largest > 0 && std::isfinite(largest) && std::ranges::all_of(mesh.triangles_of(surface), [&](std::uint32_t t) {
           return std::ranges::all_of(mesh.view().triangle(t).corner,
                                      [&](const Point3& p) { return std::abs(dot(p - at, normal)) <= within; });
         });
}

/// The kind alone is a word, which a file may put on anything: without a form the triangles have to bear it out.
bool is_flat(const Mesh& mesh, std::uint32_t id) {
  const Surface& surface = mesh.surfaces()[id];
  if (surface.kind != SurfaceKind::plane || surface.analytic) return surface.kind == SurfaceKind::plane;
  const double rounding = 0x1p-48 * std::max(max_abs(mesh.bounds().lo), max_abs(mesh.bounds().hi));
  return is_in_one_plane(mesh, id, surface.tolerance + rounding);
}

}  // namespace

FaceSag::FaceSag(const Mesh& mesh) {
  if (mesh.surfaces_by_crease()) return;  // they stand for nothing but themselves, and need not be found for this
  for (const Surface& surface : mesh.surfaces()) largest_ = std::max(largest_, surface.sag.value + surface.tolerance);
  if (largest_ == 0) return;
  faces_.reserve(mesh.surfaces().size());
  for (std::uint32_t id = 0; id < mesh.surfaces().size(); ++id) {
    const Surface& surface = mesh.surfaces()[id];
    const double any_way = surface.sag.value + surface.tolerance;
    const bool flat = is_flat(mesh, id);
    faces_.push_back({any_way, flat ? surface.tolerance : any_way, surface.tolerance, flat,
                      surface.sag.value > surface.tolerance, surface.sag.estimated});
  }
  SNUG_ASSERT(faces_.size() == mesh.surfaces().size());
}

FaceSag FaceSag::scaled(double factor) const {
  SNUG_ASSERT(factor > 0);
  FaceSag copy = *this;
  copy.largest_ *= factor;
  for (Face& face : copy.faces_) face.any_way *= factor, face.off_plane *= factor, face.tolerance *= factor;
  return copy;
}

FaceSag build(StructureOf<FaceSag> /*of*/, const ShapeData& shape, const CancelToken* /*cancel*/) {
  return FaceSag(shape.mesh);
}

}  // namespace snug::penetration
