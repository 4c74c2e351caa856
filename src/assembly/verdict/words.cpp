#include <snug/verdict.hpp>

#include <algorithm>
#include <array>

namespace snug {

namespace {

constexpr std::array<std::string_view, 6> k_verdicts{"clear", "near", "touch", "undecided", "clash", "contained"};

}  // namespace

std::string_view to_string(Verdict verdict) noexcept { return k_verdicts.at(static_cast<std::size_t>(verdict)); }

std::optional<Verdict> parse_verdict(std::string_view text) noexcept {
  const auto found = std::ranges::find(k_verdicts, text);
  return found == k_verdicts.end() ? std::nullopt : std::optional(static_cast<Verdict>(found - k_verdicts.begin()));
}

}  // namespace snug
