#pragma once

#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/vec.hpp>

#include <array>

namespace snug::query {

/// Takes boxes of one body into the frame of another, grown so that nothing is lost: if a posed triangle of `from` shares a
/// point with a posed triangle of `to`, one point of the other frame lies in every box that is taken over and holds the
/// first, and in every box of that frame that holds the second. So such boxes overlap, and may be cut down to what they
/// have in common.
///
/// Why: let p be the shared point. By posing_error() it is R_a v + t_a + d_a with v in the triangle's box in its own frame,
/// and R_b u + t_b + d_b likewise, no d longer per axis than its e. Hence v = R_a^-1 (R_b u + (t_b - t_a) + d_b - d_a).
/// The d cost less than 2 (e_a + e_b). An entry of a pose's matrix is off by less than 2^-50 from a rotation's, so the
/// transpose stands for the inverse at a cost below 11 2^-50 (|R_b u| + |t_b - t_a|); rounding in the product of the
/// matrices, in t_b - t_a and in placing a corner costs below 8 2^-50 (|u| + |t_b - t_a|). The margin is
/// 2 (e_a + e_b) + 2^-44 (|u| + |t_b - t_a|): its second term is more than twice what it has to cover.
class FrameChange {
 public:
  /// Of anything within `bounds_from`, of a body at `from`, into the frame of a body within `bounds_to`, at `to`.
  FrameChange(const Aabb& bounds_from, const Pose& from, const Aabb& bounds_to, const Pose& to) noexcept;

  /// A corner of `from`, without margin.
  [[nodiscard]] Point3 place(const Point3& p) const noexcept {
    return {((r_[0] * p.x + r_[1] * p.y) + r_[2] * p.z) + t_.x, ((r_[3] * p.x + r_[4] * p.y) + r_[5] * p.z) + t_.y,
            ((r_[6] * p.x + r_[7] * p.y) + r_[8] * p.z) + t_.z};
  }
  /// The smallest box of a triangle's corners (Figueiredo's optimal box), grown.
  [[nodiscard]] Aabb take_tight(const Triangle& t) const noexcept;
  /// The smallest box of the turned box (the cover box), grown.
  [[nodiscard]] Aabb take_cover(const Aabb& box) const noexcept;
  [[nodiscard]] double margin() const noexcept { return margin_; }

 private:
  std::array<double, 9> r_;
  Vec3 t_;
  double margin_;
};

/// What two boxes have in common; empty if they do not overlap.
[[nodiscard]] inline Aabb common_part(const Aabb& a, const Aabb& b) noexcept {
  const auto larger = [](double x, double y) { return x > y ? x : y; };
  const auto smaller = [](double x, double y) { return x < y ? x : y; };
  return {{larger(a.lo.x, b.lo.x), larger(a.lo.y, b.lo.y), larger(a.lo.z, b.lo.z)},
          {smaller(a.hi.x, b.hi.x), smaller(a.hi.y, b.hi.y), smaller(a.hi.z, b.hi.z)}};
}

}  // namespace snug::query
