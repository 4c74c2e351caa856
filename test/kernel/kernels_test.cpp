// Kernels compiled as C++, item after item: what they compute, without any OpenCL.

#include "device/dop_encode.hpp"
#include "device/ray_encode.hpp"
#include "query/ray/ray_target.hpp"
#include "query/shape_data.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace {

using uint = unsigned;
thread_local std::size_t current_item = 0;

std::size_t get_global_id(int) { return current_item; }
std::size_t get_local_id(int) { return 0; }
uint atomic_add(uint* at, uint more) { return std::exchange(*at, *at + more); }
std::int64_t mul_hi(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<snug::detail::fixed::int128>(a) * b >> 64);
}

#define SNUG_GROUP 1
#define __kernel
#define __global
#define __local static
#define reqd_work_group_size(x, y, z)
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(fence)

using std::fabs;
using std::fmax;
using std::fmin;
using std::sqrt;

namespace narrow {
#include "device/kernels/dop_walk.cl"
}
namespace wide {
#define SNUG_WIDE 1
#include "device/kernels/dop_walk.cl"
}  // namespace wide

namespace stackless {
#include "device/kernels/rays.cl"
}
namespace basic {
#define SNUG_BASIC 1
#include "device/kernels/rays.cl"
}  // namespace basic

}  // namespace

