#pragma once

#include <snug/budget.hpp>
#include <snug/export.hpp>
#include <snug/motion.hpp>
#include <snug/result.hpp>
#include <snug/shape.hpp>

#include <cstdint>
#include <optional>

namespace snug {

// When do two shapes first meet on their ways? Stops at the first contact, where check_path() tells all that happens. Nothing is
// missed between instants, however thin the bodies and fast the motion. Meshes are their triangles: one that moves about
// inside another meets it when triangles meet. How: docs/continuous.md.

struct FirstContactOptions {
  double separation = 0;  ///< no farther apart than this counts as contact
  /// The time to look at; unless given, from the first to the last key of both motions, of those with more than one.
  std::optional<TimeSpan> range = {};
  Budget budget = {};  ///< steps are pairs of boxes or triangles that are looked at
};

struct FirstContact {
  bool yes = false;  ///< there is one
  /// Yes: before t the bodies are farther apart than the separation, at t they are not by more than the resolution, so that
  /// bodies that pass each other that closely may count as meeting. Undecided: there is no contact before t. No: the end.
  double t = 0;
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< that meet, if yes
  double distance = 0;                           ///< between them at t
  Point3 on_a, on_b;                             ///< where, in the world, at t
  /// 2^-40 of the largest coordinate that either body reaches, or of 2^-200 if that is more.
  double resolution = 0;
  std::uint64_t pairs = 0;  ///< of boxes and triangles that were looked at: what it cost

  friend bool operator==(const FirstContact&, const FirstContact&) = default;
};

/// Exchanging the bodies exchanges a and b and changes nothing else. Does not allocate once shape and scratch have been used so.
/// Where times are so large that bodies move farther than the resolution from one double to the next, both count as one instant: what may
/// meet in between meets at the former, `distance` telling how far away it is then.
[[nodiscard]] SNUG_API Result<Outcome<FirstContact>, PathError> first_contact(const Shape& a, const Motion& motion_a,
                                                                              const Shape& b, const Motion& motion_b,
                                                                              Scratch& scratch,
                                                                              const FirstContactOptions& options = {});

}  // namespace snug
