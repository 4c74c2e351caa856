#include "aligned_support.hpp"
#include "bvh/rtree/rtree.hpp"
#include "count_allocations.hpp"
#include "query/pairs/published/frame_change.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

namespace snug {
namespace {

using scenes::Random;
using test::aligned_searches;

std::vector<Mesh> meshes(std::uint64_t seed) {
  Random random(seed);
  return {scenes::box({-1, -0.6, -0.8}, {1, 0.6, 0.8}),
          scenes::cylinder(0.5, 1.6, 14),
          scenes::pipe(0.9, 0.6, 1.2, 12),
          scenes::sphere(0.9, 7, 10),
          scenes::torus(0.9, 0.3, 14, 7),
          test::soup(random, 80)};
}

struct Case {
  Mesh a, b;
  Pose pose_a, pose_b;
};

/// Any two bodies, any rotations, four sizes, near the origin and far away.
Case some_case(std::uint64_t seed) {
  Random random(seed);
  const auto some = meshes(seed);
  const double scale = std::array{1e-3, 1.0, 37.0, 1e4}[random.below(4)];
  const Vec3 far = (random.below(2) == 0 ? 0 : 1e7) * random.point(-1, 1);
  const auto body = [&] { return test::scaled(some[random.below(some.size())], scale); };
  const auto pose = [&] { return Pose::make(random.rotation(), far + scale * random.point(-0.7, 0.7)).value(); };
  const Mesh a = body(), b = body();
  const Pose pose_a = pose();
  return {a, b, pose_a, pose()};
}

/// Two blocks that share a face, an edge or a corner and nothing else: their numbers come out without rounding.
Case flush_case(std::uint64_t seed) {
  Random random(seed);
  const double scale = std::array{0x1p-10, 1.0, 32.0, 0x1p13}[random.below(4)];
  const double far = random.below(2) == 0 ? 0 : static_cast<double>(random.below(10'000'000));
  const Mesh block = scenes::box({-scale, -scale, -scale}, {scale, scale, scale});
  const auto turns = test::cube_rotations();
  const auto turn = [&] { return turns[random.below(turns.size())].rotation(); };
  Vec3 step = scale * Vec3{2 * (random.below(2) == 0 ? 1.0 : -1.0), static_cast<double>(random.below(3)),
                           0.25 * static_cast<double>(random.below(9))};
  for (std::uint64_t i = random.below(3); i > 0; --i) step = {step.z, step.x, step.y};
  const Vec3 at{far, far, far};
  const Pose pose_a = Pose::make(turn(), at).value();
  return {block, block, pose_a, Pose::make(turn(), at + step).value()};
}

std::vector<SurfacePair> exchanged(std::vector<SurfacePair> pairs) {
  for (SurfacePair& p : pairs) std::swap(p.a, p.b);
  std::ranges::sort(pairs);
  return pairs;
}
std::vector<TrianglePair> exchanged(std::vector<TrianglePair> pairs) {
  for (TrianglePair& p : pairs) std::swap(p.a, p.b);
  std::ranges::sort(pairs);
  return pairs;
}

TEST(Aligned, FindsWhatBruteForceFindsInEverySetting) {
  Scratch scratch;
  std::uint64_t hits = 0, only_touching = 0;
  const std::uint64_t count = test::scaled(5000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = seed % 5 == 0 ? flush_case(seed) : some_case(seed);
    const Shape a(c.a), b(c.b);
    const QueryOptions brute{.method = Method::brute};
    const auto triangles = triangle_pairs(a, c.pose_a, b, c.pose_b, scratch, brute);
    const auto surfaces = surface_pairs(a, c.pose_a, b, c.pose_b, scratch, brute);
    hits += triangles.empty() ? 0 : 1;
    only_touching += !triangles.empty() && std::ranges::none_of(triangles, [](const TrianglePair& p) {
      return p.relation == Relation::crossing;
    });
    for (const SurfaceSearch& how : aligned_searches()) {
      SCOPED_TRACE(test::words(how));
      const QueryOptions options{.surface = how};
      ASSERT_EQ(triangle_pairs(a, c.pose_a, b, c.pose_b, scratch, options), triangles);
      ASSERT_EQ(surface_pairs(a, c.pose_a, b, c.pose_b, scratch, options), surfaces);
      ASSERT_EQ(exchanged(triangle_pairs(b, c.pose_b, a, c.pose_a, scratch, options)), triangles);
      ASSERT_EQ(exchanged(surface_pairs(b, c.pose_b, a, c.pose_a, scratch, options)), surfaces);
      const auto first = first_pair(a, c.pose_a, b, c.pose_b, scratch, options);
      ASSERT_EQ(first.has_value(), !triangles.empty());
      if (first) {
        ASSERT_TRUE(std::ranges::binary_search(triangles, *first));
      }
      const auto first_surfaces = first_surface_pair(a, c.pose_a, b, c.pose_b, scratch, options);
      ASSERT_EQ(first_surfaces.has_value(), !surfaces.empty());
      if (first_surfaces) {
        ASSERT_TRUE(std::ranges::binary_search(surfaces, *first_surfaces));
      }
      ASSERT_EQ(intersects(a, c.pose_a, b, c.pose_b, scratch, options), !triangles.empty());
    }
  }
  EXPECT_GE(2 * hits, count) << "at least half of the poses must intersect for the test to mean something";
  EXPECT_GE(10 * only_touching, count) << "and a tenth touch without crossing";
}

/// A plate of the mesh's frame, one triangle thick, and where its pose brings its corners: as a body at rest these meet
/// the plate to the last bit, and every box of either is as thin as rounding makes it.
TEST(Aligned, LosesNothingThatMeetsWithinTheRoundingOfThePoses) {
  Scratch scratch;
  const std::uint64_t count = test::scaled(1000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double size = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const double far = std::array{0.0, 1.0, 1e3, 1e7}[random.below(4)];
    const auto axis = random.below(3);
    const double level = random.uniform(-size, size);
    const auto on_plate = [&](double u, double v) {
      return axis == 0 ? Point3{level, u, v} : axis == 1 ? Point3{v, level, u} : Point3{u, v, level};
    };
    MeshInput plate;
    for (std::uint32_t t = 0; t < 12; ++t) {
      for (int i = 0; i < 3; ++i)
        plate.vertices.push_back(on_plate(random.uniform(-size, size), random.uniform(-size, size)));
      plate.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      plate.surface_of_triangle.push_back(t / 3);
    }
    plate.surfaces.resize(4);
    const Pose pose = random.pose(far);
    MeshInput brought = plate;
    for (Point3& p : brought.vertices) p = pose.apply(p);
    const Shape a(Mesh::build(plate).value()), b(Mesh::build(brought).value());
    const auto expected = triangle_pairs(a, pose, b, {}, scratch, {.method = Method::brute});
    ASSERT_GE(expected.size(), 12U);
    for (const SurfaceSearch& how : aligned_searches()) {
      SCOPED_TRACE(test::words(how));
      ASSERT_EQ(triangle_pairs(a, pose, b, {}, scratch, {.surface = how}), expected);
      ASSERT_EQ(exchanged(triangle_pairs(b, {}, a, pose, scratch, {.surface = how})), expected);
    }
  }
}

TEST(Aligned, BoxesOfTheOtherFrameHoldSharedPointsAndLittleElse) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 far = (seed % 2 == 0 ? 0 : 1e7) * random.point(-1, 1);
    const Pose from = Pose::make(random.rotation(), far + random.point(-1, 1)).value();
    const Pose to = Pose::make(random.rotation(), far + random.point(-1, 1)).value();
    const Aabb bounds{{-2, -2, -2}, {2, 2, 2}};
    const query::FrameChange change(bounds, from, bounds, to);
    const Triangle t = random.triangle(-2, 2);
    const Aabb tight = change.take_tight(t);
    Aabb box;
    for (const Point3& p : t.corner) box.include(p);
    const Aabb cover = change.take_cover(box);
    for (const Point3& p : t.corner) {
      const Aabb at{change.place(p), change.place(p)};
      EXPECT_TRUE(tight.overlaps(at));
      EXPECT_TRUE(cover.overlaps(at));
      // The way back may not lead further off than the margin allows.
      const Point3 there = to.apply(change.place(p)), here = from.apply(p);
      for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_LE(std::abs(there[axis] - here[axis]), change.margin());
    }
    EXPECT_EQ(query::common_part(tight, cover), tight);
    EXPECT_LE(change.margin(), 4 * (posing_error(bounds, from) + posing_error(bounds, to)) + 1e-12);
  }
}

