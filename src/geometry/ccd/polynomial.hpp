#pragma once

#include "geometry/long_int.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstddef>

// Polynomials in time with integer coefficients, and the exact signs of one at the roots of another.

namespace snug::geometry::moving {

inline constexpr int k_max_degree = 4;  // a derivative of a cubic times a quadratic

struct Polynomial {
  std::array<LongInt, k_max_degree + 1> coefficient;
  int degree = -1;  ///< -1: zero everywhere; otherwise the coefficient is not zero, and all beyond are

  [[nodiscard]] bool is_zero() const noexcept { return degree < 0; }
  [[nodiscard]] const LongInt& leading() const noexcept { return coefficient[static_cast<std::size_t>(degree)]; }
};

[[nodiscard]] Polynomial operator+(const Polynomial& a, const Polynomial& b);
[[nodiscard]] Polynomial operator-(const Polynomial& a, const Polynomial& b);
/// The product must not exceed k_max_degree.
[[nodiscard]] Polynomial operator*(const Polynomial& a, const Polynomial& b);

/// numerator / 2^places. Cells of [0, 1] are [k, k+1] / 2^places.
struct Dyadic {
  LongInt numerator;
  std::size_t places = 0;
};

[[nodiscard]] int sign_at(const Polynomial& p, const Dyadic& t, LimbArena& arena);
[[nodiscard]] int sign_at_zero(const Polynomial& p) noexcept;
[[nodiscard]] int sign_at_one(const Polynomial& p);

/// A positive multiple of the remainder of a divided by b, which is not zero.
[[nodiscard]] Polynomial remainder(Polynomial a, const Polynomial& b);

/// Bernstein coefficients over [0, 1] change sign as often as there are roots in (0, 1), or an even number more often: none and
/// one are certain. Degree at most 3.
[[nodiscard]] int sign_changes(const Polynomial& p);

/// Where p probably vanishes between 0 and 1, in doubles: a guess to be checked. Precondition: p changes sign in between.
[[nodiscard]] double guess_root(const Polynomial& p) noexcept;

/// Without the root t, however often it occurs. Precondition: p is not zero, and places is 0 or the numerator odd.
[[nodiscard]] Polynomial without_root(Polynomial p, const Dyadic& t, LimbArena& arena);

/// Signed remainders of p and p' q (Sturm and Tarski): between two places that are no roots of p, the change of sign
/// variations is the sum of the signs of q at the distinct roots of p in between; for q = 1 it is their number.
class RemainderSequence {
 public:
  explicit RemainderSequence(const Polynomial& p);
  RemainderSequence(const Polynomial& p, const Polynomial& q);

  [[nodiscard]] int variations(const Dyadic& t, LimbArena& arena) const;

 private:
  void extend();
  std::array<Polynomial, k_max_degree + 2> member_;
  std::size_t count_ = 0;
};

}  // namespace snug::geometry::moving
