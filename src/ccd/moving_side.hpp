#pragma once

#include "geometry/vec_ops.hpp"
#include "shape/trees.hpp"

#include <snug/ccd.hpp>
#include <snug/motion.hpp>

#include <array>
#include <cmath>
#include <span>

namespace snug::detail {

/// A body at the instant that is looked at.
class MovingSide {
 public:
  MovingSide(const Shape& shape, const Motion& motion)
      : tree_(Access::data(shape).get<AabbTree>()),
        boxes_(Access::data(shape).get<NodeBoxes>().boxes),
        triangles_(shape.mesh().triangles()),
        vertices_(shape.mesh().vertices()),
        motion_(motion),
        pose_(motion.keys().front().pose) {
    set_axes();
  }

  /// `pivot`: the motion's at that time.
  void move_to(double t, const Point3& pivot) noexcept {
    if (motion_.keys().size() == 1) return;
    pose_ = motion_.at(t);
    pivot_ = pivot, pivots_ = motion_.has_pivots();
    set_axes();
  }

  [[nodiscard]] bool empty() const noexcept { return boxes_.empty(); }
  [[nodiscard]] const NodeBox& box(std::uint32_t i) const noexcept { return boxes_[i]; }
  [[nodiscard]] const AabbTree::Node& node(std::uint32_t i) const noexcept { return tree_.nodes[i]; }
  [[nodiscard]] std::uint32_t triangle_at(std::uint32_t k) const noexcept { return tree_.order[k]; }
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
    const Index3& i = triangles_[t];
    return {{arm_of(vertices_[i[0]]), arm_of(vertices_[i[1]]), arm_of(vertices_[i[2]])}};
  }
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept {
    const Index3& i = triangles_[t];
    return {{pose_.apply(vertices_[i[0]]), pose_.apply(vertices_[i[1]]), pose_.apply(vertices_[i[2]])}};
  }
  [[nodiscard]] const Pose& pose() const noexcept { return pose_; }
  [[nodiscard]] Pose pose_at(double t) const noexcept { return motion_.at(t); }
  /// From where it is now to where another pose puts it.
  [[nodiscard]] MovingTriangle moving_triangle(std::uint32_t t, const Pose& to) const noexcept {
    const Index3& i = triangles_[t];
    const auto corner = [&](const Point3& p) -> MovingPoint { return {pose_.apply(p), to.apply(p)}; };
    return {corner(vertices_[i[0]]), corner(vertices_[i[1]]), corner(vertices_[i[2]])};
  }

 private:
  void set_axes() noexcept {
    const auto& m = pose_.matrix();
    for (std::size_t i = 0; i < 3; ++i) axes_[i] = {m[i], m[3 + i], m[6 + i]};
    origin_ = pivot_ == Point3{} ? pose_.translation() : pose_.apply(pivot_);
  }

  const AabbTree& tree_;
  const std::vector<NodeBox>& boxes_;
  std::span<const Index3> triangles_;
  std::span<const Point3> vertices_;
  const Motion& motion_;
  Pose pose_;
  Point3 pivot_;
  bool pivots_ = false;
  Vec3 origin_;
  std::array<Vec3, 3> axes_;
};

}  // namespace snug::detail
