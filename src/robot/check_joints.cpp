#include "robot/motion_bound.hpp"
#include "robot/solid.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <snug/robot.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug {

namespace {

using robot::Closeness;
using robot::MotionBound;
using robot::MotionBounds;
using robot::Solid;

// Boxes that are looked into between two looks at the cancel token, and at a time by one thread.
constexpr std::size_t k_batch = 1024;
constexpr std::size_t k_chunk = 16;

/// A piece of the range, with the pairs that are not known to be free everywhere in it.
struct Box {
  std::vector<double> lower, upper;  ///< by span
  std::vector<std::uint32_t> pairs;
  int depth = 0;                ///< it has been halved so often
  bool colliding = false;       ///< for certain and everywhere, and counted as such
  bool open = false;            ///< a pair is undecided in it
  bool open_colliding = false;  ///< and collides in the middle of it

  [[nodiscard]] double share() const { return std::ldexp(1.0, -depth); }
  [[nodiscard]] double middle(std::size_t span) const { return lower[span] + (upper[span] - lower[span]) / 2; }
};

/// What was found of a pair that is not free in a box.
struct Seen {
  std::uint32_t pair = 0;
  bool certain = false;  ///< collides everywhere in the box
  bool kept = false;     ///< to be looked at in the halves; else undecided, or certain
  bool may_collide = true;
  Closeness at_middle;
};

struct Looked {
  std::vector<Seen> seen;
  std::size_t split = 0;  ///< the span to halve, if any pair is kept
};

class JointSearch {
 public:
  JointSearch(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options)
      : robot_(robot), spans_(spans), options_(options), bounds_(robot), values_(options.values) {
    if (values_.empty()) values_ = rest_values(robot);
    SNUG_ASSERT(values_.size() == robot.joints.size());
    choose_pairs();
    for (const RobotLink& link : robot.links) {
      auto& solids = solids_.emplace_back();
      for (const RobotBody& body : link.bodies) solids.emplace_back(body);
    }
  }

  JointReport run() {
    report_.pairs = pairs_.size();
    Box whole;
    for (const JointSpan& span : spans_) whole.lower.push_back(span.lower), whole.upper.push_back(span.upper);
    detail::Team team(options_.threads);
    whole.pairs = not_free_by_themselves(whole, team);
    std::vector<Box> level;
    if (!whole.pairs.empty())
      level.push_back(std::move(whole));
    else if (!pairs_.empty())
      close(whole);
    while (!level.empty()) level = next_level(std::move(level), team);
    finish();
    return std::move(report_);
  }

 private:
  struct Pair {
    std::uint32_t a, b;  ///< links
    bool clash = false, near = false, open = false, may_clash = false;
    JointFinding finding;
  };

  void choose_pairs() {
    std::vector<std::uint32_t> solid;
    for (std::uint32_t i = 0; i < robot_.links.size(); ++i)
      robot_.links[i].bodies.empty() ? report_.empty_links.push_back(i) : solid.push_back(i);
    std::ranges::sort(solid, {}, [&](std::uint32_t link) -> const std::string& { return robot_.links[link].name; });
    std::vector<std::uint8_t> can_move;
    can_move.reserve(robot_.joints.size());
    for (const RobotJoint& joint : robot_.joints) can_move.push_back(joint.kind != JointKind::fixed);
    for (std::size_t i = 0; i < solid.size(); ++i)
      for (std::size_t j = i + 1; j < solid.size(); ++j) {
        using Why = ExcludedLinks::Why;
        const std::uint32_t a = solid[i], b = solid[j];
        if (is_ignored(a, b))
          report_.excluded.push_back({a, b, Why::ignored});
        else if (bounds_.rigid(a, b, can_move))
          report_.excluded.push_back({a, b, Why::rigid});
        else if (!options_.adjacent && (holds(a, b) || holds(b, a)))
          report_.excluded.push_back({a, b, Why::adjacent});
        else
          pairs_.push_back(
              {.a = a, .b = b, .finding = {.a = a, .b = b, .example = {}, .point = {}, .shares = {}, .within = {}}});
      }
  }
  [[nodiscard]] bool holds(std::uint32_t parent, std::uint32_t child) const {
    const auto joint = robot_.links[child].joint;
    return joint && robot_.joints[*joint].parent == parent;
  }
  [[nodiscard]] bool is_ignored(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::any_of(options_.ignored, [&](const auto& pair) {
      return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
    });
  }

