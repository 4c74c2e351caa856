#pragma once

#include "arguments.hpp"
#include "document.hpp"

namespace snug::importer {

/// Meshes the document's shapes and measures their faces. Throws when nothing of it can be meshed.
[[nodiscard]] io::CadModel build_model(Document document, const Arguments& arguments);

}  // namespace snug::importer
