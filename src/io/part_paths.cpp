#include "io/part_paths.hpp"

#include <string_view>

namespace snug::io {

namespace {

/// Length of the UTF-8 sequence at the start of `text`, or 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return at(i) >= low && at(i) <= high;
  };
  const unsigned c = at(0);
  if (c < 0x80) return 1;
  if (c >= 0xC2 && c <= 0xDF) return follows(1) ? 2 : 0;
  if (c >= 0xE0 && c <= 0xEF) return follows(1, c == 0xE0 ? 0xA0 : 0x80, c == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (c >= 0xF0 && c <= 0xF4)
    return follows(1, c == 0xF0 ? 0x90 : 0x80, c == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

/// What a terminal may take for a command, or what makes a text look like another: control characters of ASCII and of
/// Latin-1 (U+0080 to U+009F), and what turns the direction of writing (U+202A to U+202E, U+2066 to U+2069). `character`
/// is one, in UTF-8.
bool is_control(std::string_view character) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return at(0) < 0x20 || at(0) == 0x7F;
  if (character.size() == 2) return at(0) == 0xC2 && at(1) <= 0x9F;
  if (character.size() != 3 || at(0) != 0xE2) return false;
  return (at(1) == 0x80 && at(2) >= 0xAA && at(2) <= 0xAE) || (at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9);
}

}  // namespace

bool clean_name(std::string& name) {
  std::string out;
  bool changed = false;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    const bool control = length > 0 && is_control(rest.substr(0, length));
    changed |= length == 0 || control;
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (control)
      out += ' ';
    else
      out += rest.substr(0, length);
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  if (changed) name = std::move(out);
  return changed;
}

PartPaths::PartPaths(std::string nameless) : nameless_(std::move(nameless)) { (void)clean_name(nameless_); }

std::string PartPaths::next(const std::string& name) {
  const auto [first, is_new] = last_number_.try_emplace(name, 1);
  if (is_new) return name;
  for (std::uint64_t& number = first->second;;) {
    std::string candidate = name + '#' + std::to_string(++number);
    if (!last_number_.contains(candidate)) {
      last_number_.emplace(candidate, 1);  // may move `first`'s neighbours, not its value: nodes are stable
      return candidate;
    }
  }
}

}  // namespace snug::io
