#include "assembly/robot/motion_bound.hpp"

#include "assembly/robot/corners.hpp"
#include "geometry/vec_ops.hpp"
#include "model/motion_bound.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace snug::robot {

namespace {

using namespace assembly;

// Far above the rounding of some hundred composed poses and of the sums below, far below anything that matters.
constexpr double k_relative_slack = 1e-9;
constexpr double k_slack_of_reach = 1e-12;

double from_line(const Point3& p, const Point3& on, const Vec3& axis) { return length_of(cross(p - on, axis)); }

/// Links that fixed joints hold together have the same number.
std::vector<std::uint32_t> rigid_groups(const Robot& robot) {
  std::vector<std::uint32_t> group(robot.links.size());
  std::iota(group.begin(), group.end(), 0U);
  for (const std::uint32_t id : robot.order)
    if (robot.joints[id].kind == JointKind::fixed) group[robot.joints[id].child] = group[robot.joints[id].parent];
  return group;
}

}  // namespace

double MotionModel::Piece::corners_from_line(const Pose& pose, const Point3& on, const Vec3& axis) const {
  double largest = 0;
  for (const Point3& corner : corners) largest = std::max(largest, from_line(pose.apply(corner), on, axis));
  return largest;
}

MotionModel::MotionModel(const Robot& robot, const std::vector<std::vector<std::unique_ptr<Solid>>>& solids,
                         std::span<const double> farthest)
    : robot_(robot), depth_(robot.links.size()), pieces_(robot.links.size()), first_of_body_(robot.links.size()) {
  for (const std::uint32_t id : robot.order) depth_[robot.joints[id].child] = depth_[robot.joints[id].parent] + 1;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    reach_ += length_of(robot.joints[i].origin.translation());
    if (robot.joints[i].kind == JointKind::prismatic) reach_ += farthest[i];
  }
  SNUG_ASSERT(farthest.size() == robot.joints.size() && solids.size() == robot.links.size());
  std::vector<Pose> rest;
  const bool posed = link_poses(robot, rest_values(robot), rest).has_value();
  const std::vector<std::uint32_t> group = rigid_groups(robot);
  for (std::uint32_t link = 0; link < solids.size(); ++link) {
    for (const auto& solid : solids[link]) {
      first_of_body_[link].push_back(pieces_[link].size());
      const Pose& pose = solid->body().pose;
      for (const SolidPiece& piece : solid->pieces()) {
        Piece own{.ball = {pose.apply(piece.ball.centre), piece.ball.radius}, .corners = {}, .reach = {}};
        pose.apply(corners_of(piece.box), own.corners);
        own.simple = solid->simple();
        // A half-space is turned by rounding as everything is, but what matters of it is near the other bodies.
        const bool bounded = !solid->simple() || solid->primitive().bounded();
        if (bounded)
          for (const Point3& corner : own.corners) reach_ += length_of(corner) / 4;
        pieces_[link].push_back(std::move(own));
      }
    }
    first_of_body_[link].push_back(pieces_[link].size());
    if (posed) add_reaches(link, solids[link], rest, group);
  }
}

void MotionModel::add_reaches(std::uint32_t link, const std::vector<std::unique_ptr<Solid>>& solids,
                              std::span<const Pose> rest, std::span<const std::uint32_t> group) {
  for (std::uint32_t j = 0; j < robot_.joints.size(); ++j) {
    const RobotJoint& joint = robot_.joints[j];
    if (joint.kind != JointKind::revolute && joint.kind != JointKind::continuous) continue;
    if (group[joint.parent] != group[link] && group[joint.child] != group[link]) continue;
    const Pose& child = rest[joint.child];
    const Point3 on = child.translation();
    const Vec3 axis = child.turn(joint.axis);
    for (std::size_t body = 0; body < solids.size(); ++body) {
      const Pose pose = compose(rest[link], solids[body]->body().pose);
      for (std::size_t i = 0; i < solids[body]->pieces().size(); ++i) {
        Piece& own = pieces_[link][first_of_body_[link][body] + i];
        double radius = own.simple ? own.corners_from_line(rest[link], on, axis) : 0;
        for (const std::uint32_t v : solids[body]->pieces()[i].vertices)
          radius = std::max(radius, from_line(pose.apply(solids[body]->whole().mesh().vertices()[v]), on, axis));
        own.reach.push_back({j, radius});
      }
    }
  }
}

void MotionModel::path(std::uint32_t link_a, std::uint32_t link_b, std::vector<std::uint32_t>& joints) const {
  joints.clear();
  std::vector<std::uint32_t> from_b;
  const auto up = [&](std::uint32_t& link, std::vector<std::uint32_t>& out) {
    const std::uint32_t joint = *robot_.links[link].joint;
    if (robot_.joints[joint].kind != JointKind::fixed) out.push_back(joint);
    link = robot_.joints[joint].parent;
  };
  SNUG_ASSERT(link_a < depth_.size() && link_b < depth_.size());
  while (depth_[link_a] > depth_[link_b]) up(link_a, joints);
  while (depth_[link_b] > depth_[link_a]) up(link_b, from_b);
  while (link_a != link_b) up(link_a, joints), up(link_b, from_b);
  joints.insert(joints.end(), from_b.rbegin(), from_b.rend());
}

bool MotionModel::rigid(std::uint32_t link_a, std::uint32_t link_b, std::span<const std::uint8_t> moves) const {
  std::vector<std::uint32_t> joints;
  path(link_a, link_b, joints);
  return std::ranges::none_of(joints, [&](std::uint32_t joint) { return moves[joint] != 0; });
}

