#pragma once

#include "geometry/orient.hpp"
#include "support/rooms.hpp"

#include <cmath>

namespace snug::geometry {

/// A double with a bound on how far it may lie from the exact value it stands for.
struct Bounded {
  double value = 0;
  double error = 0;

  constexpr Bounded() = default;
  constexpr Bounded(double v) : value(v) {}
  Bounded(double v, double propagated) noexcept
      // The result's own rounding, underflow, and room for the rounding of the bound itself.
      : value(v), error(propagated * (1 + 8 * k_unit_roundoff) + std::abs(v) * (2 * k_unit_roundoff) + k_underflow) {}

  friend Bounded operator+(Bounded a, Bounded b) noexcept { return {a.value + b.value, a.error + b.error}; }
  friend Bounded operator-(Bounded a, Bounded b) noexcept { return {a.value - b.value, a.error + b.error}; }
  friend Bounded operator-(Bounded a) noexcept {
    a.value = -a.value;
    return a;
  }
  friend Bounded operator*(Bounded a, Bounded b) noexcept {
    return {a.value * b.value, std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error};
  }

  /// +1 or -1 when certain, otherwise 0: a value of zero never is. Infinity and NaN are unsure.
  [[nodiscard]] int sign() const noexcept { return filtered_sign(value, error); }
};

}  // namespace snug::geometry
