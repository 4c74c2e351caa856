#include "assembly/robot/joint_tally.hpp"

#include "assembly/pair_driver.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug::robot {

namespace {

double& share_of(UndecidedShares& why, Open open) {
  return open == Open::contact     ? why.contact
         : open == Open::open_mesh ? why.open_mesh
         : open == Open::rounding  ? why.rounding
         : open == Open::limit     ? why.limit
                                   : why.cancelled;
}

// Shares of spans wider than a turn are no powers of two, and their sum misses one by rounding.
constexpr double k_rounding_of_shares = 1e-12;

/// Whatever is not counted otherwise is free.
void fill_free(JointShares& shares) {
  if (shares.undecided == 0 && shares.colliding > 1 - k_rounding_of_shares) shares.colliding = 1;
  shares.free = std::max(0.0, 1 - shares.colliding - shares.undecided);
}

}  // namespace

JointTally::JointTally(const JointTask& task) : task_(task), pairs_(task.pairs.size()) {
  report.pairs = task.pairs.size();
  report.excluded = task.excluded;
  for (std::uint32_t i = 0; i < task.robot.links.size(); ++i)
    if (task.robot.links[i].bodies.empty()) report.empty_links.push_back(i);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    JointFinding& finding = pairs_[i].finding;
    finding.a = task.pairs[i].links[0], finding.b = task.pairs[i].links[1];
    finding.at_rest = task.pairs[i].at_rest();
    report.pairs_at_rest += finding.at_rest;
  }
}

/// The first pose at which they collide; failing that the one at which they come closest.
void JointTally::note_example(std::uint32_t id, const SeenPair& seen, const JointBox& box) {
  Pair& pair = pairs_[id];
  const Closeness& close = seen.at_middle;
  if (pair.clash) return;
  const bool near = task_.options.clearance > 0 && task_.counts(close);
  const bool better = close.collide() || pair.finding.example.empty() || close.value < pair.finding.distance;
  if (!better) return;
  pair.clash = close.collide();
  pair.near |= near;
  pair.finding.example = task_.values_at_middle(box);
  pair.finding.distance = pair.clash ? 0 : close.value;
  if (std::isfinite(close.value)) pair.finding.point = 0.5 * close.on_a + 0.5 * close.on_b;
}

void JointTally::note_decided(std::uint32_t id, const SeenPair& seen, const JointBox& box) {
  note_example(id, seen, box);
  note_known(id, PairTree::answer_of(seen, task_.counts(seen.at_middle)), box);
}

void JointTally::note_known(std::uint32_t id, const PairTree::Answer& answer, const JointBox& box) {
  SNUG_ASSERT(answer.state == PairTree::State::colliding || answer.state == PairTree::State::undecided);
  Pair& pair = pairs_[id];
  include(pair, box);
  JointShares& shares = pair.finding.shares;
  if (answer.state == PairTree::State::colliding) {
    shares.colliding += box.share;
    return;
  }
  shares.undecided += box.share;
  share_of(shares.why, answer.open) += box.share;
  if (answer.open_colliding) shares.undecided_colliding += box.share;
  pair.open = true;
  pair.may_clash |= answer.may_collide;
}

void JointTally::note_left(std::uint32_t id, Open why, const JointBox& box) {
  Pair& pair = pairs_[id];
  include(pair, box);
  pair.finding.shares.undecided += box.share;
  share_of(pair.finding.shares.why, why) += box.share;
  if (pair.finding.example.empty()) pair.finding.example = task_.values_at_middle(box);
  pair.open = pair.may_clash = true;
}

void JointTally::forget_shares(std::uint32_t id) {
  Pair& pair = pairs_[id];
  pair.finding.shares = {};
  pair.finding.within.clear();
  pair.open = pair.may_clash = false;
}

