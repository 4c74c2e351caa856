#include "bare_products.hpp"

#include "xcaf_tree.hpp"

#include <Interface_InterfaceModel.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepGeom_Placement.hxx>
#include <StepRepr_PropertyDefinition.hxx>
#include <StepRepr_Representation.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepRepr_RepresentationRelationship.hxx>
#include <StepRepr_RepresentationRelationshipWithTransformation.hxx>
#include <StepRepr_RepresentedDefinition.hxx>
#include <StepShape_ShapeDefinitionRepresentation.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <map>
#include <vector>

namespace snug::importer {

namespace {

using Representations = std::vector<Handle(StepRepr_Representation)>;

/// Representations by product, and those that stand for the same shape. Both maps are looked up only.
class ShapeDefinitions {
 public:
  explicit ShapeDefinitions(const Handle(Interface_InterfaceModel) & model) : model_(model) {
    for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) take(model->Value(i));
  }

  /// False where it is not known what belongs to the product.
  [[nodiscard]] bool has_no_geometry(const Handle(StepBasic_ProductDefinition) & product) const {
    if (is_damaged_) return false;
    const auto found = of_product_.find(product.get());
    if (found == of_product_.end()) return true;
    std::set<const void*> seen;
    Representations open = found->second;
    while (!open.empty()) {
      const Handle(StepRepr_Representation) next = open.back();
      open.pop_back();
      if (next.IsNull() || !holds_placements_only(next)) return false;
      if (!seen.insert(next.get()).second) continue;
      if (const auto same = same_shape_.find(next.get()); same != same_shape_.end())
        open.insert(open.end(), same->second.begin(), same->second.end());
    }
    return true;
  }

 private:
  void take(const Handle(Standard_Transient) & entity) {
    if (const auto shape = Handle(StepShape_ShapeDefinitionRepresentation)::DownCast(entity); !shape.IsNull()) {
      const Handle(StepRepr_PropertyDefinition) property = shape->Definition().PropertyDefinition();
      if (property.IsNull()) {
        is_damaged_ = true;  // nobody knows whose shape it is
        return;
      }
      const Handle(StepBasic_ProductDefinition) product = property->Definition().ProductDefinition();
      if (!product.IsNull()) of_product_[product.get()].push_back(shape->UsedRepresentation());
    } else if (const auto relation = Handle(StepRepr_RepresentationRelationship)::DownCast(entity);
               !relation.IsNull() &&
               !entity->IsKind(STANDARD_TYPE(StepRepr_RepresentationRelationshipWithTransformation))) {
      const Handle(StepRepr_Representation) a = relation->Rep1(), b = relation->Rep2();
      if (!a.IsNull()) same_shape_[a.get()].push_back(b);
      if (!b.IsNull()) same_shape_[b.get()].push_back(a);
    }
  }

  [[nodiscard]] bool holds_placements_only(const Handle(StepRepr_Representation) & representation) const {
    if (model_->IsErrorEntity(model_->Number(representation)) || representation->Items().IsNull()) return false;
    for (Standard_Integer i = 1; i <= representation->NbItems(); ++i) {
      const Handle(StepRepr_RepresentationItem) item = representation->ItemsValue(i);
      if (item.IsNull() || !item->IsKind(STANDARD_TYPE(StepGeom_Placement))) return false;
    }
    return true;
  }

  Handle(Interface_InterfaceModel) model_;
  std::map<const void*, Representations> of_product_, same_shape_;
  bool is_damaged_ = false;
};

}  // namespace

std::set<std::string> bare_products(const STEPControl_Reader& reader, const Handle(XCAFDoc_ShapeTool) & shapes) {
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  const Handle(Transfer_TransientProcess) process = reader.WS()->TransferReader()->TransientProcess();
  const ShapeDefinitions definitions(model);
  std::set<std::string> bare;
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const auto product = Handle(StepBasic_ProductDefinition)::DownCast(model->Value(i));
    if (product.IsNull() || !definitions.has_no_geometry(product)) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, product);
    TDF_Label label;
    if (!shape.IsNull() && shapes->FindShape(shape, label)) bare.insert(entry_of(label));
  }
  return bare;
}

}  // namespace snug::importer
