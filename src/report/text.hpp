#pragma once

#include "support/rooms.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Text as terminals show it. Independent of the locale, so that a report is the same everywhere.

namespace snug::report {

/// Columns a UTF-8 text takes: none for combining marks, two for wide East Asian characters and emoji.
[[nodiscard]] std::size_t display_width(std::string_view text) noexcept;

/// Control characters, characters that take no room and bytes that are not UTF-8 become '?': a name can not move the
/// cursor, nor hide what it holds.
[[nodiscard]] std::string printable(std::string_view text);

/// Each character with the marks that combine with it.
[[nodiscard]] std::vector<std::string_view> characters(std::string_view text);
/// The longest beginning of at most `width` columns.
[[nodiscard]] std::string_view head_of(std::string_view text, std::size_t width) noexcept;
/// The longest end of at most `width` columns.
[[nodiscard]] std::string_view tail_of(std::string_view text, std::size_t width) noexcept;

/// At most `width` columns: what is too long loses its middle, keeping more of the end, by which names of parts mostly
/// differ. DistinctNames is for columns of names.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);
/// The same, losing the end.
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);

/// Words broken into lines of at most `width` columns, each but the first indented; no newline at the end.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// Four significant digits, without an exponent where that is readable: "0.5", "12350", "2.2e-13".
[[nodiscard]] std::string short_number(double value);
/// The same, and "0" for what is no larger than the resolution: noise has no digits.
[[nodiscard]] std::string short_number(double value, double resolution);
/// A coordinate, to the power of ten that is the largest not above `step`: "5300000000.25". Without an exponent, unless
/// that would take more digits than a double has, or zeros behind the point that nobody counts.
[[nodiscard]] std::string coordinate(double value, double step);
/// "1 234 567" for readers.
[[nodiscard]] std::string grouped(std::uint64_t value);
/// "1 pair", "12 345 pairs".
[[nodiscard]] std::string grouped(std::uint64_t value, std::string_view singular, std::string_view plural);

enum class Color : std::uint8_t { none, bold, dim, red, yellow, magenta, cyan, green };
[[nodiscard]] std::string painted(std::string_view text, Color color, bool enabled);

/// Pages narrower than this get two short lines for a row instead of a long one.
inline constexpr std::size_t k_narrow = 110;

/// Cells in aligned columns.
class Table {
 public:
  enum class Align : std::uint8_t { left, right };
  struct Cell {
    std::string text;
    Color color = Color::none;
  };

  void column(std::string head, Align align = Align::left);
  /// As many cells as there are columns.
  void row(std::vector<Cell> cells);
  /// A line below the last row, for what a narrow page has no columns for.
  void below(std::string text);
  /// Columns without any text in their cells are left out; the last one is cut where it would pass `width`.
  [[nodiscard]] std::string render(std::size_t width, bool color) const;

 private:
  struct Column {
    std::string head;
    Align align;
    std::size_t width;
    bool used = false;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::string> below_;  ///< row by row, mostly empty
};

}  // namespace snug::report
