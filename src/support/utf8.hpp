#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace snug::support {

/// Length of the UTF-8 sequence at the start of `text`, or 0 if there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

/// Appends the character that a byte stands for in Latin-1, as UTF-8. Bytes from 0x80 to 0x9F are taken for Windows-1252,
/// which has letters and quotation marks where Latin-1 has control characters.
void append_latin1(std::string& out, char byte);

}  // namespace snug::support
