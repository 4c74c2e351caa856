#include "assembly/path/path_pair.hpp"
#include "assembly/path/time_spans.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <utility>

// Within the times of contact: when do the parts meet though each is drawn in by half of the touch overlap? What that can not tell,
// check() is asked at instants, and proofs for each kind of part settle what lies between them.

namespace snug::assembly {

namespace {

constexpr double k_deep = 0.1;    ///< radius of a ball that proves a clash, of the touch overlap
constexpr double k_shift = 0.99;  ///< of open parts, of the touch overlap
constexpr int k_asked = 9;        ///< at which a interval is assessed where no proof is to be had

/// A interval without a known meeting.
ContactInterval interval_over(const TimeSpan& span) { return {span, false, true, 0, 0, {}}; }

/// What check() says at some instants of a interval.
struct AtInstants {
  std::optional<ContactInterval> clash;  ///< the interval, with the instant of a clash
  std::string doubt;                     ///< why it could not tell at one of them, if it is no clash at any
};

class InterferenceSearch {
 public:
  InterferenceSearch(PathPair& pair, PathInterference& out)
      : pair_(pair),
        out_(out),
        a_(pair.a.shrunk(true)),
        b_(pair.b.shrunk(false)),
        shrunk_(a_.body, pair.a.trajectory(), b_.body, pair.b.trajectory()) {
    // Sheets that lie on one another cross nowhere and are apart nowhere: no piece is short enough to tell.
    const double inner = std::max(pair.task.time_tolerance, pair.inner());
    const bool sheets = !a_.solid.closed() && !b_.solid.closed();
    grain_ = {pair.task.time_tolerance, inner, sheets ? inner : pair.finest()};
  }

  void look_into(const ContactInterval& contact) {
    if (!contact.decided) return out_.undecided.push_back(contact.span);
    if (too_thin()) {
      if (const auto [clash, doubt] = ask_check(interval_over(contact.span)); clash)
        out_.clashes.push_back(*clash);
      else if (!doubt.empty())
        leave_undecided(contact.span, doubt);
      return;
    }
    const bool solids = a_.solid.has_inside(Filling::closed_shells) && b_.solid.has_inside(Filling::closed_shells);
    const OverlapProof overlap(shrunk_, a_.solid, b_.solid);
    const auto found =
        contact_intervals(shrunk_, solids ? &overlap : nullptr, {.crossing = true}, contact.span, grain_, pair_.fuel);
    for (const ContactInterval& interval : found) classify(interval);
    if (!solids) return;
    for (const ContactInterval& inside : contained_between(found, contact.span, shrunk_, a_.solid, b_.solid))
      classify(inside);
  }

  [[nodiscard]] std::uint64_t pairs() const { return shrunk_.pairs(); }
  /// Could sags change the verdict? A clash is one whatever they make of touches before it.
  [[nodiscard]] bool firm() const { return out_.clashes.empty() ? !unsure_ : firm_clash_; }

 private:
  /// Does no ball wider than the touch overlap fit into one of the parts? Then there is none in both.
  [[nodiscard]] bool too_thin() const {
    const auto thin = [&](const PathPart& part) {
      const Aabb& box = part.shape().bounds();
      const Vec3 size = box.hi - box.lo;
      return std::min({size.x, size.y, size.z}) <= pair_.overlap;
    };
    return (thin(pair_.a) || thin(pair_.b)) && pair_.both_closed();
  }

  /// Is a point of a meeting of shrunk parts deep inside both, so that a ball of a fifth of the touch overlap fits around it?
  /// Where parts are thinner than what corners draw in, shrunk ones are turned inside out, and meet where nothing is.
  [[nodiscard]] bool deep(const TriangleContact& meeting) const {
    const Point3 at = 0.5 * meeting.on_a + 0.5 * meeting.on_b;
    const MovingPair& surfaces = pair_.surfaces;
    return OverlapProof(surfaces, pair_.a.solid(), pair_.b.solid()).depth(surfaces.over({meeting.t, meeting.t}), at) >=
           k_deep * pair_.overlap;
  }

