#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace snug::report {

namespace {

/// From here on whole numbers have digits that a double does not hold.
constexpr double k_most_fixed = 1e15;

struct Range {
  char32_t first, last;
};

// Unicode 15, joined generously: what matters is that columns line up for names people give to parts.
constexpr std::array<Range, 18> k_no_width{{{0x0300, 0x036F},
                                            {0x0483, 0x0489},
                                            {0x0591, 0x05BD},
                                            {0x0610, 0x061A},
                                            {0x064B, 0x065F},
                                            {0x06D6, 0x06DC},
                                            {0x0900, 0x0902},
                                            {0x093C, 0x093C},
                                            {0x0E31, 0x0E31},
                                            {0x0E34, 0x0E3A},
                                            {0x0E47, 0x0E4E},
                                            {0x1AB0, 0x1AFF},
                                            {0x1DC0, 0x1DFF},
                                            {0x200B, 0x200F},
                                            {0x2060, 0x2064},
                                            {0x20D0, 0x20FF},
                                            {0xFE00, 0xFE0F},
                                            {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 10> k_wide{{{0x1100, 0x115F},
                                        {0x2E80, 0x303E},
                                        {0x3041, 0xA4CF},
                                        {0xA960, 0xA97F},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE6F},
                                        {0xFF00, 0xFF60},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) noexcept {
  return std::ranges::any_of(ranges, [c](const Range& r) { return r.first <= c && c <= r.last; });
}

struct Glyph {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = true;
};

Glyph first_glyph(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {lead, 1, false};
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {lead, 1, false};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> k_least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < k_least[length] || code > 0x10FFFF || surrogate) return {lead, 1, false};
  return {code, length};
}

std::size_t width_of(const Glyph& glyph) noexcept {
  if (!glyph.valid || glyph.code < 0x300) return 1;
  return within(k_no_width, glyph.code) ? 0 : within(k_wide, glyph.code) ? 2 : 1;
}

/// What a terminal may take for a command, what turns the direction of writing, and what takes no room and changes
/// nothing around it, so that two names would look the same.
bool is_hidden(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

}  // namespace

std::string_view head_of(std::string_view text, std::size_t width) noexcept {
  std::size_t bytes = 0, used = 0;
  while (bytes < text.size()) {
    const Glyph glyph = first_glyph(text.substr(bytes));
    if (used + width_of(glyph) > width) break;
    used += width_of(glyph);
    bytes += glyph.bytes;
  }
  return text.substr(0, bytes);
}

std::string_view tail_of(std::string_view text, std::size_t width) noexcept {
  std::size_t left = display_width(text);
  const auto drop = [&](const Glyph& glyph) {
    left -= width_of(glyph);
    text.remove_prefix(glyph.bytes);
  };
  bool dropped = false;
  while (left > width) drop(first_glyph(text)), dropped = true;
  // A mark on a character that is gone would go to what stands before.
  while (dropped && !text.empty() && width_of(first_glyph(text)) == 0) drop(first_glyph(text));
  return text;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    std::size_t bytes = first_glyph(text).bytes;
    while (bytes < text.size()) {
      const Glyph next = first_glyph(text.substr(bytes));
      if (width_of(next) > 0) break;
      bytes += next.bytes;
    }
    out.push_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return out;
}

std::size_t display_width(std::string_view text) noexcept {
  std::size_t width = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    width += width_of(glyph);
    text.remove_prefix(glyph.bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    if (!glyph.valid || is_hidden(glyph.code))
      out += '?';
    else
      out += text.substr(0, glyph.bytes);
    text.remove_prefix(glyph.bytes);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t head = (width - 1) / 3;
  std::string out(head_of(text, head));
  return (out += "…") += tail_of(text, width - 1 - head);
}

std::string cut(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(head_of(text, width - 1)) += "…";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t columns = display_width(word);
    if (column > indent && column + 1 + columns > width) {
      (out += '\n') += std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns;
  }
  return out;
}

std::string short_number(double value) {
  std::array<char, 32> text;
  const double size = std::abs(value);
  const bool large = size >= 9999.5 && size < k_most_fixed;  // readable without an exponent
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value + 0.0,
                                          large ? std::chars_format::fixed : std::chars_format::general, large ? 0 : 4);
  return {text.data(), end};
}

std::string short_number(double value, double resolution) {
  return short_number(std::abs(value) <= resolution ? 0 : value);
}

std::string coordinate(double value, double step) {
  constexpr int k_most_decimals = 9;
  if (std::abs(value) <= 0.5 * step) return "0";
  int decimals = 0;
  for (double unit = 1; unit > step && decimals <= k_most_decimals; unit /= 10) ++decimals;
  std::array<char, 64> text;
  if (decimals > k_most_decimals || std::abs(value) >= k_most_fixed) {
    const double digits = step > 0 ? 2 + std::floor(std::log10(std::abs(value)) - std::log10(step)) : 17;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general,
                                       static_cast<int>(std::clamp(digits, 4.0, 17.0)))
                             .ptr};
  }
  std::string out(text.data(),
                  std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr);
  if (out.find('.') != std::string::npos) {
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
  }
  return out == "-0" ? "0" : out;
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  if (digits.size() < 5) return digits;
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, " ");
  return digits;
}

