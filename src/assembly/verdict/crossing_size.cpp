#include "assembly/verdict/crossing_size.hpp"

#include "assembly/verdict/edge_crossings.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/escape.hpp"
#include "penetration/places.hpp"

#include <algorithm>

namespace snug::assembly {

Crossing crossing_size(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                       std::span<const Vec3> directions, double resolution) {
  Crossing out;
  double reach = resolution;  // the scale of the search: how far single triangles reach through each other
  for (const TrianglePair& pair : pairs) {
    if (pair.relation != Relation::crossing) continue;
    const Triangle ta = a.body().triangle(pair.a), tb = b.body().triangle(pair.b);
    const TriangleIntersection shared = intersection(ta, tb);
    if (shared.count >= 2) out.length += length_of(shared.corner[1] - shared.corner[0]);
    reach = std::max(reach, mutual_reach(ta, tb));
  }
  for (const EdgeCrossing& piece : edge_crossings(a, b, pairs)) {
    out.length += length_of(piece.to - piece.from);
    reach = std::max(reach, piece.depth);
  }
  Escape way = escape_by_plane(a, b, directions);
  if (const auto shorter = shorter_escape(a, b, directions, reach, way)) way = *shorter;
  way = verified(a, b, way, resolution);
  out.depth = way.length;
  out.escape = way.translation;
  return out;
}

}  // namespace snug::assembly
