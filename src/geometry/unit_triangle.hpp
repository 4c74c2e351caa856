#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <cstdint>

namespace snug::geometry {

enum class UnitTriangleAnswer : std::uint8_t { disjoint, undecided, intersecting };

/// Do the triangles share a point? Independent of relation(): b is mapped to the unit triangle and a is examined there
/// (Zachmann and Knittel 2003), the form that suits a chip. Every value carries a bound on its rounding error, so the
/// answer is `disjoint` or `intersecting` only when that is certain; contact, coplanar and degenerate input come out
/// `undecided`.
[[nodiscard]] UnitTriangleAnswer unit_triangle_test(const Triangle& a, const Triangle& b) noexcept;

}  // namespace snug::geometry
