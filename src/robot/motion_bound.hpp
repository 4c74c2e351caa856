#pragma once

#include <snug/robot.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::robot {

/// How far two links can move against one another while joints stay within half a width of their values.
struct MotionBound {
  double closer = 0;    ///< by no more than this can their distance change
  double a = 0, b = 0;  ///< by no more than this does any point of a move in the frame of b, of b in the frame of a
};

/// Bounds on motions about one pose of a robot. Each joint between two links turns or shifts one of them against the other;
/// a point at distance r from a joint's axis moves by no more than 2 r sin(h/2) when the joint turns by no more than h. How
/// far points can come from an axis while the joints between move, too, is added up from joint to joint.
class MotionBounds {
 public:
  explicit MotionBounds(const Robot& robot);

  /// `poses` of the links at the middle; `half[i]`: how far joint i may be from there.
  void set_pose(std::span<const Pose> poses, std::span<const double> half);

  /// If `by_joint` is not empty, what each joint adds to `closer` is added to it.
  [[nodiscard]] MotionBound between(std::uint32_t link_a, std::uint32_t link_b, std::span<double> by_joint) const;

  /// True if no joint between the links moves, given which may at all.
  [[nodiscard]] bool rigid(std::uint32_t link_a, std::uint32_t link_b, std::span<const std::uint8_t> moves) const;

  /// Of a link's bodies in its own frame.
  [[nodiscard]] const Aabb& bounds(std::uint32_t link) const noexcept { return bounds_[link]; }

 private:
  /// Joints between the links, from a's end to b's.
  void path(std::uint32_t link_a, std::uint32_t link_b, std::vector<std::uint32_t>& joints) const;
  [[nodiscard]] double farthest(std::uint32_t link, std::uint32_t joint) const;

  const Robot& robot_;
  std::vector<std::uint32_t> depth_;  ///< of links
  std::vector<Aabb> bounds_;
  double reach_ = 0;                            ///< no pose has larger coordinates, shifts of joints apart
  std::vector<std::array<Point3, 8>> corners_;  ///< of `bounds_`, posed
  std::vector<Point3> on_axis_;
  std::vector<Vec3> axis_;
  std::vector<double> half_;
};

}  // namespace snug::robot
