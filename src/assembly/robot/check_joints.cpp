#include "assembly/robot/box_look.hpp"
#include "assembly/robot/joint_values.hpp"
#include "support/parallel.hpp"

#include <snug/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace snug {

namespace {

using robot::BoxLook;
using robot::Closeness;
using robot::JointBox;
using robot::JointTask;
using robot::Open;
using robot::SeenBox;
using robot::SeenPair;

// Boxes that are looked into between two looks at the cancel token, and at a time by one thread.
constexpr std::size_t k_batch = 1024;
constexpr std::size_t k_chunk = 16;

void halve(JointBox box, std::size_t span, std::vector<JointBox>& out) {
  JointBox other = box;
  box.depth = ++other.depth;
  other.lower[span] = box.upper[span] = box.middle(span);
  out.push_back(std::move(box));
  out.push_back(std::move(other));
}

void add_undecided(JointShares& shares, Open why, double share) {
  shares.undecided += share;
  (why == Open::contact     ? shares.why.contact
   : why == Open::open_mesh ? shares.why.open_mesh
   : why == Open::rounding  ? shares.why.rounding
   : why == Open::limit     ? shares.why.limit
                            : shares.why.cancelled) += share;
}

class JointSearch {
 public:
  JointSearch(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options)
      : robot_(robot), spans_(spans), options_(options), task_(robot, spans, options) {
    choose_pairs();
  }

  JointReport run() {
    report_.pairs = pairs_.size();
    JointBox whole;
    for (const JointSpan& span : spans_) whole.lower.push_back(span.lower), whole.upper.push_back(span.upper);
    detail::Team team(options_.threads);
    look_at_rest(whole);
    whole.pairs = not_free_by_themselves(whole, team);
    std::vector<JointBox> level;
    if (!whole.pairs.empty())
      level.push_back(std::move(whole));
    else if (report_.pairs > report_.pairs_at_rest)
      close(whole);
    while (!level.empty()) {
      level = next_level(std::move(level), team);
      // Of what collides anyhow, only the shares of other pairs are open: that comes last.
      if (level.empty()) level = std::exchange(later_, {}), last_ = true;
    }
    finish();
    return std::move(report_);
  }

 private:
  struct Pair {
    bool at_rest = false;
    bool clash = false, near = false, open = false, may_clash = false;
    JointFinding finding;
  };

