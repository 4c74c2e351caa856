#include "channels.hpp"
#include "write.hpp"

#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_CompSolid.hxx>
#include <TopoDS_Compound.hxx>

#include <sstream>

// As read_brep() takes them apart: a solid is a part, so is a group of solids; sheets that stand alone in a compound are
// one part.

namespace snug::importer {

namespace {

/// Every shape as one that stands for one part. Where solids and sheets are in one part, that can not be.
TopoDS_Shape as_one(const TopoDS_Shape& shape) {
  const BRep_Builder builder;
  TopoDS_CompSolid solids;
  builder.MakeCompSolid(solids);
  int count = 0;
  TopoDS_Shape last;
  for (TopExp_Explorer solid(shape, TopAbs_SOLID); solid.More(); solid.Next(), ++count)
    builder.Add(solids, last = solid.Current());
  TopoDS_Compound all;
  builder.MakeCompound(all);
  bool has_sheets = false;
  for (const auto& [kind, outside] : {std::pair{TopAbs_SHELL, TopAbs_SOLID}, {TopAbs_FACE, TopAbs_SHELL}})
    for (TopExp_Explorer sheet(shape, kind, outside); sheet.More(); sheet.Next(), has_sheets = true)
      builder.Add(all, sheet.Current());
  if (!has_sheets) return count == 1 ? last : solids;
  if (count > 0) {
    tell_loss("a part of solids and sheets becomes two");
    builder.Add(all, count == 1 ? last : solids);
  }
  return all;
}

}  // namespace

std::string write_brep(const Document& document) {
  std::vector<TopoDS_Shape> shapes;
  for (const DistinctShape& distinct : document.shapes) shapes.push_back(as_one(distinct.shape));
  const BRep_Builder builder;
  TopoDS_Compound root;
  builder.MakeCompound(root);
  for (const PlacedShape& part : document.parts)
    builder.Add(root, shapes[part.shape].Moved(location_of(part.placement)));
  std::ostringstream out;
  BRepTools::Write(root, out, Standard_False, Standard_False, TopTools_FormatVersion_CURRENT);
  return std::move(out).str();
}

}  // namespace snug::importer
