#include "support/text.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace snug::support {

std::string quoted(std::string_view text) {
  constexpr std::size_t k_most = 40;
  constexpr std::string_view k_hex = "0123456789abcdef";
  if (text.empty()) return "nothing";
  std::string out = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (out.size() >= k_most) return out + "…'";
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x7f) {
      out += text[i];
    } else {
      out += {'\\', 'x', k_hex[c >> 4], k_hex[c & 15]};
    }
  }
  return out + '\'';
}

std::string system_reason(int error) { return std::generic_category().message(error); }

std::string number_text(double value) {
  std::array<char, 32> digits;
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 6);
  return {digits.data(), written.ptr};
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? singular : plural);
}

}  // namespace snug::support
