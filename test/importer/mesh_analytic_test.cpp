// Faces that the CAD kernel leaves without triangles are meshed by the importer itself. Here it meshes every face of a solid, so
// that each form comes with seams, poles, an apex and holes: the solid is closed, turned outward, and as close as was asked for.
#include "mesh_analytic.hpp"
#include "face_form.hpp"
#include "face_sag.hpp"
#include "triangulate.hpp"

#include <BRepAdaptor_Surface.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_Copy.hxx>
#include <BRepGProp.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <GProp_GProps.hxx>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace snug::importer {
namespace {

struct Sample {
  std::string name;
  TopoDS_Shape shape;
};

TopoDS_Shape cut(const TopoDS_Shape& from, const TopoDS_Shape& tool) { return BRepAlgoAPI_Cut(from, tool).Shape(); }

std::vector<Sample> samples() {
  const gp_Ax2 across(gp_Pnt(-20, 0, 0), gp_Dir(1, 0, 0)), beside(gp_Pnt(0, -30, 0), gp_Dir(0, 1, 0));
  const TopoDS_Shape ball = BRepPrimAPI_MakeSphere(10).Shape(), ring = BRepPrimAPI_MakeTorus(10, 3).Shape(),
                     rod = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -15), gp_Dir(0, 0, 1)), 8, 30).Shape(),
                     tip = BRepPrimAPI_MakeCone(10, 0, 20).Shape(), stump = BRepPrimAPI_MakeCone(10, 4, 20).Shape(),
                     drill = BRepPrimAPI_MakeCylinder(across, 3, 40).Shape(),
                     wide = BRepPrimAPI_MakeCylinder(beside, 5, 60).Shape(),
                     corner = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), 30, 30, 30).Shape();
  return {{"sphere", ball},
          {"torus", ring},
          {"cylinder", rod},
          {"cone with its apex", tip},
          {"cone cut off", stump},
          {"sphere with a hole", cut(ball, drill)},
          {"sphere without a corner, pole and all", cut(ball, corner)},
          {"cylinder with a cross hole", cut(rod, drill)},
          {"cylinder with two cross holes", cut(cut(rod, drill), wide)},
          {"torus without a corner", cut(ring, corner)},
          {"torus with a hole",
           cut(ring, BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(10, 0, -20), gp_Dir(0, 0, 1)), 1, 40).Shape())},
          {"cone with a cross hole",
           cut(stump, BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(-20, 0, 8), gp_Dir(1, 0, 0)), 2, 40).Shape())},
          {"half a sphere", BRepPrimAPI_MakeSphere(10, 0, std::numbers::pi / 2).Shape()},
          {"wedge of a sphere", BRepPrimAPI_MakeSphere(10, 1.0).Shape()},
          {"elbow", BRepPrimAPI_MakeTorus(10, 3, std::numbers::pi / 2).Shape()}};
}

double volume_of(const ShapeMesh& mesh) {
  double sum = 0;
  for (const FaceMesh& face : mesh.faces)
    for (const auto& t : face.corners) {
      const auto at = [&](std::size_t i) {
        const Point3& p = mesh.vertices[face.vertex_of_node[static_cast<std::size_t>(t[i]) - 1]];
        return gp_XYZ(p.x, p.y, p.z);
      };
      sum += at(0) * (at(1) ^ at(2)) / 6;
    }
  return sum;
}

/// Directed edges without exactly one partner the other way.
std::size_t open_edges(const ShapeMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  for (const FaceMesh& face : mesh.faces)
    for (const auto& t : face.corners)
      for (std::size_t i = 0; i < 3; ++i) {
        const auto vertex = [&](std::size_t k) { return face.vertex_of_node[static_cast<std::size_t>(t[k % 3]) - 1]; };
        ++uses[{vertex(i), vertex(i + 1)}];
      }
  return static_cast<std::size_t>(std::ranges::count_if(uses, [&](const auto& use) {
    const auto back = uses.find({use.first.second, use.first.first});
    return use.second != 1 || back == uses.end() || back->second != 1;
  }));
}

TEST(MeshAnalytic, MakesEverySolidClosedOutwardAndCloseEnough) {
  for (const auto& [name, shape] : samples())
    for (const auto& [sag, angle] : {std::pair{0.1, 0.35}, {0.02, 0.35}, {1.0, 0.2}}) {
      SCOPED_TRACE(name + ", sag " + std::to_string(sag) + ", angle " + std::to_string(angle));
      const TopoDS_Shape own = BRepBuilderAPI_Copy(shape).Shape();  // without the triangles of the last turn
      const std::vector<BodyFace> faces = faces_of(own);
      ASSERT_FALSE(faces.empty());
      for (const BodyFace& face : faces) ASSERT_TRUE(mesh_analytic(face.face, sag, angle));
      const ShapeMesh mesh = joined(faces);
      EXPECT_EQ(open_edges(mesh), 0U);
      GProp_GProps exact, area;
      BRepGProp::VolumeProperties(own, exact);
      BRepGProp::SurfaceProperties(own, area);
      // Triangles are off by the sag at most, on either side.
      EXPECT_GT(volume_of(mesh), 0);
      EXPECT_NEAR(volume_of(mesh), exact.Mass(), 2 * sag * area.Mass());
      for (const FaceMesh& face : mesh.faces) {
        const BRepAdaptor_Surface surface(face.face, Standard_False);
        const Sag measured = measure_sag(face, form_of(face, surface), surface, mesh.vertices);
        EXPECT_LE(measured.value, 2 * sag) << surface.GetType();
      }
    }
}

}  // namespace
}  // namespace snug::importer
