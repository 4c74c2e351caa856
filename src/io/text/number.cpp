#include "io/text/number.hpp"

#include <cmath>

namespace snug::io {

namespace {

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with_word(const char* at, const char* end, std::string_view word) noexcept {
  for (const char c : word) {
    if (at == end || lower(*at) != c) return false;
    ++at;
  }
  return true;
}

/// Of a number that from_chars() finds beyond the range of doubles: true if it is too large rather than too small.
bool is_huge(const char* at, const char* end) noexcept {
  std::int64_t leading = 0;  // power of ten of the first digit that is not zero
  bool seen_digit = false, seen_point = false;
  for (; at != end && (is_digit(*at) || *at == '.'); ++at) {
    if (*at == '.') {
      seen_point = true;
      continue;
    }
    if (*at != '0') seen_digit = true;
    if (seen_digit && !seen_point) ++leading;
    if (!seen_digit && seen_point) --leading;
  }
  std::int64_t exponent = 0;
  if (at != end && lower(*at) == 'e') {
    ++at;
    const bool negative = at != end && *at == '-';
    if (parse_integer(at, end, exponent) != NumberState::ok) return !negative;
  }
  return exponent > -leading;
}

}  // namespace

NumberState parse_double_slowly(const char*& at, const char* end, double& value) noexcept {
  const char* p = at;
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  if (starts_with_word(p, end, "nan") || starts_with_word(p, end, "inf") || starts_with_word(p, end, "1.#"))
    return NumberState::non_finite;  // the last is how old Microsoft libraries write both
  if (p == end || !(is_digit(*p) || *p == '.')) return NumberState::malformed;

  double magnitude = 0;
  const auto [stop, error] = std::from_chars(p, end, magnitude);
  if (error == std::errc::invalid_argument) return NumberState::malformed;
  if (error == std::errc::result_out_of_range) {
    if (is_huge(p, stop)) return NumberState::non_finite;
    magnitude = 0;
  }
  if (!std::isfinite(magnitude)) return NumberState::non_finite;
  value = negative ? -magnitude : magnitude;
  at = stop;
  return NumberState::ok;
}

}  // namespace snug::io
