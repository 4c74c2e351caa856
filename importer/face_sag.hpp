#pragma once

#include "face_form.hpp"

#include <span>

namespace snug::importer {

/// How far a face and its triangles are apart, measured on what was meshed: a bound where the face is of analytic form and
/// its edges are lines, circles or ellipses; else from samples, and marked so. `vertices` are those of the whole shape.
[[nodiscard]] Sag measure_sag(const FaceMesh& face, const FaceForm& form, const BRepAdaptor_Surface& surface,
                              std::span<const Point3> vertices);

}  // namespace snug::importer
