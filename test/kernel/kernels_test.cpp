// Kernels compiled as C++, item after item: what they compute, without any OpenCL.

#include "device/dop_encode.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "shape/trees.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include "kernels_as_cpp.hpp"  // behind all others: it names things as OpenCL does

namespace {

#include "dop_kernels.inc"

}  // namespace

namespace snug {
namespace {

using device::NarrowWords;
using device::WideWords;

/// A walk as the host leads it, with as much room as it takes; from the roots, or in parts as several devices would.
template <class Words, class Rounding, class Coefficient>
class LedWalk {
 public:
  using Roots = void(uint, const SnugDopJob*, const Rounding*, const Coefficient*, const typename Words::Axis*,
                     SnugDopPair*, uint*);
  using Open = void(uint, const SnugDopPair*, const SnugDopJob*, const Rounding*, const SnugDopNode*,
                    const Coefficient*, const typename Words::Axis*, SnugDopPair*, uint, SnugDopPair*, uint*);
  using Leaves = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  LedWalk(Roots* roots, Open* open) : roots_(roots), open_(open) {}

  Stats run(const query::DopPair& pair, unsigned axes, const query::fixed::Format& format, Leaves& leaves) {
    const unsigned groups = (axes + 7) / 8;
    const auto a = static_cast<std::uint32_t>(pair.tree_a.links.size());
    const std::size_t all = a + pair.tree_b.links.size();
    nodes_.resize(all), lanes_.resize(std::size_t{16} * groups), coefficients_.resize(24 * all);
    const device::EncodedPair<Words> encoded(pair, format);
    encoded.axes(axes, groups, lanes_.data());
    job_ = {0, a, 0, groups};
    if constexpr (std::is_same_v<Coefficient, double>) {
      rounding_ = encoded.scenario();
      for (std::size_t i = 0; i < all; ++i) {
        const bvh::DopTree& tree = i < a ? pair.tree_a : pair.tree_b;
        nodes_[i] = device::kept_node(tree, i < a ? i : i - a);
        std::ranges::copy(tree.dops[i < a ? i : i - a].d, coefficients_.begin() + static_cast<std::ptrdiff_t>(24 * i));
      }
    } else {
      encoded.trees(nodes_.data(), coefficients_.data());
    }
    std::vector<SnugDopPair> level(1), next, found;
    std::array<uint, 4> did{};
    Stats stats;
    const auto count_level = [&] { stats.node_pairs += did[2], stats.box_tests += 8 * did[3]; };
    current_item = 0;
    roots_(1, &job_, &rounding_, coefficients_.data(), lanes_.data(), level.data(), did.data());
    count_level();
    level.resize(did[SNUG_DOP_PAIRS]);
    while (!level.empty()) {
      did = {};
      next.resize(2 * level.size()), found.resize(level.size());
      const auto count = static_cast<uint>(level.size());
      for (current_item = 0; current_item < count + 3; ++current_item)  // those beyond the end do nothing
        open_(count, level.data(), &job_, &rounding_, nodes_.data(), coefficients_.data(), lanes_.data(), next.data(),
              static_cast<uint>(next.size()), found.data(), did.data());
      count_level();
      stats.triangle_tests += did[SNUG_DOP_LEAVES];
      for (uint i = 0; i < did[SNUG_DOP_LEAVES]; ++i) leaves.emplace_back(found[i].a, found[i].b);
      next.resize(did[SNUG_DOP_PAIRS]);
      level.swap(next);
    }
    std::ranges::sort(leaves);
    return stats;
  }

 private:
  Roots* roots_;
  Open* open_;
  SnugDopJob job_{};
  Rounding rounding_{};
  std::vector<SnugDopNode> nodes_;
  std::vector<Coefficient> coefficients_;
  std::vector<typename Words::Axis> lanes_;
};

struct Taker final : query::DopTaker {
  bool take(std::uint32_t a, std::uint32_t b) override { return leaves.emplace_back(a, b), true; }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves;
};

TEST(DeviceKernels, TheWalkThroughDopsIsTheGoldenModels) {
  const auto count = test::scaled(20);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Shape a(scenes::torus(1, 0.3, 14, 8)), b(scenes::sphere(0.8, 7, 11));
    const Pose pose_a = random.pose(0.5), pose_b = random.pose(0.5);
    const query::DopPair pair{a.mesh(),
                              detail::Access::data(a).get<bvh::DopTree>(),
                              pose_a,
                              b.mesh(),
                              detail::Access::data(b).get<bvh::DopTree>(),
                              pose_b,
                              query::kernels_for(Instructions::best)};
    for (const unsigned width : {5U, 18U, 29U, 30U, 35U, 41U}) {
      SCOPED_TRACE(width);
      const DopSearch search{.axes = width == 18 ? 105U : 13U,
                             .coefficient_bits = width - 1,
                             .mapping_bits = width - 1,
                             .offset_bits = width - 1,
                             .last_axes_first = false};
      const auto format = query::fixed::Format::of_width(width);
      Taker golden;
      Stats expected;
      query::DopMemory memory;
      query::dop_walk(pair, {search, true}, memory, golden, &expected);
      std::ranges::sort(golden.leaves);
      const auto expect_golden = [&](auto walk) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves;
        EXPECT_EQ(walk.run(pair, search.axes, format, leaves), expected);
        EXPECT_EQ(leaves, golden.leaves);
      };
      if (format.narrow()) {
        expect_golden(LedWalk<NarrowWords, SnugDopJob, std::int32_t>(narrow::snug_dop_roots, narrow::snug_dop_open));
        expect_golden(LedWalk<NarrowWords, SnugDopScenario, double>(kept::snug_dop_roots, kept::snug_dop_open));
      }
      // Wide words hold what narrow ones do.
      expect_golden(LedWalk<WideWords, SnugDopJob, std::int64_t>(wide::snug_dop_roots, wide::snug_dop_open));
      expect_golden(LedWalk<WideWords, SnugDopScenario, double>(kept_wide::snug_dop_roots, kept_wide::snug_dop_open));
    }
  }
}

TEST(DeviceKernels, WideSumsAreThoseOf128Bits) {
  scenes::Random random(7);
  using query::fixed::int128;
  const auto number = [&] { return static_cast<std::int64_t>(random.below(UINT64_MAX)) >> random.below(60); };
  const auto value = [](const SnugWide& w) {
    return static_cast<int128>(w.high) * (static_cast<int128>(1) << 64) + static_cast<int128>(w.low);
  };
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t a = number() >> 20, b = number() >> 20, c = number();
    const SnugWide zero{};
    const SnugWide sum = wide::snug_plus_word(wide::snug_plus_product(zero, a, b), c);
    EXPECT_TRUE(value(sum) == static_cast<int128>(a) * b + c);
    EXPECT_EQ(wide::snug_sum_is_positive(sum, wide::snug_plus_word(zero, -c)), static_cast<int128>(a) * b > 0);
  }
}

}  // namespace
}  // namespace snug