  [[nodiscard]] std::vector<double> values_at_middle(const Box& box) const {
    std::vector<double> values = values_;
    for (std::size_t i = 0; i < spans_.size(); ++i) values[spans_[i].joint] = box.middle(i);
    return values;
  }
  /// How far each joint can be from the middle.
  [[nodiscard]] std::vector<double> half_widths(const Box& box) const {
    std::vector<double> half(robot_.joints.size(), 0.0);
    for (std::size_t i = 0; i < spans_.size(); ++i)
      half[spans_[i].joint] = std::max(box.upper[i] - box.middle(i), box.middle(i) - box.lower[i]);
    for (std::size_t j = 0; j < half.size(); ++j)
      if (const auto& mimic = robot_.joints[j].mimic) half[j] = std::abs(mimic->multiplier) * half[mimic->joint];
    return half;
  }

  Looked look_at(const Box& box, MotionBounds& bounds, Scratch& scratch) const {
    const std::vector<Pose> poses = link_poses(robot_, values_at_middle(box));
    bounds.set_pose(poses, half_widths(box));
    Looked out;
    std::vector<double> by_joint(robot_.joints.size());
    const auto split_by = [&](std::uint32_t pair) { (void)bounds.between(pairs_[pair].a, pairs_[pair].b, by_joint); };
    for (const std::uint32_t pair : box.pairs) {
      const MotionBound bound = bounds.between(pairs_[pair].a, pairs_[pair].b, {});
      Seen seen{.pair = pair, .at_middle = {}};
      if (is_free(poses, pairs_[pair], bound, seen, scratch)) continue;
      seen.kept = !seen.certain && bound.closer > options_.tolerance;
      seen.may_collide = seen.at_middle.collide() || seen.at_middle.lower <= bound.closer;
      if (seen.kept) split_by(pair);
      out.seen.push_back(seen);
    }
    choose_split(box, by_joint, out);
    return out;
  }

  /// What a pair is in a box whose middle is posed; if it is not free, `seen` says more.
  bool is_free(std::span<const Pose> poses, const Pair& pair, const MotionBound& bound, Seen& seen,
               Scratch& scratch) const {
    const double limit = options_.clearance + bound.closer;
    bool free = true;
    for (const Solid& a : solids_[pair.a])
      for (const Solid& b : solids_[pair.b]) {
        const Pose pose_a = compose(poses[pair.a], a.body.pose), pose_b = compose(poses[pair.b], b.body.pose);
        const Closeness close = robot::closeness(a, pose_a, b, pose_b, limit, scratch);
        if (!close.collide() && close.lower > limit) continue;
        free = false;
        if (!seen.certain) seen.certain = certain(a, pose_a, b, pose_b, close, bound);
        if (gravity(close) < gravity(seen.at_middle)) seen.at_middle = close;
      }
    return free;
  }
  /// Smaller is graver.
  static double gravity(const Closeness& close) { return close.collide() ? -1 : close.value; }

  /// True if what holds in the middle holds for all of the box: no more than the clearance apart.
  bool certain(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Closeness& close,
               const MotionBound& bound) const {
    // Too close, yet certainly apart: else it would have to be told whether they collide.
    if (!close.collide()) return close.value + bound.closer <= options_.clearance && close.lower > bound.closer;
    if (bound.closer == 0) return true;
    if (close.inside && close.lower > bound.closer) return true;
    const auto depth = [&](double moved) { return std::max(0.0, moved - options_.clearance); };
    return robot::deeper_than(a, pose_a, b, pose_b, depth(bound.b)) ||
           robot::deeper_than(b, pose_b, a, pose_a, depth(bound.a));
  }

  /// Halves the span whose joints, with those that mimic them, move the kept pairs most.
  void choose_split(const Box& box, std::span<const double> by_joint, Looked& out) const {
    double most = -1;
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      double moved = by_joint[spans_[i].joint];
      for (std::size_t j = 0; j < robot_.joints.size(); ++j)
        if (robot_.joints[j].mimic && robot_.joints[j].mimic->joint == spans_[i].joint) moved += by_joint[j];
      const double middle = box.middle(i);
      if (moved > most && middle > box.lower[i] && middle < box.upper[i]) most = moved, out.split = i;
    }
    if (most <= 0)  // nothing left to halve
      for (Seen& seen : out.seen) seen.kept = false;
  }

