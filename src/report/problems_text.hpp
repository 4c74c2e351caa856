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

/// The line on coverage: how much there was, how much of it was tested, and what is missing.
struct CoverageWords {
  std::string tested = {};     ///< more about the pairs that were tested
  std::string cancelled;       ///< what became of the others if it was cancelled
  std::string undecided = {};  ///< more about undecided pairs
};
[[nodiscard]] std::string coverage_text(const Coverage& coverage, bool cancelled, const CoverageWords& words);

}  // namespace snug::report
