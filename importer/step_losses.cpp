#include "step_losses.hpp"

#include "support/text.hpp"
#include "text.hpp"

#include <Interface_Check.hxx>
#include <Interface_CheckIterator.hxx>
#include <Interface_InterfaceModel.hxx>
#include <Interface_ReportEntity.hxx>
#include <Interface_UndefinedContent.hxx>
#include <StepBasic_MeasureWithUnit.hxx>
#include <StepBasic_NamedUnit.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionRelationship.hxx>
#include <StepBasic_UncertaintyMeasureWithUnit.hxx>
#include <StepData_UndefinedEntity.hxx>
#include <StepGeom_CartesianTransformationOperator3d.hxx>
#include <StepGeom_Direction.hxx>
#include <StepGeom_GeometricRepresentationItem.hxx>
#include <StepRepr_ItemDefinedTransformation.hxx>
#include <StepRepr_MappedItem.hxx>
#include <StepRepr_NextAssemblyUsageOccurrence.hxx>
#include <StepRepr_ProductDefinitionShape.hxx>
#include <StepRepr_Representation.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepRepr_RepresentationMap.hxx>
#include <StepRepr_RepresentationRelationship.hxx>
#include <StepRepr_RepresentedDefinition.hxx>
#include <StepShape_ContextDependentShapeRepresentation.hxx>
#include <StepShape_FaceSurface.hxx>
#include <StepShape_ManifoldSolidBrep.hxx>
#include <StepShape_ShapeDefinitionRepresentation.hxx>
#include <StepShape_ShapeRepresentation.hxx>
#include <StepShape_TopologicalRepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp_Explorer.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <gp_XYZ.hxx>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace snug::importer {