  /// Is the interval one of interference?
  void classify(const ContactInterval& interval) {
    if (!interval.decided) return out_.undecided.push_back(interval.span);
    ContactInterval classified = interval;
    if (interval.certain && !interval.shown)
      classified.shown = shrunk_.contact_at(interval.first, {.crossing = true}, shrunk_.everything());
    if (interval.certain && classified.shown && !pair_.have_sag() && deep(*classified.shown))
      return out_.clashes.push_back(classified);
    const auto [clash, doubt] = ask_check(classified);
    if (clash) return out_.clashes.push_back(*clash);
    if (pair_.fuel.late()) return leave_undecided(interval.span, k_budget_spent);
    if (!pair_.both_closed())
      classify_sheets(classified);
    else if (pair_.have_sag())
      classify_within_sags(interval.span);
    else
      classify_regular(interval.span, doubt);
  }

  /// What check() says at some instants: where corners do not draw in, for sheets, and within sags.
  AtInstants ask_check(const ContactInterval& interval) {
    const double from = interval.certain ? interval.first : interval.span.begin;
    const double to = interval.certain ? interval.last : interval.span.end;
    AtInstants out;
    for (int i = 0; i < k_asked; ++i) {
      if (pair_.fuel.late()) {
        out.doubt = k_budget_spent;
        break;
      }
      const double t = i > 0 ? from + i * ((to - from) / (k_asked - 1)) : interval.shown ? interval.shown->t : from;
      const PairReport at = pair_.assessed(t);
      out_.sag = std::max(out_.sag, at.sag);
      if (at.verdict >= Verdict::clash) {
        firm_clash_ = firm_clash_ || at.firm;
        out.clash = interval;
        if (!interval.certain) out.clash->first = out.clash->last = t, out.clash->certain = true;
        out.clash->shown = TriangleContact{t, 0, 0, 0, at.point.value_or(Point3{}), at.point.value_or(Point3{})};
        return out;
      }
      const bool told = at.verdict != Verdict::undecided;
      if (!told) out.doubt = at.reason;
      if (told ? at.verdict == Verdict::touch && !at.firm : pair_.have_sag()) unsure_ = true;
      if (from == to) break;
    }
    return out;
  }

  void leave_undecided(const TimeSpan& span, const std::string& reason) {
    if (out_.reason.empty()) out_.reason = reason;
    out_.undecided.push_back(span);
  }

  /// check() is asked; what it does not call a clash is undecided.
  void clash_or_undecided(const ContactInterval& interval, const std::string& reason) {
    const auto [clash, doubt] = ask_check(interval);
    if (clash)
      out_.clashes.push_back(*clash);
    else
      leave_undecided(interval.span, doubt.empty() ? reason : doubt);
  }

  /// Of open parts nothing draws in. They are no deeper in one another than the touch overlap while a shift by no more than that, along
  /// the normal of a face that meets the other, keeps them apart; where it does not, check() is asked.
  void classify_sheets(const ContactInterval& interval) {
    const MovingPair& surfaces = pair_.surfaces;
    const double t = interval.shown ? interval.shown->t : interval.span.begin + 0.5 * interval.span.length();
    std::vector<TimeSpan> open{interval.span};
    if (const auto meeting = surfaces.contact_at(t, {.distance = pair_.gap}, surfaces.everything())) {
      for (const auto& [part, triangle] : {std::pair{&pair_.a, meeting->triangle_a}, {&pair_.b, meeting->triangle_b}}) {
        const Triangle c = part->body().triangle(triangle);
        const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
        const double length = length_of(n);
        for (const double side : {1.0, -1.0})
          if (length > 0 && !open.empty())
            open = still_meeting(*part, (side * k_shift * pair_.overlap / length) * n, t, open);
      }
    }
    for (const TimeSpan& span : open)
      clash_or_undecided(interval_over(span),
                         "an open part crosses another, how deep could not be told between instants");
  }

