#pragma once

#include "document.hpp"

#include <TDF_Label.hxx>
#include <TDocStd_Document.hxx>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>

namespace snug::importer {

/// Names of faces and solids by their shared geometry, where a format has them.
using ShapeNames = std::unordered_map<const void*, std::string>;

/// A product whose shape is in another file.
struct Outside {
  std::shared_ptr<const Document> content;  ///< null if that could not be had
  std::string loss;                         ///< then why, in words that name the file
};

/// What a reader has made of a file.
struct ProductSource {
  Handle(TDocStd_Document) products;
  ShapeNames names = {};
  std::map<std::string, Outside> outside = {};  ///< by the label's entry
  std::set<std::string> bare = {};              ///< entries of products that the file gives no geometry
};

[[nodiscard]] Handle(TDocStd_Document) new_xcaf_document();
[[nodiscard]] std::string entry_of(const TDF_Label& label);

/// Adds the products of a document that a reader has filled. Every leaf of its tree is a part; with `bodies`, every body of
/// a leaf with several. Each node has a path of its own: of those in one assembly that have one name, the second gets "#2",
/// and so on in the order of the file. A root that nobody named has no level in the paths.
void gather_products(const ProductSource& source, bool bodies, Document& document);

}  // namespace snug::importer
