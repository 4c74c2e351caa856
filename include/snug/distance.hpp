#pragma once

#include <snug/query.hpp>

#include <cstdint>
#include <limits>

namespace snug {

/// When to stop looking for the smallest distance. As they stand, never before it is known.
struct DistanceLimits {
  double ignore_beyond = std::numeric_limits<double>::infinity();  ///< distances above this need not be found
  double enough = 0;  ///< a distance no larger than this will do: the search ends with it
};

/// The smallest distance between two bodies, or what is known of it.
struct Distance {
  static constexpr std::uint32_t k_no_triangle = ~std::uint32_t{0};

  /// Of two meshes, that of the closest two triangles met; infinite if none was met within the limits.
  double value = std::numeric_limits<double>::infinity();
  /// The bodies are certainly no closer than this. Of two meshes: but for triangles that are as close to 1e-12 as the two named; equal
  /// to `value` if the search is complete and found a pair; the limit if it found none.
  double lower = std::numeric_limits<double>::infinity();
  /// Where they are closest, in the world; see closest_points() for their rounding. A primitive has the point to the resolution; if
  /// one shares a point with the other body, such a point on both sides.
  Point3 on_a, on_b;
  /// Of unit length, from b to a: the way in which a moves away. Zero if they share a point or none was found. It is that of the
  /// points where these are further apart than their rounding allows to doubt it.
  Vec3 normal = {};
  std::uint32_t triangle_a = k_no_triangle, triangle_b = k_no_triangle;  ///< of meshes
  bool complete = true;  ///< false if a limit other than ignore_beyond ended the search

  [[nodiscard]] bool found() const noexcept { return value >= 0 && value < std::numeric_limits<double>::infinity(); }
  /// A pose was invalid or a limit NaN: value and lower are minus infinity, the points NaN, and it is not complete.
  [[nodiscard]] bool refused() const noexcept { return value < 0; }
  [[nodiscard]] static Distance refusal() noexcept {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), least = -std::numeric_limits<double>::infinity();
    return {.value = least, .lower = least, .on_a = {nan, nan, nan}, .on_b = {nan, nan, nan}, .complete = false};
  }
};

/// Two meshes: zero exactly if their triangles share a point, otherwise that of closest_points() of the closest two triangles; of
/// several whose distances agree in their first 41 bits, those with the smallest ids (a, b): with the bodies exchanged these
/// may be others, and the value differ in what is behind those bits. A body wholly inside another
/// has a distance from it like any other: see locate(). The same for every method and instruction set; limits, of which the
/// first to reach zero is one, may end methods at different places.
///
/// If one is a primitive: wrong by no more than resolution(), and zero only if they are no further apart than that. Limits and options
/// do not matter: it is always found. Two half-spaces share a point unless their normals are opposite, to 1e-12 radians, and they
/// face away from one another; planes likewise share one with each other and with half-spaces unless they are parallel.
///
/// A refusal() if a pose is invalid or a limit is NaN.
[[nodiscard]] SNUG_API Distance distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         Scratch& scratch, const DistanceLimits& limits = {},
                                         const QueryOptions& options = {});

/// How far two bodies are apart, or how deep in one another: the least way that one of them can go until they no more than touch.
struct SignedDistance {
  static constexpr std::uint32_t k_no_triangle = ~std::uint32_t{0};

  /// Above zero their distance. Below zero: moved by -value along `normal`, a is out of b. Minus infinity if nothing moves it out:
  /// half-spaces whose boundaries cross.
  double value = std::numeric_limits<double>::infinity();
  /// The truth lies between these. They are no further apart than the pair's resolution where it is found exactly.
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  /// Points of the bodies with on_a - on_b = value * normal: the nearest, or the deepest. Round bodies may have them elsewhere by the root
  /// of the rounding of their distance, 1e-6 of their size. Where the depth of bodies that are not convex is not found exactly, they
  /// are `upper` apart instead, or one point of both.
  Point3 on_a, on_b;
  Vec3 normal =
      {};  ///< moves a out of b; of unit length, or zero where nothing does: planes and half-spaces that cross
  std::uint32_t triangle_a = k_no_triangle, triangle_b = k_no_triangle;  ///< of meshes that are apart

  /// A pose was invalid: all three lengths are minus infinity and the points NaN.
  [[nodiscard]] bool refused() const noexcept { return on_a.x != on_a.x; }
  [[nodiscard]] static SignedDistance refusal() noexcept {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), least = -std::numeric_limits<double>::infinity();
    return {.value = least, .lower = least, .upper = least, .on_a = {nan, nan, nan}, .on_b = {nan, nan, nan}};
  }
};

/// Of any two shapes. Closed meshes count as solids, as primitives do, open ones as their triangles. What is found exactly, to
/// resolution(): every distance; the depth of two convex bodies, where meshes count that are closed and convex; that of anything in a
/// half-space or across a plane. Convex bodies that are round where they are deepest may keep bounds further apart: see
/// docs/primitives.md. Of all other pairs that overlap, `value` and `lower` are minus the length of a way out that was verified, and
/// `upper` is minus a depth that is proved: that of two balls about one point, one in each body.
///
/// Negative also where distance() is not: of a body wholly inside a closed mesh. A refusal() if a pose is invalid.
[[nodiscard]] SNUG_API SignedDistance signed_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                                      const Pose& pose_b, Scratch& scratch,
                                                      const QueryOptions& options = {});

/// Two meshes: true if two of their triangles are no further apart than `clearance` by closest_points(), whichever of both bodies
/// comes first. distance() may name another two, further apart by what does not show in 41 bits. If one is a primitive:
/// true if they come within the clearance, false if they keep more than the clearance and the resolution. A clearance below zero
/// is never met. True if a pose is invalid or the clearance NaN.
[[nodiscard]] SNUG_API bool within(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                   double clearance, Scratch& scratch, const QueryOptions& options = {});

// Under a budget: see query.hpp.

/// Undecided: the closest two triangles met so far, and how close others can be at most.
[[nodiscard]] SNUG_API Outcome<Distance> try_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                                      const Pose& pose_b, Scratch& scratch, const Budget& budget,
                                                      const DistanceLimits& limits = {},
                                                      const QueryOptions& options = {});
[[nodiscard]] SNUG_API Outcome<Answer> try_within(const Shape& a, const Pose& pose_a, const Shape& b,
                                                  const Pose& pose_b, double clearance, Scratch& scratch,
                                                  const Budget& budget, const QueryOptions& options = {});

}  // namespace snug
