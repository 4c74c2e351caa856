#pragma once

#include <cstdint>
#include <string_view>

namespace snug::cli {

/// Seconds of a time with its unit (s, ms, us, min), above zero. Ends the program (wrong usage) for anything else; `what`
/// names the option.
[[nodiscard]] double parse_time(std::string_view text, std::string_view what);

/// A whole number from `least` to `most`; likewise.
[[nodiscard]] std::uint64_t parse_count(std::string_view text, std::string_view what, std::uint64_t least,
                                        std::uint64_t most);

}  // namespace snug::cli
