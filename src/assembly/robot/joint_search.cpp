#include "assembly/robot/joint_search.hpp"

#include "assembly/pair_driver.hpp"
#include "support/assert.hpp"
#include "support/fuel.hpp"
#include "support/watched.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace snug::robot {

namespace {

using State = PairTree::State;

// Boxes that are looked into between two looks at the cancel token, and at a time by one thread.
constexpr std::size_t k_batch = 1024;
constexpr std::size_t k_chunk = 16;
// Boxes in which every pair is known already, for each pose that is allowed: to put them together takes less than a
// sixteenth of the time of a look at the simplest pair.
constexpr std::uint64_t k_pieces_per_pose = 16;
// So many poses that nobody sees the end of them, and their multiples can still be counted.
constexpr std::uint64_t k_no_end = std::uint64_t{1} << 48;
// Of the progress, where stages end. Each may end early: nobody knows beforehand how often the range will be divided. Within a
// stage, progress is the share of the work allowed, since the share of the range that is decided soon comes close to one and stays there.
constexpr double k_solids_end = 0.02, k_rest_ends = 0.05, k_alone_ends = 0.4, k_together_ends = 0.9;

}  // namespace

JointSearch::JointSearch(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options)
    : watch_{.cancel = options.budget.cancel, .progress = options.progress},
      most_poses_(std::min(options.budget.steps.value_or(k_no_end), k_no_end)),
      task_(robot, spans, options, support::part_of(watch_, 0, k_solids_end)),
      team_(options.threads),
      tally_(task_),
      trees_(task_.pairs.size()),
      progress_(k_rest_ends) {}

JointReport JointSearch::run() {
  JointReport& report = tally_.report;
  look_at_rest();
  if (report.pairs > report.pairs_at_rest) {
    look_alone();
    look_together();
    look_last();
  }
  tally_.finish();
  if (!report.cancelled && watch_.progress) watch_.progress(1);
  return std::move(report);
}

double JointSearch::Stage::after(std::uint64_t work) const noexcept {
  return begin + (end - begin) * static_cast<double>(std::min(work, most)) /
                     static_cast<double>(std::max<std::uint64_t>(most, 1));
}

bool JointSearch::time_is_up() const noexcept {
  return support::why_spent({.deadline = task_.options.budget.deadline}, 0, 1).has_value();
}

bool JointSearch::late() noexcept {
  const bool late = time_is_up();
  tally_.report.limit_reached |= late;
  return late;
}

/// Pairs that no joint of the spans moves are what they are in one pose, and their shares are all or nothing.
void JointSearch::look_at_rest() {
  JointReport& report = tally_.report;
  if (report.pairs_at_rest == 0) return;
  std::vector<std::uint32_t> at_rest;
  for (std::uint32_t id = 0; id < task_.pairs.size(); ++id)
    if (task_.pairs[id].at_rest()) at_rest.push_back(id);
  const JointBox whole = task_.whole();
  std::vector<std::optional<SeenPair>> seen(at_rest.size());
  report.limit_reached = most_poses_ == 0 || late();
  const Watch part = support::part_of(watch_, k_solids_end, k_rest_ends);
  if (!report.limit_reached)
    seen = assembly::judge_pairs(at_rest, team_, part, [&](std::uint32_t id) {
      std::optional found = PairLook(task_).look_at(whole, id, {});
      if (watch_.cancelled()) found.reset();  // it may not have been finished
      return found;
    });
  report.cancelled = !report.limit_reached && !std::ranges::all_of(seen, &std::optional<SeenPair>::has_value);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i])
      tally_.note_left(at_rest[i], why_left(), whole);
    else if (!seen[i]->free)
      tally_.note_decided(at_rest[i], *seen[i], whole);
  }
  // The first pose of those that move is as good a one: it is not counted twice.
  if (seen.back() && report.pairs == report.pairs_at_rest) ++report.poses;
}

template <class Look>
bool JointSearch::look_at_batch(std::size_t count, double done, Look&& look) {
  const double before = std::exchange(progress_, std::max(progress_, done));
  const std::size_t chunks = (count + k_chunk - 1) / k_chunk;
  const Watch part = support::part_of(watch_, before, progress_);
  std::atomic<bool> left_out{false};
  const bool all = support::for_each_chunk_watched(chunks, team_, part, [&](std::size_t chunk) {
    PairLook pair_look(task_);
    try {
      for (std::size_t i = chunk * k_chunk; i < std::min(count, (chunk + 1) * k_chunk) && !watch_.cancelled(); ++i) {
        if (time_is_up()) {
          left_out = true;
          break;
        }
        look(i, pair_look);
      }
    } catch (const support::LoopCancelled&) {
      // The batch will not be used.
    }
  });
  if (!all) tally_.report.cancelled = true;
  return all && !(left_out && late());
}

