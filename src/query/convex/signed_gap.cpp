#include "query/convex/signed_gap.hpp"

#include "query/convex/revolved_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace snug::query {

namespace {

/// Bounds of depths come as close as those of gaps.
constexpr double k_width = 0x1p-42;
/// Closer where radii make depths of gaps, so that the line between the points is as upright as the depth is exact.
constexpr double k_core_width = 0x1p-44;

/// Of the cores, if they are apart for certain.
SignedGap cores_apart(const Convex& a, const Convex& b, const Gap& gap) noexcept {
  SignedGap out{gap.upper, gap.lower, gap.upper, gap.on_a, gap.on_b, normal_of(gap)};
  // Beside large faces the planes that were found are more upright than the line between points.
  const double open = dot(out.normal, a.support(-out.normal) - b.support(out.normal));
  if (open < gap.lower - k_resolution) out.normal = -gap.normal;
  return out;
}

SignedGap cores_overlap(const Convex& a, const Convex& b, const Gap& gap, DepthMemory& memory) {
  std::optional<DepthBounds> depth = revolved_depth(a, b, memory, k_width);
  if (!depth) depth = depth_between(a, b, memory, k_width);
  SignedGap out;
  out.value = -depth->most, out.lower = -depth->most - k_gap_rounding;
  // What is flat has a way of nothing, give or take a rounding.
  out.upper = std::max(std::min(k_gap_rounding - depth->least, gap.upper), out.value);
  out.on_a = depth->on_a, out.on_b = depth->on_b, out.normal = depth->normal;
  return out;
}

}  // namespace

SignedGap signed_gap(const Convex& a, const Convex& b, DepthMemory& memory) {
  const Convex core_a = a.core(), core_b = b.core();
  const Gap gap = gap_between(core_a, core_b, {.width = k_core_width});
  SignedGap out = gap.lower > 0 ? cores_apart(core_a, core_b, gap) : cores_overlap(core_a, core_b, gap, memory);
  const double radii = a.radius() + b.radius();
  out.value -= radii, out.lower -= radii, out.upper -= radii;
  out.on_a = out.on_a - a.radius() * out.normal, out.on_b = out.on_b + b.radius() * out.normal;
  return out;
}

SignedGap signed_gap(const Plane& a, const Convex& b) noexcept {
  const Plane plane = a.facing(b);
  SignedGap out;
  out.on_b = plane.lowest(b);
  out.value = plane.height(out.on_b);
  out.lower = out.value - k_gap_rounding, out.upper = out.value + k_gap_rounding;
  out.on_a = out.on_b - out.value * plane.normal;
  out.normal = -plane.normal;
  return out;
}

SignedGap signed_gap(const Plane& a, const Plane& b) noexcept {
  constexpr double without_end = -std::numeric_limits<double>::infinity();
  const Gap gap = two_planes(a, b);
  SignedGap out{.on_a = gap.on_a, .on_b = gap.on_b};
  const bool flat = max_abs(cross(a.normal, b.normal)) <= k_parallel;
  const double same = dot(a.normal, b.normal) < 0 ? -1 : 1;
  if (!flat || (same > 0 && !b.two_sided)) {
    out.value = out.lower = out.upper = without_end;
    // A plane that crosses another has no inside that the other could hold.
    if (a.two_sided && b.two_sided) out.value = out.lower = out.upper = 0;
    return out;
  }
  const double height = same * b.offset - a.offset, side = a.two_sided && height < 0 ? -1 : 1;
  out.value = side * height;
  out.lower = out.value - k_gap_rounding, out.upper = out.value + k_gap_rounding;
  out.on_a = a.offset * a.normal, out.on_b = same * b.offset * a.normal;
  out.normal = -side * a.normal;
  return out;
}

}  // namespace snug::query
