#pragma once

#include "geometry/orient.hpp"
#include "support/rooms.hpp"

#include <snug/triangle.hpp>

#include <array>
#include <cstdint>
#include <utility>

// Two triangles in general position meet, if at all, on the line common to their planes, where each covers an interval.
// Guigue and Devillers (2003) compare the ends of these intervals by orientation signs alone.

namespace snug::geometry {

/// A triangle turned so that `apex` is alone on its side of the other's plane (or alone on that plane), and the edges
/// apex–q and apex–r carry the ends of its interval. Neither edge lies in the other's plane.
struct Arranged {
  const Point3* apex;
  const Point3* q;
  const Point3* r;
  int side;       ///< +1 or -1: the apex counts as being on that side
  bool is_point;  ///< the interval is the apex itself
};

inline bool all_positive_or_all_negative(const std::array<int, 3>& s) noexcept {
  const int sum = s[0] + s[1] + s[2];
  return sum == 3 || sum == -3;
}

/// Has the triangle corners strictly on both sides?
inline bool straddles(const std::array<int, 3>& s) noexcept {
  return (s[0] > 0 || s[1] > 0 || s[2] > 0) && (s[0] < 0 || s[1] < 0 || s[2] < 0);
}

/// How to turn a triangle, by the signs of its corners.
struct Turn {
  std::uint8_t apex = 0;
  std::int8_t side = 0;
  bool is_point = false;
};

constexpr Turn turn_for(const std::array<int, 3>& s) noexcept {
  for (std::size_t i = 0; i < 3; ++i)
    if (s[i] != 0 && s[i] * s[(i + 1) % 3] <= 0 && s[i] * s[(i + 2) % 3] <= 0)
      return {static_cast<std::uint8_t>(i), static_cast<std::int8_t>(s[i]), false};
  // (0, s, s): only the corner on the plane meets it. Other signs never get here.
  const std::size_t i = s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2;
  return {static_cast<std::uint8_t>(i), static_cast<std::int8_t>(-s[(i + 1) % 3]), true};
}

constexpr std::size_t sign_code(const std::array<int, 3>& s) noexcept {
  const int code = 9 * s[0] + 3 * s[1] + s[2] + 13;
  return static_cast<std::size_t>(code);
}

/// All 27 answers, so that turning a triangle takes no branches.
inline constexpr std::array<Turn, 27> k_turns = [] {
  std::array<Turn, 27> table;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) table[sign_code({i, j, k})] = turn_for({i, j, k});
  return table;
}();

/// Precondition: the signs are neither all equal and non-zero, nor all zero.
inline Arranged arrange(const Triangle& t, const std::array<int, 3>& s) noexcept {
  constexpr std::array<std::uint8_t, 5> k_cyclic{0, 1, 2, 0, 1};
  const Turn turn = k_turns[sign_code(s)];
  return {&t[turn.apex], &t[k_cyclic[turn.apex + 1U]], &t[k_cyclic[turn.apex + 2U]], turn.side, turn.is_point};
}

/// Sides of the corners of `t` relative to the plane of `plane`; exact.
inline std::array<int, 3> sides_of_plane(const Triangle& plane, const Triangle& t) noexcept {
  const PlaneFilter filter(plane[1] - plane[0], plane[2] - plane[0]);
  std::array<int, 3> s{filter.side(t[0] - plane[0]), filter.side(t[1] - plane[0]), filter.side(t[2] - plane[0])};
  if (s[0] * s[1] * s[2] == 0) [[unlikely]] {
    for (std::size_t i = 0; i < 3; ++i)
      if (s[i] == 0) s[i] = unsure_side_of_plane(plane[0], plane[1], plane[2], t[i]);
  }
  return s;
}

/// Both negative: the intervals overlap in a segment. One zero: they meet end to end. One positive: they are apart.
struct IntervalSigns {
  int first, second;
};

/// Orders both triangles so that each apex lies on the positive side of the other's plane, then compares the ends.
inline IntervalSigns compare_intervals(Arranged& a, Arranged& b) noexcept {
  if (a.side < 0) std::swap(b.q, b.r);
  if (b.side < 0) std::swap(a.q, a.r);
  const int first = side_of_plane(*a.apex, *a.q, *b.apex, *b.q);
  if (first > 0) return {first, 0};
  return {first, side_of_plane(*a.apex, *a.r, *b.r, *b.apex)};
}

}  // namespace snug::geometry
