#pragma once

#include "contact/vertex_rays.hpp"
#include "support/rooms.hpp"

#include <optional>

namespace snug::contact {

/// Rays of thin bodies leave them before they leave the other: of a card that lies in a floor but for one edge no corner tells. Tells of
/// a place by corners that lie deep along the way that parts it: those that are found by going down from the place, against `way` and
/// aslant to all sides, from corner to corner. Each as deep as the other body is above it, if that is no further than the place is.
class DeepCorners {
 public:
  /// Of the source of `rays`, out of its target. `way` leads out of the target.
  DeepCorners(const VertexRays& rays, const Vec3& way) noexcept : rays_(rays), way_(way) {}

  /// True if the other body is above a corner: where it is not, there is nothing to go down into.
  [[nodiscard]] bool begin_at(std::uint32_t from, ContactStats& stats) const;
  /// From such a corner of the source and a point, both at the place. The deepest contact added; negative if there is none.
  double add(std::uint32_t from, const Point3& place, Contacts& out) const;

 private:
  [[nodiscard]] std::optional<LineHit> exit(const Point3& at, double reach, ContactStats& stats) const;
  /// Where one gets from a corner going on along a vector of the source's frame.
  [[nodiscard]] std::uint32_t climb(std::uint32_t from, const Vec3& along) const noexcept;

  const VertexRays& rays_;
  Vec3 way_;
};

}  // namespace snug::contact
