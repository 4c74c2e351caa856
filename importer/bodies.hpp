#pragma once

#include "document.hpp"

#include <vector>

namespace snug::importer {

/// A solid of a shape, or all of it that is in no solid.
struct Body {
  TopoDS_Shape shape;
  std::vector<FaceLook> looks;  ///< as faces_of(shape) has them, or empty
};

/// In the order of the file, solids first. `looks` are as faces_of(shape) has them, or empty.
[[nodiscard]] std::vector<Body> bodies_of(const TopoDS_Shape& shape, const std::vector<FaceLook>& looks);

}  // namespace snug::importer
