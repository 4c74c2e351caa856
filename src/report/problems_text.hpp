#pragma once

#include <snug/assembly.hpp>

#include <span>
#include <string>

namespace snug::report {

/// The problems of the input, a line per kind with how many parts it concerns; long lists end in a count. Empty when
/// there are none.
[[nodiscard]] std::string problems_text(std::span<const Problem> problems, std::size_t width);

}  // namespace snug::report
