#pragma once

#include "chip/cosim/stimulus.hpp"
#include "chip/cosim/triangle_unit.hpp"

namespace snug::hardware {

/// The kinds of pairs, in the shares in which random_triangles() makes them.
enum class TriangleKind : std::uint8_t {
  random,   ///< any words, any placement
  legal,    ///< a rotation, triangles of all sizes about the same place
  extreme,  ///< greatest and least words and their neighbours
  edge,     ///< one of the values is exactly at its error, or off by little
  flat,     ///< triangles in one plane, along a coordinate or nearly so
};
inline constexpr unsigned k_triangle_kinds = 5;

/// A pair and the placement it is asked with.
struct PlacedTest {
  Placement placement;
  TriangleTest test;
};
[[nodiscard]] PlacedTest random_triangles(Random& random, const Configuration& configuration, TriangleKind kind);

}  // namespace snug::hardware
