#include "chip/cosim/system_injection.hpp"

namespace snug::hardware {

namespace {

constexpr unsigned k_tries = 100;  // for a clock at which the host is in the middle of something

/// The query without trouble.
struct Expected {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
  std::uint64_t clocks = 0, beats = 0;
};

class Injection {
 public:
  Injection(Bench& bench, const Shapes& shapes, const chip::Configuration& configuration, Random& random, Seen& seen)
      : bench_(bench), shapes_(shapes), configuration_(configuration), random_(random), seen_(seen) {}

  Injected run() {
    expected_ = untroubled();
    if (expected_.hits.empty() && bench_.failure.empty()) bench_.failure = "the short query has no hits";
    Injected injected{expected_.clocks, 0, 0};
    for (std::uint64_t beat = 0; beat < expected_.beats && bench_.failure.empty(); ++beat, ++injected.beats)
      error_at(beat);
    for (std::uint64_t clock = 1; clock < expected_.clocks && bench_.failure.empty(); ++clock, ++injected.resets) {
      for (const Reset reset : {Reset::by_register, Reset::and_start, Reset::of_everything}) reset_at(clock, reset);
      reset_in_slow_memory(clock);
    }
    return injected;
  }

 private:
  enum class Reset : std::uint8_t { by_register, and_start, of_everything };

  Expected untroubled() {
    Query query = shapes_.short_query(random_, configuration_);
    return asked(query);
  }
  Expected asked(Query& query) {
    ask(bench_, query, random_, seen_);
    Expected found{{}, bench_.counters().clocks, bench_.counters().bursts * chip::k_burst_beats};
    for (std::size_t i = bench_.hits_before; i < bench_.hits.size(); ++i)
      found.hits.emplace_back(bench_.hits[i].a, bench_.hits[i].b);
    return found;
  }

  void fail(const std::string& what) {
    if (bench_.failure.empty()) bench_.failure = what;
  }

  void check(const Expected& found, const std::string& after) {
    const chip::Outputs out = bench_.outputs();
    if (!out.done || out.error || out.overflow || out.busy) fail("the query after " + after + " does not end well");
    if (found.hits != expected_.hits) fail("the query after " + after + " finds something else");
  }

  void error_at(std::uint64_t beat) {
    const std::string name = "an error at beat " + std::to_string(beat);
    Query query = shapes_.short_query(random_, configuration_, {.fickle = true, .error_at = beat});
    query.host_hurry = random_.one_in(2) ? 4 : 256;
    asked(query);
    const chip::Outputs out = bench_.outputs();
    if (!out.done || !out.error || out.busy) fail(name + " is not told");
    check(untroubled(), name);
  }

  void reset_at(std::uint64_t clock, Reset reset) {
    const bool whole = reset == Reset::of_everything;
    const std::string name = "a reset at clock " + std::to_string(clock);
    std::set<std::uint64_t>& reached = seen_.reset_clocks[whole ? 1 : 0];
    reached.clear();
    // The register can be written only when the host's last access is over, so aim a little earlier if it was too late.
    for (unsigned tries = 0; tries < k_tries && !reached.contains(clock) && bench_.failure.empty(); ++tries) {
      Query query = shapes_.short_query(random_, configuration_);
      const std::uint64_t earlier = tries == 0 ? 0 : random_.below(6);
      query.reset_after = clock >= earlier ? clock + 1 - earlier : 1;
      query.host_hurry = 64;
      query.whole_reset = whole;
      query.again = reset == Reset::and_start;
      const Expected found = asked(query);
      const chip::Outputs out = bench_.outputs();
      if (out.busy || out.error || out.overflow) fail(name + " leaves something");
      if (query.again || reached.contains(clock)) check(query.again ? found : untroubled(), name);
    }
    if (!reached.contains(clock)) fail("no reset at clock " + std::to_string(clock));
  }

  /// While requests wait, and with a start at once.
  void reset_in_slow_memory(std::uint64_t clock) {
    Query query = shapes_.short_query(random_, configuration_, {.fickle = true, .slow = clock + 60});
    query.reset_after = clock;
    query.again = true;
    check(asked(query), "a reset in slow memory at clock " + std::to_string(clock));
  }

  Bench& bench_;
  const Shapes& shapes_;
  const chip::Configuration& configuration_;
  Random& random_;
  Seen& seen_;
  Expected expected_;
};

}  // namespace

Injected inject(Bench& bench, const Shapes& shapes, const chip::Configuration& configuration, Random& random,
                Seen& seen) {
  return Injection(bench, shapes, configuration, random, seen).run();
}

}  // namespace snug::hardware
