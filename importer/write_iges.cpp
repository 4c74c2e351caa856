#include "units.hpp"
#include "write.hpp"
#include "xcaf_tree.hpp"

#include <BRep_Builder.hxx>
#include <IGESBasic_Name.hxx>
#include <IGESCAFControl_Writer.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESData_IGESWriter.hxx>
#include <IGESData_Protocol.hxx>
#include <IGESSelect_WorkLibrary.hxx>
#include <Interface_FloatWriter.hxx>
#include <Interface_Static.hxx>
#include <Quantity_ColorRGBA.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopoDS_Compound.hxx>
#include <TransferBRep.hxx>
#include <TransferBRep_ShapeMapper.hxx>
#include <Transfer_FinderProcess.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <span>
#include <sstream>
#include <stdexcept>

namespace snug::importer {

namespace {

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

/// A product with the colours of the part and its faces.
void add_painted(const Handle(TDocStd_Document) & products, const TopoDS_Shape& shape, const PlacedShape& part,
                 std::span<const FaceLook> looks) {
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(products->Main());
  const Handle(XCAFDoc_ColorTool) colors = XCAFDoc_DocumentTool::ColorTool(products->Main());
  const TDF_Label label = shapes->AddShape(shape, Standard_False, Standard_False);
  if (part.color) colors->SetColor(label, to_color(*part.color), XCAFDoc_ColorSurf);
  const std::vector<BodyFace> faces = faces_of(shape);
  for (std::size_t f = 0; f < looks.size(); ++f) {
    if (!looks[f].color) continue;
    const TDF_Label face = shapes->AddSubShape(label, faces[f].face);
    if (face.IsNull()) throw std::runtime_error("a face could not be written as IGES");
    colors->SetColor(face, to_color(*looks[f].color), XCAFDoc_ColorSurf);
  }
}

void add_name(IGESControl_Writer& writer, const Handle(Transfer_FinderProcess) & process, const TopoDS_Shape& shape,
              const std::string& name) {
  if (name.empty()) return;
  Handle(IGESData_IGESEntity) entity;
  if (!process->FindTypedTransient(TransferBRep::ShapeMapper(process, shape), STANDARD_TYPE(IGESData_IGESEntity),
                                   entity))
    return;
  std::string ascii = name;
  std::ranges::replace_if(ascii, [](char c) { return static_cast<unsigned char>(c) >= 0x7F; }, '?');
  const Handle(IGESBasic_Name) property = new IGESBasic_Name;
  property->Init(1, new TCollection_HAsciiString(ascii.c_str()));
  writer.Model()->AddWithRefs(property, IGESSelect_WorkLibrary::DefineProtocol());
  entity->AddProperty(property);
}

/// The kernel's own way would put them into the order of addresses in memory, another one each time.
void add_names(IGESControl_Writer& writer, const TopoDS_Shape& shape, const PlacedShape& part,
               std::span<const FaceLook> looks) {
  const Handle(Transfer_FinderProcess) process = writer.TransferProcess();
  add_name(writer, process, shape, part.path);
  const std::vector<BodyFace> faces = faces_of(shape);
  for (std::size_t f = 0; f < looks.size(); ++f)
    add_name(writer, process, faces[f].face,
             looks[f].patch ? io::marked_name(*looks[f].patch, looks[f].name) : looks[f].name);
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
  if (!Interface_Static::SetCVal("write.iges.unit", kernel_name(unit)))
    throw std::runtime_error("no such unit in IGES");
  Interface_Static::SetIVal("write.iges.brep.mode", 1);  // solids stay solids
  Handle(TDocStd_Document) products = new_xcaf_document();
  XCAFDoc_DocumentTool::SetLengthUnit(products, metres_per(unit), UnitsMethods_LengthUnit_Meter);
  std::vector<TopoDS_Shape> placed;
  for (const PlacedShape& part : document.parts) {
    placed.push_back(placed_shape(document.shapes[part.shape].shape, part.placement));
    add_painted(products, placed.back(), part, document.shapes[part.shape].looks);
  }
  IGESCAFControl_Writer writer;
  writer.SetLayerMode(Standard_False), writer.SetNameMode(Standard_False);
  if (!writer.Transfer(products)) throw std::runtime_error("nothing of it could be written as IGES");
  for (std::size_t p = 0; p < placed.size(); ++p)
    add_names(writer, placed[p], document.parts[p], document.shapes[document.parts[p].shape].looks);
  writer.ComputeModel();
  return text_of(writer.Model());
}

}  // namespace snug::importer
