#include "assembly/path/contact_intervals.hpp"

#include "support/assert.hpp"

#include <algorithm>

// Interval subdivision: pieces of time are halved until each is proved clear, proved to be one long contact, or as short as asked for.
// What was open in a piece is all that is looked at in its halves.

namespace snug::assembly {

namespace {

constexpr int k_long_doubt = 64;

class IntervalSearch {
 public:
  IntervalSearch(const MovingPair& pair, const OverlapProof* overlap, const ContactCriterion& criterion,
                 const TimeGrain& grain, PieceBudget& fuel)
      : pair_(pair), overlap_(overlap), criterion_(criterion), grain_(grain), fuel_(fuel) {}

  std::vector<ContactInterval> run(const TimeSpan& span) {
    if (fuel_.spent()) return {ContactInterval{.span = span, .decided = false}};
    const auto all = pair_.everything();
    const bool begin = pair_.contact_at(span.begin, criterion_, all).has_value();
    const bool end = pair_.contact_at(span.end, criterion_, all).has_value();
    look(span, all, begin, end, std::nullopt);
    return std::move(found_);
  }

 private:
  void add(const TimeSpan& span, bool certain, double first, double last, const std::optional<TriangleContact>& shown,
           bool decided = true) {
    SNUG_ASSERT(found_.empty() || found_.back().span.end <= span.begin);
    const bool goes_on = !found_.empty() && found_.back().span.end == span.begin;
    doubts_ = certain ? 0 : goes_on ? doubts_ + 1 : 1;
    if (goes_on && found_.back().decided == decided) {
      ContactInterval& s = found_.back();
      s.span.end = span.end;
      if (certain && !s.certain) s.first = first, s.certain = true;
      if (certain) s.last = last;
      if (!s.shown) s.shown = shown;
      return;
    }
    found_.push_back({span, certain, decided, first, last, shown});
  }

  /// Is this the continuation of what stayed undecided in many of the shortest pieces? Then cutting it up is of no use either.
  [[nodiscard]] bool in_long_doubt(const TimeSpan& span) const {
    return doubts_ >= k_long_doubt && !found_.empty() && found_.back().span.end == span.begin;
  }

  void look(const TimeSpan& span, const std::vector<OpenPair>& pairs, bool met_at_begin, bool met_at_end,
            std::optional<InteriorWitness> witness) {
    if (!fuel_.take()) return add(span, met_at_begin || met_at_end, span.begin, span.end, {}, false);
    const PairMotion motion = pair_.over(span);
    const bool both_ends = met_at_begin && met_at_end;
    if (both_ends && witness && overlap_ != nullptr && overlap_->lasts(motion, *witness))
      return add(span, true, span.begin, span.end, {});

    // Bodies that meet at both ends mostly do so in between. One meeting shows that; where large faces slide on one another
    // flush, all pairs of triangles that meet at some time would be very many.
    std::optional<TriangleContact> meeting;
    if (both_ends) meeting = pair_.contact_at(motion.middle, criterion_, pairs, MovingPair::Wanted::any);
    OpenPairs open;
    if (!meeting) {
      open = pair_.still_open(motion, criterion_, pairs);
      if (open.pairs.empty()) return;
      meeting = open.in_the_middle;
      const bool nodes_left = std::ranges::any_of(open.pairs, [](const OpenPair& p) { return !p.holds_triangles(); });
      if (!meeting && nodes_left && !both_ends) meeting = pair_.contact_at(motion.middle, criterion_, open.pairs);
    }
    const std::vector<OpenPair>& left = open.pairs.empty() ? pairs : open.pairs;
    if (motion.a.rests() && motion.b.rests()) return add(span, meeting.has_value(), span.begin, span.end, meeting);
    if (meeting && both_ends) {
      if (!criterion_.crossing && stays_in_touch(pair_, motion, *meeting, criterion_.distance))
        return add(span, true, span.begin, span.end, meeting);
      if (overlap_ != nullptr && span.length() > grain_.inner) {
        if (const auto point = overlap_->common_point(motion, *meeting)) {
          for (const bool in_a : {true, false}) {
            witness = OverlapProof::fixed(motion, *point, in_a);
            if (overlap_->lasts(motion, *witness)) return add(span, true, span.begin, span.end, meeting);
          }
        }
      }
      if (span.length() <= std::max(grain_.inner, grain_.tolerance))
        return add(span, true, span.begin, span.end, meeting);
    }
    if (!meeting && !met_at_begin && !met_at_end && span.length() <= grain_.inner && in_long_doubt(span))
      return add(span, false, 0, 0, {});
    if (span.length() <= grain_.tolerance || !motion.divisible()) {
      if (met_at_begin || met_at_end || meeting) {
        const double first = met_at_begin ? span.begin : meeting ? motion.middle : span.end;
        const double last = met_at_end ? span.end : meeting ? motion.middle : span.begin;
        return add(span, true, first, last, meeting);
      }
      if (span.length() <= grain_.finest || !motion.divisible()) return add(span, false, 0, 0, {});
    }
    const bool met = meeting.has_value();
    look(motion.earlier(), left, met_at_begin, met, witness);
    look(motion.later(), left, met, met_at_end, witness);
  }

  const MovingPair& pair_;
  const OverlapProof* overlap_;
  ContactCriterion criterion_;
  TimeGrain grain_;
  PieceBudget& fuel_;
  std::vector<ContactInterval> found_;
  int doubts_ = 0;  ///< pieces in a row that stayed undecided, up to the last of found_
};

}  // namespace

std::vector<ContactInterval> contact_intervals(const MovingPair& pair, const OverlapProof* overlap,
                                               const ContactCriterion& criterion, const TimeSpan& span,
                                               const TimeGrain& grain, PieceBudget& fuel) {
  return IntervalSearch(pair, overlap, criterion, grain, fuel).run(span);
}

std::vector<TimeSpan> between(const std::vector<ContactInterval>& intervals, const TimeSpan& span) {
  std::vector<TimeSpan> out;
  double at = span.begin;
  for (const ContactInterval& s : intervals) {
    SNUG_ASSERT(at <= s.span.begin && s.span.end <= span.end);
    if (at < s.span.begin) out.push_back({at, s.span.begin});
    at = s.span.end;
  }
  if (at < span.end || (intervals.empty() && at == span.end)) out.push_back({at, span.end});
  return out;
}

}  // namespace snug::assembly
