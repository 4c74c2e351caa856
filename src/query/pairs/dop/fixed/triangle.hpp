#pragma once

#include "query/pairs/dop/fixed/format.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstddef>

// The unit-triangle test in fixed point, without division: the golden model of the chip's triangle unit. docs/triangle-unit.md
// has the formulas, widths and rounding directions, and proves that triangles which share a point are always kept.

namespace snug::query::fixed {

/// A point, or a difference of two, in units of 2^-b.
using Corner = std::array<std::int64_t, 3>;
using TriangleWords = std::array<Corner, 3>;

inline constexpr unsigned k_most_triangle_width = 35;  ///< W; triple products then fit 128 bits

/// What the host sends for the triangles of a pair of bodies: how those of b come into the frame of a.
struct Placement {
  std::array<std::int64_t, 9> rotation{};  ///< row-major, in units of 2^-c, W bits
  Corner translation{};                    ///< W + 2 bits
  unsigned slack = 3;   ///< s: coordinates of differences between corners are right to within 2^s units
  bool usable = false;  ///< false if the bodies are too far apart for words: every pair is kept then
};

/// To the nearest whole number, halves up.
[[nodiscard]] constexpr std::int64_t rounded(double x) noexcept { return rounded_down(x + 0.5); }

/// A coordinate from -1 to 1, in W bits.
[[nodiscard]] constexpr std::int64_t coordinate(double x, unsigned b) noexcept {
  const double largest = power_of_two(static_cast<int>(b)) - 1;
  return rounded(std::clamp(x, -1.0, 1.0) * largest);
}

/// A corner of b in the frame of a: W + 3 bits.
[[nodiscard]] constexpr Corner placed(const Corner& x, const Placement& p, unsigned c) noexcept {
  Corner at{};
  for (std::size_t i = 0; i < 3; ++i) {
    int128 sum = static_cast<int128>(1) << (c - 1);  // half a unit: the shift rounds down
    for (std::size_t j = 0; j < 3; ++j) sum += static_cast<int128>(p.rotation[3 * i + j]) * x[j];
    at[i] = static_cast<std::int64_t>(sum >> c) + p.translation[i];
  }
  return at;
}
[[nodiscard]] constexpr TriangleWords placed(const TriangleWords& t, const Placement& p, unsigned c) noexcept {
  return {placed(t[0], p, c), placed(t[1], p, c), placed(t[2], p, c)};
}

namespace triangle {

using WideCorner = std::array<int128, 3>;

[[nodiscard]] constexpr Corner minus(const Corner& a, const Corner& b) noexcept {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
[[nodiscard]] constexpr WideCorner cross(const Corner& a, const Corner& b) noexcept {
  const auto two = [&](std::size_t i, std::size_t j) {
    return static_cast<int128>(a[i]) * b[j] - static_cast<int128>(a[j]) * b[i];
  };
  return {two(1, 2), two(2, 0), two(0, 1)};
}
[[nodiscard]] constexpr int128 dot(const WideCorner& a, const Corner& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// +1 or -1 if the exact value is certain to have that sign, else 0.
[[nodiscard]] constexpr int certain_sign(int128 value, int128 error) noexcept {
  return value > error ? 1 : value < -error ? -1 : 0;
}
[[nodiscard]] constexpr bool one_side(const std::array<int, 3>& signs) noexcept {
  return signs[0] != 0 && signs[0] == signs[1] && signs[1] == signs[2];
}

/// The box of both triangles: whether it tells them apart along a coordinate, and its longest side.
struct CommonBox {
  bool apart = false;
  std::int64_t side = 0;
};
[[nodiscard]] constexpr CommonBox common_box(const TriangleWords& a, const TriangleWords& b,
                                             std::int64_t slack) noexcept {
  CommonBox box;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [low_a, high_a] = std::minmax({a[0][i], a[1][i], a[2][i]});
    const auto [low_b, high_b] = std::minmax({b[0][i], b[1][i], b[2][i]});
    box.apart = box.apart || low_a - high_b > slack || low_b - high_a > slack;
    box.side = std::max(box.side, std::max(high_a, high_b) - std::min(low_a, low_b));
  }
  return box;
}

}  // namespace triangle

/// Can the triangles share a point? Never false if the exact ones do. Both in the frame of a, b placed.
[[nodiscard]] constexpr bool may_meet(const TriangleWords& a, const TriangleWords& b, unsigned slack_bits) noexcept {
  using namespace triangle;
  const std::int64_t slack = std::int64_t{1} << slack_bits;
  const CommonBox box = common_box(a, b, slack);
  if (box.apart) return false;
  // Every value below is a triple product of differences between corners: six products of three numbers of at most `side`.
  const int128 reach = box.side + slack, error = 18 * slack * reach * reach;

  // b becomes the unit triangle (0,0), (1,0), (0,1) along e1 and e2.
  const Corner e1 = minus(b[1], b[0]), e2 = minus(b[2], b[0]);
  const std::array<Corner, 3> p{minus(a[0], b[0]), minus(a[1], b[0]), minus(a[2], b[0])};
  const WideCorner normal = cross(e1, e2);
  std::array<int128, 3> height{};  // above the plane of b
  std::array<int, 3> side{};
  for (std::size_t i = 0; i < 3; ++i) {
    height[i] = dot(normal, p[i]);
    side[i] = certain_sign(height[i], error);
  }
  if (one_side(side)) return false;

  // Where the edge from p_i to the next one pierces that plane, homogeneous: u, v and what is left to 1, over `total`.
  std::array<std::array<int128, 3>, 3> pierce{};
  int128 sum_u = 0, sum_v = 0, volume = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t k = (i + 1) % 3;
    const WideCorner edge = cross(p[i], p[k]);
    const int128 u = -dot(edge, e2), v = dot(edge, e1), total = height[k] - height[i];
    pierce[i] = {u, v, total - u - v};
    sum_u += u;
    sum_v += v;
    if (i == 0) volume = dot(edge, p[2]);
  }
  // Heights of b's corners above the plane of a come from the same numbers.
  if (one_side(
          {certain_sign(-volume, error), certain_sign(sum_v - volume, error), certain_sign(-sum_u - volume, error)}))
    return false;

  // Apart, if wherever the plane can be pierced it is beyond one and the same side of the unit triangle.
  std::array<bool, 3> beyond{true, true, true};
  for (std::size_t i = 0; i < 3; ++i) {
    const int from = side[i], to = side[(i + 1) % 3];
    if (from == 0 && to == 0) return true;
    if (from == to) continue;
    const int up = to > 0 || from < 0 ? 1 : -1;
    for (std::size_t m = 0; m < 3; ++m) beyond[m] = beyond[m] && certain_sign(pierce[i][m], error) == -up;
  }
  return !(beyond[0] || beyond[1] || beyond[2]);
}

}  // namespace snug::query::fixed
