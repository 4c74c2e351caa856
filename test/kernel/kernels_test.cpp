// Kernels compiled as C++, item after item: what they compute, without any OpenCL.

#include "device/dop_encode.hpp"
#include "device/ray_encode.hpp"
#include "query/ray/device_rays.hpp"
#include "query/shape_data.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <iostream>

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace {

using uint = unsigned;
thread_local std::size_t current_item = 0;

std::size_t get_global_id(int) { return current_item; }
std::size_t get_group_id(int) { return current_item; }
std::size_t get_local_id(int) { return 0; }
uint atomic_add(uint* at, uint more) { return std::exchange(*at, *at + more); }
std::int64_t mul_hi(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<snug::detail::fixed::int128>(a) * b >> 64);
}

#define SNUG_GROUP 1
#define __kernel
#define __global
#define __local
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
#undef SNUG_DEVICE_RAY_LINE_H
#include "device/kernels/rays.cl"
}  // namespace basic
namespace walking {
#undef SNUG_DEVICE_RAY_LINE_H
#include "device/kernels/follow.cl"
}  // namespace walking

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

/// What kernels tell of rays, item after item.
detail::DeviceRaysTold told_by_kernels(std::span<const detail::AskedRays> asked, bool by_boxes) {
  std::vector<detail::DeviceRaySide> sides;
  std::vector<detail::RayChunk> chunks;
  std::vector<const Shape*> shapes;
  detail::EncodedBodies bodies;
  const auto place = [&](const Shape& shape) {
    const auto known = std::ranges::find(shapes, &shape);
    if (known != shapes.end()) return static_cast<std::uint32_t>(known - shapes.begin());
    EXPECT_TRUE(bodies.add(shape));
    shapes.push_back(&shape);
    return static_cast<std::uint32_t>(shapes.size() - 1);
  };
  for (const detail::AskedRays& one : asked) {
    const detail::DeviceRaySide side = sides.emplace_back(one.side());
    place(*side.source), place(*side.target);
    // In two chunks, as if they were divided among devices.
    const auto number = static_cast<std::uint32_t>(sides.size() - 1);
    chunks.push_back({number, one.size() / 3, one.size() - one.size() / 3});
    chunks.push_back({number, 0, one.size() / 3});
  }
  const detail::EncodedStep step(sides, chunks, 1);
  std::vector<std::uint32_t> words(step.all());
  step.fill(std::span(words).first(step.sent()), place);
  const SnugRayStep& at = step.at();
  for (current_item = 0; current_item < step.groups_through(); ++current_item)
    (by_boxes ? stackless::snug_rays : basic::snug_rays)(at.groups, at.rays, at.head, at.told, words.data(),
                                                         bodies.bodies.data(), bodies.boxes.data(),
                                                         bodies.triangles.data(), bodies.vertices.data());
  const auto walks = static_cast<uint>(at.groups + step.groups_through() * sizeof(SnugRayGroup) / 4);
  for (current_item = 0; current_item < step.groups_of_walks(); ++current_item)
    walking::snug_follow(walks, at.rays, at.head, at.told, words.data(), bodies.bodies.data(), bodies.links.data(),
                         bodies.triangles.data(), bodies.vertices.data());
  detail::DeviceRaysTold told;
  told.work.resize(sides.size());
  const std::size_t count = words[at.head];
  step.take(std::span(words).subspan(at.head, at.told - at.head + 8 * count), told.told, told.work);
  std::ranges::sort(told.told, {}, [](const auto& t) { return std::uint64_t{t.side} << 32 | t.ray; });
  return told;
}

struct Found {
  std::uint32_t vertex = 0, triangle = 0;
  double t = 0;
  bool predicted = false;
  friend bool operator==(const Found&, const Found&) = default;
};
Found found_of(std::uint32_t vertex, const detail::VertexRays::Told& told) {
  return {vertex, told.hit.triangle, told.hit.t, told.predicted};
}

/// A pose of the source with the ray of one vertex through a corner, an edge or a face of the target, or along it, beginning on it,
/// just beside it or anywhere.
Pose aimed(const Shape& source, const Shape& target, const Pose& pose, scenes::Random& random) {
  const auto& mesh = target.mesh().view();
  const Triangle t = test::posed(mesh.triangle(static_cast<std::uint32_t>(random.below(mesh.triangles.size()))), pose);
  const std::uint64_t kind = random.below(8);
  const double u = 0.5 * random.uniform(0, 1), v = 0.5 * random.uniform(0, 1);
  Point3 through = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
  if (kind == 1) through = t[0];
  if (kind == 2) through = t[0] + u * (t[1] - t[0]);
  const auto vertex = static_cast<std::uint32_t>(random.below(source.mesh().vertices().size()));
  const Pose turned = kind == 3 ? Pose() : random.pose(0);
  const Vec3 way = -turned.apply(detail::Access::data(source).contact_mesh().normal(vertex));
  const double beside = std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(40)));
  const double back = kind == 4 ? 0 : kind >= 5 ? beside : random.uniform(-1, 1);
  const Point3 origin = through - back * way;
  return Pose::make(turned.rotation(), origin - turned.apply(source.mesh().vertices()[vertex])).value();
}