TEST(Aligned, CountsTheSameEveryTimeAndLessWithTheOverlapBox) {
  Scratch scratch;
  const Shape a(scenes::torus(1, 0.3, 40, 20)), b(scenes::pipe(0.6, 0.4, 2, 30));
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose_a = random.pose(0.5), pose_b = random.pose(0.5);
    const auto count = [&](SurfaceSearch how) {
      Stats stats, again;
      (void)triangle_pairs(a, pose_a, b, pose_b, scratch, {.surface = how, .stats = &stats});
      (void)triangle_pairs(a, pose_a, b, pose_b, scratch, {.surface = how, .stats = &again});
      EXPECT_EQ(stats, again);
      EXPECT_EQ(stats.triangle_tests, stats.exact_tests);
      return stats;
    };
    constexpr auto k_aligned = SurfaceSearch::Bounds::aligned;
    const Stats with = count({.bounds = k_aligned});
    const Stats without = count({.bounds = k_aligned, .overlap_box = false});
    const Stats cover = count({.bounds = k_aligned, .tight_boxes = false});
    EXPECT_LE(with.box_updates, without.box_updates + 1);
    EXPECT_LE(with.exact_tests, without.exact_tests);
    EXPECT_EQ(with.box_updates, cover.box_updates);
    EXPECT_LE(with.exact_tests, cover.exact_tests);
    EXPECT_EQ(without.box_updates, 1 + b.mesh().triangles().size());
  }
}

