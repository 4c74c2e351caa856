#pragma once

#include "document.hpp"
#include "xcaf_tree.hpp"

#include <STEPControl_Reader.hxx>
#include <XSControl_WorkSession.hxx>

#include <string>

// What the kernel could not make of a STEP file. A loss is what may change geometry or placement. All else that is wrong with
// single entities is one remark with a count.

namespace snug::importer {

/// A text of an entity, in UTF-8.
[[nodiscard]] std::string raw_text_of(const Handle(TCollection_HAsciiString) & text);
/// The same as a name.
[[nodiscard]] std::string text_of(const Handle(TCollection_HAsciiString) & text);

/// Of entities that the kernel found wrong, once the file is read: it takes the rest of them and goes on.
void list_damages(const Handle(XSControl_WorkSession) & session, Document& document);
/// Of copies inside a part that scale or mirror, which the kernel takes for rigid.
void list_wrong_copies(const Handle(XSControl_WorkSession) & session, Document& document);
/// Of occurrences of products in assemblies that no entity places: the kernel leaves them out, without a word if the product
/// occurs elsewhere too. Assemblies that copy their components by mapped items need no such entity.
void list_unplaced(const Handle(XSControl_WorkSession) & session, Document& document);
/// Of solids that are open, once shapes are made: the kernel makes sheets of them, without a word.
void list_open_solids(const STEPControl_Reader& reader, Document& document);
/// Faces that were not turned into shapes are losses; of the others, and of solids, the names are kept.
[[nodiscard]] ShapeNames sort_faces(const STEPControl_Reader& reader, Document& document);

}  // namespace snug::importer