TEST(DeviceKernels, WhatRaysTellIsWhatTheProcessorFinds) {
  std::size_t found = 0, named = 0, silent = 0;
  ContactStats stats;
  const auto count = test::scaled(1500);
  // Fine and round, a floor of few large triangles, one turned inside out, and something open.
  MeshInput inside_out;
  const Mesh sphere = scenes::sphere(0.7, 8, 12);
  inside_out.vertices.assign(sphere.vertices().begin(), sphere.vertices().end());
  for (const Index3& t : sphere.triangles()) inside_out.triangles.push_back({t[0], t[2], t[1]});
  const std::array<Shape, 4> shapes{Shape(scenes::bumpy_knot(40, 10)), Shape(scenes::box({-30, -30, -1}, {30, 30, 0})),
                                    Shape(Mesh::build(inside_out).value()), Shape(scenes::sphere(0.5, 5, 7))};
  const std::array<Shape, 2> sources{Shape(scenes::box({-0.2, -0.3, -0.1}, {0.2, 0.3, 0.1})), shapes[3]};
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Shape &body = shapes[seed % 4], &source = sources[seed / 4 % 2];
    const Pose pose = random.pose(seed % 3 == 0 ? 1000 : 1), pose_source = aimed(source, body, pose, random);
    const RayContactOptions options{.traversal = RayContactOptions::Traversal::basic};
    const detail::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const detail::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 5 < 2 ? -1 : random.uniform(0, 0.5), extension = seed % 7 == 0 ? 300 : 0.1;
    std::vector<detail::RayStart> starts;
    rays.list(extension, culling, starts);
    ContactStats expected_stats;
    std::vector<Found> expected;
    for (const detail::RayStart& start : starts)
      if (const auto told = rays.cast(start, culling, expected_stats))
        expected.push_back(found_of(start.vertex, *told));
    const std::vector asked{detail::AskedRays::standard(rays, extension, culling)};
    for (const bool by_boxes : {true, false}) {
      const auto told = told_by_kernels(asked, by_boxes);
      ContactStats now;
      std::vector<Found> answers;
      asked[0].answer(told_of(told, 0), told.work[0], now,
                      [&](std::uint32_t vertex, const auto& one) { answers.push_back(found_of(vertex, one)); });
      ASSERT_EQ(answers, expected);
      EXPECT_EQ(now.standard_rays, expected_stats.standard_rays);
      EXPECT_EQ(now.predictive_rays, expected_stats.predictive_rays);
      found += answers.size(), named += told.told.size(), silent += starts.size() - told.told.size();
      stats += now;
    }
  }
  EXPECT_GT(found, count);
  EXPECT_GT(named, found);
  EXPECT_GT(silent, count);  // only those that may tell something come back
  std::cout << "rays " << stats.device_rays << ", told of " << named << ", cast again " << stats.redone_rays << '\n';
  EXPECT_LT(20 * stats.redone_rays, stats.device_rays);
}

TEST(DeviceKernels, WalksEndWhereThoseOfTheProcessorDo) {
  const auto count = test::scaled(800);
  std::size_t found = 0, steps = 0, left = 0;
  const std::array<Shape, 3> shapes{Shape(scenes::bumpy_knot(60, 16)), Shape(scenes::sphere(0.8, 20, 32)),
                                    Shape(scenes::box({-1, -1, -1}, {1, 1, 1}))};
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Shape &body = shapes[seed % 3], &source = shapes[seed / 3 % 3];
    const Pose pose = random.pose(seed % 4 == 0 ? 1000 : 1), pose_source = aimed(source, body, pose, random);
    const RayContactOptions options;
    const detail::RayTarget target(body, pose, options.traversal, Instructions::scalar);
    const detail::VertexRays rays(source, pose_source, target, true, options);
    const double culling = seed % 5 < 2 ? -1 : random.uniform(0, 0.5);
    const auto most = static_cast<unsigned>(1 + random.below(12));
    std::vector<detail::AskedRays> asked{detail::AskedRays::walks(rays, culling, most)};
    ContactStats expected_stats, now;
    std::vector<Found> expected, answers;
    for (int i = 0; i < 20; ++i) {
      // From somewhere, and from near where the ray goes.
      const auto vertex = source.mesh().triangles()[random.below(source.mesh().triangles().size())][0];
      if (!detail::Access::data(source).contact_mesh().has_ray(vertex)) continue;
      ContactStats unwanted;
      auto from = static_cast<std::uint32_t>(random.below(body.mesh().triangles().size()));
      if (const auto hit = target.meet(rays.ray_of(vertex), {1e300, 1e300}, unwanted).ahead; hit && i % 4 != 0)
        for (from = hit->triangle; random.below(3) != 0;) {
          const std::uint32_t next = detail::Access::data(body).contact_mesh().links().neighbour[from][random.below(3)];
          if (next != detail::MeshLinks::k_none) from = next;
        }
      asked[0].add(vertex, from);
      if (const auto told = rays.follow(vertex, from, culling, most, expected_stats))
        expected.push_back(found_of(vertex, *told));
    }
    const auto told = told_by_kernels(asked, true);
    asked[0].answer(told_of(told, 0), told.work[0], now,
                    [&](std::uint32_t vertex, const auto& one) { answers.push_back(found_of(vertex, one)); });
    ASSERT_EQ(answers, expected);
    EXPECT_EQ(now.walked, expected_stats.walked);
    EXPECT_EQ(now.lost_rays, expected_stats.lost_rays);
    EXPECT_EQ(now.iterative_rays, expected_stats.iterative_rays);
    found += answers.size(), steps += now.walked, left += told.work[0].triangles;
  }
  EXPECT_GT(found, count);
  EXPECT_GT(2 * left, steps);  // most of the way is gone by the kernel
}

}  // namespace
}  // namespace snug
