#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"
#include "support/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>

namespace snug {
namespace {

using scenes::Random;

TEST(Determinism, ThreadCountDoesNotShow) {
  const Shape a(scenes::bumpy_knot(100, 6)), b(scenes::pipe(0.6, 0.25, 0.8, 48));
  const std::uint64_t count = test::scaled(20);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose_a = random.pose(0.3), pose_b = random.pose(0.3);
    Scratch scratch;
    const auto one = triangle_pairs(a, pose_a, b, pose_b, scratch);
    const auto surfaces = surface_pairs(a, pose_a, b, pose_b, scratch);
    for (const Method method : {Method::surface, Method::brute, Method::dop, Method::dop_fixed}) {
      const auto first = first_pair(a, pose_a, b, pose_b, scratch, {.method = method});
      for (const unsigned threads : {1U, 2U, 3U, 4U, 8U, 64U}) {
        SCOPED_TRACE(threads);
        const QueryOptions options{.method = method, .threads = threads};
        ASSERT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, options), one);
        ASSERT_EQ(first_pair(a, pose_a, b, pose_b, scratch, options), first);
        ASSERT_EQ(surface_pairs(a, pose_a, b, pose_b, scratch, options), surfaces);
      }
    }
  }
}

TEST(Determinism, TheSmallestPairWinsHoweverLateItIsFound) {
  // Triangle 0 of a meets only the very last of many triangles of b whose boxes it overlaps; all others of a meet the
  // first. Whoever works on triangle 0 is the last to find anything.
  MeshInput in_a, in_b;
  const auto add = [](MeshInput& in, Point3 p, Point3 q, Point3 r) {
    const auto k = static_cast<std::uint32_t>(in.vertices.size());
    in.vertices.insert(in.vertices.end(), {p, q, r});
    in.triangles.push_back({k, k + 1, k + 2});
  };
  add(in_a, {0, 0, 0}, {1, 0, 0}, {0, 1, 1});
  for (int i = 0; i < 600; ++i) add(in_a, {5, 5, 5}, {6, 5, 5}, {5, 6, 5});
  add(in_b, {5.1, 5.1, 4}, {5.1, 5.1, 6}, {5.2, 5.2, 6});
  const std::uint32_t many = 100000;
  for (std::uint32_t i = 0; i < many; ++i) add(in_b, {0.6, 0.6, 0.1}, {0.9, 0.6, 0.1}, {0.6, 0.9, 0.1});
  add(in_b, {0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.3, 0.2, 1});
  const Shape a(Mesh::build(in_a).value()), b(Mesh::build(in_b).value());
  Scratch scratch;
  for (const unsigned threads : {1U, 2U, 4U, 8U})
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto first = first_pair(a, {}, b, {}, scratch, {.method = Method::brute, .threads = threads});
      ASSERT_TRUE(first);
      ASSERT_EQ(first->a, 0U);
      ASSERT_EQ(first->b, many + 1);
    }
}

TEST(Determinism, AnExceptionOfAWorkerReachesTheCaller) {
  for (const unsigned threads : {1U, 4U})
    EXPECT_THROW(support::for_each_chunk(100, threads,
                                         [](std::size_t chunk) {
                                           if (chunk == 37) throw std::bad_alloc();
                                         }),
                 std::bad_alloc);
}

TEST(Determinism, ShapesAreSharedAmongThreads) {
  // Surfaces and hash of this mesh are found when first asked for: by all threads at once.
  const Mesh knot = scenes::bumpy_knot(60, 6);
  MeshInput in;
  in.vertices.assign(knot.vertices().begin(), knot.vertices().end());
  in.triangles.assign(knot.triangles().begin(), knot.triangles().end());
  const Shape shape(Mesh::build(in).value());
  Scratch outside;
  const auto expected = triangle_pairs(shape, {}, shape, translation(0.1, 0.2, 0.1), outside);
  ASSERT_FALSE(expected.empty());
  std::atomic<int> same{0};
  {
    std::vector<std::jthread> team;
    for (int i = 0; i < 4; ++i)
      team.emplace_back([&, copy = shape] {
        Scratch scratch;
        const bool pairs = triangle_pairs(copy, {}, copy, translation(0.1, 0.2, 0.1), scratch) == expected;
        const bool hash = copy.mesh().hash() == shape.mesh().hash();
        const bool surfaces = copy.mesh().surfaces().size() == shape.mesh().surfaces().size();
        same += pairs && hash && surfaces ? 1 : 0;
      });
  }
  EXPECT_EQ(same.load(), 4);
}

TEST(Determinism, EveryChunkRunsOnce) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    for (const std::size_t chunks : {0UL, 1UL, 7UL, 1000UL}) {
      std::vector<std::atomic<int>> runs(chunks);
      support::for_each_chunk(chunks, threads, [&](std::size_t chunk) { ++runs[chunk]; });
      for (const auto& r : runs) ASSERT_EQ(r.load(), 1);
    }
  }
}

}  // namespace
}  // namespace snug
