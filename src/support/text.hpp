#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Words for people: error messages, tables, remarks.

namespace snug::support {

/// A piece of a file for an error message: in single quotes, at most some 40 characters, control and non-ASCII bytes
/// as \xNN, so that a hostile file can neither flood nor drive the terminal. "nothing" when empty.
[[nodiscard]] std::string quoted(std::string_view text);

/// What the system says of an error number.
[[nodiscard]] std::string system_reason(int error);

/// A number for people, to six digits; unlike std::to_string() the same in every locale.
[[nodiscard]] std::string number_text(double value);

/// "1 face", "2 faces".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

}  // namespace snug::support
