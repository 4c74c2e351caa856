#include "step_externals.hpp"

#include "step_losses.hpp"

#include <Interface_InterfaceModel.hxx>
#include <StepAP214_AppliedDocumentReference.hxx>
#include <StepAP214_AppliedExternalIdentificationAssignment.hxx>
#include <StepAP214_DocumentReferenceItem.hxx>
#include <StepAP214_ExternalIdentificationItem.hxx>
#include <StepAP214_HArray1OfExternalIdentificationItem.hxx>
#include <StepBasic_DocumentFile.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionWithAssociatedDocuments.hxx>
#include <TopExp_Explorer.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <filesystem>
#include <map>

namespace snug::importer {

namespace {

/// What is known of a file that is named, before it is known by which name.
struct Found {
  std::vector<std::string> assigned;  ///< by an identification, which is where the standard wants the file's name
  std::vector<TDF_Label> products;
};

class Search {
 public:
  Search(const STEPControl_Reader& reader, const Handle(XCAFDoc_ShapeTool) & shapes)
      : process_(reader.WS()->TransferReader()->TransientProcess()), shapes_(shapes) {}

  void take(const Handle(Standard_Transient) & entity) {
    if (const auto used = Handle(StepAP214_AppliedDocumentReference)::DownCast(entity); !used.IsNull()) {
      if (used->Items().IsNull()) return;
      for (Standard_Integer i = 1; i <= used->NbItems(); ++i)
        add_product(used->AssignedDocument(), used->ItemsValue(i).ProductDefinition());
    } else if (const auto product = Handle(StepBasic_ProductDefinitionWithAssociatedDocuments)::DownCast(entity);
               !product.IsNull()) {
      if (product->DocIds().IsNull()) return;
      for (Standard_Integer i = 1; i <= product->NbDocIds(); ++i) add_product(product->DocIdsValue(i), product);
    } else if (const auto named = Handle(StepAP214_AppliedExternalIdentificationAssignment)::DownCast(entity);
               !named.IsNull()) {
      if (named->Items().IsNull()) return;
      for (Standard_Integer i = named->Items()->Lower(); i <= named->Items()->Upper(); ++i) {
        const Handle(StepBasic_DocumentFile) file = named->Items()->Value(i).DocumentFile();
        if (!file.IsNull()) found_[file.get()].assigned.push_back(raw_text_of(named->AssignedId()));
      }
    }
  }

  [[nodiscard]] ExternalReference reference(const StepBasic_DocumentFile& file) const {
    ExternalReference out;
    const auto known = found_.find(&file);
    if (known != found_.end()) out = {known->second.assigned, known->second.products};
    out.names.push_back(raw_text_of(file.Id()));
    out.names.push_back(raw_text_of(file.Name()));
    std::vector<std::string> distinct;
    for (std::string& name : out.names) name = std::filesystem::path(name).lexically_normal().generic_string();
    for (std::string& name : out.names)
      if (name.find_first_not_of(' ') != name.npos && std::ranges::find(distinct, name) == distinct.end())
        distinct.push_back(std::move(name));
    out.names = std::move(distinct);
    return out;
  }

 private:
  void add_product(const Handle(StepBasic_Document) & document, const Handle(StepBasic_ProductDefinition) & product) {
    const auto file = Handle(StepBasic_DocumentFile)::DownCast(document);
    if (file.IsNull() || product.IsNull()) return;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process_, product);
    TDF_Label label;
    if (shape.IsNull() || !shapes_->FindShape(shape, label) || XCAFDoc_ShapeTool::IsAssembly(label)) return;
    if (!TopExp_Explorer(shape, TopAbs_FACE).More()) found_[file.get()].products.push_back(label);
  }

  Handle(Transfer_TransientProcess) process_;
  Handle(XCAFDoc_ShapeTool) shapes_;
  std::map<const void*, Found> found_;  ///< looked up only: its order is of no account
};

}  // namespace

std::vector<ExternalReference> external_references(const STEPControl_Reader& reader,
                                                   const Handle(XCAFDoc_ShapeTool) & shapes) {
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  Search search(reader, shapes);
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) search.take(model->Value(i));
  std::vector<ExternalReference> references;
  std::map<std::vector<std::string>, std::size_t> known;
  for (Standard_Integer i = 1; i <= model->NbEntities(); ++i) {
    const auto file = Handle(StepBasic_DocumentFile)::DownCast(model->Value(i));
    if (file.IsNull()) continue;
    ExternalReference reference = search.reference(*file);
    const auto [place, is_new] = known.emplace(reference.names, references.size());
    if (is_new) {
      references.push_back(std::move(reference));
      continue;
    }
    std::vector<TDF_Label>& products = references[place->second].products;
    products.insert(products.end(), reference.products.begin(), reference.products.end());
  }
  return references;
}

}  // namespace snug::importer
