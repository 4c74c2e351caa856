#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

inline char lowered(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Insertions, deletions and replacements that turn a into b, capitals aside.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lowered(a[i - 1]) == lowered(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

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
    const std::size_t distance =
        std::min(edit_distance(text, whole), edit_distance(text, std::string_view(name).substr(leaf, k_longest)));
    if (distance < least) least = distance, best = name;
  }
  return best;
}

}  // namespace snug::io
