#include "ccd/advancement.hpp"

#include "support/assert.hpp"
#include "support/fuel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

// Conservative advancement of pairs of nodes and triangles, each by itself (after Zhang et al. 2006 and Tang et al. 2009): a pair is
// put off until the time for which a gap along some direction is proved to last, and the pair whose time comes first is looked
// at next. Hence the first two triangles that are found to meet are the first to meet at all.

namespace snug::ccd {

namespace {

/// Times are rounded down to such shares of the range, so that many pairs share a pose.
constexpr double k_grains = 1024;
/// After so many pairs it pays to look for some contact, at so many instants: later ones need no proof.
constexpr std::uint64_t k_long_search = 64;
constexpr int k_ahead = 4, k_ahead_halvings = 6;
constexpr std::uint64_t k_between_looks = 256;

/// Sooner first; which of those that come at once does not matter, but has to be the same every time.
bool comes_later(const WaitingPair& p, const WaitingPair& q) noexcept {
  if (p.t != q.t) return p.t > q.t;
  return std::pair(p.a, p.b) > std::pair(q.a, q.b);
}

class ConservativeAdvancement {
 public:
  ConservativeAdvancement(MovingBody& a, MovingBody& b, const AdvancementTask& task, const FirstContactOptions& options,
                          AdvancementMemory& memory)
      : task_(task),
        options_(options),
        now_at_(a, b, memory.motion, task.resolution, task.range.end),
        later_(memory.later),
        now_(memory.now),
        last_(task.range.end),
        grain_(task.range.length() / k_grains) {
    later_.clear();
    now_.clear();
  }

  Outcome<FirstContact> run() {
    out_.resolution = task_.resolution.tolerance();
    out_.pairs = task_.pairs;
    out_.t = task_.range.end;
    if (now_at_.a().mesh().empty() || now_at_.b().mesh().empty()) return {out_, {}};
    now_at_.move_to(task_.range.begin);
    begin();
    for (;;) {
      while (!now_.empty()) {
        const OpenPair pair = now_.back();
        now_.pop_back();
        if (const auto why = why_spent(options_.budget, out_.pairs, k_between_looks)) return undecided(*why);
        if (++out_.pairs == task_.pairs + k_long_search) look_ahead();
        if (!pair.holds_triangles())
          look_at_nodes(pair);
        else if (look_at_triangles(pair))
          return {out_, {}};
      }
      if (later_.empty()) {
        // What is known to meet cannot have been proved to stay clear. If it was, one of the two is wrong, and `no` is no answer.
        const bool consistent = last_ == task_.range.end;
        SNUG_ASSERT(consistent);
        return consistent ? Outcome<FirstContact>{out_, {}} : undecided(Undecided::tolerance);
      }
      std::ranges::pop_heap(later_, comes_later);
      const WaitingPair next = later_.back();
      later_.pop_back();
      now_.push_back(next);
      SNUG_ASSERT(next.t >= now_at_.t() && next.t <= task_.range.end);
      if (next.t != now_at_.t()) now_at_.move_to(next.t);
    }
  }

 private:
  void begin() {
    if (task_.near == nullptr) return now_.push_back({0, 0});
    for (const TrianglePairBound& pair : *task_.near) now_.push_back(OpenPair::of_triangles(pair.a, pair.b));
  }
  [[nodiscard]] Outcome<FirstContact> undecided(Undecided why) const noexcept {
    Outcome<FirstContact> out{.because = why};
    out.known.t = now_at_.t();
    out.known.resolution = out_.resolution, out.known.pairs = out_.pairs;
    return out;
  }
  /// Until then nothing is known of the pair but that it stays clear.
  void put_off(double t, const OpenPair& pair) {
    SNUG_ASSERT(t > now_at_.t());
    if (t > last_) return;
    const double begin = task_.range.begin;
    const double shared = begin + std::floor((t - begin) / grain_) * grain_;
    later_.push_back({pair, shared > now_at_.t() && shared < t ? shared : t});
    std::ranges::push_heap(later_, comes_later);
  }

  /// Looks for some contact and halves the time back to the last instant seen clear: what comes later needs no proof. The time it
  /// finds is one of contact; that there is none before is for the search to prove.
  void look_ahead() {
    double clear = now_at_.t();
    const double left = task_.range.end - clear;
    for (int i = 1; i <= k_ahead; ++i) {
      const double t = i == k_ahead ? task_.range.end : now_at_.t() + i * (left / k_ahead);
      if (task_.meet_at(t)) {
        last_ = t;
        break;
      }
      clear = t;
    }
    if (clear == task_.range.end) return;
    for (int i = 0; i < k_ahead_halvings; ++i) {
      const double t = clear + 0.5 * (last_ - clear);
      (task_.meet_at(t) ? last_ : clear) = t;
      SNUG_ASSERT(clear <= last_);
    }
  }

  void look_at_nodes(const OpenPair& pair) {
    if (const auto until = now_at_.nodes_clear_until(pair, last_)) return put_off(*until, pair);
    open(now_at_.a().mesh(), now_at_.b().mesh(), pair, [&](const OpenPair& part) { now_.push_back(part); });
  }

  /// True if they are in contact now.
  bool look_at_triangles(const OpenPair& pair) {
    const PairInstant::Triangles found = now_at_.look_at_triangles(pair, last_);
    if (!found.contact) return put_off(found.clear_until, pair), false;
    out_.yes = true;
    out_.t = found.contact->t;
    out_.triangle_a = found.contact->triangle_a, out_.triangle_b = found.contact->triangle_b;
    out_.distance = found.contact->distance;
    out_.on_a = found.contact->on_a, out_.on_b = found.contact->on_b;
    return true;
  }

  const AdvancementTask& task_;
  const FirstContactOptions& options_;
  PairInstant now_at_;
  std::vector<WaitingPair>& later_;
  std::vector<OpenPair>& now_;
  double last_;  ///< the end of the range, or a time at which the bodies are known to have met
  double grain_;
  FirstContact out_;
};

}  // namespace

Outcome<FirstContact> advance(MovingBody& a, MovingBody& b, const AdvancementTask& task,
                              const FirstContactOptions& options, AdvancementMemory& memory) {
  return ConservativeAdvancement(a, b, task, options, memory).run();
}

}  // namespace snug::ccd
