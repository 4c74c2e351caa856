#pragma once

#include "command_doc.hpp"

#include <string>

namespace snug::cli {

[[nodiscard]] std::string bash_completion(const CommandDoc& program);
[[nodiscard]] std::string zsh_completion(const CommandDoc& program);
[[nodiscard]] std::string fish_completion(const CommandDoc& program);

}  // namespace snug::cli
