#pragma once

#include "shape/posed.hpp"
#include "support/rooms.hpp"

namespace snug::shape {

/// A box that holds every posed vertex of whatever lies in `bounds`.
[[nodiscard]] Aabb posed_bounds(const Aabb& bounds, const Pose& pose) noexcept;
/// The box of the posed corners of a mesh.
[[nodiscard]] Aabb exact_bounds(const Mesh& mesh, const Pose& pose);
/// A box that holds every posed vertex of a mesh, or all of a primitive; the whole world for a half-space or plane.
[[nodiscard]] Aabb posed_bounds(const Posed& body) noexcept;
[[nodiscard]] inline Aabb posed_bounds(const Shape& shape, const Pose& pose) noexcept {
  return posed_bounds({shape, pose});
}

/// More than `gap` apart along an axis. Rounding is monotone: a true difference within the gap stays within it.
[[nodiscard]] inline bool apart(const Aabb& a, const Aabb& b, double gap) noexcept {
  return a.lo.x - b.hi.x > gap || b.lo.x - a.hi.x > gap || a.lo.y - b.hi.y > gap || b.lo.y - a.hi.y > gap ||
         a.lo.z - b.hi.z > gap || b.lo.z - a.hi.z > gap;
}

/// posing_error() of the bounds; of a half-space or plane that of its distance from the origin.
[[nodiscard]] double posing_error(const Posed& body) noexcept;

}  // namespace snug::shape
