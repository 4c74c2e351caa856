#include "channels.hpp"
#include "read.hpp"
#include "text.hpp"
#include "units.hpp"
#include "xcaf_tree.hpp"

#include <Interface_Check.hxx>
#include <Interface_CheckIterator.hxx>
#include <Interface_InterfaceModel.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <StepBasic_DocumentFile.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionRelationship.hxx>
#include <StepGeom_CartesianTransformationOperator3d.hxx>
#include <StepGeom_Direction.hxx>
#include <StepGeom_GeometricRepresentationItem.hxx>
#include <StepRepr_MappedItem.hxx>
#include <StepRepr_RepresentationMap.hxx>
#include <StepRepr_RepresentationRelationship.hxx>
#include <StepShape_FaceSurface.hxx>
#include <StepShape_ManifoldSolidBrep.hxx>
#include <StepShape_ShapeRepresentation.hxx>
#include <StepShape_TopologicalRepresentationItem.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp_Explorer.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <gp_XYZ.hxx>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string_view>

namespace snug::importer {

namespace {

std::optional<LengthUnit> unit_called(std::string_view name) {
  struct Spelling {
    std::string_view name;
    LengthUnit unit;
  };
  constexpr std::array k_spellings{Spelling{"millimetre", LengthUnit::millimetre},
                                   Spelling{"millimeter", LengthUnit::millimetre},
                                   Spelling{"micrometre", LengthUnit::micrometre},
                                   Spelling{"micrometer", LengthUnit::micrometre},
                                   Spelling{"centimetre", LengthUnit::centimetre},
                                   Spelling{"centimeter", LengthUnit::centimetre},
                                   Spelling{"metre", LengthUnit::metre},
                                   Spelling{"meter", LengthUnit::metre},
                                   Spelling{"inch", LengthUnit::inch},
                                   Spelling{"foot", LengthUnit::foot},
                                   Spelling{"feet", LengthUnit::foot}};
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const auto* const found = std::ranges::find(k_spellings, lower, &Spelling::name);
  return found == k_spellings.end() ? std::nullopt : std::optional(found->unit);
}

/// The one unit of all the file's lengths, if it has one that we know; else millimetres.
LengthUnit unit_of(STEPControl_Reader& reader) {
  TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
  reader.FileUnits(lengths, angles, solid_angles);
  std::optional<LengthUnit> unit;
  for (const TCollection_AsciiString& name : lengths) {
    const std::optional<LengthUnit> next = unit_called(name.ToCString());
    if (!next || (unit && unit != next)) return LengthUnit::millimetre;
    unit = next;
  }
  return unit.value_or(LengthUnit::millimetre);
}

/// Faces that were not turned into shapes are losses; of the others the names are kept.
FaceNames sort_faces(const STEPControl_Reader& reader, Document& document) {
  const Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  FaceNames names;
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(StepShape_FaceSurface) face = Handle(StepShape_FaceSurface)::DownCast(model->Value(i));
    if (face.IsNull()) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, face);
    if (shape.IsNull()) {
      document.losses.push_back(
          {"", "face " + std::string(model->StringLabel(face)->ToCString()) + " could not be read"});
      continue;
    }
    std::string name = face->Name().IsNull()
                           ? ""
                           : clean_name(to_utf8(TCollection_ExtendedString(face->Name()->ToCString(), Standard_True)));
    if (!name.empty() && name != "NONE") names.emplace(shape.TShape().get(), std::move(name));
  }
  return names;
}

std::string text_of(const Handle(TCollection_HAsciiString) & text) {
  return text.IsNull() ? "" : clean_name(to_utf8(TCollection_ExtendedString(text->ToCString(), Standard_True)));
}

gp_XYZ direction_or(const Handle(StepGeom_Direction) & direction, const gp_XYZ& otherwise) {
  if (direction.IsNull() || direction->NbDirectionRatios() != 3) return otherwise;
  return {direction->DirectionRatiosValue(1), direction->DirectionRatiosValue(2), direction->DirectionRatiosValue(3)};
}

/// The kernel takes each for a rigid placement.
bool is_rigid(const StepGeom_CartesianTransformationOperator3d& mapping) {
  constexpr double k_rigid = 1e-9;  // of a scale of one
  if (mapping.HasScale() && !(std::abs(mapping.Scale() - 1) <= k_rigid)) return false;
  const gp_XYZ x = direction_or(mapping.Axis1(), {1, 0, 0}), y = direction_or(mapping.Axis2(), {0, 1, 0}),
               z = direction_or(mapping.Axis3(), {0, 0, 1});
  return mapping.Axis2().IsNull() || (x ^ y) * z >= 0;
}

