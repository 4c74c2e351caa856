#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <array>
#include <cstdint>

namespace snug::geometry {

/// The exact difference to - from, unevaluated.
struct Difference {
  const Point3* to;
  const Point3* from;
};
inline constexpr Point3 k_origin{};

/// Exact sign of the determinant with these rows, for any finite doubles. Slow (tens to hundreds of nanoseconds, a few
/// microseconds when exponents lie hundreds apart): filters come first.
[[nodiscard]] int exact_sign_det3(Difference row0, Difference row1, Difference row2) noexcept;

/// Exact sign of det(b-a, c-a, d-a).
[[nodiscard]] int exact_side_of_plane(const Point3& a, const Point3& b, const Point3& c, const Point3& d) noexcept;

/// Exact sign of (bx-ax)(cy-ay) - (by-ay)(cx-ax).
[[nodiscard]] int exact_sign_det2(double ax, double ay, double bx, double by, double cx, double cy) noexcept;

/// How often this thread has left the filters for exact arithmetic; benchmarks and tests print it.
[[nodiscard]] std::uint64_t exact_sign_calls() noexcept;

}  // namespace snug::geometry
