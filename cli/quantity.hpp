#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snug::cli {

/// Seconds of a time with its unit (s, ms, us, min), above zero. Ends the program (wrong usage) for anything else; `what`
/// names the option.
[[nodiscard]] double parse_time(std::string_view text, std::string_view what);

/// A whole number from `least` to `most`; likewise.
[[nodiscard]] std::uint64_t parse_count(std::string_view text, std::string_view what, std::uint64_t least,
                                        std::uint64_t most);

/// "1 step", "2 steps"; `singular` and `plural` hold what follows the number.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);
/// The same where the plural takes an s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular);

}  // namespace snug::cli
