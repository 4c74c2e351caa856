#include "bodies.hpp"

#include <BRep_Builder.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Compound.hxx>

namespace snug::importer {

std::vector<Body> bodies_of(const TopoDS_Shape& shape, const std::vector<FaceLook>& looks) {
  std::vector<Body> bodies;
  std::size_t next_look = 0;
  // faces_of() has the faces of solids first, then those of shells, then the loose ones: so do the bodies.
  const auto add = [&](const TopoDS_Shape& body) {
    const std::size_t count = faces_of(body).size();
    Body& out = bodies.emplace_back(Body{body, {}});
    for (std::size_t i = next_look; i < next_look + count && i < looks.size(); ++i) out.looks.push_back(looks[i]);
    next_look += count;
  };
  for (TopExp_Explorer solid(shape, TopAbs_SOLID); solid.More(); solid.Next()) add(solid.Current());

  BRep_Builder builder;
  TopoDS_Compound sheet;
  builder.MakeCompound(sheet);
  bool has_sheet = false;
  for (TopExp_Explorer shell(shape, TopAbs_SHELL, TopAbs_SOLID); shell.More(); shell.Next())
    builder.Add(sheet, shell.Current()), has_sheet = true;
  for (TopExp_Explorer face(shape, TopAbs_FACE, TopAbs_SHELL); face.More(); face.Next())
    builder.Add(sheet, face.Current()), has_sheet = true;
  if (has_sheet) add(sheet);
  return bodies;
}

}  // namespace snug::importer
