#pragma once

#include "geometry/line_meeting.hpp"
#include "simd/kernels.hpp"
#include "support/rooms.hpp"

#include <snug/triangle.hpp>

#include <optional>

namespace snug::query {

/// ray_hit() to the last bit, sooner where doubles suffice. `met` is what meet_line() tells of the triangle and of the ray, or of
/// the ray with the opposite direction.
[[nodiscard]] inline std::optional<RayHit> ray_hit(const Ray& ray, const Triangle& t, const LineMeeting& met,
                                                   bool opposite = false) noexcept {
  using enum LineMeeting::Where;
  if (met.where == unsure) return ray_hit(ray, t);
  if (met.where != (opposite ? behind : ahead)) return std::nullopt;
  return RayHit{met.t, RayHitKind::inner, met.along_normal != opposite};
}

}  // namespace snug::query
