#include "assembly/path/gap.hpp"

#include "assembly/path/time_spans.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::assembly {

namespace {

constexpr double k_share = 1e-4;  ///< of the gap, to which it is told

class GapSearch {
 public:
  GapSearch(const MovingPair& search, double limit, double leeway, double finest, PieceBudget& fuel)
      : search_(search), limit_(limit), best_(limit + leeway), finest_(finest), fuel_(fuel) {
    SNUG_ASSERT(limit >= 0 && leeway >= 0 && finest >= 0);
  }

  void run(const TimeSpan& span) {
    const auto all = search_.everything();
    constexpr int k_samples = 16;
    for (int i = 0; i <= k_samples; ++i) {
      if (fuel_.late()) return append(span, open_);
      const double t = i == k_samples ? span.end : span.begin + i * (span.length() / k_samples);
      offer(search_.closest_at(t, best_, all));
    }
    look(span, all);
  }

  /// What is proved, of all times that are not open. As long as nothing is found that is the limit itself, not a little less.
  [[nodiscard]] double proved() const noexcept { return found_ ? best_ * (1 - k_share) : limit_; }
  [[nodiscard]] const std::optional<TriangleContact>& found() const noexcept { return found_; }
  [[nodiscard]] const std::vector<TimeSpan>& open() const noexcept { return open_; }

 private:
  void offer(const std::optional<TriangleContact>& meeting) {
    if (meeting && (meeting->distance < best_ || !found_)) best_ = meeting->distance, found_ = meeting;
  }

  void look(const TimeSpan& span, const std::vector<OpenPair>& pairs) {
    if (!fuel_.take()) return append(span, open_);
    const PairMotion motion = search_.over(span);
    OpenPairs open = search_.still_open(motion, {.distance = proved()}, pairs);
    if (open.pairs.empty()) return;
    offer(search_.closest_at(motion.middle, found_ ? proved() : best_, open.pairs));
    if (span.length() <= finest_ || !motion.divisible()) return append(span, open_);
    look(motion.earlier(), open.pairs);
    look(motion.later(), open.pairs);
  }

  const MovingPair& search_;
  double limit_, best_;
  double finest_;
  PieceBudget& fuel_;
  std::optional<TriangleContact> found_;
  std::vector<TimeSpan> open_;
};

}  // namespace

GapAnswer smallest_gap(const MovingPair& search, const TimeSpan& span, double known, double limit, double leeway,
                       double finest, PieceBudget& fuel) {
  GapSearch look(search, limit, leeway, finest, fuel);
  look.run(span);
  GapAnswer out{std::nullopt, look.open()};
  if (const auto& found = look.found())
    out.gap = SmallestGap{found->distance,
                          out.open.empty() ? std::max(known, look.proved()) : known,
                          found->t,
                          found->on_a,
                          found->on_b,
                          search.a().shape().mesh().surface_of(found->triangle_a),
                          search.b().shape().mesh().surface_of(found->triangle_b)};
  return out;
}

}  // namespace snug::assembly
