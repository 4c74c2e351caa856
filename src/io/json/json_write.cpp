#include "io/json/json_write.hpp"

#include "support/assert.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace snug::io {

namespace {

/// Length of the UTF-8 sequence at the start of the text, zero if there is none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80; };
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0 && follows(1)) return 2;
  if (lead >= 0xE0 && lead < 0xF0 && follows(1) && follows(2)) {
    const bool overlong = lead == 0xE0 && second < 0xA0;
    const bool surrogate = lead == 0xED && second >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (lead >= 0xF0 && lead < 0xF5 && follows(1) && follows(2) && follows(3)) {
    const bool overlong = lead == 0xF0 && second < 0x90;
    const bool beyond = lead == 0xF4 && second >= 0x90;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

template <class T>
void append_shortest(std::string& out, T value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), end);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view k_hex = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto c = static_cast<unsigned char>(text.front());
    if (length == 0)
      out += "\\ufffd";
    else if (c < 0x20)
      out += {'\\', 'u', '0', '0', k_hex[c >> 4], k_hex[c & 15]};
    else if (c == '"' || c == '\\')
      out += {'\\', text.front()};
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

void append_json_number(std::string& out, double value) {
  SNUG_ASSERT(std::isfinite(value));
  append_shortest(out, value);
}
void append_json_number(std::string& out, float value) {
  SNUG_ASSERT(std::isfinite(value));
  append_shortest(out, value);
}

}  // namespace snug::io
