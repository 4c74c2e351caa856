// The engine held to the golden model: a plain walk over the image that the chip reads, one published sum after the other,
// has to compare the same nodes along the same axes and leave the same leaves. Pairs that come out right in the end would not
// tell a looser engine from the model, since the exact test mends it.

#include "bvh/dop24/records.hpp"
#include "query/pairs/dop/dop.hpp"
#include "query/pairs/dop/fixed/axes.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>

namespace snug::detail {
namespace {

using scenes::Random;
using Leaves = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Body {
  Mesh mesh;
  DopTree tree;
  explicit Body(Mesh m) : mesh(std::move(m)), tree(build_dop_tree(mesh)) {}
};

struct Work {
  std::uint64_t node_pairs = 0, axis_tests = 0;
  Leaves leaves;  ///< in the order in which they are met
  friend bool operator==(const Work&, const Work&) = default;
};

class Keeper final : public DopTaker {
 public:
  bool take(std::uint32_t a, std::uint32_t b) override {
    leaves.emplace_back(a, b);
    return true;
  }
  Leaves leaves;
};

Work by_engine(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const DopOptions& options) {
  DopMemory memory;
  Keeper keeper;
  Stats stats;
  dop_walk({a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, kernels_for(Instructions::best)}, options, memory, keeper,
           &stats);
  EXPECT_EQ(stats.triangle_tests, keeper.leaves.size());
  return {stats.node_pairs, stats.box_tests, keeper.leaves};
}

/// `apart(node of a, node of b, axis)` decides, eight axes at a time, those first that told the last pair apart.
Work by_model(const DopTree& a, double scale_a, const DopTree& b, double scale_b, const DopSearch& search,
              const std::function<bool(std::uint32_t, std::uint32_t, unsigned)>& apart_along) {
  Work work;
  unsigned last = 0;
  const unsigned groups = (search.axes + 7) / 8;
  const auto apart = [&](std::uint32_t node_a, std::uint32_t node_b) {
    ++work.node_pairs;
    for (unsigned i = 0; i <= groups; ++i) {
      const unsigned group = i == 0 ? last : i - 1;
      if (i > 0 && group == last) continue;
      work.axis_tests += 8;
      for (unsigned axis = 8 * group; axis < std::min(8 * group + 8, search.axes); ++axis)
        if (apart_along(node_a, node_b, axis)) {
          last = group;
          return true;
        }
    }
    return false;
  };
  std::deque<std::pair<std::uint32_t, std::uint32_t>> pending;
  const auto test = [&](std::uint32_t node_a, std::uint32_t node_b) {
    if (!apart(node_a, node_b)) pending.emplace_back(node_a, node_b);
  };
  test(0, 0);
  while (!pending.empty()) {
    const bool queue = search.schedule == DopSearch::Schedule::queue;
    const auto [node_a, node_b] = queue ? pending.front() : pending.back();
    if (queue)
      pending.pop_front();
    else
      pending.pop_back();
    const DopLinks &of_a = a.links[node_a], &of_b = b.links[node_b];
    if (of_a.leaf() && of_b.leaf()) {
      work.leaves.emplace_back(of_a.left, of_b.left);
    } else if (of_b.leaf() || (!of_a.leaf() && a.dops[node_a].width() * scale_a >= b.dops[node_b].width() * scale_b)) {
      test(of_a.right, node_b), test(of_a.left, node_b);
    } else {
      test(node_a, of_b.right), test(node_a, of_b.left);
    }
  }
  return work;
}

Work by_image(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const DopSearch& search) {
  const DopFrame frame(a.tree, a.mesh.bounds(), pose_a, b.tree, b.mesh.bounds(), pose_b);
  const fixed::Format format{search.coefficient_bits, search.mapping_bits, search.offset_bits};
  const fixed::Scenario scenario(frame, a.tree, b.tree, format);
  const auto read_back = [&](const DopTree& tree, double unit_scale) {
    const auto image = write_dop_records(fixed::records_of(tree, unit_scale, scenario)).value();
    return read_dop_records(image).value();
  };
  const DopRecords of_a = read_back(a.tree, frame.scale_a), of_b = read_back(b.tree, frame.scale_b);
  EXPECT_EQ(of_a.links, a.tree.links);
  EXPECT_EQ(of_b.links, b.tree.links);
  std::vector<fixed::Axis> axes;
  for (unsigned i = 0; i < search.axes; ++i) axes.push_back(fixed::axis_of(axis_for(frame, axis_order()[i]), scenario));
  return by_model(a.tree, frame.scale_a, b.tree, frame.scale_b, search,
                  [&](std::uint32_t node_a, std::uint32_t node_b, unsigned axis) {
                    return fixed::axis_sums<fixed::int128>(axes[axis], &of_a.coefficients[std::size_t{24} * node_a],
                                                           &of_b.coefficients[std::size_t{24} * node_b], format)
                        .separated();
                  });
}

Work by_doubles(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b, const DopSearch& search) {
  const DopFrame frame(a.tree, a.mesh.bounds(), pose_a, b.tree, b.mesh.bounds(), pose_b);
  std::vector<DopAxis> axes;
  for (unsigned i = 0; i < search.axes; ++i) axes.push_back(axis_for(frame, axis_order()[i]));
  const auto image = [](const DopMapping& m, const Dop24& dop, double scale, bool upper) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += m.weight[i] * scale * dop.d[upper ? opposite(m.slab[i]) : m.slab[i]];
    return sum;
  };
  return by_model(a.tree, frame.scale_a, b.tree, frame.scale_b, search,
                  [&](std::uint32_t node_a, std::uint32_t node_b, unsigned axis) {
                    const DopAxis& x = axes[axis];
                    const Dop24 &of_a = a.tree.dops[node_a], &of_b = b.tree.dops[node_b];
                    return image(x.a, of_a, frame.scale_a, false) + image(x.b, of_b, frame.scale_b, true) + x.offset >
                               frame.error ||
                           image(x.b, of_b, frame.scale_b, false) + image(x.a, of_a, frame.scale_a, true) - x.offset >
                               frame.error;
                  });
}

std::vector<DopSearch> searches() {
  return {{.axes = 16, .coefficient_bits = 17, .mapping_bits = 17, .offset_bits = 17},
          {.axes = 24, .coefficient_bits = 34, .mapping_bits = 34, .offset_bits = 34},
          {.axes = 24, .schedule = DopSearch::Schedule::queue},
          {.axes = 3, .coefficient_bits = 7, .mapping_bits = 7, .offset_bits = 7},
          {.axes = 43, .coefficient_bits = 20, .mapping_bits = 6, .offset_bits = 25},
          {.axes = 9, .coefficient_bits = 40, .mapping_bits = 12, .offset_bits = 12},
          {.axes = 105, .coefficient_bits = 11, .mapping_bits = 31, .offset_bits = 30}};
}

TEST(DopGolden, TheEngineComparesWhatAWalkOverTheImageCompares) {
  const Body a(scenes::bumpy_knot(40, 8)), small(scenes::torus(0.3, 0.1, 16, 8)),
      flat(scenes::box({-1, -1, 0}, {1, 1, 0.01}));
  std::size_t leaves = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(12); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Body& b = seed % 3 == 0 ? a : seed % 3 == 1 ? small : flat;
    const Pose near_a = random.pose(0.3), near_b = random.pose(seed % 4 == 3 ? 1 : 0.3);
    // So far away that coefficients are enlarged by half a percent of the bodies, which shows in what is separated.
    for (const DopSearch& search : searches()) {
      SCOPED_TRACE(search.axes);
      const Vec3 away = search.axes % 8 == 0 ? Vec3{1e11, -2e11, 1e10} : Vec3{};
      const Pose pose_a = Pose::make(near_a.rotation(), near_a.translation() + away).value();
      const Pose pose_b = Pose::make(near_b.rotation(), near_b.translation() + away).value();
      const Work engine = by_engine(a, pose_a, b, pose_b, {search, true});
      EXPECT_EQ(engine, by_image(a, pose_a, b, pose_b, search));
      EXPECT_EQ(by_engine(b, pose_b, a, pose_a, {search, true}), by_image(b, pose_b, a, pose_a, search));
      EXPECT_EQ(by_engine(a, pose_a, b, pose_b, {search, false}), by_doubles(a, pose_a, b, pose_b, search));
      leaves += engine.leaves.size();
    }
  }
  EXPECT_GT(leaves, 0U);
}

