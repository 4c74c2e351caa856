#include "channels.hpp"
#include "read.hpp"
#include "text.hpp"
#include "units.hpp"
#include "xcaf_tree.hpp"

#include <IGESCAFControl_Reader.hxx>
#include <IGESData_BasicEditor.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESData_UndefinedEntity.hxx>
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

/// Trimmed surfaces, and faces of solids.
bool is_face(const Handle(IGESData_IGESEntity) & entity) {
  const int type = entity->TypeNumber();
  return type == 143 || type == 144 || type == 510;
}

/// Surfaces and solids, of which the kernel knows some by their number alone (blocks, Boolean trees).
bool is_shape_by_itself(int type) {
  switch (type) {
    case 108:
    case 114:
    case 118:
    case 120:
    case 122:
    case 128:
    case 140:
    case 186:
    case 190:
    case 192:
    case 194:
    case 196:
    case 198:
      return true;
    default:
      return type >= 150 && type <= 184;
  }
}

/// Faces always; what else has faces, or is unknown, only where it stands for itself and is not what others are made of.
bool should_be_shape(const Handle(IGESData_IGESEntity) & entity) {
  if (is_face(entity)) return true;
  const bool is_unknown = !Handle(IGESData_UndefinedEntity)::DownCast(entity).IsNull();
  return entity->SubordinateStatus() == 0 && (is_unknown || is_shape_by_itself(entity->TypeNumber()));
}

/// What should be a shape and is none is a loss; of faces the names are kept.
ShapeNames sort_faces(const IGESCAFControl_Reader& reader, Document& document) {
  const Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  ShapeNames names;
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(IGESData_IGESEntity) entity = Handle(IGESData_IGESEntity)::DownCast(model->Value(i));
    if (entity.IsNull() || !should_be_shape(entity)) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, entity);
    if (shape.IsNull()) {
      document.losses.push_back({"", (is_face(entity) ? "face " : "entity ") +
                                         std::string(model->StringLabel(entity)->ToCString()) + " of type " +
                                         std::to_string(entity->TypeNumber()) + " could not be read"});
      continue;
    }
    if (!is_face(entity) || !entity->HasName()) continue;
    const Handle(TCollection_HAsciiString) text = entity->NameValue();
    std::string name =
        text.IsNull() ? "" : clean_name(to_utf8(TCollection_ExtendedString(text->ToCString(), Standard_True)));
    if (!name.empty()) names.emplace(shape.TShape().get(), std::move(name));
  }
  return names;
}

}  // namespace

Document read_iges(bool bodies) {
  IGESCAFControl_Reader reader;
  reader.SetColorMode(Standard_True), reader.SetNameMode(Standard_True), reader.SetLayerMode(Standard_False);
  if (reader.ReadFile("") != IFSelect_RetDone)  // no name: the standard input
    throw std::runtime_error("not an IGES file that can be read");
  tell_progress(k_read_share / 3);

  Document document;
  document.units = unit_of(reader.IGESModel());
  set_kernel_unit(*document.units);
  ProductSource source{.products = new_xcaf_document()};
  XCAFDoc_DocumentTool::SetLengthUnit(source.products, metres_per(*document.units), UnitsMethods_LengthUnit_Meter);
  const Handle(Progress) progress = new Progress(k_read_share / 3, k_read_share);
  if (!reader.Transfer(source.products, progress->Start()))
    throw std::runtime_error("none of the file's shapes could be read");
  source.names = sort_faces(reader, document);
  gather_products(source, bodies, document);
  return document;
}

}  // namespace snug::importer
