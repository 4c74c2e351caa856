#pragma once

#include "xcaf_tree.hpp"

#include <XCAFDoc_ColorTool.hxx>

#include <optional>
#include <vector>

namespace snug::importer {

/// Colours and names that a document has of its shapes.
class ShapeLooks {
 public:
  /// Borrows the source.
  explicit ShapeLooks(const ProductSource& source);

  [[nodiscard]] std::optional<Rgba> color_of(const TDF_Label& label) const;
  /// A face's own colour and name, else those of the shell or solid around it that has some; as faces_of(shape) has them.
  [[nodiscard]] std::vector<FaceLook> looks_of(const TDF_Label& product, const TopoDS_Shape& shape) const;

 private:
  const ShapeNames& names_;
  Handle(XCAFDoc_ColorTool) colors_;
};

}  // namespace snug::importer
