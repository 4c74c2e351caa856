#include "document.hpp"

#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <gp_Quaternion.hxx>

namespace snug::importer {

TopLoc_Location location_of(const gp_Trsf& placement) {
  for (int row = 1; row <= 3; ++row)
    for (int column = 1; column <= 4; ++column)
      if (placement.Value(row, column) != (row == column ? 1 : 0)) return {placement};
  return {};
}

io::CadFrame frame_of(const std::string& path, const gp_Trsf& placement) {
  const gp_Quaternion q = placement.GetRotation();
  const gp_XYZ& t = placement.TranslationPart();
  return {path, {q.W(), q.X(), q.Y(), q.Z()}, {t.X(), t.Y(), t.Z()}};
}

gp_Trsf placement_of(const io::CadFrame& frame) {
  const auto& [w, x, y, z] = frame.rotation;
  gp_Trsf placement;
  placement.SetRotation(gp_Quaternion(x, y, z, w));
  placement.SetTranslationPart({frame.translation.x, frame.translation.y, frame.translation.z});
  return placement;
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
