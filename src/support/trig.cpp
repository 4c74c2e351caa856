#include "support/trig.hpp"

#include "support/assert.hpp"

#include <array>
#include <cmath>

namespace snug::support {

namespace {

/// Taylor polynomial in r^2, highest coefficient first.
template <std::size_t N>
double horner(double r2, const std::array<double, N>& coefficients) noexcept {
  double sum = 0;
  for (const double c : coefficients) sum = sum * r2 + c;
  return sum;
}

// On |r| <= pi/4 the first terms left out are below 3e-18.
double sine_kernel(double r) noexcept {
  constexpr std::array<double, 9> k_terms{1.0 / 355687428096000.0,
                                          -1.0 / 1307674368000.0,
                                          1.0 / 6227020800.0,
                                          -1.0 / 39916800.0,
                                          1.0 / 362880.0,
                                          -1.0 / 5040.0,
                                          1.0 / 120.0,
                                          -1.0 / 6.0,
                                          0.0};
  return r + r * horner(r * r, k_terms);
}
double cosine_kernel(double r) noexcept {
  constexpr std::array<double, 9> k_terms{1.0 / 20922789888000.0,
                                          -1.0 / 87178291200.0,
                                          1.0 / 479001600.0,
                                          -1.0 / 3628800.0,
                                          1.0 / 40320.0,
                                          -1.0 / 720.0,
                                          1.0 / 24.0,
                                          0.0,
                                          0.0};
  const double r2 = r * r;
  return 1 - (0.5 * r2 - horner(r2, k_terms));
}

struct Reduced {
  double r;       ///< in [-pi/4, pi/4]
  long quadrant;  ///< how many quarter turns were taken off
};

Reduced reduce(double radians) noexcept {
  SNUG_ASSERT(std::abs(radians) <= k_max_angle);
  // pi/2 in pieces of 33 bits: their products with the quadrant, up to 20 bits, are exact (Cody and Waite 1980).
  constexpr double k_half_pi_1 = 0x1.921fb54400000p+0, k_half_pi_2 = 0x1.0b4611a600000p-34,
                   k_half_pi_3 = 0x1.3198a2e037073p-69;
  const double q = std::nearbyint(radians * (2 / k_pi));
  const double r = ((radians - q * k_half_pi_1) - q * k_half_pi_2) - q * k_half_pi_3;
  SNUG_ASSERT(std::abs(r) <= k_pi / 4 * (1 + 0x1p-30));
  return {r, static_cast<long>(q)};
}

}  // namespace

double sine(double radians) noexcept {
  const auto [r, quadrant] = reduce(radians);
  switch (quadrant & 3) {
    case 0:
      return sine_kernel(r);
    case 1:
      return cosine_kernel(r);
    case 2:
      return -sine_kernel(r);
    default:
      return -cosine_kernel(r);
  }
}

double cosine(double radians) noexcept {
  const auto [r, quadrant] = reduce(radians);
  switch (quadrant & 3) {
    case 0:
      return cosine_kernel(r);
    case 1:
      return -sine_kernel(r);
    case 2:
      return -cosine_kernel(r);
    default:
      return sine_kernel(r);
  }
}

double arc_tangent_unit(double x) noexcept {
  SNUG_ASSERT(x >= 0 && x <= 1);
  // Halving the angle three times brings the argument below 0.0992, where nine terms suffice.
  for (int i = 0; i < 3; ++i) x = x / (1 + std::sqrt(1 + x * x));
  constexpr std::array<double, 9> k_terms{1.0 / 17, -1.0 / 15, 1.0 / 13, -1.0 / 11, 1.0 / 9,
                                          -1.0 / 7, 1.0 / 5,   -1.0 / 3, 0};
  return 8 * (x + x * horner(x * x, k_terms));
}

double angle_of(double x, double y) noexcept {
  SNUG_ASSERT(y >= 0);
  const double along = std::abs(x);
  if (!(along > 0) && !(y > 0)) return 0;
  const double acute = y <= along ? arc_tangent_unit(y / along) : k_pi / 2 - arc_tangent_unit(along / y);
  return x < 0 ? k_pi - acute : acute;
}

}  // namespace snug::support
