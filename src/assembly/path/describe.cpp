#include "assembly/path/describe.hpp"

#include "assembly/path/surfaces.hpp"
#include "assembly/path/time_spans.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace snug::assembly {

namespace {

constexpr int k_depth_instants = 9;  ///< of an interval at which depths are measured
constexpr int k_depth_rounds = 3;    ///< of two instants around the deepest one

std::optional<ContactTime> first_of(const std::vector<ContactInterval>& intervals,
                                    const std::vector<TimeSpan>& contained) {
  std::optional<ContactTime> first;
  const auto offer = [&](double lo, double hi) {
    if (!first || lo < first->t_lo) first = ContactTime{lo, hi};
  };
  for (const ContactInterval& s : intervals) offer(s.span.begin, s.certain ? s.first : s.span.end);
  for (const TimeSpan& s : contained) offer(s.begin, s.begin);
  return first;
}

void show(const ContactInterval& interval, PathPairReport& report) {
  const auto& shown = interval.shown;
  report.shown_at = shown ? shown->t : interval.certain ? interval.first : interval.span.begin;
  if (shown) report.point = 0.5 * shown->on_a + 0.5 * shown->on_b;
}

}  // namespace

void describe_times(const PathContacts& met, const PathInterference& found, PathPairReport& report) {
  report.first_contact = first_of(met.contacts, met.contained);
  report.first_clash = first_of(found.clashes, met.contained);
  if (const auto& gap = report.smallest_gap) {
    report.shown_at = gap->t;
    report.point = 0.5 * gap->on_a + 0.5 * gap->on_b;
  } else if (!found.clashes.empty()) {
    show(found.clashes.front(), report);
  } else if (!met.contained.empty()) {
    report.shown_at = met.contained.front().begin;
  } else if (!report.undecided.empty()) {
    report.shown_at = report.undecided.front().begin;
  } else if (!met.contacts.empty()) {
    show(met.contacts.front(), report);
  }
}

void measure_travel(const PathPair& pair, PathPairReport& report) {
  std::map<double, PathTravel> at;
  for (const auto* spans : {&report.intervals, &report.touch_intervals})
    for (const TimeSpan& span : *spans) at.try_emplace(span.begin), at.try_emplace(span.end);
  for (const auto& first : {report.first_contact, report.first_clash})
    if (first) at.try_emplace(first->t_hi);
  // In rising order, so that each part of a motion is measured once.
  PathTravel so_far;
  double from = pair.task.range.begin;
  for (auto& [t, travelled] : at) {
    for (const auto& [part, sum] : {std::pair{&pair.a, &so_far.a}, {&pair.b, &so_far.b}}) {
      const Travel more = travel(part->trajectory().motion(), middle_of(part->shape().bounds()), from, t);
      sum->length += more.length, sum->radians += more.radians;
    }
    travelled = so_far;
    from = t;
  }
  const auto add = [&](const std::vector<TimeSpan>& spans, std::vector<SpanTravel>& out) {
    for (const TimeSpan& span : spans) out.push_back({at.at(span.begin), at.at(span.end)});
  };
  add(report.intervals, report.interval_travel);
  add(report.touch_intervals, report.touch_travel);
  if (report.first_contact) report.first_contact_travel = at.at(report.first_contact->t_hi);
  if (report.first_clash) report.first_clash_travel = at.at(report.first_clash->t_hi);
}

/// The lower bound of a depth is certain at its instant, so the deepest one seen is one of the whole interval.
void measure_depths(PathPair& pair, PathPairReport& report) {
  for (const TimeSpan& span : report.intervals) {
    std::optional<PathDepth> deepest;
    const auto look = [&](double t) {
      if (pair.fuel.late()) return;
      const auto depth = pair.assessed(t).depth;
      if (depth && (!deepest || depth->lower > deepest->lower)) deepest = PathDepth{depth->lower, depth->upper, t};
    };
    const bool instant = !(span.length() > 0);
    double step = span.length() / (k_depth_instants - 1);
    for (int i = 0; i < (instant ? 1 : k_depth_instants); ++i)
      look(i == k_depth_instants - 1 ? span.end : span.begin + i * step);
    for (int round = 0; round < k_depth_rounds && deepest && !instant; ++round) {
      const double t = deepest->t;
      step *= 0.5;
      look(std::max(span.begin, t - step));
      look(std::min(span.end, t + step));
    }
    report.depths.push_back(deepest);
  }
}

/// Has a budget of its own: times that are known must not become undecided for the names of surfaces.
void name_surfaces(PathPair& pair, const std::vector<ContactInterval>& contacts, PathPairReport& report) {
  PieceBudget fuel{pair.task.options.budget};
  std::map<SurfaceIds, std::vector<TimeSpan>> meetings;
  for (const ContactInterval& contact : contacts)
    add_surface_meetings(pair.surfaces, contact.span, pair.gap, pair.task.time_tolerance, fuel, meetings);
  pair.fuel.pieces += fuel.pieces;
  // Of what was not named to its end some times are missing: better no names.
  const bool late = fuel.late();
  pair.fuel.ran_out = pair.fuel.ran_out || fuel.ran_out;
  if (late) return;
  for (const auto& [ids, spans] : meetings) {
    const auto times = joined(spans);
    SurfaceMeeting meeting{ids.first, ids.second, common(times, report.intervals),
                           common(times, report.touch_intervals)};
    if (!meeting.intervals.empty() || !meeting.touch_intervals.empty())
      report.surface_pairs.push_back(std::move(meeting));
  }
}

}  // namespace snug::assembly
