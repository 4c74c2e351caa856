#include "assembly/robot/joint_task.hpp"

#include "support/trig.hpp"
#include "support/watched.hpp"

#include <algorithm>
#include <cmath>

namespace snug::robot {

namespace {

constexpr double k_turn = 2 * support::k_pi;
// Turns. Pieces of the range are listed with all of their copies, up to the square of this for two joints. Joints of robots
// turn by four turns at most, those of cables and tools by more: these are looked at as they are.
constexpr double k_most_turns = 4;
// Radians. Values are shifted by whole turns with an error of some 1e-15 rad, which the slack of motion bounds covers. A
// copy that is narrower than this is what rounding of the limits leaves of the last turn.
constexpr double k_narrowest_copy = 1e-9;

std::vector<std::vector<std::unique_ptr<Solid>>> solids_of(const Robot& robot, unsigned threads, const Watch& watch) {
  std::vector<std::vector<std::unique_ptr<Solid>>> out;
  std::vector<std::pair<const RobotBody*, std::unique_ptr<Solid>*>> all;
  for (const RobotLink& link : robot.links) {
    out.emplace_back(link.bodies.size());
    for (std::size_t i = 0; i < link.bodies.size(); ++i) all.emplace_back(&link.bodies[i], &out.back()[i]);
  }
  const auto build = [&](std::size_t i) { *all[i].second = std::make_unique<Solid>(*all[i].first, watch.cancel); };
  if (!support::for_each_chunk_watched(all.size(), threads, watch, build))
    for (std::size_t i = 0; i < all.size(); ++i)
      if (*all[i].second == nullptr) build(i);  // at once, since it is cancelled
  return out;
}

bool is_ignored(const JointCheckOptions& options, std::uint32_t a, std::uint32_t b) {
  return std::ranges::any_of(options.ignored, [&](const auto& pair) {
    return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
  });
}

bool holds(const Robot& robot, std::uint32_t parent, std::uint32_t child) {
  const auto joint = robot.links[child].joint;
  return joint && robot.joints[*joint].parent == parent;
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

}  // namespace

SpanValues::SpanValues(const Robot& robot, const JointSpan& span)
    : lower_(span.lower), upper_(span.upper), one_turn_(span.lower + k_turn) {
  const JointKind kind = robot.joints[span.joint].kind;
  const bool turns = kind == JointKind::revolute || kind == JointKind::continuous;
  // A joint that mimics this one may turn by a fraction of a turn.
  const bool mimicked =
      std::ranges::any_of(robot.joints, [&](const RobotJoint& j) { return j.mimic && j.mimic->joint == span.joint; });
  const double farthest = std::max(std::abs(lower_), std::abs(upper_));
  folded_ = turns && !mimicked && upper_ > one_turn_ && upper_ - lower_ <= k_most_turns * k_turn * (1 + 1e-9) &&
            farthest <= 2 * k_most_turns * k_turn;
}

double SpanValues::measure(double lower, double upper) const noexcept {
  double sum = 0;
  for (double shift = 0; lower + shift < upper_; shift += k_turn)
    sum += std::min(upper + shift, upper_) - (lower + shift);
  return sum;
}

double SpanValues::share_below(double middle, double lower, double upper) const noexcept {
  if (!folded_) return 0.5;
  const double below = measure(lower, middle), above = measure(middle, upper);
  return below + above > 0 ? below / (below + above) : 0.5;
}

double SpanValues::last_copy_ends(double lower, double upper) const noexcept {
  double last = upper;
  if (folded_)
    for (double shift = k_turn; lower + shift + k_narrowest_copy < upper_; shift += k_turn)
      last = std::min(upper + shift, upper_);
  return last;
}

std::vector<std::array<double, 2>> SpanValues::copies(double lower, double upper) const {
  std::vector<std::array<double, 2>> out{{lower, upper}};
  if (folded_)
    for (double shift = k_turn; lower + shift + k_narrowest_copy < upper_; shift += k_turn)
      out.push_back({lower + shift, std::min(upper + shift, upper_)});
  return out;
}

JointTask::JointTask(const Robot& r, std::span<const JointSpan> s, const JointCheckOptions& o, const Watch& watch)
    : robot(r),
      spans(s),
      options(o),
      values(o.values.empty() ? rest_values(r) : o.values),
      solids(solids_of(r, o.threads, watch)),
      model(r, solids, farthest_of(r, s, values)) {
  for (const JointSpan& span : spans) span_values.emplace_back(robot, span);
  choose_pairs();
}

void JointTask::choose_pairs() {
  std::vector<std::uint32_t> solid;
  for (std::uint32_t i = 0; i < robot.links.size(); ++i)
    if (!robot.links[i].bodies.empty()) solid.push_back(i);
  std::ranges::sort(solid, {}, [&](std::uint32_t link) -> const std::string& { return robot.links[link].name; });
  std::vector<std::uint8_t> can_move;
  for (const RobotJoint& joint : robot.joints) can_move.push_back(joint.kind != JointKind::fixed);
  for (std::size_t i = 0; i < solid.size(); ++i)
    for (std::size_t j = i + 1; j < solid.size(); ++j) {
      using Why = ExcludedLinks::Why;
      const std::uint32_t a = solid[i], b = solid[j];
      if (is_ignored(options, a, b))
        excluded.push_back({a, b, Why::ignored});
      else if (model.rigid(a, b, can_move))
        excluded.push_back({a, b, Why::rigid});
      else if (!options.adjacent && (holds(robot, a, b) || holds(robot, b, a)))
        excluded.push_back({a, b, Why::adjacent});
      else
        add_pair(a, b);
    }
}

void JointTask::add_pair(std::uint32_t link_a, std::uint32_t link_b) {
  Pair pair{.links = {link_a, link_b}, .joints = {}, .spans = {}};
  std::vector<bool> poses_one(robot.joints.size());
  for (std::uint32_t link : pair.links)
    while (const auto joint = robot.links[link].joint) poses_one[*joint] = true, link = robot.joints[*joint].parent;
  for (const std::uint32_t joint : robot.order)
    if (poses_one[joint]) pair.joints.push_back(joint);
  std::vector<std::uint32_t> between;
  model.path(link_a, link_b, between);
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    const auto moved = [&](std::uint32_t joint) {
      const auto& mimic = robot.joints[joint].mimic;
      return mimic ? mimic->joint == spans[i].joint && mimic->multiplier != 0 : joint == spans[i].joint;
    };
    if (spans[i].upper > spans[i].lower && std::ranges::any_of(between, moved)) pair.spans.push_back(i);
  }
  pairs.push_back(std::move(pair));
}

JointBox JointTask::whole() const {
  JointBox out;
  for (const SpanValues& span : span_values) out.lower.push_back(span.lower()), out.upper.push_back(span.upper());
  return out;
}

std::array<JointBox, 2> JointTask::halves(const JointBox& box, std::size_t span) const {
  std::array<JointBox, 2> out{box, box};
  const double middle = box.middle(span);
  out[0].upper[span] = out[1].lower[span] = middle;
  out[0].share = box.share * span_values[span].share_below(middle, box.lower[span], box.upper[span]);
  out[1].share = box.share - out[0].share;
  return out;
}

std::vector<double> JointTask::values_at_middle(const JointBox& box) const {
  std::vector<double> out = values;
  for (std::size_t i = 0; i < spans.size(); ++i) out[spans[i].joint] = box.middle(i);
  return out;
}

}  // namespace snug::robot
