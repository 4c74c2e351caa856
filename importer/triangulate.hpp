#pragma once

#include "document.hpp"

#include <Poly_Triangulation.hxx>

#include <array>
#include <map>

namespace snug::importer {

struct MeshingOptions {
  double sag = 0;                         ///< in the unit of the coordinates
  double angle = 0;                       ///< in radians
  std::map<std::uint32_t, double> finer;  ///< sag of single faces, by their place in faces_of()
};

/// True if the face's surface looks into the material: reversed, or mirrored by its own placement, but not both.
[[nodiscard]] bool is_turned(const TopoDS_Face& face);

/// Triangles of one CAD face, still by its own nodes.
struct FaceMesh {
  TopoDS_Face face;
  Handle(Poly_Triangulation) nodes;  ///< null when the face could not be meshed
  /// Of triangle and corner into `nodes` (from 1), counter-clockwise seen from outside the material.
  std::vector<std::array<int, 3>> corners;
  /// Per node, from 0: its vertex in the mesh of the whole shape.
  std::vector<std::uint32_t> vertex_of_node;
};

struct ShapeMesh {
  std::vector<Point3> vertices;
  std::vector<FaceMesh> faces;  ///< as faces_of() has them
};

/// Meshes a shape. Faces of one body share the vertices along their common edges, so that a solid whose faces meet gives
/// a closed mesh. Triangles that have collapsed are left out.
[[nodiscard]] ShapeMesh triangulate(const TopoDS_Shape& shape, const MeshingOptions& options);
/// The same of faces that have their triangles already.
[[nodiscard]] ShapeMesh joined(const std::vector<BodyFace>& faces);

}  // namespace snug::importer
