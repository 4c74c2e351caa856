#pragma once

#include <STEPControl_Reader.hxx>
#include <TDF_Label.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <string>
#include <vector>

namespace snug::importer {

/// A file that a STEP file names.
struct ExternalReference {
  std::vector<std::string> names;   ///< that it may go by, the likeliest first
  std::vector<TDF_Label> products;  ///< that it stands for and that have no faces of their own here
};

/// In the order of the file, those with the same names once. Shapes have been made.
[[nodiscard]] std::vector<ExternalReference> external_references(const STEPControl_Reader& reader,
                                                                 const Handle(XCAFDoc_ShapeTool) & shapes);

}  // namespace snug::importer
