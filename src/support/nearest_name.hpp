#pragma once

#include "support/edit_distance.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snug::support {

/// The name that was probably meant: one that ends in `/` and the text, else one that few typing mistakes part from it. Of several the
/// first.
[[nodiscard]] inline std::optional<std::string> nearest_name(std::string_view text,
                                                             std::span<const std::string> names) {
  constexpr std::size_t k_longest = 200;  // the work is quadratic
  if (text.empty() || text.size() > k_longest) return std::nullopt;
  for (const std::string& name : names)
    if (name.size() > text.size() && name.ends_with(text) && name[name.size() - text.size() - 1] == '/') return name;
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > text.size() + least && name.rfind('/') == std::string::npos) continue;
    const std::size_t leaf = name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1;
    const std::string_view whole = std::string_view(name).substr(0, k_longest);
    const std::size_t distance = std::min(support::edit_distance(text, whole),
                                          support::edit_distance(text, std::string_view(name).substr(leaf, k_longest)));
    if (distance < least) least = distance, best = name;
  }
  return best;
}

}  // namespace snug::support
