#pragma once

#include "contact/regions/regions.hpp"
#include "support/rooms.hpp"

#include <memory_resource>
#include <span>
#include <vector>

namespace snug::contact {

/// Cosine of 31 degrees: the angle between directions of contact that are different ones. A tessellated cylinder of twelve sides stays
/// one wall, whatever rounding makes of its 30 degrees; the corner of a room is two.
inline constexpr double k_same_direction = 0.85716730070211233;

/// A part of a patch without concave creases.
struct Piece {
  explicit Piece(std::pmr::memory_resource* memory) : patch(memory) {}

  Patch patch;
  Vec3 area;  ///< outward normals times area of its part inside the other body
};

/// Splits the patch of one body where the surface has a concave crease: the walls on both sides of it separate in different directions, so
/// they never come into one piece. A face that is connected to both, as the end of a step is to its wall and its ledge, adds to the area of
/// both, in proportion to the lengths of the edges between them; faces behind it are shared as it is. It bounds the depth of pieces that
/// have its direction, to within 31 degrees, and of no others. None if there is nothing to be split, or if all
/// pieces separate in one direction.
[[nodiscard]] std::pmr::vector<Piece> split_at_creases(const RegionBodies& bodies, std::span<const TrianglePair> pairs,
                                                       const Curves& curves, const Regions& regions,
                                                       std::uint32_t region, std::uint8_t side,
                                                       std::pmr::memory_resource* memory);

}  // namespace snug::contact