// One pair of leaves with one group of axes, as the walk of an instruction set finds it: is it told apart?
template <class Number>
bool told_apart(bool (*walk_of)(DopWalk<Number>&), const std::array<Number, 16>& of_a,
                const std::array<Number, 16>& of_b) {
  struct Stored {
    DopImages<Number> head{0, 1, 1};
    std::array<Number, 16> numbers;
  } a, b;
  a.numbers = of_a, b.numbers = of_b;
  const DopLinks leaf{0, 0};
  DopImages<Number>*image_a = &a.head, *image_b = &b.head;
  std::array<DopNodePair, 2> pending{};
  bool met = false;
  DopWalk<Number> walk{};
  walk.links_a = walk.links_b = &leaf;
  walk.images_a = &image_a, walk.images_b = &image_b;
  walk.groups = 1;
  walk.pending = pending.data(), walk.room = pending.size();
  walk.context = &met;
  walk.take = [](void* context, std::uint32_t, std::uint32_t) { return *static_cast<bool*>(context) = true; };
  walk_of(walk);
  return !met;
}

template <class Number>
void hold_zero(bool (*walk_of)(DopWalk<Number>&), Number least, Number most) {
  for (std::size_t lane = 0; lane < 8; ++lane)
    for (const bool first : {false, true})
      for (const Number sum : {-most, Number{-1}, Number{0}, least, Number{1}, most}) {
        std::array<Number, 16> a{}, b{};
        for (std::size_t i = 0; i < 16; ++i) a[i] = static_cast<Number>(5 + i), b[(i + 8) % 16] = -a[i] - 1;
        // The lower images of one body are added to the upper ones of the other.
        const std::size_t of_a = first ? lane : lane + 8, of_b = (of_a + 8) % 16;
        a[of_a] = 0, b[of_b] = sum;
        EXPECT_EQ(told_apart(walk_of, a, b), sum > 0) << lane << ' ' << first << ' ' << static_cast<double>(sum);
      }
}

TEST(DopGolden, SumsOfZeroSeparateNothingOnAnyInstructionSet) {
  for (const Instructions set : {Instructions::scalar, Instructions::sse2, Instructions::avx2}) {
    SCOPED_TRACE(static_cast<int>(set));
    hold_zero<std::int64_t>(kernels_for(set).walk_fixed_dops, 1, std::int64_t{1} << 62);
    hold_zero<double>(kernels_for(set).walk_dops, std::numeric_limits<double>::denorm_min(), 0x1p1000);
    std::array<double, 16> unknown{}, other{};
    unknown.fill(std::numeric_limits<double>::quiet_NaN()), other.fill(1);
    EXPECT_FALSE(told_apart(kernels_for(set).walk_dops, unknown, other));
    EXPECT_FALSE(told_apart(kernels_for(set).walk_dops, other, unknown));
  }
}

}  // namespace
}  // namespace snug::detail
