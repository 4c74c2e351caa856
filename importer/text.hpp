#pragma once

#include <TCollection_ExtendedString.hxx>
#include <TDF_Label.hxx>

#include <string>

namespace snug::importer {

/// Valid UTF-8, whatever the string holds.
[[nodiscard]] std::string to_utf8(const TCollection_ExtendedString& text);
/// A name fit to be one level of a path: no '/', no control characters, no blanks around it, at most 200 bytes.
[[nodiscard]] std::string clean_name(std::string text);
/// The label's cleaned name, or nothing.
[[nodiscard]] std::string name_of(const TDF_Label& label);

}  // namespace snug::importer