  /// Each pair is looked at alone first, for a quarter of the poses: only joints between its links are divided then, which is
  /// often enough to know that it is free everywhere, and that the others need not be divided on its account.
  std::vector<std::uint32_t> not_free_by_themselves(const Box& whole, detail::Team& team) {
    const std::size_t count = pairs_.size();
    std::vector<std::uint8_t> free(count);
    std::vector<std::uint64_t> poses(count);
    const std::uint64_t most = options_.max_poses / 4 / std::max<std::size_t>(count, 1);
    if (count > 1)
      team.for_each_chunk(count, [&](std::size_t pair) {
        free[pair] = free_by_itself(whole, static_cast<std::uint32_t>(pair), most, poses[pair]);
      });
    std::vector<std::uint32_t> left;
    for (std::uint32_t pair = 0; pair < count; ++pair) {
      if (free[pair] == 0) left.push_back(pair);
      report_.poses += poses[pair];
    }
    return left;
  }
  bool free_by_itself(const Box& whole, std::uint32_t pair, std::uint64_t most, std::uint64_t& poses) const {
    MotionBounds bounds = bounds_;
    Scratch scratch;
    std::vector<Box> level{whole}, next;
    level[0].pairs = {pair};
    for (; !level.empty(); level = std::exchange(next, {}))
      for (Box& box : level) {
        if (poses == most || (options_.cancel != nullptr && options_.cancel->cancelled())) return false;
        ++poses;
        const Looked looked = look_at(box, bounds, scratch);
        if (looked.seen.empty()) continue;
        if (!looked.seen[0].kept || looked.seen[0].at_middle.collide()) return false;
        halve(std::move(box), looked.split, next);
      }
    return true;
  }

  static void halve(Box box, std::size_t span, std::vector<Box>& out) {
    Box other = box;
    box.depth = ++other.depth;
    other.lower[span] = box.upper[span] = box.middle(span);
    out.push_back(std::move(box));
    out.push_back(std::move(other));
  }

  std::vector<Box> next_level(std::vector<Box> level, detail::Team& team) {
    std::vector<Box> next;
    for (std::size_t begin = 0; begin < level.size();) {
      const std::uint64_t left = options_.max_poses - report_.poses;
      if (options_.cancel != nullptr && options_.cancel->cancelled()) report_.cancelled = true;
      if (left == 0) report_.limit_reached = true;
      if (report_.cancelled || left == 0) {
        for (std::size_t i = begin; i < level.size(); ++i) give_up(level[i]);
        for (const Box& box : next) give_up(box);
        return {};
      }
      const std::size_t count = std::min({k_batch, level.size() - begin, static_cast<std::size_t>(left)});
      std::vector<Looked> looked(count);
      team.for_each_chunk((count + k_chunk - 1) / k_chunk, [&](std::size_t chunk) {
        MotionBounds bounds = bounds_;
        Scratch scratch;
        for (std::size_t i = chunk * k_chunk; i < std::min(count, (chunk + 1) * k_chunk); ++i)
          looked[i] = look_at(level[begin + i], bounds, scratch);
      });
      for (std::size_t i = 0; i < count; ++i) take(std::move(level[begin + i]), looked[i], next);
      report_.poses += count;
      begin += count;
      tell_progress();
    }
    return next;
  }

  void tell_progress() {
    const double done = report_.shares.free + report_.shares.colliding + report_.shares.undecided;
    const double spent = static_cast<double>(report_.poses) / static_cast<double>(options_.max_poses);
    progress_ = std::max(progress_, std::min(1.0, std::max(done, spent)));
    if (options_.progress) options_.progress(progress_);
  }

  /// Counts what is decided and hands the rest to the halves.
  void take(Box box, const Looked& looked, std::vector<Box>& next) {
    std::vector<std::uint32_t> kept;
    bool hit = false;
    for (const Seen& seen : looked.seen) {
      Pair& pair = pairs_[seen.pair];
      note_example(pair, seen, box);
      if (seen.kept) {
        kept.push_back(seen.pair);
        continue;
      }
      include(pair, box);
      (seen.certain ? pair.finding.shares.colliding : pair.finding.shares.undecided) += box.share();
      if (seen.certain) {
        hit = true;
      } else {
        const bool collides = counts(seen.at_middle);
        if (collides) pair.finding.shares.undecided_colliding += box.share();
        pair.open = box.open = true;
        pair.may_clash |= seen.may_collide;
        box.open_colliding |= collides;
      }
    }
    if (hit && !box.colliding) count(box, JointCell::State::colliding), box.colliding = true;
    if (kept.empty()) return close(box);
    box.pairs = std::move(kept);
    halve(std::move(box), looked.split, next);
  }

  /// Of a box that is not looked into.
  void give_up(const Box& box) {
    for (const std::uint32_t id : box.pairs) {
      Pair& pair = pairs_[id];
      include(pair, box);
      pair.finding.shares.undecided += box.share();
      if (pair.finding.example.empty()) pair.finding.example = values_at_middle(box);
      pair.open = pair.may_clash = true;
    }
    if (!box.colliding) count(box, JointCell::State::undecided);
  }

