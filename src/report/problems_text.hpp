#pragma once

#include "support/rooms.hpp"

#include <snug/assembly.hpp>
#include <snug/report.hpp>

#include <span>
#include <string>

namespace snug::report {

/// The problems of the input, a line per kind with how many parts it concerns; long lists end in a count. Empty when
/// there are none.
[[nodiscard]] std::string problems_text(std::span<const Problem> problems, const TextStyle& style);

/// What a line on coverage says of parts without triangles; empty when there are none.
[[nodiscard]] std::string skipped_text(std::span<const std::string> parts);

}  // namespace snug::report
