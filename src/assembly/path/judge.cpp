#include "assembly/path/gap.hpp"
#include "assembly/path/path_part.hpp"
#include "assembly/path/path_travels.hpp"
#include "assembly/path/surfaces.hpp"
#include "assembly/path/time_spans.hpp"
#include "assembly/path/timeline.hpp"
#include "assembly/verdict/assess.hpp"
#include "geometry/vec_ops.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// One pair of parts. First when the surfaces meet at all; then, within those times, when the shrunk parts do; what is in
// neither is looked at once for one part being inside the other.

namespace snug::detail {

namespace {

constexpr double k_inner = 0x1p-10, k_finest = 0x1p-44;  // of the range
constexpr double k_deep = 0.1;                           ///< radius of a ball that proves a clash, of the touch overlap
constexpr double k_shift = 0.99;                         ///< of open parts, of the touch overlap
constexpr int k_depth_rounds = 3;                        ///< of two instants around the deepest one
constexpr int k_instants = 9;                            ///< at which a stretch is assessed where no proof is to be had

class Judge {
 public:
  Judge(const PathPart& a, const PathPart& b, const PathTask& task)
      : a_(a),
        b_(b),
        task_(task),
        surfaces_{a.body(), a.way(), b.body(), b.way()},
        fuel_{0, task.options.budget, task.options.cancel} {
    report_.resolution = task.resolution;
    report_.overlap = std::max(task.options.touch_overlap, task.resolution);
    report_.gap = std::max(task.options.touch_gap, task.resolution);
    report_.at_rest = moves_along(a.way(), b.way(), task.range);
  }

  std::optional<PathPairReport> run() {
    if (report_.at_rest)
      judge_at_rest();
    else
      judge_moving();
    tell_travel();
    if (task_.options.depths && !report_.at_rest) measure_depths();
    if (fuel_.cancelled()) return std::nullopt;
    report_.pieces = fuel_.pieces;
    report_.pairs += surfaces_.pairs();
    return std::move(report_);
  }

 private:
  [[nodiscard]] double length() const noexcept { return task_.range.length(); }

  [[nodiscard]] PairReport assessed(double t) const {
    const AssessOptions how{{report_.overlap, report_.gap, task_.options.clearance}, Method::surface, false};
    return assess_posed(PosedSolid(a_.shape(), a_.way().at(t), fuel_.cancel),
                        PosedSolid(b_.shape(), b_.way().at(t), fuel_.cancel), how, fuel_.cancel);
  }

  void judge_at_rest() {
    const PairReport still = assessed(task_.range.begin);
    const std::vector<TimeSpan> always{task_.range};
    report_.verdict = still.verdict, report_.reason = still.reason;
    report_.firm = still.firm, report_.sag = still.sag, report_.point = still.point;
    const ContactTime begin{task_.range.begin, task_.range.begin};
    if (still.verdict == Verdict::undecided) report_.undecided = always;
    if (still.verdict >= Verdict::clash) {
      report_.intervals = always, report_.first_clash = begin;
      std::optional<PathDepth> depth;
      if (still.depth) depth = PathDepth{still.depth->lower, still.depth->upper, task_.range.begin};
      if (task_.options.depths) report_.depths.push_back(depth);
    }
    if (still.verdict == Verdict::touch) report_.touch_intervals = always;
    if (still.verdict >= Verdict::clash || still.verdict == Verdict::touch) report_.first_contact = begin;
    if (still.verdict != Verdict::clear) report_.shown_at = task_.range.begin;
    if (task_.options.surfaces && still.verdict >= Verdict::touch)
      for (const auto& [a, b] : still.surface_pairs)
        report_.surface_pairs.push_back({a, b, report_.intervals, report_.touch_intervals});
    if (still.verdict <= Verdict::near) measure_gap();
  }

  void judge_moving() {
    find_contacts();
    if (fuel_.cancelled()) return;
    find_clashes();
    if (fuel_.cancelled()) return;
    tell_times();
    if (report_.verdict == Verdict::clear) measure_gap();
    if (task_.options.surfaces && report_.verdict >= Verdict::touch) name_surfaces();
    look_there();
  }

  /// A corner of a shell of one inside the other in the middle of a span in which surfaces do not meet. What is inside there is so
  /// all through it.
  [[nodiscard]] static std::optional<SpanMeeting> inside(const SpanSearch& search, const PosedSolid& a,
                                                         const PosedSolid& b, const TimeSpan& span) {
    const double t = span.begin + 0.5 * span.length();
    const auto corner = Overlap(search, a, b).one_inside_other(search.over({t, t}));
    if (!corner) return std::nullopt;
    return SpanMeeting{t, 0, 0, 0, *corner, *corner};
  }