namespace {

std::string label_of(const Handle(Interface_InterfaceModel) & model, const Handle(Standard_Transient) & entity) {
  return model->StringLabel(entity)->ToCString();
}

/// Geometry, shapes, products, what places them, and the units of their numbers; not materials, people and approvals, and not how things are shown:
/// texts, fonts and styles are items of geometry to the standard, but shape nothing.
bool is_about_shapes(const Handle(Standard_Transient) & entity) {
  if (std::string_view(entity->DynamicType()->Name()).starts_with("StepVisual_")) return false;
  const auto is_a = [&](const Handle(Standard_Type) & type) { return entity->IsKind(type); };
  return is_a(STANDARD_TYPE(StepGeom_GeometricRepresentationItem)) ||
         is_a(STANDARD_TYPE(StepShape_TopologicalRepresentationItem)) || is_a(STANDARD_TYPE(StepRepr_MappedItem)) ||
         is_a(STANDARD_TYPE(StepShape_ShapeRepresentation)) ||
         is_a(STANDARD_TYPE(StepRepr_ItemDefinedTransformation)) ||
         is_a(STANDARD_TYPE(StepShape_ContextDependentShapeRepresentation)) ||
         is_a(STANDARD_TYPE(StepShape_ShapeDefinitionRepresentation)) ||
         is_a(STANDARD_TYPE(StepRepr_ProductDefinitionShape)) || is_a(STANDARD_TYPE(StepRepr_RepresentationContext)) ||
         is_a(STANDARD_TYPE(StepBasic_NamedUnit)) ||
         (is_a(STANDARD_TYPE(StepBasic_MeasureWithUnit)) &&
          !is_a(STANDARD_TYPE(StepBasic_UncertaintyMeasureWithUnit))) ||
         is_a(STANDARD_TYPE(StepRepr_RepresentationRelationship)) || is_a(STANDARD_TYPE(StepRepr_RepresentationMap)) ||
         is_a(STANDARD_TYPE(StepBasic_ProductDefinition)) ||
         is_a(STANDARD_TYPE(StepBasic_ProductDefinitionRelationship));
}

/// True if all that is wrong is a text that is missing or is no text: nothing is shaped or placed by one. The kernel says so
/// in these words, of which the last are always the same, and reads on behind it.
bool lacks_texts_only(const Interface_Check& check) {
  for (Standard_Integer i = 1; i <= check.NbFails(); ++i)
    if (!std::string_view(check.CFail(i)).ends_with("not a quoted String")) return false;
  return true;
}

/// Does the standard count a type among texts, symbols, callouts and dimensions, which are shown beside a shape?
bool is_annotation_type(std::string_view type) {
  constexpr std::array<std::string_view, 9> k_prefixes{"ANNOTATION_",    "DRAUGHTING_",   "LEADER_",
                                                       "DIMENSION_",     "TEXT_LITERAL",  "COMPOSITE_TEXT",
                                                       "DEFINED_SYMBOL", "SYMBOL_COLOUR", "TERMINATOR_SYMBOL"};
  return type.ends_with("_CALLOUT") ||
         std::ranges::any_of(k_prefixes, [&](std::string_view prefix) { return type.starts_with(prefix); });
}

/// An entity of several types is an annotation if one of these is: no shape is a subtype of both.
bool is_annotation(const Handle(Standard_Transient) & entity) {
  if (std::string_view(entity->DynamicType()->Name()).starts_with("StepVisual_")) return true;
  for (auto type = Handle(StepData_UndefinedEntity)::DownCast(entity); !type.IsNull(); type = type->Next())
    if (is_annotation_type(type->StepType())) return true;
  return false;
}

/// Is every entity that the list names known to the kernel, or an annotation? Lists within lists are looked into.
bool lists_shapes_and_annotations(const Handle(StepData_UndefinedEntity) & list) {
  const Handle(Interface_UndefinedContent) content = list->UndefinedContent();
  for (Standard_Integer i = 1; i <= content->NbParams(); ++i) {
    if (!content->IsParamEntity(i)) continue;
    const Handle(Standard_Transient) item = content->ParamEntity(i);
    const auto unknown = Handle(StepData_UndefinedEntity)::DownCast(item);
    if (unknown.IsNull()) continue;
    if (!(unknown->IsSub() ? lists_shapes_and_annotations(unknown) : is_annotation(unknown))) return false;
  }
  return true;
}

/// True if all that is wrong with a representation is that it lists annotations which the kernel does not know. Other items
/// that it does not know may be geometry.
bool lacks_annotations_only(const Handle(Interface_InterfaceModel) & model, Standard_Integer number,
                            const Interface_Check& check) {
  if (!model->Value(number)->IsKind(STANDARD_TYPE(StepRepr_Representation))) return false;
  for (Standard_Integer i = 1; i <= check.NbFails(); ++i)
    if (!std::string_view(check.CFail(i)).ends_with("(representation_item) : Entity has illegal type")) return false;
  const Handle(Interface_ReportEntity) report = model->ReportEntity(number);
  const auto raw = report.IsNull() ? Handle(StepData_UndefinedEntity)()
                                   : Handle(StepData_UndefinedEntity)::DownCast(report->Content());
  return !raw.IsNull() && lists_shapes_and_annotations(raw);
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

bool has_mapped_item(const Handle(StepRepr_Representation) & representation) {
  if (representation.IsNull() || representation->Items().IsNull()) return false;
  for (Standard_Integer i = 1; i <= representation->NbItems(); ++i) {
    const Handle(StepRepr_RepresentationItem) item = representation->ItemsValue(i);
    if (!item.IsNull() && item->IsKind(STANDARD_TYPE(StepRepr_MappedItem))) return true;
  }
  return false;
}

void keep_name(const TopoDS_Shape& shape, const Handle(TCollection_HAsciiString) & text, ShapeNames& names) {
  std::string name = text_of(text);
  if (!name.empty() && name != "NONE") names.emplace(shape.TShape().get(), std::move(name));
}

}  // namespace

std::string raw_text_of(const Handle(TCollection_HAsciiString) & text) {
  return text.IsNull() ? "" : to_utf8(TCollection_ExtendedString(text->ToCString(), Standard_True));
}

std::string text_of(const Handle(TCollection_HAsciiString) & text) { return clean_name(raw_text_of(text)); }

void list_damages(const Handle(XSControl_WorkSession) & session, Document& document) {
  const Handle(Interface_InterfaceModel) model = session->Model();
  std::size_t harmless = 0;
  std::string first;
  for (Interface_CheckIterator checks = session->ModelCheckList(); checks.More(); checks.Next()) {
    const Handle(Interface_Check) check = checks.Value();
    const Standard_Integer number = checks.Number();
    if (!check->HasFailed() || number < 1 || number > model->NbEntities()) continue;
    const Handle(Standard_Transient) entity = model->Value(number);
    const std::string words = label_of(model, entity) + " is damaged: " + text_of(check->Fail(1, Standard_True));
    if (is_about_shapes(entity) && !lacks_texts_only(*check) && !lacks_annotations_only(model, number, *check)) {
      document.losses.push_back({"", "entity " + words});
      continue;
    }
    if (++harmless == 1) first = words;
  }
  if (harmless > 0)
    document.problems.push_back(
        {"", support::counted(harmless, "entity", "entities") +
                 " damaged in texts, styles, annotations and the like, which changes neither geometry nor "
                 "placement; the first: " +
                 first});
}

void list_wrong_copies(const Handle(XSControl_WorkSession) & session, Document& document) {
  const Handle(Interface_InterfaceModel) model = session->Model();
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(StepRepr_MappedItem) item = Handle(StepRepr_MappedItem)::DownCast(model->Value(i));
    if (item.IsNull() || !is_about_shapes(item)) continue;
    const auto mapping = Handle(StepGeom_CartesianTransformationOperator3d)::DownCast(item->MappingTarget());
    if (!mapping.IsNull() && !is_rigid(*mapping))
      document.losses.push_back(
          {"", "copy " + label_of(model, item) + " is scaled or mirrored, which is not followed"});
  }
}