template <class Take>
std::size_t JointSearch::look_through(std::span<Alone> boxes, const Stage& stage, Take&& take) {
  for (std::size_t begin = 0; begin < boxes.size();) {
    if (tally_.report.cancelled || tally_.report.poses >= stage.most || late()) return begin;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>({k_batch, boxes.size() - begin, stage.most - tally_.report.poses}));
    const std::span<Alone> batch = boxes.subspan(begin, count);
    std::vector<SeenPair> seen(count);
    if (!look_at_batch(count, stage.after(tally_.report.poses + count), [&](std::size_t i, PairLook& look) {
          seen[i] = look.look_at(batch[i].box, batch[i].pair, batch[i].deep);
        }))
      return begin;
    tally_.report.poses += count;
    SNUG_ASSERT(tally_.report.poses <= stage.most);
    for (std::size_t i = 0; i < count; ++i) take(batch[i], seen[i]);
    begin += count;
  }
  return boxes.size();
}

/// Half of the poses go to pairs alone. Those that all spans move are only tried for being free everywhere: where they are
/// not, it matters whether another pair collides there.
void JointSearch::look_alone() {
  std::vector<Alone> level, next;
  std::vector<bool> given_up(task_.pairs.size());
  for (std::uint32_t id = 0; id < task_.pairs.size(); ++id)
    if (!task_.pairs[id].at_rest()) level.push_back({id, 0, task_.whole(), {}});
  const Stage stage{k_rest_ends, k_alone_ends, (most_poses_ + 1) / 2};
  for (; !level.empty(); level = std::exchange(next, {})) {
    std::erase_if(level, [&](const Alone& box) { return given_up[box.pair]; });
    const std::size_t looked = look_through(level, stage, [&](Alone& own, const SeenPair& seen) {
      PairTree& tree = trees_[own.pair];
      const bool collides = task_.counts(seen.at_middle);
      tree.set(own.node, seen, collides, seen.kept ? own.box.middle(seen.split) : 0);
      if (seen.free) return;
      if (!in_fewer_spans(own.pair) && (!seen.kept || collides)) given_up[own.pair] = true;
      seen.kept ? tally_.note_example(own.pair, seen, own.box) : tally_.note_decided(own.pair, seen, own.box);
      if (!seen.kept) return;
      auto halves = task_.halves(own.box, seen.split);
      for (std::uint32_t half = 0; half < 2; ++half)
        next.push_back({own.pair, tree.child(own.node, half), std::move(halves[half]), seen.deep});
    });
    if (looked < level.size()) return;
  }
}

JointSearch::Looked JointSearch::look_at(const Together& box, std::uint64_t most_looks, PairLook& look) const {
  Looked out;
  bool hit = false;
  for (const Together::Pair& pair : box.pairs) {
    out.pairs.push_back({trees_[pair.id].at(box.box.lower, box.box.upper), {}});
    hit |= out.pairs.back().answer.state == State::colliding;
  }
  for (std::size_t i = 0; i < box.pairs.size() && !hit && out.looks < most_looks; ++i) {
    Known& known = out.pairs[i];
    if (known.answer.state != State::unknown) continue;
    known.seen = look.look_at(box.box, box.pairs[i].id, box.pairs[i].deep);
    known.answer = PairTree::answer_of(*known.seen, task_.counts(known.seen->at_middle));
    hit = known.answer.state == State::colliding;
    ++out.looks;
  }
  return out;
}

void JointSearch::look_together() {
  JointReport& report = tally_.report;
  std::vector<Together> level(1), next;
  level[0].box = task_.whole();
  for (std::uint32_t id = 0; id < task_.pairs.size(); ++id) {
    if (task_.pairs[id].at_rest()) continue;
    level[0].pairs.push_back({id, {}});
    if (!trees_[id].complete()) tally_.forget_shares(id);
  }
  const std::uint64_t most_pieces = k_pieces_per_pose * std::max<std::uint64_t>(most_poses_, 1);
  std::uint64_t pieces = 0;
  // A pose and a box in which all is known already count by the time they take.
  const std::uint64_t poses_before = std::min(report.poses, most_poses_);
  const Stage stage{k_alone_ends, k_together_ends, (most_poses_ - poses_before) + most_pieces / k_pieces_per_pose};
  for (; !level.empty(); level = std::exchange(next, {}))
    for (std::size_t begin = 0; begin < level.size();) {
      if (report.cancelled || pieces >= most_pieces || late()) {
        if (!report.cancelled) report.limit_reached = true;
        for (std::size_t i = begin; i < level.size(); ++i) give_up(level[i]);
        for (const Together& box : next) give_up(box);
        return;
      }
      std::uint64_t left = most_poses_ - std::min(report.poses, most_poses_);
      std::vector<std::uint64_t> most_looks;
      // Boxes wait for the next batch if they might need more looks than are left, unless there are none anyway.
      while (most_looks.size() < std::min(k_batch, level.size() - begin)) {
        const std::uint64_t wanted = level[begin + most_looks.size()].pairs.size();
        if (wanted > left && left > 0 && !most_looks.empty()) break;
        most_looks.push_back(std::min(wanted, left));
        left -= most_looks.back();
      }
      const std::size_t count = most_looks.size();
      SNUG_ASSERT(count > 0);
      std::vector<Looked> looked(count);
      const double done = stage.after(report.poses - poses_before + (pieces + count) / k_pieces_per_pose);
      if (!look_at_batch(count, done, [&](std::size_t i, PairLook& look) {
            looked[i] = look_at(level[begin + i], most_looks[i], look);
          }))
        continue;
      for (std::size_t i = 0; i < count; ++i) take(std::move(level[begin + i]), looked[i], next);
      pieces += count;
      begin += count;
    }
}

