#include "write.hpp"
#include "xcaf_tree.hpp"

#include <BRep_Builder.hxx>
#include <IGESCAFControl_Writer.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESData_IGESWriter.hxx>
#include <IGESData_Protocol.hxx>
#include <IGESSelect_WorkLibrary.hxx>
#include <Interface_FloatWriter.hxx>
#include <Interface_Static.hxx>
#include <Quantity_ColorRGBA.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDataStd_Name.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <sstream>
#include <stdexcept>

namespace snug::importer {

namespace {

/// As the kernel spells them.
const char* name_of(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::micrometre:
      return "UM";
    case LengthUnit::millimetre:
      return "MM";
    case LengthUnit::centimetre:
      return "CM";
    case LengthUnit::metre:
      return "M";
    case LengthUnit::inch:
      return "INCH";
    case LengthUnit::foot:
      return "FT";
  }
  return "MM";
}

Quantity_ColorRGBA to_color(const Rgba& c) {
  const auto channel = [](std::uint8_t byte) { return byte / 255.0; };
  const Quantity_Color rgb(channel(c[0]), channel(c[1]), channel(c[2]), Quantity_TOC_sRGB);
  return {rgb, static_cast<float>(channel(c[3]))};
}

/// In a compound, without a placement of its own: the kernel takes one with such for an instance, whose faces can have
/// neither names nor colours.
TopoDS_Shape placed_shape(const TopoDS_Shape& shape, const gp_Trsf& placement) {
  const TopLoc_Location location = location_of(placement);
  if (location.IsIdentity()) return shape;
  const BRep_Builder builder;
  TopoDS_Compound placed;
  builder.MakeCompound(placed);
  builder.Add(placed, shape.Moved(location));
  return placed;
}

/// The kernel's own way would round to ten digits, and tell the time of day and who is logged in.
std::string text_of(const Handle(IGESData_IGESModel) & model) {
  const Handle(TCollection_HAsciiString) date = new TCollection_HAsciiString("19700101.000000");
  IGESData_GlobalSection header = model->GlobalSection();
  for (const auto set : {&IGESData_GlobalSection::SetFileName, &IGESData_GlobalSection::SetAuthorName})
    (header.*set)(new TCollection_HAsciiString(""));
  header.SetDate(date), header.SetLastChangeDate(date);
  model->SetGlobalSection(header);
  IGESData_IGESWriter writer(model);
  writer.FloatWriter().SetFormat("%.17G");
  writer.SendModel(IGESSelect_WorkLibrary::DefineProtocol());
  std::ostringstream out;
  if (!writer.Print(out)) throw std::runtime_error("it could not be written as IGES");
  return std::move(out).str();
}

}  // namespace

std::string write_iges(const Document& document) {
  const LengthUnit unit = document.units.value_or(LengthUnit::millimetre);
  if (!Interface_Static::SetCVal("write.iges.unit", name_of(unit))) throw std::runtime_error("no such unit in IGES");
  Interface_Static::SetIVal("write.iges.brep.mode", 1);  // solids stay solids
  Handle(TDocStd_Document) products = new_xcaf_document();
  XCAFDoc_DocumentTool::SetLengthUnit(products, metres_per(unit), UnitsMethods_LengthUnit_Meter);
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(products->Main());
  const Handle(XCAFDoc_ColorTool) colors = XCAFDoc_DocumentTool::ColorTool(products->Main());
  for (const PlacedShape& part : document.parts) {
    const DistinctShape& distinct = document.shapes[part.shape];
    const TopoDS_Shape placed = placed_shape(distinct.shape, part.placement);
    const TDF_Label label = shapes->AddShape(placed, Standard_False, Standard_False);
    TDataStd_Name::Set(label, TCollection_ExtendedString(part.path.c_str(), Standard_True));
    if (part.color) colors->SetColor(label, to_color(*part.color), XCAFDoc_ColorSurf);
    const std::vector<BodyFace> faces = faces_of(placed);
    for (std::size_t f = 0; f < distinct.looks.size(); ++f) {
      const FaceLook& look = distinct.looks[f];
      const std::string name = look.patch ? io::marked_name(*look.patch, look.name) : look.name;
      if (!look.color && name.empty()) continue;
      const TDF_Label face = shapes->AddSubShape(label, faces[f].face);
      if (face.IsNull()) throw std::runtime_error("a face could not be written as IGES");
      if (look.color) colors->SetColor(face, to_color(*look.color), XCAFDoc_ColorSurf);
      if (!name.empty()) TDataStd_Name::Set(face, TCollection_ExtendedString(name.c_str(), Standard_True));
    }
  }
  IGESCAFControl_Writer writer;
  writer.SetLayerMode(Standard_False);
  if (!writer.Transfer(products)) throw std::runtime_error("nothing of it could be written as IGES");
  writer.ComputeModel();
  return text_of(writer.Model());
}

}  // namespace snug::importer
