#pragma once

#include "support/rooms.hpp"

#include <cmath>

namespace snug::geometry {

/// The unevaluated sum of two doubles, about 106 bits (Dekker 1971). Operands must stay well inside the range of
/// doubles: callers scale first. Without fused operations, so the bits are the same on every machine.
struct DoubleDouble {
  double hi = 0, lo = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : hi(value) {}
  constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}

  explicit constexpr operator double() const { return hi + lo; }

  /// a + b without error.
  static constexpr DoubleDouble sum(double a, double b) {
    const double s = a + b;
    const double bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
  }
  static constexpr DoubleDouble renormalised(double hi, double lo) {
    const double s = hi + lo;
    return {s, lo - (s - hi)};
  }
  /// a * b without error.
  static constexpr DoubleDouble product(double a, double b) {
    constexpr double k_split = 0x1p27 + 1;
    const double ca = k_split * a, cb = k_split * b;
    const double ah = ca - (ca - a), bh = cb - (cb - b);
    const double al = a - ah, bl = b - bh;
    const double p = a * b;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
  }

  friend constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble s = sum(a.hi, b.hi);
    const DoubleDouble t = sum(a.lo, b.lo);
    const DoubleDouble u = renormalised(s.hi, s.lo + t.hi);
    return renormalised(u.hi, u.lo + t.lo);
  }
  friend constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }
  friend constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
  friend constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble p = product(a.hi, b.hi);
    return renormalised(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
  }
  friend constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double q0 = a.hi / b.hi;
    const DoubleDouble r0 = a - b * q0;
    const double q1 = r0.hi / b.hi;
    const DoubleDouble r1 = r0 - b * q1;
    return renormalised(q0, q1) + DoubleDouble(r1.hi / b.hi);
  }
  friend constexpr bool operator<(DoubleDouble a, DoubleDouble b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
  }
  friend constexpr bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }
  friend constexpr bool operator<=(DoubleDouble a, DoubleDouble b) { return !(b < a); }
  friend constexpr bool operator>=(DoubleDouble a, DoubleDouble b) { return !(a < b); }
};

/// to - from without error.
inline constexpr DoubleDouble exact_difference(double to, double from) { return DoubleDouble::sum(to, -from); }

/// scale * (to - from), the scale a power of two. Scaled down before and up after the subtraction, so that neither the
/// difference of two huge coordinates nor the scaling of a large one overflows.
inline constexpr DoubleDouble scaled_difference(double to, double from, double scale) {
  if (scale < 1) return exact_difference(scale * to, scale * from);
  const DoubleDouble d = exact_difference(to, from);
  return {scale * d.hi, scale * d.lo};
}

}  // namespace snug::geometry