void list_unplaced(const Handle(XSControl_WorkSession) & session, Document& document) {
  const Handle(Interface_InterfaceModel) model = session->Model();
  std::set<const void*> placed, shaped, parents,
      mapping;  // occurrences; products, also those that copy by mapped items
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(Standard_Transient) entity = model->Value(i);
    if (const auto use = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(entity); !use.IsNull()) {
      parents.insert(use->RelatingProductDefinition().get());
    } else if (const auto place = Handle(StepShape_ContextDependentShapeRepresentation)::DownCast(entity);
               !place.IsNull()) {
      if (const auto shape = place->RepresentedProductRelation(); !shape.IsNull())
        placed.insert(shape->Definition().ProductDefinitionRelationship().get());
    } else if (const auto shape = Handle(StepShape_ShapeDefinitionRepresentation)::DownCast(entity); !shape.IsNull()) {
      const Handle(StepRepr_PropertyDefinition) property = shape->Definition().PropertyDefinition();
      if (property.IsNull()) continue;
      const void* product = property->Definition().ProductDefinition().get();
      shaped.insert(product);
      if (has_mapped_item(shape->UsedRepresentation())) mapping.insert(product);
    }
  }
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const auto use = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(model->Value(i));
    if (use.IsNull() || placed.contains(use.get()) || mapping.contains(use->RelatingProductDefinition().get()))
      continue;
    const void* product = use->RelatedProductDefinition().get();
    if (!shaped.contains(product) && !parents.contains(product)) continue;  // has nothing to place
    const std::string name = text_of(use->Name());
    document.losses.push_back({"", "occurrence " + label_of(model, use) + (name.empty() ? "" : " (" + name + ")") +
                                       " has no placement: no context_dependent_shape_representation is of it"});
  }
}

void list_open_solids(const STEPControl_Reader& reader, Document& document) {
  const Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const Handle(StepShape_ManifoldSolidBrep) solid = Handle(StepShape_ManifoldSolidBrep)::DownCast(model->Value(i));
    if (solid.IsNull()) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, solid);
    if (!shape.IsNull() && !TopExp_Explorer(shape, TopAbs_SOLID).More())
      document.losses.push_back({"", "solid " + label_of(model, solid) + " is open and became a sheet"});
  }
}

ShapeNames sort_faces(const STEPControl_Reader& reader, Document& document) {
  const Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  ShapeNames names;
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    if (const auto solid = Handle(StepShape_ManifoldSolidBrep)::DownCast(model->Value(i)); !solid.IsNull()) {
      const TopoDS_Shape shape = TransferBRep::ShapeResult(process, solid);
      if (!shape.IsNull()) keep_name(shape, solid->Name(), names);
      continue;
    }
    const Handle(StepShape_FaceSurface) face = Handle(StepShape_FaceSurface)::DownCast(model->Value(i));
    if (face.IsNull()) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, face);
    if (shape.IsNull())
      document.losses.push_back({"", "face " + label_of(model, face) + " could not be read"});
    else
      keep_name(shape, face->Name(), names);
  }
  return names;
}

}  // namespace snug::importer
