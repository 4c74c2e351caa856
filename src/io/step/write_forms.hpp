#pragma once

#include "support/rooms.hpp"

#include <snug/analytic.hpp>
#include <snug/mesh.hpp>

#include <cstdint>
#include <vector>

namespace snug::io {

/// What the faces that a surface of a mesh becomes lie on.
struct FaceForm {
  SurfaceKind kind = SurfaceKind::unknown;  ///< an analytic one, or unknown: each triangle is a flat face of its own
  AnalyticSurface surface;                  ///< for a plane: with its normal out of the material
  bool recognised = false;                  ///< the mesh did not say so: its vertices lie on it
  double off = 0;                           ///< largest distance of its vertices

  [[nodiscard]] bool is_flat_triangles() const noexcept { return kind == SurfaceKind::unknown; }
  [[nodiscard]] bool is_curved() const noexcept { return !is_flat_triangles() && kind != SurfaceKind::plane; }
};

/// What counts as lying on a surface or a curve, in the unit of the mesh: 1e-6 of its extent, as wherever forms are
/// recognised, and no less than what single precision leaves of its coordinates.
[[nodiscard]] double form_tolerance(const Mesh& mesh) noexcept;

/// One per surface. A form is taken only when all vertices of the surface lie on it and its triangles look one way.
[[nodiscard]] std::vector<FaceForm> face_forms(const Mesh& mesh);

}  // namespace snug::io