  [[nodiscard]] bool may_be_inside() const {
    return a_.solid().has_inside(Filling::closed_shells) || b_.solid().has_inside(Filling::closed_shells);
  }

  void find_contacts() {
    const TimeGrain grain{task_.time_tolerance, k_inner * length(), k_finest * length()};
    std::optional<Overlap> overlap;
    // Far away from each other all the time: no need for solids.
    if (surfaces_.first_open(surfaces_.over(task_.range), {.distance = report_.gap}, surfaces_.everything()).empty()) {
      apart_ = {task_.range};
    } else {
      if (a_.solid().has_inside(Filling::closed_shells) && b_.solid().has_inside(Filling::closed_shells))
        overlap.emplace(surfaces_, a_.solid(), b_.solid());
      contacts_ =
          stretches(surfaces_, overlap ? &*overlap : nullptr, {.distance = report_.gap}, task_.range, grain, fuel_);
      apart_ = between(contacts_, task_.range);
    }
    if (!may_be_inside()) return;
    for (const TimeSpan& span : apart_)
      if (inside(surfaces_, a_.solid(), b_.solid(), span)) contained_.push_back(span);
  }

  void find_clashes() {
    if (contacts_.empty()) return;
    const ShrunkPart &a = a_.shrunk(true), &b = b_.shrunk(false);
    const SpanSearch search(a.body, a_.way(), b.body, b_.way());
    const bool solids = a.solid.has_inside(Filling::closed_shells) && b.solid.has_inside(Filling::closed_shells);
    const Overlap overlap(search, a.solid, b.solid);
    // Sheets that lie on one another cross nowhere and are apart nowhere: no piece is short enough to tell.
    const double inner = std::max(task_.time_tolerance, k_inner * length());
    const bool sheets = !a.solid.closed() && !b.solid.closed();
    grain_ = {task_.time_tolerance, inner, sheets ? inner : k_finest * length()};
    for (const Stretch& contact : contacts_) {
      if (!contact.decided) {
        undecided_.push_back(contact.span);
        continue;
      }
      if (too_thin()) {
        if (!clashes_at_instants({contact.span, false, true, 0, 0, {}}) && !doubt_.empty())
          leave_undecided(contact.span, doubt_);
        continue;
      }
      const auto found =
          stretches(search, solids ? &overlap : nullptr, {.crossing = true}, contact.span, grain_, fuel_);
      for (const Stretch& stretch : found) weigh(stretch, search, a, b);
      if (!solids) continue;
      for (const TimeSpan& span : between(found, contact.span))
        if (const auto corner = inside(search, a.solid, b.solid, span))
          weigh({span, true, true, span.begin, span.end, corner}, search, a, b);
    }
    report_.pairs += search.pairs();
  }

  /// Does no ball wider than the touch overlap fit into one of the parts? Then there is none in both.
  [[nodiscard]] bool too_thin() const {
    const auto thin = [&](const PathPart& part) {
      const Aabb& box = part.shape().bounds();
      const Vec3 size = box.hi - box.lo;
      return std::min({size.x, size.y, size.z}) <= report_.overlap;
    };
    return (thin(a_) || thin(b_)) && a_.solid().closed() && b_.solid().closed();
  }

  [[nodiscard]] bool has_sag() const { return !a_.solid().sag().none() || !b_.solid().sag().none(); }

  /// Is a point of a meeting of shrunk parts deep inside both, so that a ball of a fifth of the touch overlap fits around it?
  /// Where parts are thinner than what corners draw in, shrunk ones are turned inside out, and meet where nothing is.
  [[nodiscard]] bool deep(const SpanMeeting& meeting) const {
    const Point3 at = 0.5 * meeting.on_a + 0.5 * meeting.on_b;
    return Overlap(surfaces_, a_.solid(), b_.solid()).depth(surfaces_.over({meeting.t, meeting.t}), at) >=
           k_deep * report_.overlap;
  }