/// The kernel makes sheets of solids that are open, without a word.
void list_open_solids(const STEPControl_Reader& reader, Document& document) {
  const Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(StepShape_ManifoldSolidBrep) solid = Handle(StepShape_ManifoldSolidBrep)::DownCast(model->Value(i));
    if (solid.IsNull()) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, solid);
    if (!shape.IsNull() && !TopExp_Explorer(shape, TopAbs_SOLID).More())
      document.losses.push_back(
          {"", "solid " + std::string(model->StringLabel(solid)->ToCString()) + " is open and became a sheet"});
  }
}

/// Geometry, shapes, products, and what places them; not materials, people and approvals.
bool is_about_shapes(const Handle(Standard_Transient) & entity) {
  const auto is_a = [&](const Handle(Standard_Type) & type) { return entity->IsKind(type); };
  return is_a(STANDARD_TYPE(StepGeom_GeometricRepresentationItem)) ||
         is_a(STANDARD_TYPE(StepShape_TopologicalRepresentationItem)) || is_a(STANDARD_TYPE(StepRepr_MappedItem)) ||
         is_a(STANDARD_TYPE(StepShape_ShapeRepresentation)) ||
         is_a(STANDARD_TYPE(StepRepr_RepresentationRelationship)) || is_a(STANDARD_TYPE(StepRepr_RepresentationMap)) ||
         is_a(STANDARD_TYPE(StepBasic_ProductDefinition)) ||
         is_a(STANDARD_TYPE(StepBasic_ProductDefinitionRelationship));
}

/// What the kernel found wrong with single entities: it takes the rest of them and goes on.
void list_damages(const Handle(XSControl_WorkSession) & session, Document& document) {
  const Handle(Interface_InterfaceModel) model = session->Model();
  for (Interface_CheckIterator checks = session->ModelCheckList(); checks.More(); checks.Next()) {
    const Handle(Interface_Check) check = checks.Value();
    const Standard_Integer number = checks.Number();
    if (!check->HasFailed() || number < 1 || number > model->NbEntities()) continue;
    const Handle(Standard_Transient) entity = model->Value(number);
    if (!is_about_shapes(entity)) continue;
    document.losses.push_back({"", "entity " + std::string(model->StringLabel(entity)->ToCString()) +
                                       " is damaged: " + text_of(check->Fail(1, Standard_True))});
  }
}

void list_wrong_copies(const Handle(Interface_InterfaceModel) & model, Document& document) {
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(StepRepr_MappedItem) item = Handle(StepRepr_MappedItem)::DownCast(model->Value(i));
    if (item.IsNull()) continue;
    const auto mapping = Handle(StepGeom_CartesianTransformationOperator3d)::DownCast(item->MappingTarget());
    if (!mapping.IsNull() && !is_rigid(*mapping))
      document.losses.push_back({"", "copy " + std::string(model->StringLabel(item)->ToCString()) +
                                         " is scaled or mirrored, which is not followed"});
  }
}

/// Parts may stand in files of their own, which are not looked at.
void list_other_files(const Handle(Interface_InterfaceModel) & model, Document& document) {
  std::set<std::string> listed;
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(StepBasic_DocumentFile) file = Handle(StepBasic_DocumentFile)::DownCast(model->Value(i));
    if (file.IsNull()) continue;
    std::string name = text_of(file->Id());
    if (name.empty()) name = text_of(file->Name());
    if (listed.insert(name).second)
      document.losses.push_back({"", "something of it is in another file: " + name + ", which is not read"});
  }
}

}  // namespace

Document read_step() {
  STEPCAFControl_Reader reader;
  reader.SetColorMode(Standard_True), reader.SetNameMode(Standard_True);
  reader.SetLayerMode(Standard_False), reader.SetPropsMode(Standard_False), reader.SetGDTMode(Standard_False);
  reader.SetMatMode(Standard_False), reader.SetViewMode(Standard_False), reader.SetSHUOMode(Standard_False);
  if (reader.ChangeReader().ReadStream("input", std::cin) != IFSelect_RetDone)
    throw std::runtime_error("not a STEP file that can be read");
  tell_progress(k_read_share / 3);

  Document document;
  document.units = unit_of(reader.ChangeReader());
  list_damages(reader.Reader().WS(), document);
  list_other_files(reader.Reader().WS()->Model(), document);
  list_wrong_copies(reader.Reader().WS()->Model(), document);
  set_kernel_unit(*document.units);
  Handle(TDocStd_Document) products = new_xcaf_document();
  XCAFDoc_DocumentTool::SetLengthUnit(products, metres_per(*document.units), UnitsMethods_LengthUnit_Meter);
  const Handle(Progress) progress = new Progress(k_read_share / 3, k_read_share);
  if (!reader.Transfer(products, progress->Start()))
    throw std::runtime_error("none of the file's shapes could be read");
  const FaceNames names = sort_faces(reader.Reader(), document);
  list_open_solids(reader.Reader(), document);
  gather_products(products, names, document);
  return document;
}

}  // namespace snug::importer
