#include "assembly/robot/box_look.hpp"

#include "assembly/robot/inside.hpp"

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

/// How far each joint comes from zero.
std::vector<double> farthest_of(const Robot& robot, std::span<const JointSpan> spans, std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  for (double& value : out) value = std::abs(value);
  for (const JointSpan& span : spans) out[span.joint] = std::max(std::abs(span.lower), std::abs(span.upper));
  for (std::size_t j = 0; j < out.size(); ++j)
    if (const auto& mimic = robot.joints[j].mimic)
      out[j] = std::abs(mimic->multiplier) * out[mimic->joint] + std::abs(mimic->offset);
  return out;
}

/// Smaller is graver.
double gravity(const Closeness& close) { return close.collide() ? -1 : close.value; }

}  // namespace

JointTask::JointTask(const Robot& r, std::span<const JointSpan> s, const JointCheckOptions& o)
    : robot(r),
      spans(s),
      options(o),
      values(o.values.empty() ? rest_values(r) : o.values),
      solids(solids_of(r)),
      model(r, solids, farthest_of(r, s, values)) {}

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
    std::optional<MotionBounds::Approach> widest;
    if (is_free(links, seen, widest)) continue;
    seen.kept = !seen.certain && widest && widest->bound > task_.options.tolerance;
    if (widest && widest->bound == 0 && seen.open == Open::contact) seen.open = Open::rounding;
    if (seen.kept) bounds_.share_out(*widest, by_joint);
    out.pairs.push_back(seen);
  }
  choose_split(box, by_joint, out);
  return out;
}

/// What a pair is in a box whose middle is posed; if it is not free, `seen` says more, and `widest` of the pieces that may
/// come together those that move most, unless it is known that halves of the box will not be decided either.
bool BoxLook::is_free(std::array<std::uint32_t, 2> links, SeenPair& seen,
                      std::optional<MotionBounds::Approach>& widest) {
  const double clearance = task_.options.clearance;
  const auto &of_a = task_.solids[links[0]], &of_b = task_.solids[links[1]];
  bool free = true;
  seen.may_collide = false;
  for (std::size_t i = 0; i < of_a.size(); ++i)
    for (std::size_t j = 0; j < of_b.size(); ++j) {
      const auto approach = bounds_.nearest(i, j, clearance);
      const Solid &a = *of_a[i], &b = *of_b[j];
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
      const Lasting known = lasting(links, {i, j}, pose_a, pose_b, close, bound, seen.pair.deep);
      seen.certain = known == Lasting::collision;
      const bool in_vain = known == Lasting::inside_holes && stay_apart(close);
      if (approach && !in_vain && !(widest && bound <= widest->bound)) widest = approach;
    }
  return free;
}

/// What holds for all of the box, given what does in the middle.
Lasting BoxLook::lasting(std::array<std::uint32_t, 2> links, std::array<std::size_t, 2> bodies, const Pose& pose_a,
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
