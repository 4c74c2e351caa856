#include "assembly/path/timeline.hpp"

#include <algorithm>

// Pieces of time are halved until each is proved clear, proved to be one long meeting, or as short as asked for. What was open
// in a piece is all that is looked at in its halves.

namespace snug::detail {

namespace {

constexpr int k_long_doubt = 64;

bool resting(const SpanMotion& motion) noexcept {
  return !motion.spins && motion.shift.longest() == 0 && motion.turn.longest() == 0;
}
bool resting(const SpanPair& motion) noexcept { return resting(motion.a) && resting(motion.b); }

class Search {
 public:
  Search(const SpanSearch& search, const Overlap* overlap, const Question& question, const TimeGrain& grain,
         PieceBudget& fuel)
      : search_(search), overlap_(overlap), question_(question), grain_(grain), fuel_(fuel) {}

  std::vector<Stretch> run(const TimeSpan& span) {
    const auto all = search_.everything();
    const bool begin = search_.meeting_at(span.begin, question_, all).has_value();
    const bool end = search_.meeting_at(span.end, question_, all).has_value();
    look(span, all, begin, end, std::nullopt);
    return std::move(found_);
  }

 private:
  void add(const TimeSpan& span, bool certain, double first, double last, const std::optional<SpanMeeting>& shown,
           bool decided = true) {
    const bool goes_on = !found_.empty() && found_.back().span.end == span.begin;
    doubts_ = certain ? 0 : goes_on ? doubts_ + 1 : 1;
    if (goes_on && found_.back().decided == decided) {
      Stretch& s = found_.back();
      s.span.end = span.end;
      if (certain && !s.certain) s.first = first, s.certain = true;
      if (certain) s.last = last;
      if (!s.shown) s.shown = shown;
      return;
    }
    found_.push_back({span, certain, decided, first, last, shown});
  }

  /// Is this the continuation of what could not be told in many of the shortest pieces? Then cutting it up is of no use either.
  [[nodiscard]] bool in_long_doubt(const TimeSpan& span) const {
    return doubts_ >= k_long_doubt && !found_.empty() && found_.back().span.end == span.begin;
  }

  void look(const TimeSpan& span, const std::vector<OpenPair>& pairs, bool met_at_begin, bool met_at_end,
            std::optional<Witness> witness) {
    if (fuel_.spent()) return add(span, met_at_begin || met_at_end, span.begin, span.end, {}, false);
    ++fuel_.pieces;
    const SpanPair motion = search_.over(span);
    const bool both_ends = met_at_begin && met_at_end;
    if (both_ends && witness && overlap_ != nullptr && overlap_->lasts(motion, *witness))
      return add(span, true, span.begin, span.end, {});

    // Bodies that meet at both ends mostly do so in between. One meeting shows that; where large faces slide on one another
    // flush, all pairs of triangles that meet at some time would be very many.
    std::optional<SpanMeeting> meeting;
    if (both_ends) meeting = search_.any_meeting_at(motion.middle, question_, pairs);
    OpenPairs open;
    if (!meeting) {
      open = search_.still_open(motion, question_, pairs);
      if (open.pairs.empty()) return;
      meeting = open.in_the_middle;
      const bool nodes_left = std::ranges::any_of(open.pairs, [](const OpenPair& p) { return !p.of_triangles(); });
      if (!meeting && nodes_left && !both_ends) meeting = search_.meeting_at(motion.middle, question_, open.pairs);
    }
    const std::vector<OpenPair>& left = open.pairs.empty() ? pairs : open.pairs;
    if (resting(motion)) return add(span, meeting.has_value(), span.begin, span.end, meeting);
    if (meeting && both_ends) {
      if (!question_.crossing && stays_in_touch(search_, motion, *meeting, question_.distance))
        return add(span, true, span.begin, span.end, meeting);
      if (overlap_ != nullptr && span.length() > grain_.inner) {
        if (const auto point = overlap_->common_point(motion, *meeting)) {
          for (const bool in_a : {true, false}) {
            witness = Overlap::fixed(motion, *point, in_a);
            if (overlap_->lasts(motion, *witness)) return add(span, true, span.begin, span.end, meeting);
          }
        }
      }
      if (span.length() <= std::max(grain_.inner, grain_.tolerance))
        return add(span, true, span.begin, span.end, meeting);
    }
    if (!meeting && !met_at_begin && !met_at_end && span.length() <= grain_.inner && in_long_doubt(span))
      return add(span, false, 0, 0, {});
    const bool cannot_be_cut = !(span.begin < motion.middle && motion.middle < span.end);
    if (span.length() <= grain_.tolerance || cannot_be_cut) {
      if (met_at_begin || met_at_end || meeting) {
        const double first = met_at_begin ? span.begin : meeting ? motion.middle : span.end;
        const double last = met_at_end ? span.end : meeting ? motion.middle : span.begin;
        return add(span, true, first, last, meeting);
      }
      if (span.length() <= grain_.finest || cannot_be_cut) return add(span, false, 0, 0, {});
    }
    const bool met = meeting.has_value();
    look({span.begin, motion.middle}, left, met_at_begin, met, witness);
    look({motion.middle, span.end}, left, met, met_at_end, witness);
  }

  const SpanSearch& search_;
  const Overlap* overlap_;
  Question question_;
  TimeGrain grain_;
  PieceBudget& fuel_;
  std::vector<Stretch> found_;
  int doubts_ = 0;  ///< pieces in a row that could not be told, up to the last of found_
};

}  // namespace

std::vector<Stretch> stretches(const SpanSearch& search, const Overlap* overlap, const Question& question,
                               const TimeSpan& span, const TimeGrain& grain, PieceBudget& fuel) {
  return Search(search, overlap, question, grain, fuel).run(span);
}

std::vector<TimeSpan> between(const std::vector<Stretch>& stretches, const TimeSpan& span) {
  std::vector<TimeSpan> out;
  double at = span.begin;
  for (const Stretch& s : stretches) {
    if (at < s.span.begin) out.push_back({at, s.span.begin});
    at = s.span.end;
  }
  if (at < span.end || (stretches.empty() && at == span.end)) out.push_back({at, span.end});
  return out;
}

}  // namespace snug::detail
