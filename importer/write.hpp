#pragma once

#include "document.hpp"

#include <string>

namespace snug::importer {

// Each gives the bytes of a file with the parts of the document where they are placed. What the document could not have
// is listed there; what the format can not keep is known to whoever asks for it. They throw, std::exception or
// Standard_Failure, when the kernel does not manage.

[[nodiscard]] std::string write_brep(const Document& document);
[[nodiscard]] std::string write_iges(const Document& document);

}  // namespace snug::importer
