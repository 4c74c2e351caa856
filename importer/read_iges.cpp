#include "channels.hpp"
#include "read.hpp"
#include "units.hpp"
#include "xcaf_tree.hpp"

#include <IGESCAFControl_Reader.hxx>
#include <IGESData_BasicEditor.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <stdexcept>

namespace snug::importer {

namespace {

/// The unit flag of the global section, as the standard numbers it.
LengthUnit unit_of(const Handle(IGESData_IGESModel) & model) {
  switch (model->GlobalSection().UnitFlag()) {
    case 1:
      return LengthUnit::inch;
    case 4:
      return LengthUnit::foot;
    case 6:
      return LengthUnit::metre;
    case 9:
      return LengthUnit::micrometre;
    case 10:
      return LengthUnit::centimetre;
    default:
      return LengthUnit::millimetre;
  }
}

/// Faces always; surfaces only where they stand for themselves and are not what a face is cut from.
bool should_be_shape(const Handle(IGESData_IGESEntity) & entity) {
  switch (entity->TypeNumber()) {
    case 143:
    case 144:
      return true;
    case 108:
    case 114:
    case 118:
    case 120:
    case 122:
    case 128:
    case 140:
    case 190:
    case 192:
    case 194:
    case 196:
    case 198:
      return entity->SubordinateStatus() == 0;
    default:
      return false;
  }
}

void list_lost_faces(const IGESCAFControl_Reader& reader, Document& document) {
  const Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(IGESData_IGESEntity) entity = Handle(IGESData_IGESEntity)::DownCast(model->Value(i));
    if (entity.IsNull() || !should_be_shape(entity) || !TransferBRep::ShapeResult(process, entity).IsNull()) continue;
    document.losses.push_back({"", "face " + std::string(model->StringLabel(entity)->ToCString()) + " of type " +
                                       std::to_string(entity->TypeNumber()) + " could not be read"});
  }
}

}  // namespace

Document read_iges() {
  IGESCAFControl_Reader reader;
  reader.SetColorMode(Standard_True), reader.SetNameMode(Standard_True), reader.SetLayerMode(Standard_False);
  if (reader.ReadFile("") != IFSelect_RetDone)  // no name: the standard input
    throw std::runtime_error("not an IGES file that can be read");
  tell_progress(k_read_share / 3);

  Document document;
  document.units = unit_of(reader.IGESModel());
  set_kernel_unit(*document.units);
  Handle(TDocStd_Document) products = new_xcaf_document();
  XCAFDoc_DocumentTool::SetLengthUnit(products, metres_per(*document.units), UnitsMethods_LengthUnit_Meter);
  const Handle(Progress) progress = new Progress(k_read_share / 3, k_read_share);
  if (!reader.Transfer(products, progress->Start()))
    throw std::runtime_error("none of the file's shapes could be read");
  list_lost_faces(reader, document);
  gather_products(products, {}, document);
  return document;
}

}  // namespace snug::importer