  /// Of a box in which no pair is left to look at.
  void close(const Box& box) {
    if (box.colliding) return;
    count(box, box.open ? JointCell::State::undecided : JointCell::State::free);
    if (box.open_colliding) report_.shares.undecided_colliding += box.share();
    if (!box.open && report_.free_example.empty()) report_.free_example = values_at_middle(box);
  }

  void count(const Box& box, JointCell::State state) {
    using State = JointCell::State;
    (state == State::free        ? report_.shares.free
     : state == State::colliding ? report_.shares.colliding
                                 : report_.shares.undecided) += box.share();
    if (spans_.empty() || spans_.size() > 2) return;
    JointCell cell{.state = state};
    for (std::size_t i = 0; i < spans_.size(); ++i) cell.lower[i] = box.lower[i], cell.upper[i] = box.upper[i];
    report_.cells.push_back(cell);
  }

  [[nodiscard]] bool counts(const Closeness& close) const {
    return close.collide() || close.value <= options_.clearance;
  }

  /// The first pose at which they collide; failing that the one at which they come closest.
  void note_example(Pair& pair, const Seen& seen, const Box& box) {
    const Closeness& close = seen.at_middle;
    if (pair.clash) return;
    const bool near = options_.clearance > 0 && counts(close);
    const bool better = close.collide() || pair.finding.example.empty() || close.value < pair.finding.distance;
    if (!better) return;
    pair.clash = close.collide();
    pair.near |= near;
    pair.finding.example = values_at_middle(box);
    pair.finding.distance = pair.clash ? 0 : close.value;
    if (std::isfinite(close.value)) pair.finding.point = 0.5 * close.on_a + 0.5 * close.on_b;
  }

  static void include(Pair& pair, const Box& box) {
    auto& within = pair.finding.within;
    if (within.empty())
      for (std::size_t i = 0; i < box.lower.size(); ++i) within.push_back({box.lower[i], box.upper[i]});
    for (std::size_t i = 0; i < within.size(); ++i)
      within[i] = {std::min(within[i][0], box.lower[i]), std::max(within[i][1], box.upper[i])};
  }

  void finish() {
    for (Pair& pair : pairs_) {
      JointFinding& finding = pair.finding;
      finding.shares.free = 1 - finding.shares.colliding - finding.shares.undecided;
      if (!pair.clash && !pair.near && !pair.open) continue;
      finding.verdict = pair.clash ? Verdict::clash : pair.near && !pair.may_clash ? Verdict::near : Verdict::undecided;
      report_.findings.push_back(std::move(finding));
    }
    // Pairs are ordered by name already.
    std::ranges::stable_sort(report_.findings, std::ranges::greater{}, &JointFinding::verdict);
  }

  const Robot& robot_;
  std::span<const JointSpan> spans_;
  const JointCheckOptions& options_;
  MotionBounds bounds_;
  std::vector<double> values_;
  std::vector<std::vector<Solid>> solids_;  ///< by link
  std::vector<Pair> pairs_;
  JointReport report_;
  double progress_ = 0;
};

void expect_sound(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options) {
  std::vector<bool> named(robot.joints.size());
  for (const JointSpan& span : spans) {
    if (span.joint >= robot.joints.size() || named[span.joint])
      detail::stop("check_joints(): no such joint, or one named twice");
    named[span.joint] = true;
    const RobotJoint& joint = robot.joints[span.joint];
    if (joint.kind == JointKind::fixed || joint.mimic)
      detail::stop("check_joints(): the joint has no value of its own");
    if (!(span.lower <= span.upper) || !std::isfinite(span.upper - span.lower))
      detail::stop("check_joints(): the bounds of a span are not in order");
  }
  if (!options.values.empty() && options.values.size() != robot.joints.size())
    detail::stop("check_joints(): not as many values as joints");
  if (!(options.clearance >= 0 && std::isfinite(options.clearance)) ||
      !(options.tolerance > 0 && std::isfinite(options.tolerance)))
    detail::stop("check_joints(): clearance and tolerance must be finite, and the tolerance above zero");
}

}  // namespace

JointReport check_joints(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options) {
  expect_sound(robot, spans, options);
  return JointSearch(robot, spans, options).run();
}

std::uint64_t JointReport::count_of(Verdict verdict) const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(findings, verdict, &JointFinding::verdict));
}

std::string_view to_string(ExcludedLinks::Why why) noexcept {
  constexpr std::array<std::string_view, 3> k_words{"adjacent", "rigid", "ignored"};
  return k_words[static_cast<std::size_t>(why)];
}

}  // namespace snug