void JointTally::include(Pair& pair, const JointBox& box) const {
  auto& within = pair.finding.within;
  const bool first = within.empty();
  SNUG_ASSERT(first || within.size() == box.lower.size());
  if (first) within.resize(box.lower.size());
  for (std::size_t i = 0; i < within.size(); ++i) {
    const double last = task_.span_values[i].last_copy_ends(box.lower[i], box.upper[i]);
    within[i] = first ? std::array{box.lower[i], last}
                      : std::array{std::min(within[i][0], box.lower[i]), std::max(within[i][1], last)};
  }
}

void JointTally::count_free(const JointBox& box) {
  report.moving_shares.free += box.share;
  add_cells(box, JointCell::State::free);
  if (report.free_example.empty()) report.free_example = task_.values_at_middle(box);
}

void JointTally::count_colliding(const JointBox& box) {
  report.moving_shares.colliding += box.share;
  add_cells(box, JointCell::State::colliding);
}

void JointTally::count_undecided(const JointBox& box, Open why, bool collides_at_middle) {
  JointShares& shares = report.moving_shares;
  shares.undecided += box.share;
  share_of(shares.why, why) += box.share;
  if (collides_at_middle) shares.undecided_colliding += box.share;
  add_cells(box, JointCell::State::undecided);
}

void JointTally::add_cells(const JointBox& box, JointCell::State state) {
  if (task_.spans.empty() || task_.spans.size() > 2) return;
  const auto copies = [&](std::size_t i) { return task_.span_values[i].copies(box.lower[i], box.upper[i]); };
  for (const auto& x : copies(0)) {
    JointCell cell{.state = state};
    cell.lower[0] = x[0], cell.upper[0] = x[1];
    if (task_.spans.size() == 1) report.cells.push_back(cell);
    if (task_.spans.size() == 2)
      for (const auto& y : copies(1)) {
        cell.lower[1] = y[0], cell.upper[1] = y[1];
        report.cells.push_back(cell);
      }
  }
}

/// Pairs at rest decide for the whole range, whatever those that move do.
void JointTally::add_pairs_at_rest() {
  bool collide = false;
  JointShares open;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const JointShares& shares = pairs_[i].finding.shares;
    if (!task_.pairs[i].at_rest()) continue;
    collide |= shares.colliding > 0;
    if (pairs_[i].open && shares.undecided > open.undecided) open = shares;
  }
  if (report.pairs > 0 && report.pairs == report.pairs_at_rest) {
    open.free = 1 - open.undecided;
    report.moving_shares = collide ? JointShares{0, 1, 0, 0, {}} : open;
    if (!collide && open.undecided == 0) report.free_example = task_.values;
    for (const JointSpan& span : task_.spans)
      if (!report.free_example.empty()) report.free_example[span.joint] = span.lower;
  }
  report.shares = report.moving_shares;
  if (collide) {
    report.shares = {0, 1, 0, 0, {}};
    report.free_example.clear();
  } else if (open.undecided > 0) {
    const double free = std::exchange(report.shares.free, 0.0);
    report.shares.undecided += free;
    // It is undecided in all of the range, and for one reason.
    for (double UndecidedShares::* const why :
         {&UndecidedShares::contact, &UndecidedShares::open_mesh, &UndecidedShares::rounding, &UndecidedShares::limit,
          &UndecidedShares::cancelled})
      if (open.why.*why > 0) report.shares.why.*why += free;
    report.free_example.clear();
  }
}

void JointTally::finish() {
  if (report.pairs > report.pairs_at_rest) fill_free(report.moving_shares);
  add_pairs_at_rest();
  for (Pair& pair : pairs_) {
    JointFinding& finding = pair.finding;
    fill_free(finding.shares);
    if (!pair.clash && !pair.near && !pair.open) continue;
    finding.verdict = pair.clash ? Verdict::clash : pair.near && !pair.may_clash ? Verdict::near : Verdict::undecided;
    SNUG_ASSERT(finding.verdict != Verdict::clash || finding.distance == 0);
    report.findings.push_back(std::move(finding));
  }
  // Pairs are ordered by name already.
  assembly::sort_by_gravity(report.findings);
}

}  // namespace snug::robot