MotionBounds::MotionBounds(const MotionModel& model) : model_(model) {}

void MotionBounds::set_pose(std::span<const Pose> poses, std::span<const double> half) {
  SNUG_ASSERT(std::ranges::none_of(half, [](double h) { return h < 0; }));
  poses_ = poses;
  half_.assign(half.begin(), half.end());
}

void MotionBounds::set_links(std::uint32_t link_a, std::uint32_t link_b) {
  a_ = link_a, b_ = link_b;
  model_.path(link_a, link_b, path_);
  joints_.clear();
  turn_ = 0;
  for (const std::uint32_t id : path_) {
    const double half = half_[id];
    if (half == 0) continue;
    const RobotJoint& joint = model_.robot().joints[id];
    Mover mover;
    mover.joint = id, mover.slides = joint.kind == JointKind::prismatic;
    mover.chord = mover.slides ? half : turn_chord(half);
    // The axis passes through the child's origin, and turning about it leaves it where it is.
    const Pose& child = poses_[joint.child];
    mover.on_axis = child.translation();
    mover.axis = child.turn(joint.axis);
    // A point that is d farther from each axis: the product also has what the joints before have added.
    if (!mover.slides) turn_ = turn_ + mover.chord * (1 + turn_);
    joints_.push_back(mover);
  }
  bound_pieces(a_, true, moved_a_, centres_a_);
  bound_pieces(b_, false, moved_b_, centres_b_);
}

double MotionBounds::radius_of(const MotionModel::Piece& piece, const Point3& centre, std::uint32_t link,
                               const Mover& mover) const {
  for (const auto& reach : piece.reach)
    if (reach.joint == mover.joint) return reach.radius;
  const double by_ball = from_line(centre, mover.on_axis, mover.axis) + piece.ball.radius;
  if (!piece.simple) return by_ball;
  return std::min(piece.corners_from_line(poses_[link], mover.on_axis, mover.axis), by_ball);
}

void MotionBounds::bound_pieces(std::uint32_t link, bool from_front, std::vector<double>& moved,
                                std::vector<Point3>& centres) const {
  const auto pieces = model_.pieces(link);
  const std::size_t count = joints_.size();
  moved.assign(pieces.size() * count, 0);
  centres.clear();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    centres.push_back(poses_[link].apply(pieces[i].ball.centre));
    double so_far = 0;
    for (std::size_t step = 0; step < count; ++step) {
      const std::size_t k = from_front ? step : count - 1 - step;
      const Mover& mover = joints_[k];
      const double by =
          mover.slides ? mover.chord : mover.chord * (radius_of(pieces[i], centres[i], link, mover) + so_far);
      moved[i * count + k] = by;
      so_far += by;
    }
  }
}

double MotionBounds::with_slack(double value) const {
  return value == 0 ? 0 : value * (1 + k_relative_slack) + k_slack_of_reach * model_.reach();
}

double MotionBounds::closer(std::size_t piece_a, std::size_t piece_b) const {
  const std::size_t count = joints_.size();
  SNUG_ASSERT((piece_a + 1) * count <= moved_a_.size() && (piece_b + 1) * count <= moved_b_.size());
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += std::min(moved_a_[piece_a * count + k], moved_b_[piece_b * count + k]);
  return with_slack(sum);
}

std::optional<MotionBounds::Approach> MotionBounds::nearest(std::size_t body_a, std::size_t body_b,
                                                            double clearance) const {
  std::optional<Approach> out;
  const auto pieces_a = model_.pieces(a_), pieces_b = model_.pieces(b_);
  for (std::size_t i = model_.first_of_body(a_, body_a); i < model_.first_of_body(a_, body_a + 1); ++i)
    for (std::size_t j = model_.first_of_body(b_, body_b); j < model_.first_of_body(b_, body_b + 1); ++j) {
      const double bound = closer(i, j);
      if (out && bound <= out->bound) continue;
      const double reach = pieces_a[i].ball.radius + pieces_b[j].ball.radius;
      const double apart = length_of(centres_b_[j] - centres_a_[i]) * (1 - k_relative_slack) - reach;
      if (apart > (clearance + bound) * (1 + k_relative_slack)) continue;
      out = Approach{bound, i, j};
    }
  return out;
}

void MotionBounds::share_out(const Approach& pieces, std::span<double> by_joint) const {
  const std::size_t count = joints_.size();
  SNUG_ASSERT(by_joint.size() == model_.robot().joints.size());
  for (std::size_t k = 0; k < count; ++k)
    by_joint[joints_[k].joint] += std::min(moved_a_[pieces.a * count + k], moved_b_[pieces.b * count + k]);
}

double MotionBounds::most(bool of_b) const {
  const std::size_t count = joints_.size();
  const std::vector<double>& moved = of_b ? moved_b_ : moved_a_;
  double largest = 0;
  for (std::size_t i = 0; i + count <= moved.size() && count > 0; i += count)
    largest = std::max(largest, std::accumulate(moved.begin() + static_cast<std::ptrdiff_t>(i),
                                                moved.begin() + static_cast<std::ptrdiff_t>(i + count), 0.0));
  return with_slack(largest);
}

double MotionBounds::of_point(bool of_b, const Point3& world) const {
  double so_far = 0;
  for (std::size_t step = 0; step < joints_.size(); ++step) {
    const Mover& mover = joints_[of_b ? joints_.size() - 1 - step : step];
    so_far += mover.slides ? mover.chord : mover.chord * (from_line(world, mover.on_axis, mover.axis) + so_far);
  }
  return with_slack(so_far);
}

}  // namespace snug::robot
