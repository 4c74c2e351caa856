#include "io/step/patch.hpp"

#include <charconv>
#include <string_view>

namespace snug::io {

namespace {

constexpr std::string_view k_word = "snug.patch ";
constexpr std::size_t k_token_digits = 16;

/// Up to the next space or the end, which are taken off too.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
  return word;
}

std::string hex(std::uint64_t token) {
  std::string digits(k_token_digits, '0');
  for (std::size_t i = k_token_digits; i-- > 0; token >>= 4) digits[i] = "0123456789abcdef"[token & 15];
  return digits;
}

/// The whole word.
bool parse(std::string_view word, int base, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out, base);
  return error == std::errc{} && end == word.data() + word.size();
}

std::optional<SurfaceKind> kind_called(std::string_view word) {
  for (auto k = static_cast<unsigned>(SurfaceKind::unknown); k <= static_cast<unsigned>(SurfaceKind::spline); ++k)
    if (to_string(static_cast<SurfaceKind>(k)) == word) return static_cast<SurfaceKind>(k);
  return std::nullopt;
}

}  // namespace

std::string marked_name(const PatchMark& mark, const std::string& name) {
  return std::string(k_word) + hex(mark.token) + ' ' + std::to_string(mark.id) + ' ' +
         std::string(to_string(mark.kind)) + (name.empty() ? "" : ' ' + name);
}

bool looks_marked(const std::string& name) { return name.starts_with(k_word); }

std::optional<PatchMark> take_mark(std::string& name) {
  std::string_view rest = name;
  if (!rest.starts_with(k_word)) return std::nullopt;
  rest.remove_prefix(k_word.size());
  const std::string_view token = take_word(rest), number = take_word(rest);
  const auto kind = kind_called(take_word(rest));
  PatchMark mark;
  if (token.size() != k_token_digits || !parse(token, 16, mark.token) || !parse(number, 10, mark.id) || !kind)
    return std::nullopt;
  mark.kind = *kind;
  name = std::string(rest);
  return mark;
}

}  // namespace snug::io
