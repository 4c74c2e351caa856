#pragma once

#include "document.hpp"

#include <TDocStd_Document.hxx>

#include <string>
#include <unordered_map>

namespace snug::importer {

/// Names of faces by their shared geometry, where a format has them.
using FaceNames = std::unordered_map<const void*, std::string>;

[[nodiscard]] Handle(TDocStd_Document) new_xcaf_document();
/// Adds the products of a document that a reader has filled: every leaf of its tree is a part.
void gather_products(const Handle(TDocStd_Document) & source, const FaceNames& names, Document& document);

}  // namespace snug::importer
