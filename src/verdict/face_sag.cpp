#include "verdict/face_sag.hpp"

#include <algorithm>

namespace snug::detail {

FaceSag::FaceSag(const Mesh& mesh) {
  if (mesh.surfaces_by_crease()) return;  // they stand for nothing but themselves, and need not be found for this
  for (const Surface& surface : mesh.surfaces()) largest_ = std::max(largest_, surface.sag.value + surface.tolerance);
  if (largest_ == 0) return;
  faces_.reserve(mesh.surfaces().size());
  for (const Surface& surface : mesh.surfaces()) {
    const double any_way = surface.sag.value + surface.tolerance;
    const bool flat = surface.kind == SurfaceKind::plane;
    faces_.push_back({any_way, flat ? surface.tolerance : any_way, flat, surface.sag.value > surface.tolerance,
                      surface.sag.estimated});
  }
}

FaceSag FaceSag::scaled(double factor) const {
  FaceSag copy = *this;
  copy.largest_ *= factor;
  for (Face& face : copy.faces_) face.any_way *= factor, face.off_plane *= factor;
  return copy;
}

}  // namespace snug::detail
