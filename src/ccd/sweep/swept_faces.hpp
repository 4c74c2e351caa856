#pragma once

#include "support/rooms.hpp"

#include <snug/sweep.hpp>

#include <cstdint>
#include <span>
#include <vector>

// Steps 1 and 2: boxes of the motions, the regions in which those of two bodies overlap, and the faces that reach into one.

namespace snug::ccd::sweep {

/// A face during a step; `box` holds it at all times.
struct SweptFace {
  Aabb box;
  std::uint32_t body, triangle;
};

[[nodiscard]] MovingTriangle moving_triangle(const SweepBody& body, std::uint32_t triangle) noexcept;

/// Grown by the body's deviation, rounded outward; monotone, so that the box of a face lies in that of its body.
[[nodiscard]] Aabb swept_box(std::span<const MovingPoint> points, double deviation) noexcept;

/// For each body, where its box overlaps those of others.
[[nodiscard]] std::vector<std::vector<Aabb>> overlap_regions(std::span<const SweepBody> bodies);

/// Ordered by body, then by triangle.
[[nodiscard]] std::vector<SweptFace> faces_in_regions(std::span<const SweepBody> bodies,
                                                      std::span<const std::vector<Aabb>> regions);

}  // namespace snug::ccd::sweep
