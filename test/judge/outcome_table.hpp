#pragma once

#include <snug/triangle.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace snug::judge {

/// What the judge said about the pairs of one kind, and how often snug said something else.
struct Outcomes {
  std::array<std::size_t, 3> by_relation{};
  std::size_t disagreements = 0;

  void count(Relation judged, bool agrees) {
    ++by_relation[static_cast<std::size_t>(judged)];
    if (!agrees) ++disagreements;
  }
  [[nodiscard]] std::size_t total() const { return by_relation[0] + by_relation[1] + by_relation[2]; }
  [[nodiscard]] double share(Relation relation) const {
    return static_cast<double>(by_relation[static_cast<std::size_t>(relation)]) / static_cast<double>(total());
  }
};

/// Prints one row of the table, and its head before the first row of this program.
void print_row(std::string_view name, const Outcomes& outcomes);

}  // namespace snug::judge
