#include "assembly/path/describe.hpp"
#include "assembly/path/gap.hpp"
#include "assembly/path/path_pair.hpp"
#include "assembly/path/time_spans.hpp"
#include "assembly/verdict/decision.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <limits>

// One pair of parts. Evidence first: when the surfaces meet, when the parts interfere, how close they come. The gravest that ever
// holds is the verdict. Then what was found is described.

namespace snug::assembly {

namespace {

/// Parts that never move against each other are what check() says of them, all the time.
void judge_at_rest(const PathPair& pair, PathPairReport& report) {
  const TimeSpan range = pair.task.range;
  // Nothing rounds them along the path, however far others move: their own resolution counts.
  const PairReport still = pair.assessed(range.begin, true);
  report.resolution = still.resolution;
  report.overlap = std::max(pair.task.options.tolerances.touch_overlap.value_or(0), still.resolution);
  report.gap = std::max(pair.task.options.tolerances.touch_gap, still.resolution);
  report.verdict = still.verdict, report.reason = still.reason;
  report.firm = still.firm, report.sag = still.sag, report.point = still.point;
  if (still.verdict == Verdict::undecided) report.undecided = {range};
  if (still.verdict >= Verdict::clash) report.intervals = {range};
  if (still.verdict == Verdict::touch) report.touch_intervals = {range};
  if (still.verdict != Verdict::clear) report.shown_at = range.begin;
  const ContactTime begin{range.begin, range.begin};
  if (still.verdict >= Verdict::clash) report.first_clash = begin;
  if (still.verdict >= Verdict::clash || still.verdict == Verdict::touch) report.first_contact = begin;
  if (still.verdict >= Verdict::clash && pair.task.options.depths) {
    std::optional<PathDepth> depth;
    if (still.depth) depth = PathDepth{still.depth->lower, still.depth->upper, range.begin};
    report.depths.push_back(depth);
  }
  if (pair.task.options.surfaces && still.verdict >= Verdict::touch)
    for (const auto& [a, b] : still.surface_pairs)
      report.surface_pairs.push_back({a, b, report.intervals, report.touch_intervals});
}

std::vector<TimeSpan> spans_of(const std::vector<ContactInterval>& intervals) {
  std::vector<TimeSpan> spans;
  for (const ContactInterval& s : intervals) spans.push_back(s.span);
  return spans;
}

/// A touch is undecided where rounding may hide a clash. Surfaces further apart than poses round share no point, whatever the touch gap is.
void weigh_rounding(PathPair& pair, PathPairReport& report) {
  std::vector<TimeSpan> hidden = report.touch_intervals;
  std::string reason = k_hidden_by_rounding;
  if (pair.gap > pair.task.resolution) {
    hidden.clear();
    for (const TimeSpan& span : report.touch_intervals)
      for (const ContactInterval& close : contact_intervals(pair.surfaces, nullptr, {.distance = pair.task.resolution},
                                                            span, pair.grain(), pair.fuel)) {
        if (!close.decided) reason = k_budget_spent;
        hidden.push_back(close.span);
      }
  }
  if (hidden.empty()) return;
  hidden = joined(std::move(hidden));
  report.touch_intervals = without(report.touch_intervals, hidden);
  hidden.insert(hidden.end(), report.undecided.begin(), report.undecided.end());
  report.undecided = joined(std::move(hidden));
  if (report.reason.empty()) report.reason = std::move(reason);
}

/// The verdict, and when what holds. Times of contact are of interference, undecided or of touching, in that order.
void decide(PathPair& pair, const PathContacts& met, const PathInterference& found, PathPairReport& report) {
  std::vector<TimeSpan> interfering = met.contained;
  for (const ContactInterval& s : found.clashes) interfering.push_back(s.span);
  report.intervals = joined(interfering);
  report.undecided = without(joined(found.undecided), report.intervals);
  report.touch_intervals = without(without(joined(spans_of(met.contacts)), report.intervals), report.undecided);
  report.reason = found.reason;
  if (!report.undecided.empty() && report.reason.empty()) report.reason = k_budget_spent;
  if (!report.touch_intervals.empty() && pair.rounding_hides()) weigh_rounding(pair, report);
  report.firm = found.firm, report.sag = found.sag;
  report.verdict = !found.clashes.empty()            ? Verdict::clash
                   : !met.contained.empty()          ? Verdict::contained
                   : !report.undecided.empty()       ? Verdict::undecided
                   : !report.touch_intervals.empty() ? Verdict::touch
                                                     : Verdict::clear;
}

/// Parts that stay clear may come within the clearance.
void decide_by_gap(PathPair& pair, PathPairReport& report) {
  const double clearance = pair.task.options.tolerances.clearance;
  const auto look = [&](double known, double limit, double leeway) {
    return smallest_gap(pair.surfaces, pair.task.range, known, limit, leeway, pair.finest(), pair.fuel);
  };
  double known = report.gap;
  if (clearance > known) {
    // What glides along at the clearance itself is below it by rounding or above it: within the resolution it counts as near.
    // At rest check() has told.
    const GapAnswer near = look(known, clearance, report.at_rest ? 0 : pair.task.resolution);
    if (near.gap && !report.at_rest) report.verdict = Verdict::near;
    if (report.verdict == Verdict::near) return void(report.smallest_gap = near.gap);
    if (near.open.empty()) {
      known = clearance;
    } else if (!report.at_rest) {
      report.verdict = Verdict::undecided;
      report.undecided = near.open;
      report.reason = "the budget was spent before the clearance was proved; a larger one may tell";
      return;
    }
  }
  if (!pair.task.options.all_gaps) return;
  const GapAnswer smallest = look(known, std::numeric_limits<double>::infinity(), 0);
  report.smallest_gap = smallest.gap;
  report.complete = smallest.open.empty();
}

void judge_moving(PathPair& pair, PathPairReport& report) {
  const PathContacts met = find_contacts(pair);
  if (pair.fuel.cancelled()) return;
  const PathInterference found = find_interference(pair, met.contacts);
  if (pair.fuel.cancelled()) return;
  report.pairs = found.pairs;
  decide(pair, met, found, report);
  if (report.verdict == Verdict::clear) decide_by_gap(pair, report);
  describe_times(met, found, report);
  if (pair.task.options.surfaces && report.verdict >= Verdict::touch) name_surfaces(pair, met.contacts, report);
  if (pair.task.options.depths) measure_depths(pair, report);
}

}  // namespace

std::optional<PathPairReport> judge_pair(const PathPart& a, const PathPart& b, const PathTask& task) try {
  PathPairReport report;
  report.resolution = task.resolution, report.overlap = task.overlap(), report.gap = task.gap();
  report.at_rest = moves_along(a.trajectory(), b.trajectory(), task.range);
  // Before the trees of the parts are built.
  if (PieceBudget fuel{task.options.budget}; fuel.spent()) {
    if (fuel.cancelled()) return std::nullopt;
    report.verdict = Verdict::undecided, report.reason = k_budget_spent;
    report.undecided = {task.range}, report.shown_at = task.range.begin;
    report.complete = false;
    return report;
  }
  PathPair pair(a, b, task);
  if (report.at_rest) {
    judge_at_rest(pair, report);
    if (report.verdict <= Verdict::near) decide_by_gap(pair, report);
  } else {
    judge_moving(pair, report);
  }
  measure_travel(pair, report);
  if (pair.fuel.cancelled()) return std::nullopt;
  report.pieces = pair.fuel.pieces;
  report.complete = report.complete && !pair.fuel.ran_out;
  report.pairs += pair.surfaces.pairs();
  return report;
} catch (const LoopCancelled&) {
  return std::nullopt;
}

}  // namespace snug::assembly
