#pragma once

#include "query/convex/cast_checks.hpp"
#include "query/convex/gap.hpp"
#include "query/convex/pair_frame.hpp"
#include "query/convex/tree_walk.hpp"
#include "support/rooms.hpp"

#include <optional>

namespace snug::query {

/// Bodies no further apart than this, in the scaled unit, have met.
inline constexpr double k_cast_gap = 0x1p-34;

/// When and where something moving first meets something else, in the frame and scaled unit of the search. Its lengths are as
/// at the time t.
struct CastMeeting {
  double t = 0, gap = 0;
  Point3 on_still, on_moving;
  Vec3 normal;  ///< from the still one; zero if they shared a point from the start
};

/// `moving` goes by `motion` while t goes from 0 to 1, or on to `limit`.
[[nodiscard]] std::optional<CastMeeting> cast_convex(const Convex& still, Convex moving, const Vec3& motion,
                                                     double limit) noexcept;
[[nodiscard]] std::optional<CastMeeting> cast_convex(const Plane& still, const Convex& moving, const Vec3& motion,
                                                     double limit) noexcept;

/// Replaces the normal, which comes from planes that were good enough to advance by, by that of a moment before they meet.
void sharpen_normal(const Convex& still, Convex moving, const Vec3& motion, CastMeeting& met) noexcept;
inline void sharpen_normal(const Plane&, const Convex&, const Vec3&, CastMeeting&) noexcept {}  // is exact

/// The first of many meetings with triangles. Of those at the same time the most head-on one counts, so that edges inside a
/// face do not lend it their normals, and of those the one with the smallest ids.
template <class Ids>
class FirstOfMany {
 public:
  explicit FirstOfMany(const Vec3& motion) noexcept
      : motion_(motion), speed_(length_of(motion)), same_(speed_ > 0 ? 0.5 * k_cast_gap / speed_ : 0) {}

  /// Meetings after this do not matter.
  [[nodiscard]] double limit() const noexcept { return best_ ? std::min(best_->t + same_, 1.0) : 1; }
  /// They share a point from the start: nothing else matters.
  [[nodiscard]] bool settled() const noexcept { return best_ && best_->normal == Vec3{}; }
  [[nodiscard]] const std::optional<CastMeeting>& best() const noexcept { return best_; }
  [[nodiscard]] const Ids& ids() const noexcept { return ids_; }

  template <class Still>
  void compare(const Still& still, const Convex& moving, const Ids& ids) noexcept {
    auto met = cast_convex(still, moving, motion_, limit());
    if (!met) return;
    const double own_t = met->t;
    // Beside when the best was met itself, not beside an earlier t that it was given: that would drift from one to the next.
    const bool earlier = !best_ || met->t < own_t_ - same_;
    if (!earlier && head_on(*best_) >= (1 - 0x1p-20) * speed_) return set_back(*best_, met->t);
    sharpen_normal(still, moving, motion_, *met);
    if (!earlier) {
      const double now = head_on(*met), before = head_on(*best_);
      if (!(now > before || (now == before && ids < ids_))) return set_back(*best_, met->t);
      set_back(*met, best_->t);
    }
    best_ = met, ids_ = ids, own_t_ = own_t;
  }

 private:
  [[nodiscard]] double head_on(const CastMeeting& met) const noexcept { return -dot(met.normal, motion_); }
  /// To an earlier time, at which the two are so much further apart.
  void set_back(CastMeeting& met, double t) const noexcept {
    if (!(t < met.t)) return;
    met.gap += (met.t - t) * speed_;
    met.t = t;
  }

  double own_t_ = 0;  ///< of the best, when it was met itself
  Vec3 motion_;
  double speed_, same_;
  std::optional<CastMeeting> best_;
  Ids ids_{};
};

/// From when to when a box about the origin, with all within `radius` of it, meets boxes of a tree that pass it by.
class SweptBox {
 public:
  /// `way`: of the boxes, relative to this one.
  SweptBox(const Vec3& half, double radius, const Vec3& way) noexcept : half_(half), radius_(radius), way_(way) {}

  /// A direction along which the body ends here: it mostly keeps away what is met later than the best so far.
  void set_along(const Vec3& direction, double end) noexcept { along_ = direction, end_ = end; }
  /// The earliest time at which something in the box may be met, or infinity if never. `margin` is added to the box.
  [[nodiscard]] double enter(const FrameBox& box, double margin) const noexcept;
  /// Whether a triangle that moves likewise may be met until then.
  [[nodiscard]] bool may_meet(const Triangle& t, double margin, double until) const noexcept;

 private:
  /// Delays `enter` until something that begins here along the direction is reached; false if it never is.
  bool delay(double begin, double& enter, double leave) const noexcept;

  Vec3 half_;
  double radius_;
  Vec3 way_;
  Vec3 along_ = {0, 0, 0};
  double end_ = 0;
};

/// Times at which |from + t speed| <= reach.
[[nodiscard]] inline bool narrow_about(double from, double speed, double reach, double& enter, double& leave) noexcept {
  return narrow(-reach - from, reach - from, speed, enter, leave);
}

}  // namespace snug::query
