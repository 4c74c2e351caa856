// Holds SystemC, RTL or gates to the golden model. Exit code 0 if they agree, 1 if not, 2 for wrong usage.

#include "chip/cosim/arguments.hpp"
#include "chip/cosim/cosim.hpp"
#include "chip/cosim/golden_unit.hpp"
#include "chip/cosim/units.hpp"

#include <cstdio>

namespace snug::hardware {
namespace {

/// The untimed model answers questions on its own, without clocks.
std::uint64_t wrong_untimed(const UnitsUnderTest& under_test, const Arguments& arguments) {
  std::uint64_t wrong = 0;
  Random random(arguments.seed + 0x5eed);
  for (std::uint64_t done = 0; done < arguments.vectors;) {
    std::vector<AxisTest> tests;
    for (unsigned i = 0; i < 10000 && done < arguments.vectors; ++i, ++done)
      tests.push_back(random_test(random, *arguments.configuration, static_cast<TestKind>(done % k_test_kinds)));
    const std::vector<AxisAnswer> answers = under_test.untimed(tests);
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const SumPair sums = golden_sums(tests[i], *arguments.configuration);
      const AxisAnswer& a = answers[i];
      const bool same = a.sums.first == sums.first && a.sums.second == sums.second &&
                        a.separated == golden_separated(sums) && a.node_a == tests[i].node_a &&
                        a.node_b == tests[i].node_b && a.last == tests[i].last;
      wrong += same ? 0 : 1;
    }
  }
  return wrong;
}

/// A run that has not met what it is for proves nothing.
bool covered(const CosimReport& r) {
  return r.zero_sums > r.accepted / 50 && r.edge_decides > r.accepted / 20 && r.separated > r.answered / 20 &&
         r.separated < r.answered && r.bubbles > 0 && r.stalls > 0 && r.resets > 2 && r.lost_by_reset > 0;
}

int run(const Arguments& arguments) {
  const Configuration& c = *arguments.configuration;
  const UnitsUnderTest under_test = make_units(c);
  GoldenUnit golden(c);
  std::vector<OverlapUnit*> units{&golden};
  std::string names;
  for (const auto& unit : under_test.units) units.push_back(unit.get()), names += std::string(" ") + unit->name();
  if (units.size() == 1) {
    std::fputs("chip_cosim: nothing to hold to the golden model\n", stderr);
    return 2;
  }

  const CosimReport report = cosimulate(units, c, arguments.vectors, arguments.seed);
  std::printf("%s against golden:%s\n", c.name, names.c_str());
  std::printf(
      "%llu tests accepted in %llu clocks, seed %llu: %llu answered, %llu separated, %llu lost by %llu resets\n",
      static_cast<unsigned long long>(report.accepted), static_cast<unsigned long long>(report.clocks),
      static_cast<unsigned long long>(arguments.seed), static_cast<unsigned long long>(report.answered),
      static_cast<unsigned long long>(report.separated), static_cast<unsigned long long>(report.lost_by_reset),
      static_cast<unsigned long long>(report.resets));
  std::printf("%llu sums of 0 that decide, %llu of 0 or 1; %llu bubbles, %llu stalls\n",
              static_cast<unsigned long long>(report.zero_sums), static_cast<unsigned long long>(report.edge_decides),
              static_cast<unsigned long long>(report.bubbles), static_cast<unsigned long long>(report.stalls));
  for (const std::string& failure : report.failures) std::printf("FAILED: %s\n", failure.c_str());
  bool good = report.ok();
  if (good && !covered(report)) {
    std::puts("FAILED: too few of the cases this is for were met");
    good = false;
  }
  if (under_test.untimed) {
    const std::uint64_t wrong = wrong_untimed(under_test, arguments);
    std::printf("untimed model: %llu of %llu answers wrong\n", static_cast<unsigned long long>(wrong),
                static_cast<unsigned long long>(arguments.vectors));
    good = good && wrong == 0;
  }
  if (!arguments.coverage.empty() && under_test.write_coverage) under_test.write_coverage(arguments.coverage);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace snug::hardware

int main(int argc, char** argv) {
  snug::hardware::Arguments arguments;
  arguments.vectors = snug::hardware::long_run() ? 5000000 : 200000;
  if (!snug::hardware::read(argc, argv, arguments)) return snug::hardware::usage("chip_cosim");
  return snug::hardware::run(arguments);
}
