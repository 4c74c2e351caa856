#include "robot/box_look.hpp"

#include "robot/inside.hpp"

#include <algorithm>
#include <cmath>

namespace snug::robot {

namespace {

std::vector<std::vector<std::unique_ptr<Solid>>> solids_of(const Robot& robot) {
  std::vector<std::vector<std::unique_ptr<Solid>>> out;
  for (const RobotLink& link : robot.links) {
    auto& solids = out.emplace_back();
    for (const RobotBody& body : link.bodies) solids.push_back(std::make_unique<Solid>(body));
  }
  return out;
}

/// Smaller is graver.
double gravity(const Closeness& close) { return close.collide() ? -1 : close.value; }

/// True if holes in a mesh may be why no depth proves that the two collide.
bool has_holes(const Solid& solid) { return !solid.simple() && !solid.inside().closed(); }

}  // namespace

JointTask::JointTask(const Robot& r, std::span<const JointSpan> s, const JointCheckOptions& o)
    : robot(r),
      spans(s),
      options(o),
      values(o.values.empty() ? rest_values(r) : o.values),
      solids(solids_of(r)),
      model(r, solids) {}

std::vector<double> JointTask::values_at_middle(const JointBox& box) const {
  std::vector<double> out = values;
  for (std::size_t i = 0; i < spans.size(); ++i) out[spans[i].joint] = box.middle(i);
  return out;
}

std::vector<double> JointTask::half_widths(const JointBox& box) const {
  std::vector<double> half(robot.joints.size(), 0.0);
  for (std::size_t i = 0; i < spans.size(); ++i)
    half[spans[i].joint] = std::max(box.upper[i] - box.middle(i), box.middle(i) - box.lower[i]);
  for (std::size_t j = 0; j < half.size(); ++j)
    if (const auto& mimic = robot.joints[j].mimic) half[j] = std::abs(mimic->multiplier) * half[mimic->joint];
  return half;
}

SeenBox BoxLook::look_at(const JointBox& box) {
  // Values between sound bounds are sound; links that joints shift beyond all coordinates have no valid pose.
  (void)link_poses(task_.robot, task_.values_at_middle(box), poses_).has_value();
  bounds_.set_pose(poses_, task_.half_widths(box));
  SeenBox out;
  std::vector<double> by_joint(task_.robot.joints.size());
  for (const JointBox::Pair& pair : box.pairs) {
    const auto links = task_.pairs[pair.id];
    bounds_.set_links(links[0], links[1]);
    SeenPair seen{.pair = pair, .at_middle = {}};
    if (!poses_[links[0]].is_valid() || !poses_[links[1]].is_valid()) {
      seen.open = Open::rounding;
      seen.may_collide = true;
      out.pairs.push_back(seen);
      continue;
    }
    MotionBounds::Approach widest{.bound = 0};
    if (is_free(links, seen, widest)) continue;
    seen.kept = !seen.certain && widest.bound > task_.options.tolerance;
    seen.may_collide = seen.at_middle.collide() || seen.at_middle.lower <= widest.bound;
    if (!seen.kept && !seen.certain && widest.bound == 0) seen.open = Open::rounding;
    if (seen.kept) bounds_.share_out(widest, by_joint);
    out.pairs.push_back(seen);
  }
  choose_split(box, by_joint, out);
  return out;
}

/// What a pair is in a box whose middle is posed; if it is not free, `seen` says more, and `widest` of the pieces that may
/// come together those that move most.
bool BoxLook::is_free(std::array<std::uint32_t, 2> links, SeenPair& seen, MotionBounds::Approach& widest) {
  const double clearance = task_.options.clearance;
  const auto &of_a = task_.solids[links[0]], &of_b = task_.solids[links[1]];
  bool free = true;
  for (std::size_t i = 0; i < of_a.size(); ++i)
    for (std::size_t j = 0; j < of_b.size(); ++j) {
      const MotionBounds::Approach approach = bounds_.nearest(i, j, clearance);
      if (!approach.any()) continue;
      const Solid &a = *of_a[i], &b = *of_b[j];
      const Pose pose_a = compose(poses_[links[0]], a.body().pose), pose_b = compose(poses_[links[1]], b.body().pose);
      const double limit = clearance + approach.bound;
      const Closeness close = closeness(a, pose_a, b, pose_b, limit, scratch_);
      if (!close.collide() && close.lower > limit) continue;
      free = false;
      if (!seen.certain) seen.certain = certain(links, {i, j}, pose_a, pose_b, close, approach.bound, seen.pair.deep);
      if (gravity(close) < gravity(seen.at_middle)) seen.at_middle = close;
      if (approach.bound > widest.bound) widest = approach;
      const bool holes = close.collide() && (has_holes(a) || has_holes(b));
      seen.open = std::max(seen.open, holes ? Open::open_mesh : Open::contact);
    }
  return free;
}

/// True if what holds in the middle holds for all of the box: no more than the clearance apart.
bool BoxLook::certain(std::array<std::uint32_t, 2> links, std::array<std::size_t, 2> bodies, const Pose& pose_a,
                      const Pose& pose_b, const Closeness& close, double bound, DeepPoint& deep) {
  const Solid &a = *task_.solids[links[0]][bodies[0]], &b = *task_.solids[links[1]][bodies[1]];
  const double clearance = task_.options.clearance;
  // Too close, yet certainly apart: else it would have to be told whether they collide.
  if (!close.collide()) return close.value + bound <= clearance && close.lower > bound;
  if (bounds_.at_rest()) return true;
  if (close.inside && close.lower > bound) return true;
  const auto depth = [&](double moved) { return std::max(0.0, moved - clearance); };
  if (deeper_than(a, pose_a, b, pose_b, depth(bounds_.most(true))) ||
      deeper_than(b, pose_b, a, pose_a, depth(bounds_.most(false))))
    return true;
  if (a.simple() || b.simple()) return false;
  const bool known = deep.body_a == bodies[0] && deep.body_b == bodies[1];
  DeepPoint found{.body_a = static_cast<std::uint32_t>(bodies[0]), .body_b = static_cast<std::uint32_t>(bodies[1])};
  const bool all = collide_throughout(a, pose_a, b, pose_b, bounds_, known ? deep : DeepPoint{}, found, scratch_);
  if (found.sample != DeepPoint::k_none) deep = found;
  return all;
}

/// Halves the span whose joints, with those that mimic them, move the kept pairs most.
void BoxLook::choose_split(const JointBox& box, std::span<const double> by_joint, SeenBox& out) const {
  double most = -1;
  for (std::size_t i = 0; i < task_.spans.size(); ++i) {
    double moved = by_joint[task_.spans[i].joint];
    for (std::size_t j = 0; j < task_.robot.joints.size(); ++j)
      if (task_.robot.joints[j].mimic && task_.robot.joints[j].mimic->joint == task_.spans[i].joint)
        moved += by_joint[j];
    const double middle = box.middle(i);
    if (moved > most && middle > box.lower[i] && middle < box.upper[i]) most = moved, out.split = i;
  }
  if (most <= 0)  // nothing left to halve
    for (SeenPair& seen : out.pairs)
      if (seen.kept) seen.kept = false, seen.open = Open::rounding;
}

}  // namespace snug::robot
