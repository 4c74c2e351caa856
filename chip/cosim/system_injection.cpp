#include "chip/cosim/system_injection.hpp"

namespace snug::chip {

namespace {

constexpr unsigned k_tries = 100;  // for a clock at which the host is in the middle of something

/// The query without trouble.
struct Expected {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
  std::uint64_t clocks = 0, beats = 0;
};

class Injection {
 public:
  Injection(Bench& bench, const Shapes& shapes, const detail::chip::Configuration& configuration, Random& random,
            Seen& seen)
      : bench_(bench), shapes_(shapes), configuration_(configuration), random_(random), seen_(seen) {}

  Injected run() {
    expected_ = untroubled();
    if (expected_.hits.empty() && bench_.failure.empty()) bench_.failure = "the short query has no hits";
    Injected injected{expected_.clocks, 0, 0};
    for (std::uint64_t beat = 0; beat < expected_.beats && bench_.failure.empty(); ++beat, ++injected.beats)
      error_at(beat);
    for (std::uint64_t clock = 1; clock < expected_.clocks && bench_.failure.empty(); ++clock, ++injected.resets)
      for (const bool whole : {false, true}) reset_at(clock, whole);
    return injected;
  }

 private:
  Expected untroubled() {
    Query query = shapes_.short_query(random_, configuration_);
    ask(bench_, query, random_, seen_);
    Expected found{{}, bench_.counters().clocks, bench_.counters().bursts * detail::chip::k_burst_beats};
    for (std::size_t i = bench_.hits_before; i < bench_.hits.size(); ++i)
      found.hits.emplace_back(bench_.hits[i].a, bench_.hits[i].b);
    return found;
  }

  void fail(const std::string& what) {
    if (bench_.failure.empty()) bench_.failure = what;
  }

  void next_is_right(const std::string& after) {
    const Expected found = untroubled();
    const detail::chip::Outputs out = bench_.outputs();
    if (!out.done || out.error || out.overflow || out.busy) fail("the query after " + after + " does not end well");
    if (found.hits != expected_.hits) fail("the query after " + after + " finds something else");
  }

  void error_at(std::uint64_t beat) {
    const std::string name = "an error at beat " + std::to_string(beat);
    Query query = shapes_.short_query(random_, configuration_, beat);
    query.host_hurry = random_.one_in(2) ? 1 : 64;
    ask(bench_, query, random_, seen_);
    const detail::chip::Outputs out = bench_.outputs();
    if (!out.done || !out.error || out.busy) fail(name + " is not told");
    next_is_right(name);
  }

  void reset_at(std::uint64_t clock, bool whole) {
    const std::set<std::uint64_t>& reached = seen_.reset_clocks[whole ? 1 : 0];
    seen_.reset_clocks[whole ? 1 : 0].erase(clock);
    // The register can be written only when the host's last access is over, so aim a little earlier if it was too late.
    for (unsigned tries = 0; tries < k_tries && !reached.contains(clock) && bench_.failure.empty(); ++tries) {
      Query query = shapes_.short_query(random_, configuration_);
      const std::uint64_t earlier = tries == 0 ? 0 : random_.below(6);
      query.reset_after = clock >= earlier ? clock + 1 - earlier : 1;
      query.host_hurry = 16;
      query.whole_reset = whole;
      ask(bench_, query, random_, seen_);
      const detail::chip::Outputs out = bench_.outputs();
      if (out.busy || out.error || out.overflow)
        fail("a reset at clock " + std::to_string(clock) + " leaves something");
      next_is_right("a reset at clock " + std::to_string(clock));
    }
    if (!reached.contains(clock)) fail("no reset at clock " + std::to_string(clock));
  }

  Bench& bench_;
  const Shapes& shapes_;
  const detail::chip::Configuration& configuration_;
  Random& random_;
  Seen& seen_;
  Expected expected_;
};

}  // namespace

Injected inject(Bench& bench, const Shapes& shapes, const detail::chip::Configuration& configuration, Random& random,
                Seen& seen) {
  return Injection(bench, shapes, configuration, random, seen).run();
}

}  // namespace snug::chip
