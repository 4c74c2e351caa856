#include "text.hpp"

#include <TDataStd_Name.hxx>

#include <cstdint>

namespace snug::importer {

namespace {

constexpr std::size_t k_max_name = 200;

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
}

bool is_high(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

std::string to_utf8(const TCollection_ExtendedString& text) {
  std::string out;
  for (Standard_Integer i = 1; i <= text.Length(); ++i) {
    const std::uint32_t unit = text.Value(i);
    if (is_high(unit) && i < text.Length() && is_low(text.Value(i + 1))) {
      const std::uint32_t low = text.Value(++i);
      append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
    } else {
      append_utf8(out, is_high(unit) || is_low(unit) ? 0xFFFD : unit);
    }
  }
  return out;
}

std::string clean_name(std::string text) {
  for (char& c : text) {
    if (c == '/') c = '_';
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  text = text.substr(first, text.find_last_not_of(' ') - first + 1);
  if (text.size() > k_max_name) {
    std::size_t length = k_max_name;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    text.resize(length);
  }
  return text;
}

std::string name_of(const TDF_Label& label) {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return {};
  return clean_name(to_utf8(name->Get()));
}

}  // namespace snug::importer
