#include "triangulate.hpp"

#include "mesh_analytic.hpp"
#include "support/disjoint_sets.hpp"
#include "weld_edges.hpp"

#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <IMeshTools_Parameters.hxx>
#include <TopoDS_Compound.hxx>

#include <algorithm>
#include <map>
#include <utility>

namespace snug::importer {

namespace {

constexpr double k_smallest_sag = 2e-7;  // the kernel refuses to go below its own precision of 1e-7

void mesh(const TopoDS_Shape& shape, double sag, double angle) {
  IMeshTools_Parameters parameters;
  parameters.Deflection = std::max(sag, k_smallest_sag);
  parameters.Angle = angle;
  parameters.InParallel = Standard_False;
  parameters.Relative = Standard_False;
  parameters.InternalVerticesMode = Standard_True;
  parameters.ControlSurfaceDeflection = Standard_True;
  BRepMesh_IncrementalMesh(shape, parameters);
}

/// The finest first, each time together with all that is finer: what exists already and is fine enough is kept, and the
/// kernel takes over an edge only from faces that it has before it. Sags are rounded down to halves of the general one,
/// so that there are few rounds.
void mesh_finer(const std::vector<BodyFace>& faces, const MeshingOptions& options) {
  std::map<double, std::vector<std::uint32_t>> faces_by_sag;
  for (const auto& [face, sag] : options.finer) {
    if (face >= faces.size() || !(sag < options.sag)) continue;
    double rounded = options.sag;
    while (rounded > sag && rounded > k_smallest_sag) rounded /= 2;
    faces_by_sag[rounded].push_back(face);
  }
  BRep_Builder builder;
  TopoDS_Compound together;
  builder.MakeCompound(together);
  for (const auto& [sag, ids] : faces_by_sag) {
    for (const std::uint32_t id : ids) builder.Add(together, faces[id].face);
    mesh(together, sag, options.angle);
  }
}

/// The kernel fails on faces as simple as a cone cut off twice; at another angle it may not.
void mesh_what_is_left(const std::vector<BodyFace>& faces, const MeshingOptions& options) {
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    TopLoc_Location place;
    if (!BRep_Tool::Triangulation(faces[f].face, place).IsNull()) continue;
    const auto finer = options.finer.find(f);
    const double sag = finer == options.finer.end() ? options.sag : std::min(finer->second, options.sag);
    (void)mesh_analytic(faces[f].face, std::max(sag, k_smallest_sag), options.angle);
  }
}

Point3 to_point(const gp_Pnt& p) { return {p.X(), p.Y(), p.Z()}; }

}  // namespace

bool is_turned(const TopoDS_Face& face) {
  return (face.Orientation() == TopAbs_REVERSED) != face.Location().Transformation().IsNegative();
}

ShapeMesh triangulate(const TopoDS_Shape& shape, const MeshingOptions& options) {
  const std::vector<BodyFace> faces = faces_of(shape);
  mesh_finer(faces, options);
  mesh(shape, options.sag, options.angle);
  mesh_what_is_left(faces, options);
  return joined(faces);
}

ShapeMesh joined(const std::vector<BodyFace>& faces) {
  ShapeMesh result;
  std::vector<Point3> points;
  std::vector<std::size_t> first_node;
  for (const BodyFace& body_face : faces) {
    TopLoc_Location place;
    FaceMesh& face = result.faces.emplace_back();
    face.face = body_face.face;
    face.nodes = BRep_Tool::Triangulation(body_face.face, place);
    first_node.push_back(points.size());
    if (face.nodes.IsNull()) continue;
    for (int i = 1; i <= face.nodes->NbNodes(); ++i)
      points.push_back(to_point(face.nodes->Node(i).Transformed(place.Transformation())));
  }

  support::DisjointSets sets(points.size());
  weld_edges(faces, first_node, sets);
  const auto number = sets.numbered();
  result.vertices.resize(number.empty() ? 0 : std::ranges::max(number) + 1);
  for (std::size_t i = points.size(); i-- > 0;) result.vertices[number[i]] = points[i];  // the first of a set stays

  for (std::size_t f = 0; f < faces.size(); ++f) {
    FaceMesh& face = result.faces[f];
    if (face.nodes.IsNull()) continue;
    const auto begin = number.begin() + static_cast<std::ptrdiff_t>(first_node[f]);
    face.vertex_of_node.assign(begin, begin + face.nodes->NbNodes());
    const bool turned = is_turned(face.face);
    for (int t = 1; t <= face.nodes->NbTriangles(); ++t) {
      std::array<int, 3> corner{};
      face.nodes->Triangle(t).Get(corner[0], corner[1], corner[2]);
      if (turned) std::swap(corner[1], corner[2]);
      const auto vertex = [&](std::size_t i) { return face.vertex_of_node[static_cast<std::size_t>(corner[i]) - 1]; };
      if (vertex(0) != vertex(1) && vertex(1) != vertex(2) && vertex(2) != vertex(0)) face.corners.push_back(corner);
    }
  }
  return result;
}

}  // namespace snug::importer
