#pragma once

#include "support/rooms.hpp"

#include <string>
#include <string_view>

namespace snug::io {

/// Appends a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, so the result is always valid.
void append_json_string(std::string& out, std::string_view text);
/// Shortest text that reads back as the same number. Precondition: finite.
void append_json_number(std::string& out, double value);
void append_json_number(std::string& out, float value);

}  // namespace snug::io
