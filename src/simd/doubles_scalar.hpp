#pragma once

#include "support/rooms.hpp"

// Four doubles as a plain array, rounded lane by lane as vector instructions do.

namespace snug::lanes::scalar {

struct FourDoubles {
  double lane[4];

  explicit FourDoubles(double all) noexcept : lane{all, all, all, all} {}
  FourDoubles(double a, double b, double c, double d) noexcept : lane{a, b, c, d} {}
  void store(double* to) const noexcept {
    for (int i = 0; i < 4; ++i) to[i] = lane[i];
  }
  template <class Operation>
  static FourDoubles each(const FourDoubles& a, const FourDoubles& b, Operation&& operation) noexcept {
    return {operation(a.lane[0], b.lane[0]), operation(a.lane[1], b.lane[1]), operation(a.lane[2], b.lane[2]),
            operation(a.lane[3], b.lane[3])};
  }
};

inline FourDoubles operator+(const FourDoubles& a, const FourDoubles& b) noexcept {
  return FourDoubles::each(a, b, [](double x, double y) { return x + y; });
}
inline FourDoubles operator-(const FourDoubles& a, const FourDoubles& b) noexcept {
  return FourDoubles::each(a, b, [](double x, double y) { return x - y; });
}
inline FourDoubles operator*(const FourDoubles& a, const FourDoubles& b) noexcept {
  return FourDoubles::each(a, b, [](double x, double y) { return x * y; });
}
inline FourDoubles abs(const FourDoubles& a) noexcept {
  return FourDoubles::each(a, a, [](double x, double) { return __builtin_fabs(x); });
}
/// The second, third and first lane; the fourth stays or becomes open.
inline FourDoubles yzx(const FourDoubles& a) noexcept { return {a.lane[1], a.lane[2], a.lane[0], a.lane[3]}; }
/// The second, third, first and third lane: of the corners of a triangle those that follow, if the fourth lane begins at the second.
inline FourDoubles next_corners(const FourDoubles& a) noexcept { return {a.lane[1], a.lane[2], a.lane[0], a.lane[2]}; }
/// a, with the first lane of b as its fourth.
inline FourDoubles first_at_last(const FourDoubles& a, const FourDoubles& b) noexcept {
  return {a.lane[0], a.lane[1], a.lane[2], b.lane[0]};
}
/// The lanes in which a is larger.
inline unsigned greater(const FourDoubles& a, const FourDoubles& b) noexcept {
  unsigned lanes = 0;
  for (unsigned i = 0; i < 4; ++i) lanes |= static_cast<unsigned>(a.lane[i] > b.lane[i]) << i;
  return lanes;
}
/// a b - product, where product is a b rounded: exact for factors below 2^990 unless it underflows, by Dekker (1971).
inline double product_error(double a, double b, double product) noexcept {
  constexpr double k_split = 0x1p27 + 1;
  const double split_a = k_split * a, split_b = k_split * b;
  const double a_hi = split_a - (split_a - a), b_hi = split_b - (split_b - b), a_lo = a - a_hi, b_lo = b - b_hi;
  return (((a_hi * b_hi - product) + a_hi * b_lo) + a_lo * b_hi) + a_lo * b_lo;
}
inline FourDoubles product_error(const FourDoubles& a, const FourDoubles& b, const FourDoubles& product) noexcept {
  return {product_error(a.lane[0], b.lane[0], product.lane[0]), product_error(a.lane[1], b.lane[1], product.lane[1]),
          product_error(a.lane[2], b.lane[2], product.lane[2]), product_error(a.lane[3], b.lane[3], product.lane[3])};
}

}  // namespace snug::lanes::scalar