std::string grouped(std::uint64_t value, std::string_view singular, std::string_view plural) {
  return grouped(value) + ' ' + std::string(value == 1 ? singular : plural);
}

std::string painted(std::string_view text, Color color, bool enabled) {
  constexpr std::array<std::string_view, 8> k_codes{"", "1", "2", "1;31", "33", "35", "36", "32"};
  if (!enabled || color == Color::none || text.empty()) return std::string(text);
  std::string out = "\x1b[";
  return (((out += k_codes[static_cast<std::size_t>(color)]) += 'm') += text) += "\x1b[0m";
}

void Table::column(std::string head, Align align) {
  const std::size_t width = display_width(head);
  columns_.push_back({std::move(head), align, width});
}

void Table::row(std::vector<Cell> cells) {
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns_[i].width = std::max(columns_[i].width, display_width(cells[i].text));
    columns_[i].used |= !cells[i].text.empty();
  }
  rows_.push_back(std::move(cells));
  below_.emplace_back();
}

void Table::below(std::string text) {
  if (!below_.empty()) below_.back() = std::move(text);
}

std::string Table::render(std::size_t width, bool color) const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].used) shown.push_back(i);

  constexpr std::size_t k_least_last = 12;
  std::string out;
  const auto line = [&](auto&& cell_of) {
    std::string text;
    std::size_t at = 2, pad = 2;
    for (const std::size_t i : shown) {
      const bool last = i == shown.back();
      const Cell cell = cell_of(i);
      const std::string fitted = last ? cut(cell.text, std::max(k_least_last, width > at ? width - at : 0)) : cell.text;
      const std::size_t spare = columns_[i].width - std::min(columns_[i].width, display_width(fitted));
      if (columns_[i].align == Align::right) pad += spare;
      if (!fitted.empty()) (text += std::string(pad, ' ')) += painted(fitted, cell.color, color), pad = 0;
      pad += columns_[i].align == Align::right ? 2 : spare + 2;
      at += columns_[i].width + 2;
    }
    (out += text) += '\n';
  };
  line([&](std::size_t i) { return Cell{columns_[i].head, Color::dim}; });
  constexpr std::size_t k_indent = 6;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    line([&](std::size_t i) { return rows_[r][i]; });
    if (!below_[r].empty())
      out += std::string(k_indent, ' ') +
             cut(below_[r], std::max(k_least_last, width > k_indent ? width - k_indent : 0)) + '\n';
  }
  return out;
}

}  // namespace snug::report
