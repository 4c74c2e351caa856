#pragma once

#include "command_doc.hpp"

#include <string>

namespace snug::cli {

/// A page for man(1): of a command, or of the program when the doc has commands.
[[nodiscard]] std::string man_page(const CommandDoc& doc, const CommandDoc& program);

}  // namespace snug::cli
