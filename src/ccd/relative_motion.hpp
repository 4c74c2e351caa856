#pragma once

#include "support/rooms.hpp"

#include <snug/motion.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace snug::ccd {

/// How two bodies move between neighbouring keys of their motions: at constant speed, each turning about its pivot.
struct MotionPiece {
  double begin = 0, end = 0;
  Point3 pivot_a, pivot_b;                  ///< see Motion::pivot()
  Vec3 drift;                               ///< speed of b's pivot against a's
  Vec3 spin_a, spin_b;                      ///< angular velocities in the world
  double spin_rate_a = 0, spin_rate_b = 0;  ///< their lengths
  double slack = 0;                         ///< what rounding may add to any speed
  double fastest = 0;                       ///< no two points of both bodies have a greater speed against each other
};

/// Bounds over several pieces in a row.
struct MotionBlock {
  double begin = 0, end = 0;
  Aabb drifts, pivots_a, pivots_b;
  double spin_rate_a = 0, spin_rate_b = 0, slack = 0;
};

/// Gaps between two bodies along a unit direction from a to b, which turns with one of them, and how fast they close: after a time h
/// within the piece each gap is at least gap + rate h - bend h²/2. Along the same direction at rest it is at least gap - most h.
struct ApproachBound {
  struct Gap {
    double gap, rate;
  };
  Vec3 direction;
  double reach_a = 0, reach_b = 0;  ///< no point is farther from its body's pivot
  double bend = 0, most = 0;
  unsigned count = 0;
  std::array<Gap, 3> gaps;
};

/// t + h, never later. Far from zero a rounding of times is worth more of a way than that of all coordinates.
[[nodiscard]] inline double time_after(double t, double h) noexcept {
  const double sum = t + h;
  return sum - t > h ? sum - 0x1p-53 * std::abs(sum) : sum;
}

/// The motion of two bodies against each other over a range of time, with bounds on its speeds. Keys are taken together in blocks of
/// two, four, eight, …, so that what is far away is proved clear for long in few steps, however many keys there are.
class RelativeMotion {
 public:
  /// `farthest`: no coordinate of either body is ever larger; at least 2^-200. Uses its memory again.
  /// Points are never farther from their body's origin than the radius. False if keys are so close that speeds would not be finite,
  /// or the range is so long that they would vanish.
  [[nodiscard]] bool set(const Motion& a, double radius_a, const Motion& b, double radius_b, const TimeSpan& range,
                         double farthest);

  [[nodiscard]] const MotionPiece& piece(std::size_t i) const noexcept { return pieces_[i]; }
  /// The piece that begins at t or holds it; the last one at the end.
  [[nodiscard]] std::size_t piece_at(double t) const noexcept;
  /// Until when all gaps stay positive, from t on, which lies in the piece; infinite if to the end of the range.
  [[nodiscard]] double clear_until(double t, std::size_t piece, const ApproachBound& approach) const noexcept;
  /// No two points of both bodies come closer by more than this within the span, nor part by more.
  [[nodiscard]] double travel(const TimeSpan& span) const noexcept;

 private:
  /// The most by which points may close in along the direction, by unit of time. `from`: the piece whose pivots the reaches in
  /// `approach` are measured from.
  [[nodiscard]] double speed(const MotionBlock& block, const ApproachBound& approach,
                             const MotionPiece& from) const noexcept;

  std::vector<MotionPiece> pieces_;
  /// Blocks of 2^k pieces, the last of a level perhaps of fewer. The first depth_ levels are in use, the others keep their memory.
  std::vector<std::vector<MotionBlock>> levels_;
  std::size_t depth_ = 0;
  bool has_pivots_ = false;
  std::vector<double> times_, travelled_;  ///< travel from the beginning to that of each piece
};

}  // namespace snug::ccd
