#pragma once

#include "io/bytes/byte_source.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

/// Lines longer than this are refused. It bounds memory; a polygon of a million corners still fits.
inline constexpr std::size_t k_max_line_bytes = std::size_t{16} << 20;

/// Text of a source from its current offset on, line by line. Line ends are LF or CRLF, the last may be missing; where
/// the beginning has a CR and no LF, as old Macintosh files do, they are CR. A UTF-8 byte order mark at the start of the
/// file is skipped. Two levels, which may be mixed between lines:
///
///   LineReader lines(source);
///   while (lines.next()) parse(lines.line());           // one line at a time
///   if (lines.failure()) return lines.failure_here();    // the loop also ends on failures
///
/// or, for speed, cursor()/limit() directly: whole lines, the last of which ends in LF even if the file's does not, so a
/// scanner that stops at LF needs no other bound.
class LineReader {
 public:
  explicit LineReader(ByteSource& source);

  /// Moves to the next line; false at the end of the data or on failure (read error, cancel, line too long).
  bool next();
  /// Without its line end. Valid until the next call of next(), fill() or join_continuation().
  [[nodiscard]] std::string_view line() const noexcept { return line_; }
  /// Of the line last returned by next(), from 1.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  /// Byte offset in the file of the line after the one last returned: where binary data starts after a text header.
  [[nodiscard]] std::uint64_t next_offset() const noexcept;

  /// While line() ends in a backslash, replaces it by a blank and appends the next line. number() stays that of the
  /// first line. False if the joined line becomes too long (see failure()).
  bool join_continuation();

  // The level below. Scan from cursor() to limit(), then say how far with advance(end of a line, lines passed).
  /// Lines passed so far; number() differs from it only after a join.
  [[nodiscard]] std::uint64_t passed() const noexcept { return passed_; }
  [[nodiscard]] const char* cursor() const noexcept { return cursor_; }
  [[nodiscard]] const char* limit() const noexcept { return limit_; }
  void advance(const char* to, std::uint64_t lines) noexcept { cursor_ = to, number_ = passed_ += lines; }
  /// Makes cursor() < limit() with whole lines in between; false at the end or on failure.
  bool fill();

  [[nodiscard]] const std::optional<IoError>& failure() const noexcept {
    return failure_ ? failure_ : source_.failure();
  }
  /// failure() as what a reader returns. Precondition: there is one.
  [[nodiscard]] Failure<IoError> failure_here() const { return Failure{failure().value_or(IoError{})}; }
  /// An error about the current line.
  [[nodiscard]] Failure<IoError> fail(IoError::Code code, std::string text) const;
  /// The file ended too early: an error at its last line, or the failure that made it look so.
  [[nodiscard]] Failure<IoError> fail_at_end(std::string_view expected) const;

 private:
  bool refuse_long_line(std::uint64_t number);

  ByteSource& source_;
  std::vector<char> buffer_;
  const char* cursor_ = nullptr;
  const char* limit_ = nullptr;  ///< end of the whole lines
  const char* end_ = nullptr;    ///< end of the bytes read
  std::string_view line_;
  std::uint64_t number_ = 0;     ///< of the current line, or the first of those joined
  std::uint64_t passed_ = 0;     ///< lines passed so far
  bool ends_in_cr_ = false;      ///< CR ends lines, and becomes LF as it is read
  bool added_line_end_ = false;  ///< the file's last line has none and got ours
  std::string joined_;
  std::optional<IoError> failure_;
};

}  // namespace snug::io
