#pragma once

#include <STEPControl_Reader.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include <set>
#include <string>

namespace snug::importer {

/// Entries of products that the file itself gives no geometry, once shapes are made: no representation belongs to them, or only
/// such as hold placements and nothing else. Nothing was lost of these. A product whose representation could not be read, or
/// holds anything that the kernel does not know, is not among them.
[[nodiscard]] std::set<std::string> bare_products(const STEPControl_Reader& reader,
                                                  const Handle(XCAFDoc_ShapeTool) & shapes);

}  // namespace snug::importer
