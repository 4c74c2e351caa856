#pragma once

#include "triangulate.hpp"

#include <BRepAdaptor_Surface.hxx>

namespace snug::importer {

struct FaceForm {
  SurfaceKind kind = SurfaceKind::spline;
  std::optional<AnalyticSurface> analytic;
  double residual = 0;  ///< of a recognised spline: how far it was found from its analytic form
};

/// What a face is cut from: as the file says, or, where that says spline, as its points do. `face` must be meshed.
[[nodiscard]] FaceForm form_of(const FaceMesh& face, const BRepAdaptor_Surface& surface);

}  // namespace snug::importer
