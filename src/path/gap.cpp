#include "path/gap.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

namespace {

constexpr double k_share = 1e-4;  ///< of the gap, to which it is told

class GapSearch {
 public:
  GapSearch(const SpanSearch& search, double limit, double finest, PieceBudget& fuel)
      : search_(search), best_(limit), finest_(finest), fuel_(fuel) {}

  void run(const TimeSpan& span) {
    const auto all = search_.everything();
    constexpr int k_samples = 16;
    for (int i = 0; i <= k_samples; ++i) {
      const double t = i == k_samples ? span.end : span.begin + i * (span.length() / k_samples);
      offer(search_.closest_at(t, best_, all));
    }
    look(span, all);
  }

  [[nodiscard]] double best() const noexcept { return best_; }
  [[nodiscard]] double proved() const noexcept { return best_ * (1 - k_share); }
  [[nodiscard]] const std::optional<SpanMeeting>& found() const noexcept { return found_; }
  [[nodiscard]] bool complete() const noexcept { return complete_; }

 private:
  void offer(const std::optional<SpanMeeting>& meeting) {
    if (meeting && (meeting->distance < best_ || !found_)) best_ = meeting->distance, found_ = meeting;
  }

  void look(const TimeSpan& span, const std::vector<OpenPair>& pairs) {
    if (fuel_.spent()) return void(complete_ = false);
    ++fuel_.pieces;
    const SpanPair motion = search_.over(span);
    OpenPairs open = search_.still_open(motion, {.distance = proved()}, pairs);
    if (open.pairs.empty()) return;
    offer(search_.closest_at(motion.middle, proved(), open.pairs));
    if (span.length() <= finest_ || !(span.begin < motion.middle && motion.middle < span.end))
      return void(complete_ = false);
    look({span.begin, motion.middle}, open.pairs);
    look({motion.middle, span.end}, open.pairs);
  }

  const SpanSearch& search_;
  double best_;
  double finest_;
  PieceBudget& fuel_;
  std::optional<SpanMeeting> found_;
  bool complete_ = true;
};

}  // namespace

std::optional<SmallestGap> smallest_gap(const SpanSearch& search, const TimeSpan& span, double known, double limit,
                                        double finest, PieceBudget& fuel) {
  GapSearch look(search, limit, finest, fuel);
  look.run(span);
  const auto& found = look.found();
  if (!found) return std::nullopt;
  return SmallestGap{found->distance,
                     look.complete() ? std::max(known, look.proved()) : known,
                     found->t,
                     found->on_a,
                     found->on_b,
                     search.a().shape().mesh().surface_of(found->triangle_a),
                     search.b().shape().mesh().surface_of(found->triangle_b)};
}

}  // namespace snug::detail
