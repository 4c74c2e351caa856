#include "robot/motion_bound.hpp"

#include "geometry/vec_ops.hpp"
#include "support/trig.hpp"

#include <algorithm>
#include <cmath>

namespace snug::robot {

namespace {

using namespace detail;

// Far above the rounding of some hundred composed poses and of the sums below, far below anything that matters.
constexpr double k_relative_slack = 1e-9;
constexpr double k_slack_of_reach = 1e-12;

std::array<Point3, 8> corners_of(const Aabb& box) {
  std::array<Point3, 8> out;
  for (std::size_t i = 0; i < 8; ++i)
    out[i] = {(i & 1) != 0 ? box.hi.x : box.lo.x, (i & 2) != 0 ? box.hi.y : box.lo.y,
              (i & 4) != 0 ? box.hi.z : box.lo.z};
  return out;
}

Aabb bounds_of(const RobotLink& link) {
  Aabb out;
  for (const RobotBody& body : link.bodies) {
    const Aabb& own = std::visit([](const auto& solid) -> const Aabb& { return solid.bounds(); }, body.solid);
    for (const Point3& corner : corners_of(own)) out.include(body.pose.apply(corner));
  }
  if (out.empty()) out.include({});
  return out;
}

}  // namespace

MotionBounds::MotionBounds(const Robot& robot) : robot_(robot), depth_(robot.links.size()) {
  for (const std::uint32_t id : robot.order) depth_[robot.joints[id].child] = depth_[robot.joints[id].parent] + 1;
  for (const RobotLink& link : robot.links) bounds_.push_back(bounds_of(link));
  for (const RobotJoint& joint : robot.joints) {
    reach_ += length_of(joint.origin.translation());
    if (joint.kind == JointKind::prismatic) reach_ += std::max(std::abs(joint.lower), std::abs(joint.upper));
  }
  for (const Aabb& box : bounds_) reach_ += length_of(box.hi) + length_of(box.lo);
}

void MotionBounds::set_pose(std::span<const Pose> poses, std::span<const double> half) {
  corners_.resize(bounds_.size());
  for (std::size_t i = 0; i < bounds_.size(); ++i) poses[i].apply(corners_of(bounds_[i]), corners_[i]);
  on_axis_.clear(), axis_.clear();
  for (const RobotJoint& joint : robot_.joints) {
    // The axis passes through the child's origin, and turning about it leaves it where it is.
    const Pose& child = poses[joint.child];
    on_axis_.push_back(child.translation());
    axis_.push_back(child.apply(joint.axis) - child.translation());
  }
  half_.assign(half.begin(), half.end());
}

void MotionBounds::path(std::uint32_t link_a, std::uint32_t link_b, std::vector<std::uint32_t>& joints) const {
  joints.clear();
  std::vector<std::uint32_t> from_b;
  const auto up = [&](std::uint32_t& link, std::vector<std::uint32_t>& out) {
    const std::uint32_t joint = *robot_.links[link].joint;
    if (robot_.joints[joint].kind != JointKind::fixed) out.push_back(joint);
    link = robot_.joints[joint].parent;
  };
  while (depth_[link_a] > depth_[link_b]) up(link_a, joints);
  while (depth_[link_b] > depth_[link_a]) up(link_b, from_b);
  while (link_a != link_b) up(link_a, joints), up(link_b, from_b);
  joints.insert(joints.end(), from_b.rbegin(), from_b.rend());
}

double MotionBounds::farthest(std::uint32_t link, std::uint32_t joint) const {
  // The distance from a line is convex, so a box is farthest in a corner.
  double largest = 0;
  for (const Point3& corner : corners_[link]) {
    const Vec3 off = cross(corner - on_axis_[joint], axis_[joint]);
    largest = std::max(largest, dot(off, off));
  }
  return std::sqrt(largest);
}

MotionBound MotionBounds::between(std::uint32_t link_a, std::uint32_t link_b, std::span<double> by_joint) const {
  thread_local std::vector<std::uint32_t> joints;
  thread_local std::vector<double> of_a, of_b;
  path(link_a, link_b, joints);
  const std::size_t count = joints.size();
  of_a.assign(count, 0), of_b.assign(count, 0);
  const auto moved = [&](std::uint32_t link, std::uint32_t joint, double so_far) {
    const double half = half_[joint];
    if (half == 0) return 0.0;
    if (robot_.joints[joint].kind == JointKind::prismatic) return half;
    const double chord = half < k_pi ? 2 * sine(half / 2) : 2.0;
    return chord * (farthest(link, joint) + so_far);
  };
  MotionBound out;
  for (std::size_t i = 0; i < count; ++i) out.a += of_a[i] = moved(link_a, joints[i], out.a);
  for (std::size_t i = count; i-- > 0;) out.b += of_b[i] = moved(link_b, joints[i], out.b);
  for (std::size_t i = 0; i < count; ++i) {
    const double change = std::min(of_a[i], of_b[i]);
    out.closer += change;
    if (!by_joint.empty()) by_joint[joints[i]] += change;
  }
  const auto with_slack = [&](double value) {
    return value == 0 ? 0 : value * (1 + k_relative_slack) + k_slack_of_reach * reach_;
  };
  return {with_slack(out.closer), with_slack(out.a), with_slack(out.b)};
}

bool MotionBounds::rigid(std::uint32_t link_a, std::uint32_t link_b, std::span<const std::uint8_t> moves) const {
  std::vector<std::uint32_t> joints;
  path(link_a, link_b, joints);
  return std::ranges::none_of(joints, [&](std::uint32_t joint) { return moves[joint] != 0; });
}

}  // namespace snug::robot
