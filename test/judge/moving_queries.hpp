#pragma once

#include "judge_support.hpp"

#include <snug/ccd.hpp>

#include <array>
#include <string>
#include <string_view>

namespace snug::judge {

/// Four moving points: a vertex and a face, or two edges.
using MovingPoints = std::array<MovingPoint, 4>;

enum class MovingKind {
  random,        ///< anywhere
  grid,          ///< small whole numbers: everything degenerate that there is
  resting,       ///< nothing moves
  touch_start,   ///< in one plane at the start, on a grid
  touch_end,     ///< in one plane at the end
  sliding,       ///< in one plane all the time
  flat_random,   ///< the same, off the grid
  parallel,      ///< two of the points' differences stay parallel
  collapsing,    ///< three points on one line at the start, at the end or always
  near_miss,     ///< a contact in the middle, made by rounding and moved by a few units in the last place
  far_away,      ///< whole numbers a million away from the origin
  translated,    ///< two groups that move without turning
  mixed_scales,  ///< coordinates of very different size
  count_
};
[[nodiscard]] std::string_view to_string(MovingKind kind);

/// Scaled by a power of ten from 1e-6 to 1e6, or by one of two that keeps degeneracies exact.
[[nodiscard]] MovingPoints moving_query(MovingKind kind, bool vertex_face, Random& random);

[[nodiscard]] std::string to_hex(const MovingPoints& points);

}  // namespace snug::judge
