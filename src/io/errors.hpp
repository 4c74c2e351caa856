#pragma once

#include "support/rooms.hpp"
#include "support/text.hpp"

#include <snug/io.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace snug::io {

using support::counted;
using support::number_text;
using support::quoted;
using support::system_reason;

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

}  // namespace snug::io
