#pragma once

#include "ccd/trajectory.hpp"
#include "geometry/vec_ops.hpp"
#include "shape/boxed_mesh.hpp"
#include "support/rooms.hpp"

#include <snug/ccd.hpp>
#include <snug/motion.hpp>

#include <array>
#include <cmath>

namespace snug::ccd {

[[nodiscard]] inline Triangle posed(const Triangle& t, const Pose& pose) noexcept {
  return {{pose.apply(t[0]), pose.apply(t[1]), pose.apply(t[2])}};
}

/// A body at the instant that is looked at.
class MovingBody {
 public:
  /// Borrows the motion.
  MovingBody(const Shape& shape, const Motion& motion)
      : mesh_(shape), motion_(motion), pose_(motion.keys().front().pose) {
    set_axes();
  }

  /// `pivot`: the motion's at that time.
  void move_to(double t, const Point3& pivot) noexcept {
    if (motion_.keys().size() == 1) return;
    pose_ = motion_.at(t);
    pivot_ = pivot, pivots_ = motion_.has_pivots();
    set_axes();
  }

  [[nodiscard]] const BoxedMesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] const Vec3& axis(std::size_t i) const noexcept { return axes_[i]; }
  /// Where the pivot is, about which the body turns.
  [[nodiscard]] const Vec3& origin() const noexcept { return origin_; }
  [[nodiscard]] Vec3 arm_of(const Point3& p) const noexcept {
    const Vec3 v = p - pivot_;
    return v.x * axes_[0] + (v.y * axes_[1] + v.z * axes_[2]);
  }
  /// No point of the box, whose middle is at `arm`, is farther from the pivot.
  [[nodiscard]] double reach_of(const NodeBox& box, const Vec3& arm) const noexcept {
    return pivots_ ? (length_of(arm) + box.radius) * (1 + 0x1p-48) : box.reach;
  }
  /// How far the box reaches from its middle along n.
  [[nodiscard]] double extent(const NodeBox& box, const Vec3& n) const noexcept {
    return (std::abs(dot(n, axes_[0])) * box.half.x + std::abs(dot(n, axes_[1])) * box.half.y) +
           std::abs(dot(n, axes_[2])) * box.half.z;
  }
  /// Seen from the body's pivot.
  [[nodiscard]] Triangle arms_of(std::uint32_t t) const noexcept {
    const Triangle own = mesh_.triangle(t);
    return {{arm_of(own[0]), arm_of(own[1]), arm_of(own[2])}};
  }
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept { return posed(mesh_.triangle(t), pose_); }
  [[nodiscard]] const Pose& pose() const noexcept { return pose_; }
  [[nodiscard]] Pose pose_at(double t) const noexcept { return motion_.at(t); }
  /// From where it is now to where another pose puts it.
  [[nodiscard]] MovingTriangle moving_triangle(std::uint32_t t, const Pose& to) const noexcept {
    const Triangle own = mesh_.triangle(t);
    const auto corner = [&](const Point3& p) -> MovingPoint { return {pose_.apply(p), to.apply(p)}; };
    return {corner(own[0]), corner(own[1]), corner(own[2])};
  }

 private:
  void set_axes() noexcept {
    const auto& m = pose_.matrix();
    for (std::size_t i = 0; i < 3; ++i) axes_[i] = {m[i], m[3 + i], m[6 + i]};
    origin_ = at_pivot(pose_, pivot_);
  }

  BoxedMesh mesh_;
  const Motion& motion_;
  Pose pose_;
  Point3 pivot_;
  bool pivots_ = false;
  Vec3 origin_;
  std::array<Vec3, 3> axes_;
};

}  // namespace snug::ccd
