#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <span>
#include <vector>

namespace snug::assembly {

/// A piece of the curve in which two surfaces cross that runs along an edge of one of them, or of both. No two triangles cross
/// there: each touches the other surface with its edge.
struct EdgeCrossing {
  Point3 from, to;
  double depth = 0;   ///< how far both surfaces reach through each other there, by the triangles at the edge
  TrianglePair pair;  ///< one of those that share the piece
};

/// Each piece once, whatever the number of triangles that share it; in a fixed order. Whether surfaces cross at an edge is
/// decided exactly, by the order of their triangles around it: they do if those of a and of b alternate. Triangles of both that
/// cover each other do not count as crossing.
[[nodiscard]] std::vector<EdgeCrossing> edge_crossings(const PosedSolid& a, const PosedSolid& b,
                                                       std::span<const TrianglePair> pairs);

}  // namespace snug::assembly