namespace snug {
namespace {

using detail::NarrowWords;
using detail::WideWords;

/// A walk as the host leads it, with as much room as it takes.
template <class Words, class Roots, class Open>
Stats walk(const detail::DopPair& pair, unsigned axes, const detail::fixed::Format& format, Roots&& roots, Open&& open,
           std::vector<std::pair<std::uint32_t, std::uint32_t>>& leaves) {
  const unsigned groups = (axes + 7) / 8;
  const auto a = static_cast<std::uint32_t>(pair.tree_a.links.size()),
             b = static_cast<std::uint32_t>(pair.tree_b.links.size());
  std::vector<SnugDopNode> nodes(a + b);
  std::vector<typename Words::Word> coefficients(24 * std::size_t{a + b});
  std::vector<typename Words::Axis> lanes(16 * groups);
  detail::encode_pair<Words>(pair, axes, groups, format, nodes.data(), coefficients.data(), lanes.data());
  const SnugDopJob job{0, a, 0, groups};
  std::vector<SnugDopPair> level(1), next, found;
  Stats stats;
  std::array<uint, 4> did{};
  const auto count_level = [&] { stats.node_pairs += did[2], stats.box_tests += 8 * did[3]; };
  current_item = 0;
  roots(1, &job, coefficients.data(), lanes.data(), level.data(), did.data());
  count_level();
  level.resize(did[SNUG_DOP_PAIRS]);
  while (!level.empty()) {
    did = {};
    next.resize(2 * level.size()), found.resize(level.size());
    const auto count = static_cast<uint>(level.size());
    for (current_item = 0; current_item < count + 3; ++current_item)  // those beyond the end do nothing
      open(count, level.data(), &job, nodes.data(), coefficients.data(), lanes.data(), next.data(),
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

struct Taker final : detail::DopTaker {
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
    const detail::DopPair pair{
        a.mesh(), detail::Access::data(a).dop_tree(),     pose_a, b.mesh(), detail::Access::data(b).dop_tree(),
        pose_b,   detail::kernels_for(Instructions::best)};
    for (const unsigned width : {5U, 18U, 29U, 30U, 35U, 41U}) {
      SCOPED_TRACE(width);
      const DopSearch search{.axes = width == 18 ? 105U : 13U,
                             .coefficient_bits = width - 1,
                             .mapping_bits = width - 1,
                             .offset_bits = width - 1,
                             .last_axes_first = false};
      const auto format = detail::fixed::Format::of_width(width);
      Taker golden;
      Stats expected;
      detail::DopMemory memory;
      detail::dop_walk(pair, {search, true}, memory, golden, &expected);
      std::ranges::sort(golden.leaves);
      std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves;
      if (format.narrow()) {
        EXPECT_EQ(walk<NarrowWords>(pair, search.axes, format, narrow::snug_dop_roots, narrow::snug_dop_open, leaves),
                  expected);
        EXPECT_EQ(leaves, golden.leaves);
        leaves.clear();
      }
      // Wide words hold what narrow ones do.
      EXPECT_EQ(walk<WideWords>(pair, search.axes, format, wide::snug_dop_roots, wide::snug_dop_open, leaves),
                expected);
      EXPECT_EQ(leaves, golden.leaves);
    }
  }
}

TEST(DeviceKernels, WideSumsAreThoseOf128Bits) {
  scenes::Random random(7);
  using detail::fixed::int128;
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

/// Rays of all kinds: at random, through corners and edges, along faces, from on the body, from just beside it, from far away.
Ray ray_at(const Shape& body, const Pose& pose, scenes::Random& random) {
  const auto& mesh = body.mesh().view();
  const Triangle t = test::posed(mesh.triangle(static_cast<std::uint32_t>(random.below(mesh.triangles.size()))), pose);
  const std::uint64_t kind = random.below(8);
  const double u = 0.5 * random.uniform(0, 1), v = 0.5 * random.uniform(0, 1);
  Point3 through = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
  if (kind == 1) through = t[0];
  if (kind == 2) through = t[0] + u * (t[1] - t[0]);
  const Vec3 direction = kind == 3 ? t[1] - t[0] : random.point(-1, 1);
  const double beside = std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(40)));
  const double back = kind == 4 ? 0 : kind == 5 ? 1e6 : kind >= 6 ? beside : random.uniform(-2, 2);
  return {through - back * direction, direction};
}

TEST(DeviceKernels, WhatRaysTellIsWhatTheProcessorFinds) {
  std::size_t told_certainly = 0, redone = 0;
  const auto count = test::scaled(6000);
  // Fine and round, and a floor of few large triangles.
  const std::array<Shape, 2> shapes{Shape(scenes::bumpy_knot(40, 10)), Shape(scenes::box({-30, -30, -1}, {30, 30, 0}))};
  detail::EncodedBodies encoded;
  for (const Shape& shape : shapes) ASSERT_TRUE(encoded.add(shape));
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const auto which = static_cast<std::uint32_t>(seed % 2);
    const Shape& body = shapes[which];
    const Pose pose = random.pose(seed % 3 == 0 ? 1000 : 1);
    const detail::RayTarget target(body, pose, RayContactOptions::Traversal::basic, Instructions::scalar);
    const Ray ray = ray_at(body, pose, random);
    const detail::LineReach reach{seed % 4 == 0 ? random.uniform(0, 2) : 1e300,
                                  seed % 5 < 2 ? random.uniform(0, 2) : 1e300};
    ContactStats unwanted;
    const detail::LineHits expected = target.meet(ray, reach, unwanted);
    detail::DeviceRay walk;
    detail::LineWalk::Start start;
    if (!target.line_walk().prepare(ray, walk.walk, start)) continue;
    detail::LineWalk::narrow(start, reach, walk.walk);
    walk.zero = start.shift;
    const SnugRay sent = detail::encoded_ray(walk, which);
    for (const auto kernel : {stackless::snug_rays, basic::snug_rays}) {
      SnugRayTold told[2] = {};
      current_item = 0;
      kernel(1, &sent, encoded.bodies.data(), encoded.boxes.data(), encoded.triangles.data(), told);
      const auto check = [&](std::uint32_t answer, const std::optional<detail::LineHit>& hit,
                             const detail::LineReach& side) {
        if (answer == SNUG_RAY_REDO) {
          ++redone;
          return;
        }
        ++told_certainly;
        // Of a triangle that it names, whether it is within reach is decided exactly.
        detail::LineHits found;
        if (answer != SNUG_RAY_NONE) target.offer(ray, side, answer, found);
        const auto& one = side.ahead >= 0 ? found.ahead : found.behind;
        ASSERT_EQ(one.has_value(), hit.has_value());
        if (!hit) return;
        EXPECT_EQ(one->triangle, hit->triangle);
        EXPECT_EQ(one->t, hit->t);
      };
      check(told[0].ahead, expected.ahead, {reach.ahead, -1});
      check(told[0].behind, expected.behind, {-1, reach.behind});
    }
  }
  EXPECT_GT(told_certainly, 2 * count);
  EXPECT_GT(redone, 0U);  // corners and edges
}

}  // namespace
}  // namespace snug
