#pragma once

#include "judge_support.hpp"

#include <snug/vec.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace snug::judge {

/// The ways two triangles can fail to be in general position.
enum class PairClass : std::uint8_t {
  near_coplanar,
  coplanar_overlapping,
  coplanar_touching,
  shared_vertex,
  shared_edge,
  vertex_on_face,
  edge_on_face,
  collinear_edges,
  degenerate,
  equal_intervals,
};
inline constexpr std::array<PairClass, 10> k_pair_classes{
    PairClass::near_coplanar, PairClass::coplanar_overlapping, PairClass::coplanar_touching, PairClass::shared_vertex,
    PairClass::shared_edge,   PairClass::vertex_on_face,       PairClass::edge_on_face,      PairClass::collinear_edges,
    PairClass::degenerate,    PairClass::equal_intervals};
[[nodiscard]] std::string_view to_string(PairClass pair_class);

/// What becomes of a pair that was built on an integer grid, where its degeneracy holds exactly.
enum class Placement : std::uint8_t {
  exact,    ///< scaled by a power of two and moved without rounding: the degeneracy survives bit for bit
  nudged,   ///< as exact, then one to six coordinates moved by an ulp or two: its nearest neighbours
  rotated,  ///< turned by a random rotation and moved with rounding: what real data make of it
};

struct TrianglePair {
  Triangle a, b;
  Placement placement = Placement::exact;
};

/// A pair of the class, sizes from 1e-9 to 1e9, as far as 1e7 from the origin; half exact, a quarter each of the rest.
[[nodiscard]] TrianglePair degenerate_pair(PairClass pair_class, Random& random);

/// A pair in general position: full-length random coordinates, fat and sliver triangles, small and large against one
/// another, close enough that more than a third intersect.
[[nodiscard]] TrianglePair generic_pair(Random& random);

}  // namespace snug::judge
