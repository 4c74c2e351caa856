// Holds the RTL of the whole chip, or its gates, to the cycle model, src/chip/system.hpp, on its buses: same pairs, same order
// of visits, same clocks, over whole queries of two shapes. Exit code 0 if they agree, 1 if not, 2 for wrong usage.

#include "chip/cosim/arguments.hpp"
#include "chip/cosim/system_bench.hpp"
#include "chip/cosim/system_injection.hpp"

#include <cstdio>

namespace snug::hardware {
namespace {

constexpr std::uint64_t k_many = 40;

int run(const Arguments& arguments) {
  const chip::Configuration* const c = chip::find_configuration(arguments.configuration->name);
  const SystemUnderTest under_test = make_system(arguments.configuration->name);
  if (!under_test.unit || c == nullptr) {
    std::fprintf(stderr, "chip_system_cosim: no chip of configuration %s\n", arguments.configuration->name);
    return 2;
  }
  Random random(arguments.seed);
  Seen seen;
  Bench bench(*under_test.unit, *c, under_test.stack_depth, random, seen);
  const Shapes shapes;
  std::string query_name;
  for (std::uint64_t i = 0; i < arguments.vectors && bench.failure.empty(); ++i) {
    Query query = shapes.random_query(random, *c, i);
    query_name = query.name;
    ask(bench, query, random, seen);
    // Nothing of what this query has asked for may meet the next one's memory.
    while (bench.failure.empty() && !bench.quiet()) bench.clock(query.memory.get());
  }
  // A few queries can not meet everything.
  const bool many = arguments.vectors >= k_many;
  Injected injected;
  if (many && bench.failure.empty()) {
    query_name = "injection";
    injected = inject(bench, shapes, *c, random, seen);
  }
  if (!arguments.coverage.empty() && under_test.write_coverage) under_test.write_coverage(arguments.coverage);
  const auto n = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
  std::printf("%s: chip against cycle model, stack of %u, %llu queries in %llu clocks, seed %llu\n", c->name.data(),
              under_test.stack_depth, n(seen.queries), n(seen.clocks), n(arguments.seed));
  std::printf(
      "%llu pairs of DOPs, %llu of triangles, %llu hits, %llu results ignored; %llu queries went on beyond n axes\n",
      n(seen.dop_tests), n(seen.triangle_tests), n(seen.hits), n(seen.ignored), n(seen.continued));
  std::printf("%llu overflows, %llu memory errors, %llu stalls by hits, %llu refused\n", n(seen.overflows),
              n(seen.errors), n(seen.hit_stalls), n(seen.refused));
  std::printf(
      "%llu resets, %llu of them with reads under way, %llu with tests in the pipe, %llu with triangles inside, %llu "
      "with "
      "a hit that waits\n",
      n(seen.resets), n(seen.resets_with_reads), n(seen.resets_with_tests), n(seen.resets_with_triangles),
      n(seen.resets_with_hits));
  if (many)
    std::printf("injected into a query of %llu clocks: an error at each of %llu beats, resets at %llu clocks\n",
                n(injected.clocks), n(injected.beats), n(injected.resets));
  if (!bench.failure.empty()) {
    std::printf("FAILED: %s, %s\n", query_name.c_str(), bench.failure.c_str());
    return 1;
  }
  if (!many) return 0;
  const bool shallow = under_test.stack_depth < 64;
  if (seen.hits == 0 || seen.errors == 0 || seen.resets_with_reads == 0 || seen.resets_with_tests == 0 ||
      seen.resets_with_triangles == 0 || seen.resets_with_hits == 0 || seen.hit_stalls == 0 || seen.continued == 0 ||
      (seen.overflows != 0) != shallow) {
    std::puts("FAILED: too few of the cases this is for were met");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace snug::hardware

int main(int argc, char** argv) {
  snug::hardware::Arguments arguments;
  arguments.vectors = snug::hardware::long_run() ? 2000 : 80;
  if (!snug::hardware::read(argc, argv, arguments)) return snug::hardware::usage("chip_system_cosim");
  return snug::hardware::run(arguments);
}
