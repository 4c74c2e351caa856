#include "assembly/robot/pair_look.hpp"

#include "assembly/robot/joint_values.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::robot {

namespace {

/// Smaller is graver.
double gravity(const Closeness& close) { return close.collide() ? -1 : close.value; }

}  // namespace

void PairLook::set_pose(const JointBox& box, const JointTask::Pair& pair) {
  values_ = task_.values;
  half_.assign(task_.robot.joints.size(), 0.0);
  SNUG_ASSERT(box.lower.size() == task_.spans.size() && box.upper.size() == task_.spans.size());
  for (std::size_t i = 0; i < task_.spans.size(); ++i) {
    const std::uint32_t joint = task_.spans[i].joint;
    values_[joint] = box.middle(i);
    half_[joint] = std::max(box.upper[i] - box.middle(i), box.middle(i) - box.lower[i]);
  }
  for (std::size_t j = 0; j < half_.size(); ++j)
    if (const auto& mimic = task_.robot.joints[j].mimic) half_[j] = std::abs(mimic->multiplier) * half_[mimic->joint];
  pose_links(task_.robot, pair.joints, values_, poses_);
  bounds_.set_pose(poses_, half_);
  bounds_.set_links(pair.links[0], pair.links[1]);
}

SeenPair PairLook::look_at(const JointBox& box, std::uint32_t id, const std::optional<DeepPoint>& deep) {
  const JointTask::Pair& pair = task_.pairs[id];
  set_pose(box, pair);
  SeenPair seen{.at_middle = {}, .deep = deep};
  // Links that joints shift beyond all coordinates have no valid pose.
  if (!poses_[pair.links[0]].is_valid() || !poses_[pair.links[1]].is_valid()) {
    seen.open = Open::rounding;
    seen.may_collide = true;
    return seen;
  }
  std::optional<MotionBounds::Approach> widest;
  seen.free = is_free(pair.links, seen, widest);
  if (seen.free || seen.certain) return seen;
  if (widest && widest->bound == 0 && seen.open == Open::contact) seen.open = Open::rounding;
  if (widest && widest->bound > task_.options.tolerance) choose_split(box, pair, *widest, seen);
  return seen;
}

/// What a pair is in a box whose middle is posed; if it is not free, `seen` says more, and `widest` of the pieces that may
/// come together those that move most, unless it is known that halves of the box will not be decided either.
bool PairLook::is_free(std::array<std::uint32_t, 2> links, SeenPair& seen,
                       std::optional<MotionBounds::Approach>& widest) {
  const double clearance = task_.options.clearance;
  const auto &of_a = task_.solids[links[0]], &of_b = task_.solids[links[1]];
  bool free = true;
  for (std::size_t i = 0; i < of_a.size(); ++i)
    for (std::size_t j = 0; j < of_b.size(); ++j) {
      const auto approach = bounds_.nearest(i, j, clearance);
      const Solid &a = *of_a[i], &b = *of_b[j];
      if (!approach && a.simple() && b.simple()) continue;
      const Pose pose_a = compose(poses_[links[0]], a.body().pose), pose_b = compose(poses_[links[1]], b.body().pose);
      // Pieces of meshes cover their surfaces. If these stay apart, one body may still lie inside the other, and then it
      // does so throughout.
      if (!approach && !one_holds_the_other(a, pose_a, b, pose_b, Holes::closed)) continue;
      const double bound = approach ? approach->bound : 0, limit = clearance + bound;
      const auto stay_apart = [&](const Closeness& close) { return !close.collide() && close.lower > limit; };
      Closeness close = closeness(a, pose_a, b, pose_b, Holes::closed, limit, scratch_);
      if (stay_apart(close)) continue;
      free = false;
      const bool holes = a.has_holes() || b.has_holes();
      seen.may_collide |= close.collide() || close.lower <= bound;
      seen.open = std::max(seen.open, holes ? Open::open_mesh : Open::contact);
      if (holes) close = closeness(a, pose_a, b, pose_b, Holes::open, limit, scratch_);
      if (gravity(close) < gravity(seen.at_middle)) seen.at_middle = close;
      if (seen.certain) continue;
      const Lasting known = lasting(links, {i, j}, pose_a, pose_b, close, bound, seen.deep);
      seen.certain = known == Lasting::collision;
      const bool in_vain = known == Lasting::inside_holes && stay_apart(close);
      if (approach && !in_vain && !(widest && bound <= widest->bound)) widest = approach;
    }
  return free;
}

/// What holds for all of the box, given what does in the middle.
Lasting PairLook::lasting(std::array<std::uint32_t, 2> links, std::array<std::size_t, 2> bodies, const Pose& pose_a,
                          const Pose& pose_b, const Closeness& close, double bound, std::optional<DeepPoint>& deep) {
  const Solid &a = *task_.solids[links[0]][bodies[0]], &b = *task_.solids[links[1]][bodies[1]];
  const double clearance = task_.options.clearance;
  // Too close, yet certainly apart: else it would have to be told whether they collide.
  if (!close.collide() && close.value + bound <= clearance && close.lower > bound) return Lasting::collision;
  const bool holes = a.has_holes() || b.has_holes();
  if (!close.collide() && !holes) return Lasting::nothing;
  if (close.collide() && (bounds_.at_rest() || (close.inside && close.lower > bound))) return Lasting::collision;
  const bool known = deep && deep->body_a == bodies[0] && deep->body_b == bodies[1];
  std::optional<DeepPoint> found;
  const Lasting out = collide_throughout(a, pose_a, b, pose_b, bounds_, clearance, 0.5 * close.on_a + 0.5 * close.on_b,
                                         known ? deep : std::nullopt, found, scratch_);
  if (found) {
    found->body_a = static_cast<std::uint32_t>(bodies[0]), found->body_b = static_cast<std::uint32_t>(bodies[1]);
    deep = found;
  }
  return out;
}

/// The span whose joints, with those that mimic it, move the pair most. If none of them can be halved, the pair is undecided.
void PairLook::choose_split(const JointBox& box, const JointTask::Pair& pair, const MotionBounds::Approach& widest,
                            SeenPair& seen) {
  by_joint_.assign(task_.robot.joints.size(), 0);
  bounds_.share_out(widest, by_joint_);
  for (const std::uint32_t i : pair.spans) {
    double moved = by_joint_[task_.spans[i].joint];
    for (std::size_t j = 0; j < task_.robot.joints.size(); ++j)
      if (task_.robot.joints[j].mimic && task_.robot.joints[j].mimic->joint == task_.spans[i].joint)
        moved += by_joint_[j];
    const double middle = box.middle(i);
    if (moved > seen.moved && middle > box.lower[i] && middle < box.upper[i]) seen.moved = moved, seen.split = i;
  }
  seen.kept = seen.moved > 0;
  SNUG_ASSERT(!seen.kept || seen.split < task_.spans.size());
  if (!seen.kept) seen.open = Open::rounding;
}

}  // namespace snug::robot
