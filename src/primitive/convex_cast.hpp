#pragma once

#include "primitive/cast_checks.hpp"
#include "primitive/gap.hpp"
#include "primitive/pair_frame.hpp"
#include "primitive/tree_walk.hpp"

#include <optional>

namespace snug::detail {

/// Bodies no further apart than this, in the scaled unit, have met.
inline constexpr double k_cast_gap = 0x1p-34;

/// When and where something moving first meets something else, in the frame and scaled unit of the search. Its lengths are as
/// at the time t.
struct Meeting {
  double t = 0, gap = 0;
  Point3 on_still, on_moving;
  Vec3 normal;  ///< from the still one; zero if they shared a point from the start
};

/// `moving` goes by `motion` while t goes from 0 to 1, or on to `limit`.
[[nodiscard]] std::optional<Meeting> cast_convex(const Convex& still, Convex moving, const Vec3& motion,
                                                 double limit) noexcept;
[[nodiscard]] std::optional<Meeting> cast_convex(const Plane& still, const Convex& moving, const Vec3& motion,
                                                 double limit) noexcept;

/// From when to when a box about the origin, with all within `radius` of it, meets boxes of a tree that pass it by.
class SweptBox {
 public:
  /// `way`: of the boxes, relative to this one.
  SweptBox(const Vec3& half, double radius, const Vec3& way) noexcept : half_(half), radius_(radius), way_(way) {}

  /// The earliest time at which something in the box may be met, or infinity if never. `margin` is added to the box.
  [[nodiscard]] double enter(const FrameBox& box, double margin) const noexcept;

 private:
  Vec3 half_;
  double radius_;
  Vec3 way_;
};

/// Times at which |from + t speed| <= reach.
[[nodiscard]] inline bool narrow_about(double from, double speed, double reach, double& enter, double& leave) noexcept {
  return narrow(-reach - from, reach - from, speed, enter, leave);
}

}  // namespace snug::detail
