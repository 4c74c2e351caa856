#pragma once

#include "shape/convex.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

// How deep two convex solids are in one another, in the scaled unit of the search for their gap.

namespace snug::query {

/// A point of the difference b - a, and the points that it comes from.
struct DifferencePoint {
  Vec3 y;
  Point3 on_a, on_b;
};

/// Bounds on the length of the shortest translation of a that leaves b no inside in common. Both are certain but for k_gap_rounding.
struct DepthBounds {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();  ///< of the way along `normal`; below zero: a plane parts them
  Vec3 normal;                                            ///< unit length
  Point3 on_a, on_b;  ///< of either, about `most` apart along the normal: the way brings one to the other
};

/// Working memory of the search, kept from call to call.
struct DepthMemory {
  /// A triangle of the polytope that has been found inside the difference, counter-clockwise seen from outside.
  struct Face {
    std::array<std::uint32_t, 3> corner;
    std::array<std::uint32_t, 3> beside;  ///< across the edge from corner i to the next
    Vec3 normal = {};
    double height = 0;  ///< no point of it is nearer to the origin, if positive
    bool there = true;
  };
  struct Rim {
    std::uint32_t from, to, beside;
  };
  struct Near {
    double height;
    std::uint32_t face;
  };
  std::vector<DifferencePoint> corners;
  std::vector<Face> faces;
  std::vector<Rim> rim, sorted;
  std::vector<std::uint32_t> open, gone, starts;
  std::vector<Near> heap;                      ///< the nearest face first; some are gone
  std::vector<std::array<double, 2>> outline;  ///< of bodies of revolution
};

/// Points for a way that is known: moved by it, the bodies touch there.
void find_touch(const Convex& a, const Convex& b, DepthBounds& depth) noexcept;

/// For bodies without radii whose gap is next to nothing. The polytope of the difference grows from inside where it is nearest to the
/// origin (van den Bergen 2001) until `most - least` is no more than `width`, or will not become so: every direction that was tried
/// is a translation that parts them, and the polytope holds a ball that no shorter one leaves.
[[nodiscard]] DepthBounds depth_between(const Convex& a, const Convex& b, DepthMemory& memory, double width);

}  // namespace snug::query
