#pragma once

#include "io/text/line_reader.hpp"
#include "io/text/number.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <string_view>

namespace snug::io {

/// Words of a text in which line ends mean no more than blanks, with the line each stands on.
class TextScanner {
 public:
  explicit TextScanner(LineReader& lines) : lines_(lines) {}

  /// The next word; empty at the end of the data or on failure. Valid until the next call.
  std::string_view word() {
    if (!seek()) return {};
    const char* const start = at_;
    at_ = skip_word(at_, lines_.limit());
    lines_.advance(at_, 0);
    return {start, at_};
  }
  /// What is left of the current line, without blanks at either end.
  std::string_view rest_of_line() {
    at_ = lines_.cursor();
    const char* const end = lines_.limit();
    const char* const start = at_ = skip_blanks(at_, end);
    while (at_ != end && *at_ != '\n') ++at_;
    lines_.advance(at_, 0);
    const char* stop = at_;
    while (stop != start && is_blank(stop[-1])) --stop;
    return {start, stop};
  }
  /// Number at the next word; on anything but ok nothing is passed over but blanks. The word must end with the number.
  NumberState coordinate(double& value) {
    if (!seek()) return NumberState::malformed;
    const NumberState state = parse_coordinate(at_, lines_.limit(), value);
    if (state == NumberState::ok && at_ != lines_.limit() && !is_space(*at_)) return NumberState::malformed;
    lines_.advance(at_, 0);
    return state;
  }

  /// Line of the last word, from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return lines_.passed() + 1; }

 private:
  /// Moves to the next character that is not space.
  bool seek() {
    for (;;) {
      if (!lines_.fill()) return false;
      const char* const end = lines_.limit();
      std::uint64_t passed = 0;
      for (at_ = lines_.cursor(); at_ != end && is_space(*at_); ++at_)
        if (*at_ == '\n') ++passed;
      lines_.advance(at_, passed);
      if (at_ != end) return true;
    }
  }

  LineReader& lines_;
  const char* at_ = nullptr;
};

}  // namespace snug::io