  /// Is the stretch one of interference?
  void weigh(const Stretch& stretch, const SpanSearch& search, const ShrunkPart& a, const ShrunkPart& b) {
    if (!stretch.decided) return undecided_.push_back(stretch.span);
    Stretch weighed = stretch;
    if (stretch.certain && !stretch.shown)
      weighed.shown = search.meeting_at(stretch.first, {.crossing = true}, search.everything());
    if (stretch.certain && weighed.shown && !has_sag() && deep(*weighed.shown)) return clashes_.push_back(weighed);
    if (clashes_at_instants(weighed)) return;
    if (fuel_.cancelled()) return;
    if (!a_.solid().closed() || !b_.solid().closed())
      weigh_sheets(weighed);
    else if (has_sag())
      weigh_within_sags(stretch.span);
    else
      weigh_regular(stretch.span, search, a, b);
  }

  /// What check() says at some instants: where corners do not draw in, for sheets, and within sags. True if it calls one a clash;
  /// what it could not tell is in doubt_, and is undecided unless something else proves that it is shallow.
  bool clashes_at_instants(Stretch weighed) {
    const double from = weighed.certain ? weighed.first : weighed.span.begin;
    const double to = weighed.certain ? weighed.last : weighed.span.end;
    const double shown_at = weighed.shown ? weighed.shown->t : from;
    doubt_.clear();
    for (int i = 0; i < k_instants; ++i) {
      if (fuel_.cancelled()) return true;
      const double t = i == 0 ? shown_at : from + i * ((to - from) / (k_instants - 1));
      const PairReport at = assessed(t);
      report_.sag = std::max(report_.sag, at.sag);
      if (at.verdict >= Verdict::clash) {
        if (!weighed.certain) weighed.first = weighed.last = t, weighed.certain = true;
        weighed.shown = SpanMeeting{t, 0, 0, 0, at.point.value_or(Point3{}), at.point.value_or(Point3{})};
        report_.firm = report_.firm && at.firm;
        clashes_.push_back(weighed);
        return true;
      }
      if (at.verdict == Verdict::undecided) doubt_ = at.reason;
      if (at.verdict == Verdict::undecided ? has_sag() : at.verdict == Verdict::touch && !at.firm) report_.firm = false;
      if (from == to) break;
    }
    return false;
  }

  void leave_undecided(const TimeSpan& span, const std::string& reason) {
    if (report_.reason.empty()) report_.reason = doubt_.empty() ? reason : doubt_;
    undecided_.push_back(span);
  }

  /// Of open parts nothing draws in. They are no deeper in one another than the touch overlap while a shift by no more than that, along
  /// the normal of a face that meets the other, keeps them apart; where it does not, check() is asked.
  void weigh_sheets(const Stretch& stretch) {
    const double t = stretch.shown ? stretch.shown->t : stretch.span.begin + 0.5 * stretch.span.length();
    const auto meeting = surfaces_.meeting_at(t, {.distance = report_.gap}, surfaces_.everything());
    std::vector<TimeSpan> open{stretch.span};
    for (const auto& [part, triangle] :
         {std::pair{&a_, meeting ? meeting->triangle_a : 0}, {&b_, meeting ? meeting->triangle_b : 0}})
      for (const double way : {1.0, -1.0}) {
        if (!meeting || open.empty()) continue;
        const Triangle c = part->body().triangle(triangle);
        const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
        if (const double length = length_of(n); length > 0)
          open = still_meeting(*part, (way * k_shift * report_.overlap / length) * n, t, open);
      }
    for (const TimeSpan& span : open)
      if (!clashes_at_instants({span, false, true, 0, 0, {}}))
        leave_undecided(span, "an open part crosses another, how deep could not be told between instants");
  }

  /// What is left of spans in which a part that is shifted in its own frame is not proved to stay clear of the other. None is left
  /// out if it does not at t.
  [[nodiscard]] std::vector<TimeSpan> still_meeting(const PathPart& part, const Vec3& shift, double t,
                                                    const std::vector<TimeSpan>& spans) {
    std::vector<Point3> vertices(part.body().vertices().begin(), part.body().vertices().end());
    for (Point3& p : vertices) p = p + shift;
    const BoxedMesh moved(part.shape(), std::move(vertices));
    const PosedSolid solid = part.solid().moved(shift);
    const bool is_a = &part == &a_;
    const SpanSearch search(is_a ? moved : a_.body(), a_.way(), is_a ? b_.body() : moved, b_.way());
    if (search.meeting_at(t, {}, search.everything())) return spans;
    std::vector<TimeSpan> left;
    for (const TimeSpan& span : spans) {
      const auto meetings = stretches(search, nullptr, {}, span, grain_, fuel_);
      for (const Stretch& stretch : meetings) left.push_back(stretch.span);
      for (const TimeSpan& apart : between(meetings, span))
        if (inside(search, is_a ? solid : a_.solid(), is_a ? b_.solid() : solid, apart)) left.push_back(apart);
    }
    return joined(left);
  }

