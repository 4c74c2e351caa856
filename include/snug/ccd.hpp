#pragma once

#include <snug/budget.hpp>
#include <snug/export.hpp>
#include <snug/vec.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace snug {

// Continuous contact of vertices, edges and triangles whose corners move in straight lines at constant speed. Times run from
// 0 to 1. Whether there is contact is decided exactly, for the motion p(t) = t0 + t (t1 - t0) in real numbers between the
// doubles given: no contact is missed and none invented, at any scale, degenerate and touching cases included. Coordinates
// must be finite: where one is not, nothing is known, and the answer is contact at some time in [0, 1] or undecided, never that
// there is none. What is guaranteed, and how: docs/continuous.md.

struct MovingPoint {
  Point3 t0, t1;  ///< where it is at time 0 and at time 1
  friend constexpr bool operator==(const MovingPoint&, const MovingPoint&) = default;
};
using MovingEdge = std::array<MovingPoint, 2>;
using MovingTriangle = std::array<MovingPoint, 3>;

/// The first instant of contact lies in [t_lo, t_hi]; before t_lo there is none. Equal ends: that very instant.
struct ContactTime {
  double t_lo = 0, t_hi = 0;
  friend constexpr bool operator==(const ContactTime&, const ContactTime&) = default;
};

struct ContactOptions {
  /// Widest interval of first contact to return; values below 2^-48 count as 2^-48.
  double time_tolerance = 1e-9;
};

/// When a vertex first lies on a closed triangle, or nothing if it never does. A collapsed triangle is the segment or point it
/// covers. Allocates only when exact arithmetic needs more than 16 KB, which takes coordinates hundreds of orders apart.
[[nodiscard]] SNUG_API std::optional<ContactTime> first_contact(const MovingPoint& vertex, const MovingTriangle& face,
                                                                const ContactOptions& options = {}) noexcept;
/// When two closed edges first share a point, or nothing. An edge may collapse to a point.
[[nodiscard]] SNUG_API std::optional<ContactTime> first_contact(const MovingEdge& a, const MovingEdge& b,
                                                                const ContactOptions& options = {}) noexcept;
/// When two closed triangles first share a point, or nothing: at time 0 if they meet there, otherwise the first contact of
/// a corner with a face or of two edges.
[[nodiscard]] SNUG_API std::optional<ContactTime> first_contact(const MovingTriangle& a, const MovingTriangle& b,
                                                                const ContactOptions& options = {}) noexcept;

struct SeparationOptions {
  double distance = 0;   ///< to be kept; undecided where it is negative or NaN
  double tolerance = 0;  ///< how near to it an answer may be left undecided; 0: a millionth of the distance
  Budget budget = {.steps = 20'000};  ///< steps are pieces of the time that are looked into
};
struct Separation {
  bool yes = false;  ///< the distance stays above the one asked for, all the time
  /// If not: holds the first time at which the distance is not above the one asked for, as far as the tolerance tells: before t_lo it is
  /// above it, at t_hi it is at most that. If undecided: where doubt begins.
  ContactTime time;
  friend constexpr bool operator==(const Separation&, const Separation&) = default;
};
/// Whether a minimum distance is kept. Unlike first_contact() this may be undecided: the distance is not algebraic in the
/// coordinates, and answers closer to it than the tolerance are. Yes and no are always right.
[[nodiscard]] SNUG_API Outcome<Separation> keeps_distance(const MovingPoint& vertex, const MovingTriangle& face,
                                                          const SeparationOptions& options) noexcept;
[[nodiscard]] SNUG_API Outcome<Separation> keeps_distance(const MovingEdge& a, const MovingEdge& b,
                                                          const SeparationOptions& options) noexcept;

}  // namespace snug
