#include "document.hpp"

#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>

namespace snug::importer {

TopLoc_Location location_of(const gp_Trsf& placement) {
  for (int row = 1; row <= 3; ++row)
    for (int column = 1; column <= 4; ++column)
      if (placement.Value(row, column) != (row == column ? 1 : 0)) return {placement};
  return {};
}

std::vector<BodyFace> faces_of(const TopoDS_Shape& shape) {
  std::vector<BodyFace> faces;
  std::uint32_t body = 0;
  const auto add_bodies = [&](TopAbs_ShapeEnum kind, TopAbs_ShapeEnum outside) {
    for (TopExp_Explorer bodies(shape, kind, outside); bodies.More(); bodies.Next(), ++body)
      for (TopExp_Explorer face(bodies.Current(), TopAbs_FACE); face.More(); face.Next())
        faces.push_back({TopoDS::Face(face.Current()), body});
  };
  add_bodies(TopAbs_SOLID, TopAbs_SHAPE);
  add_bodies(TopAbs_SHELL, TopAbs_SOLID);
  for (TopExp_Explorer face(shape, TopAbs_FACE, TopAbs_SHELL); face.More(); face.Next())
    faces.push_back({TopoDS::Face(face.Current()), body});
  return faces;
}

}  // namespace snug::importer
