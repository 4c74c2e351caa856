#include "io/step/write_text.hpp"

#include <array>
#include <charconv>

namespace snug::io {

namespace {

constexpr char32_t k_replacement = 0xFFFD;

/// The code point at the start of the text, which loses it; what is no UTF-8 counts byte by byte.
char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  char32_t code = lead < 0x80 ? lead : lead & (0x7FU >> length);
  bool good = lead < 0x80 || (lead >= 0xC2 && lead <= 0xF4 && length <= text.size());
  for (std::size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xC0U) == 0x80U;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> k_least{0, 0, 0x80, 0x800, 0x10000};
  good = good && code >= k_least.at(length) && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  text.remove_prefix(good ? length : 1);
  return good ? code : k_replacement;
}

void append_hex(std::string& out, char32_t code, unsigned digits) {
  for (unsigned d = digits; d-- > 0;) out += "0123456789ABCDEF"[code >> (4 * d) & 0xFU];
}

}  // namespace

std::string step_string(std::string_view utf8) {
  std::string out = "'";
  unsigned open = 0;  // digits per character of the \X2\ or \X4\ that is not closed yet
  const auto switch_to = [&](unsigned digits) {
    if (digits == open) return;
    if (open != 0) out += "\\X0\\";
    if (digits != 0) out += digits == 4 ? "\\X2\\" : "\\X4\\";
    open = digits;
  };
  while (!utf8.empty()) {
    const char32_t code = take_code_point(utf8);
    if (code >= 0x20 && code < 0x7F) {
      switch_to(0);
      out += static_cast<char>(code);
      if (code == '\'' || code == '\\') out += static_cast<char>(code);
    } else {
      switch_to(code < 0x10000 ? 4 : 8);
      append_hex(out, code, open);
    }
  }
  switch_to(0);
  return out += '\'';
}

std::string step_ref(StepId id) { return '#' + std::to_string(id); }

std::string step_refs(std::span<const StepId> ids) {
  std::string out;
  for (const StepId id : ids) out += (out.empty() ? "(#" : ",#") + std::to_string(id);
  return out.empty() ? "()" : out + ')';
}

std::string step_real(double value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  std::string out(digits.data(), end);
  const std::size_t exponent = out.find('e');
  if (out.find('.') == std::string::npos) out.insert(std::min(exponent, out.size()), 1, '.');
  if (const std::size_t e = out.find('e'); e != std::string::npos) out[e] = 'E';
  return out;
}

std::string step_reals(const Vec3& v) {
  return '(' + step_real(v.x) + ',' + step_real(v.y) + ',' + step_real(v.z) + ')';
}

StepId StepText::add(std::string_view entity) {
  sink_.byte('#');
  sink_.integer(++last_);
  sink_.byte('=');
  sink_.text(entity);
  sink_.text(";\n");
  return last_;
}

StepId StepText::placement(const Point3& origin, const Vec3& axis, const Vec3& x) {
  const StepId at = point(origin), z = direction(axis), ref = direction(x);
  return add("AXIS2_PLACEMENT_3D(''," + step_ref(at) + ',' + step_ref(z) + ',' + step_ref(ref) + ')');
}

}  // namespace snug::io