  /// Between instants nothing is clear by itself: parts that draw in by their sags as well must not meet, or else check() is asked
  /// where they do.
  void weigh_within_sags(const TimeSpan& span) {
    const ShrunkPart &a = a_.shrunk(true, true), &b = b_.shrunk(false, true);
    const SpanSearch search(a.body, a_.way(), b.body, b_.way());
    const auto left = stretches(search, nullptr, {.crossing = true}, span, grain_, fuel_);
    const auto ask = [&](const Stretch& stretch) {
      if (!stretch.decided) return undecided_.push_back(stretch.span);
      if (clashes_at_instants(stretch)) return;
      leave_undecided(stretch.span, "overlaps come close to what the sags of faces leave open; a finer mesh may tell");
    };
    for (const Stretch& stretch : left) ask(stretch);
    for (const TimeSpan& apart : between(left, span))
      if (const auto corner = inside(search, a.solid, b.solid, apart))
        ask({apart, true, true, apart.begin, apart.end, corner});
  }

  /// What meets first may be where corners do not draw in; elsewhere the parts may interfere for all that. What else is met there is
  /// not told apart from an interference.
  void weigh_regular(const TimeSpan& span, const SpanSearch& search, const ShrunkPart& a, const ShrunkPart& b) {
    const Question regular{.crossing = true, .marked_a = &a.regular, .marked_b = &b.regular};
    for (Stretch stretch : stretches(search, nullptr, regular, span, grain_, fuel_)) {
      if (stretch.certain && !stretch.shown)
        stretch.shown = search.meeting_at(stretch.first, regular, search.everything());
      if (stretch.decided && stretch.certain && stretch.shown && deep(*stretch.shown)) clashes_.push_back(stretch);
    }
    leave_undecided(span,
                    "surfaces are too crooked or too thin for the touch overlap to be proved; a smaller one may tell");
  }

  void tell_times() {
    std::vector<TimeSpan> clashes = contained_, contacts;
    for (const Stretch& s : clashes_) clashes.push_back(s.span);
    for (const Stretch& s : contacts_) contacts.push_back(s.span);
    report_.intervals = joined(clashes);
    report_.undecided = without(joined(undecided_), report_.intervals);
    report_.touch_intervals = without(without(joined(contacts), report_.intervals), report_.undecided);
    if (!report_.undecided.empty() && report_.reason.empty()) report_.reason = "the budget was spent";

    report_.verdict = !report_.intervals.empty()         ? (clashes_.empty() ? Verdict::contained : Verdict::clash)
                      : !report_.undecided.empty()       ? Verdict::undecided
                      : !report_.touch_intervals.empty() ? Verdict::touch
                                                         : Verdict::clear;
    report_.first_contact = first_of(contacts_);
    report_.first_clash = first_of(clashes_);
  }

  [[nodiscard]] std::optional<ContactTime> first_of(const std::vector<Stretch>& stretches) const {
    std::optional<ContactTime> first;
    const auto offer = [&](double lo, double hi) {
      if (!first || lo < first->t_lo) first = ContactTime{lo, hi};
    };
    for (const Stretch& s : stretches) offer(s.span.begin, s.certain ? s.first : s.span.end);
    for (const TimeSpan& s : contained_) offer(s.begin, s.begin);
    return first;
  }

  void tell_travel() {
    std::vector<double> times;
    for (const auto* spans : {&report_.intervals, &report_.touch_intervals})
      for (const TimeSpan& span : *spans) times.push_back(span.begin), times.push_back(span.end);
    for (const auto& first : {report_.first_contact, report_.first_clash})
      if (first) times.push_back(first->t_hi);
    const PathTravels travels(a_, b_, task_.range.begin, std::move(times));
    const auto tell = [&](const std::vector<TimeSpan>& spans, std::vector<SpanTravel>& out) {
      for (const TimeSpan& span : spans) out.push_back({travels.at(span.begin), travels.at(span.end)});
    };
    tell(report_.intervals, report_.interval_travel);
    tell(report_.touch_intervals, report_.touch_travel);
    if (report_.first_contact) report_.first_contact_travel = travels.at(report_.first_contact->t_hi);
    if (report_.first_clash) report_.first_clash_travel = travels.at(report_.first_clash->t_hi);
  }

