#include "chip/cosim/cosim.hpp"

#include "chip/cosim/golden_unit.hpp"

#include <deque>
#include <sstream>

namespace snug::hardware {

namespace {

constexpr std::size_t k_most_failures = 5;

/// How busy both ends are, and how often a reset comes. It changes now and then.
struct Traffic {
  std::uint64_t offered, taken;  ///< per 64 clocks
  std::uint64_t reset_one_in;
};

Traffic random_traffic(Random& random) {
  constexpr std::array<std::uint64_t, 6> k_rates{64, 64, 58, 32, 6, 1};
  return {k_rates[random.below(k_rates.size())], k_rates[random.below(k_rates.size())],
          random.one_in(8) ? std::uint64_t{40} : std::uint64_t{20000}};
}

std::string text(Wide value) {
  __extension__ using Unsigned = unsigned __int128;
  Unsigned rest = value < 0 ? -static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  std::string digits;
  do digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  while ((rest /= 10) != 0);
  return (value < 0 ? "-" : "") + digits;
}

struct Expected {
  std::uint32_t node_a, node_b;
  bool last, separated;
};

class Driver {
 public:
  Driver(const std::vector<OverlapUnit*>& units, const Configuration& c, std::uint64_t seed)
      : units_(units), configuration_(c), random_(seed), seed_(seed) {}

  CosimReport run(std::uint64_t vectors) {
    // A first reset, for units whose registers come up with anything.
    for (unsigned i = 0; i < 2; ++i) clock({.reset = true}, i > 0);
    Traffic traffic = random_traffic(random_);
    const AxisTest* offered = nullptr;
    // No run of stalls lasts so long that this bound is met.
    const std::uint64_t most_clocks = 400 * vectors + 100000;
    while (report_.accepted < vectors && report_.clocks < most_clocks && report_.failures.size() < k_most_failures) {
      if (random_.one_in(512)) traffic = random_traffic(random_);
      if (offered == nullptr && random_.below(64) < traffic.offered) offered = make();
      const PipeInputs inputs{random_.one_in(traffic.reset_one_in), offered, random_.below(64) < traffic.taken};
      report_.bubbles += offered == nullptr ? 1 : 0;
      if (clock(inputs, true) || inputs.reset) offered = nullptr;
    }
    // Whatever is left inside has to come out at one a clock.
    for (unsigned i = 0; i < configuration_.stages() + 1; ++i) clock({}, true);
    if (!pending_.empty()) fail("tests that were accepted have not come out");
    if (report_.accepted < vectors) fail("the units did not accept as many tests as they were offered");
    return report_;
  }

 private:
  const AxisTest* make() {
    // Edges twice: they are what a wrong bit shows in.
    const std::uint64_t kind = random_.below(k_test_kinds + 1);
    test_ = random_test(random_, configuration_, kind == k_test_kinds ? TestKind::edge : static_cast<TestKind>(kind));
    return &test_;
  }

  /// Returns whether a test was accepted.
  bool clock(const PipeInputs& inputs, bool compare) {
    const PipeOutputs golden = units_[0]->step(inputs);
    for (std::size_t i = 1; i < units_.size(); ++i) {
      const PipeOutputs other = units_[i]->step(inputs);
      if (compare) compare_pins(golden, other, *units_[i]);
    }
    if (compare) keep_score(inputs, golden);
    ++report_.clocks;
    return inputs.test != nullptr && golden.ready && !inputs.reset;
  }

  void compare_pins(const PipeOutputs& golden, const PipeOutputs& other, const OverlapUnit& unit) {
    const auto differ = [&](const char* pin, Wide expected, Wide found) {
      if (expected != found)
        fail(std::string(unit.name()) + ": " + pin + " is " + text(found) + ", not " + text(expected));
    };
    differ("ready", golden.ready, other.ready);
    differ("valid", golden.valid, other.valid);
    if (golden.valid) {
      differ("separated", golden.separated, other.separated);
      differ("node_a", golden.node_a, other.node_a);
      differ("node_b", golden.node_b, other.node_b);
      differ("last", golden.last, other.last);
    }
    if (unit.shows_sums()) {
      differ("valid bit of the sums", golden.sums_valid, other.sums_valid);
      if (golden.sums_valid) {
        differ("S1", golden.sums.first, other.sums.first);
        differ("S2", golden.sums.second, other.sums.second);
      }
    }
  }

  void keep_score(const PipeInputs& inputs, const PipeOutputs& outputs) {
    report_.stalls += outputs.valid && !inputs.ready ? 1 : 0;
    if (outputs.valid && inputs.ready && !inputs.reset) {
      if (pending_.empty()) return fail("a result nobody asked for");
      const Expected& e = pending_.front();
      if (e.node_a != outputs.node_a || e.node_b != outputs.node_b || e.last != outputs.last ||
          e.separated != outputs.separated)
        fail("a result out of order, or wrong");
      report_.separated += e.separated ? 1 : 0;
      ++report_.answered;
      pending_.pop_front();
    }
    if (inputs.reset) {
      report_.lost_by_reset += pending_.size();
      ++report_.resets;
      pending_.clear();
    } else if (inputs.test != nullptr && outputs.ready) {
      accept(*inputs.test);
    }
  }

  void accept(const AxisTest& test) {
    const SumPair sums = golden_sums(test, configuration_);
    const bool first_decides = sums.second <= 0, second_decides = sums.first <= 0;
    const auto near_edge = [](Wide sum) { return sum == 0 || sum == 1; };
    report_.zero_sums += (sums.first == 0 && first_decides) || (sums.second == 0 && second_decides) ? 1 : 0;
    report_.edge_decides +=
        (near_edge(sums.first) && first_decides) || (near_edge(sums.second) && second_decides) ? 1 : 0;
    pending_.push_back({test.node_a, test.node_b, test.last, golden_separated(sums)});
    ++report_.accepted;
  }

  void fail(const std::string& what) {
    if (report_.failures.size() >= k_most_failures) return;
    std::ostringstream line;
    line << "clock " << report_.clocks << ", seed " << seed_ << ", " << configuration_.name << ": " << what;
    report_.failures.push_back(line.str());
  }

  const std::vector<OverlapUnit*>& units_;
  const Configuration& configuration_;
  Random random_;
  const std::uint64_t seed_;
  AxisTest test_;
  std::deque<Expected> pending_;
  CosimReport report_;
};

}  // namespace

CosimReport cosimulate(const std::vector<OverlapUnit*>& units, const Configuration& configuration,
                       std::uint64_t vectors, std::uint64_t seed) {
  return Driver(units, configuration, seed).run(vectors);
}

}  // namespace snug::hardware
