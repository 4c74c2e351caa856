#include "io/step/references.hpp"

#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace snug::io {

namespace {

constexpr std::size_t k_most_names = 10'000, k_longest_text = 4096, k_longest_word = 64;

bool is_word(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// Parameters at the front of an entity that may name a file.
int names_in(std::string_view keyword) {
  if (keyword == "DOCUMENT_FILE" || keyword == "DOCUMENT") return 2;
  if (keyword == "APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT") return 1;
  return 0;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
}

/// The number that `text` begins with, in just so many digits.
std::optional<std::uint32_t> hex(std::string_view text, std::size_t digits) {
  const std::string_view word = text.substr(0, digits);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
  if (word.size() < digits || error != std::errc{} || end != word.data() + digits) return std::nullopt;
  return value;
}

/// Characters of so many digits each, up to \X0\; takes them off `rest`.
void take_wide(std::string_view& rest, std::size_t digits, std::string& out) {
  constexpr std::string_view k_end = "\\X0\\";
  std::uint32_t high = 0;
  while (!rest.empty() && !rest.starts_with(k_end)) {
    const std::optional<std::uint32_t> unit = hex(rest, digits);
    rest.remove_prefix(std::min(digits, rest.size()));
    if (!unit) continue;
    if (*unit >= 0xD800 && *unit < 0xDC00) {
      high = *unit;
    } else if (high != 0 && *unit >= 0xDC00 && *unit < 0xE000) {
      append_utf8(out, 0x10000 + ((high - 0xD800) << 10) + (*unit - 0xDC00));
      high = 0;
    } else {
      append_utf8(out, *unit);
    }
  }
  rest.remove_prefix(std::min(k_end.size(), rest.size()));
}

}  // namespace

std::string decoded_step_text(std::string_view text) {
  std::string joined;
  for (const char c : text)
    if (c != '\n' && c != '\r') joined += c;
  std::string out;
  for (std::string_view rest = joined; !rest.empty();) {
    const auto skip = [&](std::size_t count) { rest.remove_prefix(std::min(count, rest.size())); };
    if (rest.starts_with("\\\\")) {
      out += '\\', skip(2);
    } else if (rest.starts_with("\\X2\\")) {
      skip(4), take_wide(rest, 4, out);
    } else if (rest.starts_with("\\X4\\")) {
      skip(4), take_wide(rest, 8, out);
    } else if (rest.starts_with("\\X\\")) {
      if (const auto code = hex(rest.substr(3), 2)) append_utf8(out, *code);
      skip(5);
    } else if (rest.starts_with("\\S\\") && rest.size() > 3) {
      append_utf8(out, 0x80U + static_cast<unsigned char>(rest[3])), skip(4);
    } else if (const std::size_t length = utf8_length(rest); length == 0) {
      append_latin1(out, rest.front()), skip(1);
    } else {
      out += rest.substr(0, length), skip(length);
    }
  }
  return out;
}

void StepReferences::end_string() {
  in_ = In::plain;
  if (wanted_ > 0 && text_.size() <= k_longest_text && names_.size() < k_most_names) {
    std::string name = decoded_step_text(text_);
    if (name.find_first_not_of(' ') != name.npos && known_.insert(name).second) names_.push_back(std::move(name));
  }
  text_.clear();
}

void StepReferences::restart() { in_ = In::plain, wanted_ = 0, word_.clear(), text_.clear(); }

void StepReferences::take_plain(char c) {
  if (is_word(c)) {
    if (word_.size() < k_longest_word) word_ += c;
    return;
  }
  if (c == '(') wanted_ = names_in(word_);
  if (c == ',' && wanted_ > 0) --wanted_;
  if (c == ')' || c == ';') wanted_ = 0;
  if (c > ' ' || c < 0) word_.clear();
  if (c == '\'') in_ = In::string;
  if (c == '/') in_ = In::slash;
}

void StepReferences::take(std::string_view piece) {
  for (const char c : piece) {
    switch (in_) {
      case In::string_quote:
        if (c == '\'') {  // a doubled quote is one that belongs to the text
          in_ = In::string;
          if (wanted_ > 0 && text_.size() <= k_longest_text) text_ += c;
          break;
        }
        end_string();
        [[fallthrough]];
      case In::plain:
        take_plain(c);
        break;
      case In::string:
        if (c == '\'')
          in_ = In::string_quote;
        else if (wanted_ > 0 && text_.size() <= k_longest_text)
          text_ += c;
        break;
      case In::slash:
        in_ = c == '*' ? In::comment : In::plain;
        if (c != '*') take_plain(c);
        break;
      case In::comment:
        if (c == '*') in_ = In::comment_star;
        break;
      case In::comment_star:
        if (c != '*') in_ = c == '/' ? In::plain : In::comment;
        break;
    }
  }
}

}  // namespace snug::io
