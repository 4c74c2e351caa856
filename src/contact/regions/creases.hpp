#pragma once

#include "contact/regions/regions.hpp"
#include "support/rooms.hpp"

#include <span>
#include <vector>

namespace snug::contact {

/// Cosine of 30 degrees: the angle between directions of contact that are different ones. A tessellated cylinder of twelve sides stays
/// one wall; the corner of a room is two.
inline constexpr double k_same_direction = 0.86602540378443865;

/// A part of a patch without concave creases.
struct Piece {
  Patch patch;
  Vec3 area;  ///< outward normals times area of its part inside the other body
};

/// Splits the patch of one body where the surface has a concave crease. One piece, the whole patch, if there is none.
[[nodiscard]] std::vector<Piece> split_at_creases(const RegionBodies& bodies, std::span<const TrianglePair> pairs,
                                                  const Curves& curves, const Regions& regions, const Region& region,
                                                  std::uint8_t side);

}  // namespace snug::contact
