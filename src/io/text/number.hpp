#pragma once

#include "support/rooms.hpp"

#include <snug/pose.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

namespace snug::io {

enum class NumberState : std::uint8_t {
  ok,
  malformed,   ///< no number starts here
  non_finite,  ///< NaN, infinity, or too large for the type
};

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return static_cast<unsigned char>(c - '0') < 10; }
/// Blank within a line. CR counts, so that CRLF needs no further care.
[[nodiscard]] constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
[[nodiscard]] constexpr bool is_space(char c) noexcept { return is_blank(c) || c == '\n'; }

inline const char* skip_blanks(const char* at, const char* end) noexcept {
  while (at != end && is_blank(*at)) ++at;
  return at;
}
/// End of the word that starts at `at`.
inline const char* skip_word(const char* at, const char* end) noexcept {
  while (at != end && !is_space(*at)) ++at;
  return at;
}

/// Whatever the fast path of parse_double() leaves: many digits, large exponents, nan, inf, nonsense.
NumberState parse_double_slowly(const char*& at, const char* end, double& value) noexcept;

inline constexpr double k_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Decimal number at `at`, correctly rounded, `at` moved behind it: [+-]digits[.digits][e[+-]digits], with digits on at
/// least one side of the point. Not locale-dependent. A value too small for a double becomes zero. What follows the
/// number is the caller's to check. On anything but ok `at` stays.
inline NumberState parse_double(const char*& at, const char* end, double& value) noexcept {
  const char* p = at;
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  // Up to 19 digits fit into 64 bits. If the digits read as an integer stay below 2^53 and the power of ten is exact,
  // one multiplication or division rounds correctly (Clinger 1990). The rest is left to std::from_chars.
  const char* const digits = p;
  std::uint64_t mantissa = 0;
  while (p != end && is_digit(*p)) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*p++ - '0');
  std::ptrdiff_t count = p - digits;
  std::ptrdiff_t exponent = 0;
  if (p != end && *p == '.') {
    const char* const fraction = ++p;
    while (p != end && is_digit(*p)) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*p++ - '0');
    exponent = fraction - p;
    count -= exponent;
  }
  if (count == 0 || count > 19 || mantissa > (std::uint64_t{1} << 53) || exponent < -22 ||
      (p != end && (*p == 'e' || *p == 'E' || *p == '#')))
    return parse_double_slowly(at, end, value);
  const double magnitude = static_cast<double>(mantissa) / k_powers_of_ten[-exponent];
  value = negative ? -magnitude : magnitude;
  at = p;
  return NumberState::ok;
}

/// A coordinate: parse_double(), and non_finite beyond k_max_coordinate.
inline NumberState parse_coordinate(const char*& at, const char* end, double& value) noexcept {
  const char* const start = at;
  const NumberState state = parse_double(at, end, value);
  if (state != NumberState::ok || (value <= k_max_coordinate && value >= -k_max_coordinate)) return state;
  at = start;
  return NumberState::non_finite;
}

/// Whole number at `at`, with sign; non_finite when it does not fit. On anything but ok `at` stays.
inline NumberState parse_integer(const char*& at, const char* end, std::int64_t& value) noexcept {
  const char* p = at;
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  const char* const digits = p;
  std::uint64_t magnitude = 0;
  while (p != end && is_digit(*p)) magnitude = 10 * magnitude + static_cast<std::uint64_t>(*p++ - '0');
  if (p == digits) return NumberState::malformed;
  if (p - digits > 18) {  // rare: leading zeros, or too large
    const auto [stop, error] = std::from_chars(digits, p, magnitude);
    if (error != std::errc{} || magnitude > static_cast<std::uint64_t>(INT64_MAX)) return NumberState::non_finite;
  }
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  at = p;
  return NumberState::ok;
}

/// Infinite where single precision ends.
[[nodiscard]] inline float to_single(double value) noexcept {
  constexpr float k_largest = std::numeric_limits<float>::max(), k_infinity = std::numeric_limits<float>::infinity();
  if (std::abs(value) <= static_cast<double>(k_largest)) return static_cast<float>(value);
  return value > 0 ? k_infinity : -k_infinity;
}

}  // namespace snug::io