  /// What is left of spans in which a part that is shifted in its own frame is not proved to stay clear of the other. None is left
  /// out if it does not at t.
  [[nodiscard]] std::vector<TimeSpan> still_meeting(const PathPart& part, const Vec3& shift, double t,
                                                    const std::vector<TimeSpan>& spans) {
    if (pair_.fuel.spent()) return spans;
    std::vector<Point3> vertices(part.body().vertices().begin(), part.body().vertices().end());
    for (Point3& p : vertices) p = p + shift;
    const BoxedMesh moved(part.shape(), std::move(vertices));
    const PosedSolid solid = part.solid().moved(shift);
    const PathPart &a = pair_.a, &b = pair_.b;
    const bool is_a = &part == &a;
    const MovingPair search(is_a ? moved : a.body(), a.trajectory(), is_a ? b.body() : moved, b.trajectory());
    if (search.contact_at(t, {}, search.everything())) return spans;
    std::vector<TimeSpan> left;
    for (const TimeSpan& span : spans) {
      const auto meetings = contact_intervals(search, nullptr, {}, span, grain_, pair_.fuel);
      for (const ContactInterval& interval : meetings) left.push_back(interval.span);
      for (const ContactInterval& inside :
           contained_between(meetings, span, search, is_a ? solid : a.solid(), is_a ? b.solid() : solid))
        left.push_back(inside.span);
    }
    return joined(left);
  }

  /// Between instants nothing is clear by itself: parts that draw in by their sags as well must not meet, or else check() is asked
  /// where they do.
  void classify_within_sags(const TimeSpan& span) {
    const ShrunkPart &a = pair_.a.shrunk(true, true), &b = pair_.b.shrunk(false, true);
    const MovingPair search(a.body, pair_.a.trajectory(), b.body, pair_.b.trajectory());
    const auto left = contact_intervals(search, nullptr, {.crossing = true}, span, grain_, pair_.fuel);
    const std::string reason = "overlaps come close to what the sags of faces leave open; a finer mesh may tell";
    for (const ContactInterval& interval : left) {
      if (interval.decided)
        clash_or_undecided(interval, reason);
      else
        out_.undecided.push_back(interval.span);
    }
    for (const ContactInterval& inside : contained_between(left, span, search, a.solid, b.solid))
      clash_or_undecided(inside, reason);
  }

  /// What meets first may be where corners do not draw in; elsewhere the parts may interfere for all that. What else is met there is
  /// not told apart from an interference.
  void classify_regular(const TimeSpan& span, const std::string& doubt) {
    const ContactCriterion regular{.crossing = true, .marked_a = &a_.regular, .marked_b = &b_.regular};
    for (ContactInterval interval : contact_intervals(shrunk_, nullptr, regular, span, grain_, pair_.fuel)) {
      if (interval.certain && !interval.shown)
        interval.shown = shrunk_.contact_at(interval.first, regular, shrunk_.everything());
      if (interval.decided && interval.certain && interval.shown && deep(*interval.shown))
        out_.clashes.push_back(interval), firm_clash_ = true;
    }
    const std::string crooked =
        "surfaces are too crooked or too thin for the touch overlap to be proved; a smaller one may tell";
    leave_undecided(span, doubt.empty() ? crooked : doubt);
  }

  PathPair& pair_;
  PathInterference& out_;
  const ShrunkPart& a_;
  const ShrunkPart& b_;
  MovingPair shrunk_;
  TimeGrain grain_;
  bool unsure_ = false;      ///< sags may decide what is seen at an instant that is no clash
  bool firm_clash_ = false;  ///< there is a clash whatever sags are
};

}  // namespace

PathInterference find_interference(PathPair& pair, const std::vector<ContactInterval>& contacts) {
  PathInterference out;
  if (contacts.empty()) return out;
  if (pair.fuel.late()) {
    for (const ContactInterval& contact : contacts) out.undecided.push_back(contact.span);
    return out;
  }
  InterferenceSearch search(pair, out);
  for (const ContactInterval& contact : contacts) search.look_into(contact);
  out.pairs = search.pairs(), out.firm = search.firm();
  return out;
}

}  // namespace snug::assembly
