#include "io/step_patch.hpp"

#include <charconv>
#include <string_view>

namespace snug::io {

namespace {

constexpr std::string_view k_word = "snug.patch ";

/// Up to the next space or the end, which are taken off too.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
  return word;
}

std::optional<SurfaceKind> kind_called(std::string_view word) {
  for (auto k = static_cast<unsigned>(SurfaceKind::unknown); k <= static_cast<unsigned>(SurfaceKind::spline); ++k)
    if (to_string(static_cast<SurfaceKind>(k)) == word) return static_cast<SurfaceKind>(k);
  return std::nullopt;
}

}  // namespace

std::string marked_name(const PatchMark& mark, const std::string& name) {
  return std::string(k_word) + std::to_string(mark.id) + ' ' + std::string(to_string(mark.kind)) +
         (name.empty() ? "" : ' ' + name);
}

std::optional<PatchMark> take_mark(std::string& name) {
  std::string_view rest = name;
  if (!rest.starts_with(k_word)) return std::nullopt;
  rest.remove_prefix(k_word.size());
  const std::string_view number = take_word(rest);
  PatchMark mark;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), mark.id);
  const auto kind = kind_called(take_word(rest));
  if (error != std::errc{} || end != number.data() + number.size() || !kind) return std::nullopt;
  mark.kind = *kind;
  name = std::string(rest);
  return mark;
}

}  // namespace snug::io