  void choose_pairs() {
    std::vector<std::uint32_t> solid;
    for (std::uint32_t i = 0; i < robot_.links.size(); ++i)
      robot_.links[i].bodies.empty() ? report_.empty_links.push_back(i) : solid.push_back(i);
    std::ranges::sort(solid, {}, [&](std::uint32_t link) -> const std::string& { return robot_.links[link].name; });
    std::vector<std::uint8_t> can_move, moves(robot_.joints.size());
    for (const RobotJoint& joint : robot_.joints) can_move.push_back(joint.kind != JointKind::fixed);
    for (const JointSpan& span : spans_) moves[span.joint] = span.upper > span.lower;
    for (std::size_t j = 0; j < moves.size(); ++j)
      if (const auto& mimic = robot_.joints[j].mimic)
        moves[j] = mimic->multiplier != 0 && std::ranges::any_of(spans_, [&](const JointSpan& span) {
                     return span.joint == mimic->joint && span.upper > span.lower;
                   });
    for (std::size_t i = 0; i < solid.size(); ++i)
      for (std::size_t j = i + 1; j < solid.size(); ++j) {
        using Why = ExcludedLinks::Why;
        const std::uint32_t a = solid[i], b = solid[j];
        if (is_ignored(a, b))
          report_.excluded.push_back({a, b, Why::ignored});
        else if (task_.model.rigid(a, b, can_move))
          report_.excluded.push_back({a, b, Why::rigid});
        else if (!options_.adjacent && (holds(a, b) || holds(b, a)))
          report_.excluded.push_back({a, b, Why::adjacent});
        else {
          const bool at_rest = task_.model.rigid(a, b, moves);
          report_.pairs_at_rest += at_rest;
          task_.pairs.push_back({a, b});
          Pair& pair = pairs_.emplace_back();
          pair.at_rest = pair.finding.at_rest = at_rest;
          pair.finding.a = a, pair.finding.b = b;
        }
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
  [[nodiscard]] bool cancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }

  /// Pairs that no joint of the spans moves are what they are in one pose, and their shares are all or nothing.
  void look_at_rest(const JointBox& whole) {
    if (report_.pairs_at_rest == 0) return;
    JointBox box = whole;
    for (std::uint32_t id = 0; id < pairs_.size(); ++id)
      if (pairs_[id].at_rest) box.pairs.push_back({id, {}});
    if (cancelled() || options_.max_poses == 0) {
      (cancelled() ? report_.cancelled : report_.limit_reached) = true;
      return note_left(box);
    }
    // The first pose of those that move is as good a one: it is not counted twice.
    if (report_.pairs == report_.pairs_at_rest) ++report_.poses;
    for (const SeenPair& seen : BoxLook(task_).look_at(box).pairs) note_decided(seen, box);
  }

  /// Each pair is looked at alone first, for a quarter of the poses: only joints between its links are divided then, which is
  /// often enough to know that it is free everywhere, and that the others need not be divided on its account.
  std::vector<JointBox::Pair> not_free_by_themselves(const JointBox& whole, detail::Team& team) {
    std::vector<std::uint32_t> moving;
    for (std::uint32_t id = 0; id < pairs_.size(); ++id)
      if (!pairs_[id].at_rest) moving.push_back(id);
    const std::size_t count = moving.size();
    std::vector<std::uint8_t> free(count);
    std::vector<std::uint64_t> poses(count);
    const std::uint64_t left = options_.max_poses - std::min(report_.poses, options_.max_poses);
    const std::uint64_t most = left / 4 / std::max<std::size_t>(count, 1);
    if (count > 1)
      team.for_each_chunk(count, [&](std::size_t i) { free[i] = free_by_itself(whole, moving[i], most, poses[i]); });
    std::vector<JointBox::Pair> kept;
    for (std::size_t i = 0; i < count; ++i) {
      if (free[i] == 0) kept.push_back({moving[i], {}});
      report_.poses += poses[i];
    }
    return kept;
  }
  bool free_by_itself(const JointBox& whole, std::uint32_t pair, std::uint64_t most, std::uint64_t& poses) const {
    BoxLook look(task_);
    std::vector<JointBox> level{whole}, next;
    level[0].pairs = {{pair, {}}};
    for (; !level.empty(); level = std::exchange(next, {}))
      for (JointBox& box : level) {
        if (poses == most || cancelled()) return false;
        ++poses;
        const SeenBox seen = look.look_at(box);
        if (seen.pairs.empty()) continue;
        if (!seen.pairs[0].kept || seen.pairs[0].at_middle.collide()) return false;
        halve(std::move(box), seen.split, next);
      }
    return true;
  }

  std::vector<JointBox> next_level(std::vector<JointBox> level, detail::Team& team) {
    std::vector<JointBox> next;
    for (std::size_t begin = 0; begin < level.size();) {
      const std::uint64_t left = options_.max_poses - std::min(report_.poses, options_.max_poses);
      if (cancelled()) report_.cancelled = true;
      if (left == 0) report_.limit_reached = true;
      if (report_.cancelled || left == 0) {
        for (std::size_t i = begin; i < level.size(); ++i) give_up(level[i]);
        for (const std::vector<JointBox>* boxes : {&next, &later_})
          for (const JointBox& box : *boxes) give_up(box);
        later_.clear();
        return {};
      }
      const std::size_t count = std::min({k_batch, level.size() - begin, static_cast<std::size_t>(left)});
      std::vector<SeenBox> seen(count);
      team.for_each_chunk((count + k_chunk - 1) / k_chunk, [&](std::size_t chunk) {
        BoxLook look(task_);
        for (std::size_t i = chunk * k_chunk; i < std::min(count, (chunk + 1) * k_chunk); ++i)
          seen[i] = look.look_at(level[begin + i]);
      });
      for (std::size_t i = 0; i < count; ++i) take(std::move(level[begin + i]), seen[i], next);
      report_.poses += count;
      begin += count;
      tell_progress();
    }
    return next;
  }

  void tell_progress() {
    const JointShares& shares = report_.moving_shares;
    const double done = last_ ? 0 : shares.free + shares.colliding + shares.undecided;
    const double spent = static_cast<double>(report_.poses) / static_cast<double>(options_.max_poses);
    progress_ = std::max(progress_, std::min(1.0, std::max(done, spent)));
    if (options_.progress) options_.progress(progress_);
  }

  /// Counts a pair that is colliding or undecided in all of a box.
  void note_decided(const SeenPair& seen, const JointBox& box) {
    Pair& pair = pairs_[seen.pair.id];
    note_example(pair, seen, box);
    include(pair, box);
    if (seen.certain) {
      pair.finding.shares.colliding += box.share();
      return;
    }
    add_undecided(pair.finding.shares, seen.open, box.share());
    if (counts(seen.at_middle)) pair.finding.shares.undecided_colliding += box.share();
    pair.open = true;
    pair.may_clash |= seen.may_collide;
  }

  /// Counts what is decided and hands the rest to the halves.
  void take(JointBox box, const SeenBox& looked, std::vector<JointBox>& next) {
    std::vector<JointBox::Pair> kept;
    bool hit = false;
    for (const SeenPair& seen : looked.pairs) {
      if (seen.kept) {
        note_example(pairs_[seen.pair.id], seen, box);
        kept.push_back(seen.pair);
        continue;
      }
      note_decided(seen, box);
      hit |= seen.certain;
      if (seen.certain) continue;
      box.open = std::max(box.open, seen.open);
      box.open_colliding |= counts(seen.at_middle);
    }
    if (hit && !box.colliding) count(box, JointCell::State::colliding), box.colliding = true;
    if (kept.empty()) return close(box);
    box.pairs = std::move(kept);
    const bool wait = box.colliding && !last_;
    halve(std::move(box), looked.split, wait ? later_ : next);
  }

  /// Pairs of a box that is not looked into.
  void note_left(const JointBox& box) {
    for (const JointBox::Pair& left : box.pairs) {
      Pair& pair = pairs_[left.id];
      include(pair, box);
      add_undecided(pair.finding.shares, report_.cancelled ? Open::cancelled : Open::limit, box.share());
      if (pair.finding.example.empty()) pair.finding.example = task_.values_at_middle(box);
      pair.open = pair.may_clash = true;
    }
  }
  void give_up(JointBox box) {
    note_left(box);
    box.open = report_.cancelled ? Open::cancelled : Open::limit;
    if (!box.colliding) count(box, JointCell::State::undecided);
  }

  /// Of a box in which no pair is left to look at.
  void close(const JointBox& box) {
    if (box.colliding) return;
    const bool open = box.open != Open::no;
    count(box, open ? JointCell::State::undecided : JointCell::State::free);
    if (box.open_colliding) report_.moving_shares.undecided_colliding += box.share();
    if (!open && report_.free_example.empty()) report_.free_example = task_.values_at_middle(box);
  }

  void count(const JointBox& box, JointCell::State state) {
    using State = JointCell::State;
    JointShares& shares = report_.moving_shares;
    if (state == State::undecided)
      add_undecided(shares, box.open, box.share());
    else
      (state == State::free ? shares.free : shares.colliding) += box.share();
    if (spans_.empty() || spans_.size() > 2) return;
    JointCell cell{.state = state};
    for (std::size_t i = 0; i < spans_.size(); ++i) cell.lower[i] = box.lower[i], cell.upper[i] = box.upper[i];
    report_.cells.push_back(cell);
  }

  [[nodiscard]] bool counts(const Closeness& close) const {
    return close.collide() || close.value <= options_.clearance;
  }

  /// The first pose at which they collide; failing that the one at which they come closest.
  void note_example(Pair& pair, const SeenPair& seen, const JointBox& box) {
    const Closeness& close = seen.at_middle;
    if (pair.clash) return;
    const bool near = options_.clearance > 0 && counts(close);
    const bool better = close.collide() || pair.finding.example.empty() || close.value < pair.finding.distance;
    if (!better) return;
    pair.clash = close.collide();
    pair.near |= near;
    pair.finding.example = task_.values_at_middle(box);
    pair.finding.distance = pair.clash ? 0 : close.value;
    if (std::isfinite(close.value)) pair.finding.point = 0.5 * close.on_a + 0.5 * close.on_b;
  }

  static void include(Pair& pair, const JointBox& box) {
    auto& within = pair.finding.within;
    if (within.empty())
      for (std::size_t i = 0; i < box.lower.size(); ++i) within.push_back({box.lower[i], box.upper[i]});
    for (std::size_t i = 0; i < within.size(); ++i)
      within[i] = {std::min(within[i][0], box.lower[i]), std::max(within[i][1], box.upper[i])};
  }

  /// Pairs at rest decide for the whole range, whatever those that move do.
  void add_pairs_at_rest() {
    bool collide = false;
    JointShares open;
    for (const Pair& pair : pairs_) {
      if (!pair.at_rest) continue;
      collide |= pair.finding.shares.colliding > 0;
      if (pair.open && pair.finding.shares.undecided > open.undecided) open = pair.finding.shares;
    }
    if (report_.pairs > 0 && report_.pairs == report_.pairs_at_rest) {
      report_.moving_shares = collide ? JointShares{0, 1, 0, 0, {}} : pair_shares(open);
      if (!collide && open.undecided == 0) report_.free_example = task_.values;
      for (const JointSpan& span : spans_)
        if (!report_.free_example.empty()) report_.free_example[span.joint] = span.lower;
    }
    report_.shares = report_.moving_shares;
    if (collide) {
      report_.shares = {0, 1, 0, 0, {}};
      report_.free_example.clear();
    } else if (open.undecided > 0) {
      const double free = std::exchange(report_.shares.free, 0.0);
      report_.shares.undecided += free;
      // It is undecided in all of the range, and for one reason.
      for (double UndecidedShares::* const why :
           {&UndecidedShares::contact, &UndecidedShares::open_mesh, &UndecidedShares::rounding, &UndecidedShares::limit,
            &UndecidedShares::cancelled})
        if (open.why.*why > 0) report_.shares.why.*why += free;
      report_.free_example.clear();
    }
  }
  static JointShares pair_shares(JointShares open) {
    open.free = 1 - open.undecided;
    return open;
  }

  void finish() {
    add_pairs_at_rest();
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
  JointTask task_;
  std::vector<Pair> pairs_;
  std::vector<JointBox> later_;  ///< that collide everywhere, whatever the pairs that are left do
  bool last_ = false;            ///< it is their turn
  JointReport report_;
  double progress_ = 0;
};

Result<void, JointError> check_request(const Robot& robot, std::span<const JointSpan> spans,
                                       const JointCheckOptions& options) {
  using Code = JointError::Code;
  const auto refuse = [&](Code code, std::uint32_t joint) {
    const std::string name = joint < robot.joints.size() ? robot.joints[joint].name : std::string();
    return Failure{JointError{code, joint, name}};
  };
  if (!(options.clearance >= 0 && std::isfinite(options.clearance)) ||
      !(options.tolerance > 0 && std::isfinite(options.tolerance)))
    return refuse(Code::bad_option, 0);
  std::vector<bool> named(robot.joints.size());
  std::vector<double> values = options.values.empty() ? rest_values(robot) : options.values;
  if (values.size() != robot.joints.size()) return refuse(Code::wrong_count, 0);
  for (const JointSpan& span : spans) {
    if (span.joint >= robot.joints.size()) return refuse(Code::no_such_joint, span.joint);
    if (named[span.joint]) return refuse(Code::named_twice, span.joint);
    named[span.joint] = true;
    const RobotJoint& joint = robot.joints[span.joint];
    if (joint.kind == JointKind::fixed || joint.mimic) return refuse(Code::not_free, span.joint);
    if (!(span.lower <= span.upper)) return refuse(Code::not_in_order, span.joint);
  }
  // What a mimic makes of values is linear: if it is sound at both ends, it is between.
  for (const bool upper : {false, true}) {
    for (const JointSpan& span : spans) values[span.joint] = upper ? span.upper : span.lower;
    if (auto sound = robot::check_values(robot, values); !sound) return sound;
  }
  return {};
}

}  // namespace

Result<JointReport, JointError> check_joints(const Robot& robot, std::span<const JointSpan> spans,
                                             const JointCheckOptions& options) {
  if (auto sound = check_request(robot, spans, options); !sound) return Failure{sound.error()};
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
