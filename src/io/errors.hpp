#pragma once

#include <snug/io.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace snug::io {

/// A failure that concerns a file as a whole. Where a place in it is known, prefer fail() of the reader at hand, which
/// fills in the line or the byte.
[[nodiscard]] inline Failure<IoError> failure(IoError::Code code, std::string path, std::string text) {
  return Failure{IoError{code, std::move(path), std::nullopt, std::nullopt, std::move(text)}};
}
[[nodiscard]] inline Failure<IoError> failure_at_line(IoError::Code code, std::string path, std::uint64_t line,
                                                      std::string text) {
  return Failure{IoError{code, std::move(path), line, std::nullopt, std::move(text)}};
}
[[nodiscard]] inline Failure<IoError> failure_at_byte(IoError::Code code, std::string path, std::uint64_t byte,
                                                      std::string text) {
  return Failure{IoError{code, std::move(path), std::nullopt, byte, std::move(text)}};
}

/// A piece of a file for an error message: in single quotes, at most some 40 characters, control and non-ASCII bytes
/// as \xNN, so that a hostile file can neither flood nor drive the terminal. "nothing" when empty.
[[nodiscard]] std::string quoted(std::string_view text);

/// What the system says of an error number.
[[nodiscard]] std::string system_reason(int error);

/// A number for people, to six digits; unlike std::to_string() the same in every locale.
[[nodiscard]] std::string number_text(double value);

/// "1 face", "2 faces".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

}  // namespace snug::io
