// Holds the RTL of a triangle unit for quadrangles, Vtop, to the golden model of triangles, src/query/pairs/dop/fixed/triangle.hpp: all pairs of two
// leaves, in their order, with the same verdicts. quad_cosim CONFIGURATION; exit code 0 if they agree, 1 if not. Built by studies.py.

#include "chip/cosim/pins.hpp"
#include "chip/cosim/triangle_stimulus.hpp"

#include <Vtop.h>

#include <chip_configurations.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <deque>

namespace snug::hardware {
namespace {

using Corners = std::array<query::fixed::Corner, 4>;

/// A leaf: its corners, and whether it has a second triangle.
struct Leaf {
  Corners corner{};
  bool two = false;
  std::uint32_t number = 0;
  [[nodiscard]] TriangleWords triangle(unsigned second) const {
    return {corner[second], corner[1 - second], corner[2 + second]};
  }
};
struct Verdict {
  bool keep;
  std::uint32_t a, b;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

template <class Pin>
void drive(Pin& pin, const Leaf& leaf, unsigned w) {
  for (unsigned i = 0; i < 12; ++i) pins::put(pin, i * w, w, leaf.corner[i / 3][i % 3]);
  pins::put(pin, 12 * w, 1, leaf.two ? 1 : 0);
}

int compare(const Configuration& configuration, std::uint64_t leaves) {
  const unsigned w = configuration.width;
  VerilatedContext context;
  Vtop top(&with_any_registers(context));
  Random random(7);
  const auto edge = [&] { top.clk_i = 0, top.eval(), top.clk_i = 1, top.eval(); };
  top.rst_ni = 0, top.valid_i = 0, top.ready_i = 1;
  edge();
  top.rst_ni = 1;
  std::uint64_t kept = 0, dropped = 0, given = 0;
  while (given < leaves) {
    // Those of one placement: it stays while something is inside.
    const PlacedTest made =
        random_triangles(random, configuration, static_cast<TriangleKind>(random.below(k_triangle_kinds)));
    const Placement& p = made.placement;
    for (unsigned i = 0; i < 9; ++i) pins::put(top.rotation_i, i * w, w, p.rotation[i]);
    for (unsigned i = 0; i < 3; ++i) pins::put(top.translation_i, i * (w + 2), w + 2, p.translation[i]);
    pins::put(top.slack_i, 0, 6, p.slack);
    top.usable_i = p.usable;
    std::deque<Verdict> expected;
    unsigned to_give = 1 + static_cast<unsigned>(random.below(3));
    for (unsigned clock = 0; to_give > 0 || !expected.empty(); ++clock) {
      if (clock > 3000) return std::puts("FAILED: a verdict does not come"), 1;
      Leaf a{{made.test.a[0], made.test.a[1], made.test.a[2], made.test.a[random.below(3)]},
             random.below(2) == 0,
             static_cast<std::uint32_t>(random.below(1 << 30))};
      Leaf b{{made.test.b[0], made.test.b[1], made.test.b[2], made.test.b[random.below(3)]},
             random.below(2) == 0,
             static_cast<std::uint32_t>(random.below(1 << 30))};
      // A corner of its own, a little off.
      a.corner[3][random.below(3)] /= 2, b.corner[3][random.below(3)] /= 3;
      drive(top.quad_a_i, a, w), drive(top.quad_b_i, b, w);
      top.leaf_a_i = a.number, top.leaf_b_i = b.number;
      top.valid_i = to_give > 0 && random.below(3) != 0, top.ready_i = random.below(4) != 0;
      top.clk_i = 0;
      top.eval();
      if (top.valid_i != 0 && top.ready_o != 0) {
        for (unsigned i = 0; i <= (a.two ? 1U : 0U); ++i)
          for (unsigned j = 0; j <= (b.two ? 1U : 0U); ++j) {
            const bool keep =
                !p.usable || query::fixed::may_meet(a.triangle(i), placed(b.triangle(j), p, w - 1), p.slack);
            expected.push_back({keep, 2 * a.number + i, 2 * b.number + j});
            ++(keep ? kept : dropped);
          }
        --to_give, ++given;
      }
      if (top.valid_o != 0 && top.ready_i != 0) {
        if (expected.empty() || expected.front() != Verdict{top.keep_o != 0, top.triangle_a_o, top.triangle_b_o})
          return std::printf("FAILED: another verdict, or another pair, after %llu leaves\n",
                             static_cast<unsigned long long>(given)),
                 1;
        expected.pop_front();
      }
      top.clk_i = 1;
      top.eval();
    }
  }
  top.final();
  std::printf("quad_unit against golden, W = %u: %llu pairs of leaves, %llu of triangles kept, %llu dropped\n", w,
              static_cast<unsigned long long>(given), static_cast<unsigned long long>(kept),
              static_cast<unsigned long long>(dropped));
  return kept > given / 10 && dropped > given / 10 ? 0 : 1;
}

}  // namespace
}  // namespace snug::hardware

int main(int argc, char** argv) {
  for (const auto& configuration : snug::hardware::k_configurations)
    if (argc == 2 && std::strcmp(configuration.name, argv[1]) == 0) return snug::hardware::compare(configuration, 1000);
  return std::fputs("usage: quad_cosim CONFIGURATION\n", stderr), 2;
}
