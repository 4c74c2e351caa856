#pragma once

#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace snug::report {

/// Names as a column of a table shows them. Different names have different texts, and each takes at most `width` columns
/// as long as that is possible: a name that is too long loses its middle; names that would look the same then lose what
/// they have in common instead. Names that no text of that width tells apart are shown in full.
class DistinctNames {
 public:
  /// Borrows the names; the same name may come several times.
  DistinctNames(std::vector<std::string_view> names, std::size_t width);

  /// Of one of the names given.
  [[nodiscard]] const std::string& operator[](std::string_view name) const {
    SNUG_ASSERT(text_of_.contains(name));
    return text_of_.at(name);
  }

 private:
  std::unordered_map<std::string_view, std::string> text_of_;
};

}  // namespace snug::report