/// Counts what is decided and hands the rest to the halves, or where a pair collides anyhow to those that come last.
void JointSearch::take(Together own, const Looked& looked, std::vector<Together>& next) {
  tally_.report.poses += looked.looks;
  std::vector<Together::Pair> kept;
  std::vector<double> moved(task_.spans.size());
  const bool hit = std::ranges::any_of(looked.pairs, [](const Known& k) { return k.answer.state == State::colliding; });
  for (std::size_t i = 0; i < own.pairs.size(); ++i) {
    Together::Pair& pair = own.pairs[i];
    const auto& [answer, seen] = looked.pairs[i];
    const bool complete = trees_[pair.id].complete();
    if (seen && !seen->free) tally_.note_example(pair.id, *seen, own.box), pair.deep = seen->deep;
    switch (answer.state) {
      case State::free:
        continue;
      case State::colliding:
      case State::undecided:
        if (!complete) tally_.note_known(pair.id, answer, own.box);
        if (answer.state == State::colliding) continue;
        own.open = std::max(own.open, answer.open);
        own.open_colliding |= answer.open_colliding;
        continue;
      case State::unknown:
      case State::divided:
        break;
    }
    if (hit) {
      if (!complete) last_.push_back({pair.id, 0, own.box, pair.deep});
    } else if (answer.state == State::unknown) {
      tally_.report.limit_reached = true;
      tally_.note_left(pair.id, Open::limit, own.box);
      own.open = std::max(own.open, Open::limit);
    } else {
      moved[answer.split] += answer.moved;
      kept.push_back(std::move(pair));
    }
  }
  if (hit) return tally_.count_colliding(own.box);
  if (kept.empty())
    return own.open == Open::no ? tally_.count_free(own.box)
                                : tally_.count_undecided(own.box, own.open, own.open_colliding);
  const auto split = static_cast<std::size_t>(std::ranges::max_element(moved) - moved.begin());
  SNUG_ASSERT(moved[split] > 0);
  for (JointBox& half : task_.halves(own.box, split))
    next.push_back({std::move(half), kept, own.open, own.open_colliding});
}

void JointSearch::give_up(const Together& own) {
  for (const Together::Pair& pair : own.pairs)
    if (!trees_[pair.id].complete()) tally_.note_left(pair.id, why_left(), own.box);
  tally_.count_undecided(own.box, why_left(), own.open_colliding);
}

/// The range is decided where these boxes are. A quarter of the poses go to the shares of the other pairs in them.
void JointSearch::look_last() {
  const std::uint64_t end = std::min(most_poses_, tally_.report.poses + (most_poses_ + 3) / 4);
  const Stage stage{k_together_ends, 1, end};
  std::vector<Alone> level = std::exchange(last_, {}), next;
  const auto hand_on = [&](const Alone& own, std::uint32_t split) {
    for (JointBox& half : task_.halves(own.box, split)) next.push_back({own.pair, 0, std::move(half), own.deep});
  };
  for (; !level.empty(); level = std::exchange(next, {})) {
    std::vector<Alone> unknown;
    for (Alone& own : level) {
      if (tally_.report.cancelled) {
        tally_.note_left(own.pair, Open::cancelled, own.box);
        continue;
      }
      const PairTree::Answer known = trees_[own.pair].at(own.box.lower, own.box.upper);
      if (known.state == State::divided)
        hand_on(own, known.split);
      else if (known.state == State::unknown)
        unknown.push_back(std::move(own));
      else if (known.state != State::free)
        tally_.note_known(own.pair, known, own.box);
    }
    const std::size_t looked = look_through(unknown, stage, [&](Alone& own, const SeenPair& seen) {
      if (seen.free) return;
      if (!seen.kept) return tally_.note_decided(own.pair, seen, own.box);
      tally_.note_example(own.pair, seen, own.box);
      own.deep = seen.deep;
      hand_on(own, seen.split);
    });
    for (std::size_t i = looked; i < unknown.size(); ++i) tally_.note_left(unknown[i].pair, why_left(), unknown[i].box);
  }
}

}  // namespace snug::robot
