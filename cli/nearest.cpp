#include "nearest.hpp"

#include "src/support/edit_distance.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace snug::cli {

namespace {

constexpr std::size_t k_most = 3;

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Smaller is closer. A text that stands within the candidate, as the name of a part does in its path, is close.
std::size_t score(const std::string& text, const std::string& candidate) {
  if (text.size() >= 2 && candidate.find(text) != std::string::npos) return 0;
  return support::edit_distance(text, candidate);
}

}  // namespace

std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& candidates) {
  constexpr std::size_t k_longest = 200;  // the work is quadratic
  const std::string wanted = lowered(text.substr(0, k_longest));
  std::vector<std::pair<std::size_t, std::string>> scored;
  for (const std::string& candidate : candidates) {
    const std::size_t s = score(wanted, lowered(std::string_view(candidate).substr(0, k_longest)));
    if (s <= std::max<std::size_t>(1, wanted.size() / 3)) scored.emplace_back(s, candidate);
  }
  std::ranges::sort(scored);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < scored.size() && i < k_most; ++i) out.push_back(scored[i].second);
  return out;
}

std::string did_you_mean(std::string_view text, const std::vector<std::string>& candidates) {
  const std::vector<std::string> close = nearest(text, candidates);
  if (close.empty()) return {};
  std::string out = "; did you mean ";
  for (std::size_t i = 0; i < close.size(); ++i)
    out += (i == 0 ? "'" : i + 1 == close.size() ? " or '" : ", '") + close[i] + '\'';
  return out + '?';
}

}  // namespace snug::cli