TEST(Aligned, AllocatesNothingOnceWarmButTheResult) {
  Scratch scratch;
  const Shape a(scenes::torus(1, 0.3, 40, 20)), b(scenes::pipe(0.6, 0.4, 2, 30));
  for (const SurfaceSearch& how : aligned_searches()) {
    SCOPED_TRACE(test::words(how));
    const QueryOptions options{.surface = how};
    for (int round = 0; round < 2; ++round) {
      const std::size_t before = test::allocations();
      (void)intersects(a, {}, b, {}, scratch, options);
      (void)first_surface_pair(a, {}, b, {}, scratch, options);
      (void)first_pair(a, {}, b, {}, scratch, options);
      const std::size_t firsts = test::allocations();
      const auto triangles = triangle_pairs(a, translation(0.4, 0, 0), b, {}, scratch, options);
      const auto surfaces = surface_pairs(a, translation(0.4, 0, 0), b, {}, scratch, options);
      ASSERT_FALSE(triangles.empty());
      ASSERT_FALSE(surfaces.empty());
      if (round == 0) continue;
      EXPECT_EQ(firsts - before, 0U);
      EXPECT_EQ(test::allocations() - firsts, 2U) << "one per result";
    }
  }
}

TEST(RTree, IsValidForEveryMesh) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    for (const Mesh& mesh : meshes(seed)) EXPECT_TRUE(valid(bvh::build_rtree(mesh), mesh));
    Random random(seed);
    for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 63U, 64U, 65U, 300U}) {
      const Mesh mesh = test::soup(random, count);
      EXPECT_TRUE(valid(bvh::build_rtree(mesh), mesh)) << count;
    }
  }
  const Mesh knot = scenes::bumpy_knot(100, 30);
  EXPECT_TRUE(valid(bvh::build_rtree(knot), knot));
}

TEST(RTree, FaultsAreSeen) {
  const Mesh mesh = scenes::torus(1, 0.3, 12, 6);
  const bvh::RTree good = bvh::build_rtree(mesh);
  ASSERT_TRUE(valid(good, mesh));
  bvh::RTree bad = good;
  bad.entries.back().first = bad.entries[bad.entries.size() - 2].first;
  EXPECT_FALSE(valid(bad, mesh)) << "a triangle twice";
  bad = good;
  bad.entries[0].box.hi.x += 1;
  EXPECT_FALSE(valid(bad, mesh)) << "a box too large";
  bad = good;
  bad.root_of_surface[0] = 0;
  EXPECT_FALSE(valid(bad, mesh)) << "a surface lost";
}

}  // namespace
}  // namespace snug
