#pragma once

// One file per command; each returns the program's exit code.

namespace snug::cli {

inline constexpr int k_clean = 0;
inline constexpr int k_findings = 1;
inline constexpr int k_wrong_usage = 2;
inline constexpr int k_unreadable_input = 3;
inline constexpr int k_incomplete = 4;
inline constexpr int k_internal_error = 5;

[[nodiscard]] int demo();

}  // namespace snug::cli
