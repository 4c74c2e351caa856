#pragma once

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

enum class Approach : std::uint8_t {
  stays_away,   ///< the distance stays above the one asked for, all the time
  comes_close,  ///< at some time it does not exceed it
  undecided,    ///< the smallest distance is within the tolerance of it, or the budget ran out
};
[[nodiscard]] SNUG_API std::string_view to_string(Approach approach) noexcept;

struct SeparationOptions {
  double distance = 0;            ///< to be kept; undecided where it is negative or NaN
  double tolerance = 0;           ///< how near to it an answer may be left undecided; 0: a millionth of the distance
  std::uint32_t budget = 20'000;  ///< pieces of the time to look into
};
/// `time` is set for comes_close and holds the first time at which the distance is not above the one asked for, as far as the
/// tolerance tells: before t_lo it is above distance, at t_hi it is at most that. For undecided it is where doubt begins.
struct SeparationAnswer {
  Approach approach = Approach::undecided;
  ContactTime time;
};
/// Whether a minimum distance is kept. Unlike first_contact() this is three-valued: the distance is not algebraic in the
/// coordinates, and answers closer to it than the tolerance are undecided. `stays_away` and `comes_close` are always right.
[[nodiscard]] SNUG_API SeparationAnswer keeps_distance(const MovingPoint& vertex, const MovingTriangle& face,
                                                       const SeparationOptions& options) noexcept;
[[nodiscard]] SNUG_API SeparationAnswer keeps_distance(const MovingEdge& a, const MovingEdge& b,
                                                       const SeparationOptions& options) noexcept;

}  // namespace snug
