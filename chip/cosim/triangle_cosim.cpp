// Holds the RTL of the triangle unit, or its gates, to the golden model, src/query/pairs/dop/fixed/triangle.hpp, bit for bit and clock by
// clock. Exit code 0 if they agree, 1 if not, 2 for wrong usage.

#include "chip/cosim/arguments.hpp"
#include "chip/cosim/triangle_stimulus.hpp"

#include <cstdio>
#include <optional>

namespace snug::hardware {
namespace {

/// Golden: answers and clocks.
class GoldenTriangleUnit final : public TriangleUnit {
 public:
  explicit GoldenTriangleUnit(const Configuration& c) : c_(c.width - 1) {}

  TriangleOutputs step(const TriangleInputs& inputs) override {
    const TriangleOutputs outputs{left_ == 0 && (!valid_ || inputs.ready),
                                  left_ == 0 && !valid_,
                                  valid_,
                                  keep_,
                                  test_.triangle_a,
                                  test_.triangle_b};
    if (inputs.reset) {
      left_ = 0;
      valid_ = false;
      return outputs;
    }
    if (valid_ && inputs.ready) valid_ = false;
    if (left_ != 0 && --left_ == 0) valid_ = true;
    if (outputs.ready && inputs.test != nullptr) {
      test_ = *inputs.test;
      left_ = k_triangle_clocks - 1;
    }
    // Whatever is on the pins while a pair is inside is what it was placed with.
    if (left_ != 0) keep_ = keeps(*inputs.placement);
    return outputs;
  }
  [[nodiscard]] bool keeps(const Placement& p) const {
    return !p.usable || query::fixed::may_meet(test_.a, placed(test_.b, p, c_), p.slack);
  }

 private:
  const unsigned c_;
  TriangleTest test_;
  unsigned left_ = 0;
  bool valid_ = false, keep_ = false;
};

struct Seen {
  std::uint64_t clocks = 0, accepted = 0, kept = 0, apart_by_box = 0, apart = 0, lost = 0, resets = 0, stalls = 0;
};

/// Why the golden model keeps or drops a pair: what a run must have met often enough.
void count(Seen& seen, const PlacedTest& made, const Configuration& c) {
  const TriangleWords b = placed(made.test.b, made.placement, c.width - 1);
  const bool keep = !made.placement.usable || query::fixed::may_meet(made.test.a, b, made.placement.slack);
  const bool boxes = query::fixed::triangle::common_box(made.test.a, b, std::int64_t{1} << made.placement.slack).apart;
  ++(keep ? seen.kept : boxes ? seen.apart_by_box : seen.apart);
}

class Driver {
 public:
  Driver(TriangleUnit& unit, const Configuration& c, std::uint64_t seed)
      : unit_(unit), configuration_(c), golden_(c), random_(seed) {}

  /// Returns what went wrong.
  std::optional<std::string> run(std::uint64_t tests) {
    for (unsigned i = 0; i < 2; ++i) {
      unit_.step({.reset = true});
      golden_.step({.reset = true});
    }
    bool offering = false;
    Placement inside;
    PlacedTest next;
    std::uint64_t hurry = 64;
    while (seen.accepted < tests) {
      if (!offering && random_.below(64) < hurry) {
        next = random_triangles(random_, configuration_, static_cast<TriangleKind>(random_.below(k_triangle_kinds)));
        offering = true;
      }
      const TriangleInputs inputs{random_.one_in(20000), &inside, offering ? &next.test : nullptr,
                                  random_.below(64) < hurry};
      const TriangleOutputs expected = golden_.step(inputs), found = unit_.step(inputs);
      ++seen.clocks;
      if (const char* pin = difference(expected, found)) return "clock " + std::to_string(seen.clocks) + ": " + pin;
      seen.resets += inputs.reset ? 1 : 0;
      seen.lost += inputs.reset && !expected.empty ? 1 : 0;
      seen.stalls += expected.valid && !inputs.ready ? 1 : 0;
      if (expected.ready && offering && !inputs.reset) {
        ++seen.accepted;
        count(seen, next, configuration_);
        offering = false;
        inside = next.placement;
        hurry = random_.one_in(8) ? 8 : 64;
      }
    }
    return {};
  }
  Seen seen;

 private:
  static const char* difference(const TriangleOutputs& expected, const TriangleOutputs& found) {
    if (expected.ready != found.ready) return "ready";
    if (expected.empty != found.empty) return "empty";
    if (expected.valid != found.valid) return "valid";
    if (!expected.valid) return nullptr;
    if (expected.keep != found.keep) return expected.keep ? "a pair is lost that is to be kept" : "keep";
    if (expected.triangle_a != found.triangle_a || expected.triangle_b != found.triangle_b) return "numbers";
    return nullptr;
  }

  TriangleUnit& unit_;
  const Configuration configuration_;
  GoldenTriangleUnit golden_;
  Random random_;
};

int run(const Arguments& arguments) {
  const TriangleUnitUnderTest under_test = make_triangle_unit(*arguments.configuration);
  if (!under_test.unit) {
    std::fputs("chip_triangle_cosim: nothing to hold to the golden model\n", stderr);
    return 2;
  }
  Driver driver(*under_test.unit, *arguments.configuration, arguments.seed);
  const std::optional<std::string> failure = driver.run(arguments.vectors);
  const Seen& s = driver.seen;
  const auto n = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
  std::printf("%s: triangle unit against golden, %llu pairs in %llu clocks, seed %llu\n", arguments.configuration->name,
              n(s.accepted), n(s.clocks), n(arguments.seed));
  std::printf("%llu kept, %llu apart by boxes, %llu by planes or sides; %llu resets, %llu lost, %llu stalls\n",
              n(s.kept), n(s.apart_by_box), n(s.apart), n(s.resets), n(s.lost), n(s.stalls));
  if (!arguments.coverage.empty() && under_test.write_coverage) under_test.write_coverage(arguments.coverage);
  if (failure) {
    std::printf("FAILED: %s\n", failure->c_str());
    return 1;
  }
  const std::uint64_t few = s.accepted / 150;
  if (s.kept <= few || s.apart_by_box <= few || s.apart <= few || s.lost == 0 || s.stalls == 0) {
    std::puts("FAILED: too few of the cases this is for were met");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace snug::hardware

int main(int argc, char** argv) {
  snug::hardware::Arguments arguments;
  arguments.vectors = snug::hardware::long_run() ? 1000000 : 20000;
  if (!snug::hardware::read(argc, argv, arguments)) return snug::hardware::usage("chip_triangle_cosim");
  return snug::hardware::run(arguments);
}