  /// The lower bound of a depth is certain at its instant, so the deepest one seen is one of the whole interval.
  void measure_depths() {
    for (const TimeSpan& span : report_.intervals) {
      std::optional<PathDepth> deepest;
      const auto look = [&](double t) {
        if (fuel_.cancelled()) return;
        const auto depth = assessed(t).depth;
        if (depth && (!deepest || depth->lower > deepest->lower)) deepest = PathDepth{depth->lower, depth->upper, t};
      };
      const bool instant = !(span.length() > 0);
      double step = span.length() / (k_instants - 1);
      for (int i = 0; i < (instant ? 1 : k_instants); ++i) look(i == k_instants - 1 ? span.end : span.begin + i * step);
      for (int round = 0; round < k_depth_rounds && deepest && !instant; ++round) {
        const double t = deepest->t;
        step *= 0.5;
        look(std::max(span.begin, t - step));
        look(std::min(span.end, t + step));
      }
      report_.depths.push_back(deepest);
    }
  }

  void measure_gap() {
    const double clearance = task_.options.clearance, finest = k_finest * length();
    const auto look = [&](double known, double limit, double leeway) {
      return smallest_gap(surfaces_, task_.range, known, limit, leeway, finest, fuel_);
    };
    double known = report_.gap;
    if (clearance > known) {
      // What glides along at the clearance itself is below it by rounding or above it: within the resolution it counts as near.
      // At rest check() has told.
      const GapAnswer near = look(known, clearance, report_.at_rest ? 0 : task_.resolution);
      if (near.gap && !report_.at_rest) report_.verdict = Verdict::near;
      if (report_.verdict == Verdict::near) return void(report_.smallest_gap = near.gap);
      if (near.open.empty()) {
        known = clearance;
      } else if (!report_.at_rest) {
        report_.verdict = Verdict::undecided;
        report_.undecided = near.open;
        report_.reason = "the budget was spent before the clearance was proved; a larger one may tell";
        return;
      }
    }
    if (task_.options.all_gaps) report_.smallest_gap = look(known, std::numeric_limits<double>::infinity(), 0).gap;
  }

  void name_surfaces() {
    PieceBudget fuel{0, task_.options.budget, task_.options.cancel};
    std::map<SurfaceIds, std::vector<TimeSpan>> meetings;
    for (const Stretch& contact : contacts_)
      add_surface_meetings(surfaces_, contact.span, report_.gap, task_.time_tolerance, fuel, meetings);
    for (const auto& [ids, spans] : meetings) {
      const auto times = joined(spans);
      SurfaceMeeting meeting{ids.first, ids.second, common(times, report_.intervals),
                             common(times, report_.touch_intervals)};
      if (!meeting.intervals.empty() || !meeting.touch_intervals.empty())
        report_.surface_pairs.push_back(std::move(meeting));
    }
    fuel_.pieces += fuel.pieces;
  }

  void look_there() {
    const auto show = [&](const std::vector<Stretch>& stretches) {
      for (const Stretch& s : stretches) {
        report_.shown_at = s.shown ? s.shown->t : s.certain ? s.first : s.span.begin;
        if (s.shown) report_.point = 0.5 * s.shown->on_a + 0.5 * s.shown->on_b;
        return;
      }
    };
    if (report_.smallest_gap) {
      report_.shown_at = report_.smallest_gap->t;
      report_.point = 0.5 * report_.smallest_gap->on_a + 0.5 * report_.smallest_gap->on_b;
    } else if (!clashes_.empty()) {
      show(clashes_);
    } else if (!contained_.empty()) {
      report_.shown_at = contained_.front().begin;
    } else if (!report_.undecided.empty()) {
      report_.shown_at = report_.undecided.front().begin;
    } else {
      show(contacts_);
    }
  }

  const PathPart& a_;
  const PathPart& b_;
  const PathTask& task_;
  SpanSearch surfaces_;
  PieceBudget fuel_;
  PathPairReport report_;
  TimeGrain grain_;  ///< of clashes
  std::vector<Stretch> contacts_, clashes_;
  std::vector<TimeSpan> apart_, contained_, undecided_;
  std::string doubt_;
};

}  // namespace

std::optional<PathPairReport> judge_pair(const PathPart& a, const PathPart& b, const PathTask& task) try {
  return Judge(a, b, task).run();
} catch (const LoopCancelled&) {
  return std::nullopt;
}

}  // namespace snug::detail
