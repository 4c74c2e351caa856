#include "query/pairs/dop/memory.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "shape/trees.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

using scenes::Random;

DopSearch words_of(unsigned width) {
  return {.coefficient_bits = width - 1, .mapping_bits = width - 1, .offset_bits = width - 1};
}

/// Settings of both methods: widths, axes, schedules.
std::vector<QueryOptions> settings() {
  std::vector<QueryOptions> all;
  for (const unsigned axes : {1U, 7U, 24U, 105U}) {
    QueryOptions options{.method = Method::dop};
    options.dop.axes = axes;
    all.push_back(options);
  }
  for (const unsigned width : {5U, 8U, 12U, 14U, 18U, 30U, 35U, 41U})
    all.push_back({.method = Method::dop_fixed, .dop = words_of(width)});
  all.push_back(
      {.method = Method::dop_fixed, .dop = {.axes = 40, .coefficient_bits = 20, .mapping_bits = 6, .offset_bits = 25}});
  // Out of range is brought into range.
  all.push_back(
      {.method = Method::dop_fixed, .dop = {.axes = 0, .coefficient_bits = 0, .mapping_bits = 1000, .offset_bits = 0}});
  all.push_back({.method = Method::dop, .dop = {.axes = 100000}});
  for (const Method method : {Method::dop, Method::dop_fixed}) {
    QueryOptions queue{.method = method};
    queue.dop.schedule = DopSearch::Schedule::queue;
    all.push_back(queue);
  }
  return all;
}

Mesh random_soup(Random& random, std::size_t count, double size) {
  MeshInput in;
  for (std::size_t t = 0; t < count; ++t) {
    const Point3 at = random.point(-1, 1);
    const double own = std::ldexp(size, -static_cast<int>(random.below(12)));
    const auto k = static_cast<std::uint32_t>(in.vertices.size());
    for (int i = 0; i < 3; ++i) in.vertices.push_back(at + random.point(-own, own));
    if (random.below(10) == 0) in.vertices.back() = in.vertices[k];  // degenerate
    in.triangles.push_back({k, k + 1, k + 2});
  }
  return Mesh::build(std::move(in)).value();
}

TEST(DopMethods, EverySettingFindsWhatBruteForceFinds) {
  Scratch scratch;
  std::size_t with_hits = 0;
  const std::uint64_t count = test::scaled(80);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape a(seed % 3 == 0 ? random_soup(random, 120, 0.4) : scenes::torus(1, 0.3, 14, 8));
    const Shape b(seed % 2 == 0 ? random_soup(random, 90, 0.4) : scenes::sphere(0.8, 7, 11));
    const double away = seed % 4 == 3 ? 1e7 : 1;
    const Vec3 base = random.point(-away, away);
    const Pose pose_a = Pose::make(random.rotation(), base + random.point(-0.4, 0.4)).value();
    const Pose pose_b = Pose::make(random.rotation(), base + random.point(-0.4, 0.4)).value();
    const auto expected = triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = Method::brute});
    const auto surfaces = surface_pairs(a, pose_a, b, pose_b, scratch, {.method = Method::brute});
    with_hits += expected.empty() ? 0 : 1;
    for (const QueryOptions& options : settings()) {
      ASSERT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, options), expected);
      ASSERT_EQ(surface_pairs(a, pose_a, b, pose_b, scratch, options), surfaces);
      ASSERT_EQ(intersects(a, pose_a, b, pose_b, scratch, options), !expected.empty());
    }
    std::vector<TrianglePair> visited;
    visit_triangle_pairs(a, pose_a, b, pose_b, scratch,
                         [&](const TrianglePair& pair) {
                           visited.push_back(pair);
                           return true;
                         },
                         {.method = Method::dop});
    std::ranges::sort(visited);
    ASSERT_EQ(visited, expected);
  }
  EXPECT_GE(2 * with_hits, count);
}

TEST(DopMethods, InstructionsDoNotShow) {
  const Shape a(scenes::bumpy_knot(60, 8)), b(scenes::torus(1, 0.3, 20, 10));
  Scratch scratch;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose_a = random.pose(0.5), pose_b = random.pose(0.5);
    for (const Method method : {Method::dop, Method::dop_fixed}) {
      Stats expected;
      const auto pairs = triangle_pairs(a, pose_a, b, pose_b, scratch,
                                        {.method = method, .stats = &expected, .instructions = Instructions::scalar});
      EXPECT_GT(expected.node_pairs, 0U);
      for (const Instructions set : {Instructions::sse2, Instructions::avx2, Instructions::best}) {
        Stats stats;
        EXPECT_EQ(
            triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = method, .stats = &stats, .instructions = set}),
            pairs);
        EXPECT_EQ(stats, expected);
      }
    }
  }
}

TEST(DopMethods, WiderWordsLeaveFewerLeavesAndFloatingPointFewest) {
  const Shape a(scenes::bumpy_knot(60, 8));
  Scratch scratch;
  std::vector<std::uint64_t> leaves;
  const auto leaves_of = [&](QueryOptions options) {
    Stats stats;
    options.stats = &stats;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Random random(seed);
      const Pose pose_a = random.pose(0.2), pose_b = random.pose(0.2);
      (void)triangle_pairs(a, pose_a, a, pose_b, scratch, options);
    }
    return stats.triangle_tests;
  };
  for (const unsigned width : {6U, 8U, 12U, 18U, 35U})
    leaves.push_back(leaves_of({.method = Method::dop_fixed, .dop = words_of(width)}));
  leaves.push_back(leaves_of({.method = Method::dop}));
  EXPECT_TRUE(std::ranges::is_sorted(leaves, std::greater{}));
  EXPECT_GT(leaves.front(), leaves.back());
}

TEST(DopMethods, AStackNeedsLessMemoryThanAQueue) {
  const Shape a(scenes::bumpy_knot(100, 10));
  Scratch scratch;
  std::size_t pending[2] = {};
  std::vector<TrianglePair> found[2];
  for (const auto schedule : {DopSearch::Schedule::stack, DopSearch::Schedule::queue}) {
    QueryOptions options{.method = Method::dop};
    options.dop.schedule = schedule;
    const auto which = static_cast<std::size_t>(schedule);
    found[which] = triangle_pairs(a, {}, a, rotation({1, 2, 3}, 1), scratch, options);
    pending[which] = detail::Access::data(scratch).get<query::DopMemory>().most_pending;
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_LT(10 * pending[0], pending[1]);
}

TEST(DopMethods, BodiesThatTouchOrNearlySoAreNeverMissed) {
  // Cubes face to face, edge to edge and corner to corner in turned frames, apart by every power of two and not at all.
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch scratch;
  std::size_t met = 0, apart = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose frame = random.pose(seed % 2 == 0 ? 1 : 1000);
    const Vec3 way = seed % 3 == 0 ? Vec3{2, 0.25, 0.5} : seed % 3 == 1 ? Vec3{2, 2, 0.5} : Vec3{2, 2, 2};
    const Pose turn = test::cube_rotations()[random.below(24)];
    for (int power = -60; power <= -8; power += 4)
      for (const double gap : {std::ldexp(1.0, power), 0.0, -std::ldexp(1.0, power)}) {
        const Vec3 moved{way.x + gap, way.y, way.z};
        const Pose other = compose(frame, compose(Pose::make({}, moved).value(), turn));
        const auto expected = triangle_pairs(cube, frame, cube, other, scratch, {.method = Method::brute});
        (expected.empty() ? apart : met) += 1;
        for (const unsigned width : {8U, 18U, 35U, 41U})
          ASSERT_EQ(
              triangle_pairs(cube, frame, cube, other, scratch, {.method = Method::dop_fixed, .dop = words_of(width)}),
              expected);
        ASSERT_EQ(triangle_pairs(cube, frame, cube, other, scratch, {.method = Method::dop}), expected);
      }
  }
  EXPECT_GT(met, 0U);
  EXPECT_GT(apart, 0U);
}

TEST(DopMethods, PartsOfTwoMillimetresAreRightAtTenKilometres) {
  // Posing moves corners by up to 1.9e-9 mm there, sixteen units in the last place of 35-bit words: faces that the poses
  // keep apart may meet once their corners are rounded, and such pairs must not be lost.
  const Shape part(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch scratch;
  std::size_t by_rounding = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose_a = Pose::make(random.rotation(), random.point(-1e7, 1e7)).value();
    const double gap = 2e-9 * static_cast<double>(random.below(4));
    const Vec3 step = seed % 2 == 0 ? Vec3{2 + gap, 0.25, 0.5} : Vec3{0.3, -2 - gap, 0};
    const Pose pose_b = compose(pose_a, Pose::make({}, step).value());
    const auto expected = triangle_pairs(part, pose_a, part, pose_b, scratch, {.method = Method::brute});
    // The gap that the poses themselves leave, in doubles; it is wrong by far less than 1e-10.
    const Vec3 between = pose_b.translation() - pose_a.translation();
    const auto& r = pose_a.matrix();
    const double left = seed % 2 == 0 ? (r[0] * between.x + r[3] * between.y) + r[6] * between.z - 2
                                      : -((r[1] * between.x + r[4] * between.y) + r[7] * between.z) - 2;
    by_rounding += !expected.empty() && left > 3e-10 ? 1 : 0;
    for (const unsigned width : {18U, 35U, 41U})
      ASSERT_EQ(
          triangle_pairs(part, pose_a, part, pose_b, scratch, {.method = Method::dop_fixed, .dop = words_of(width)}),
          expected);
    ASSERT_EQ(triangle_pairs(part, pose_a, part, pose_b, scratch, {.method = Method::dop}), expected);
  }
  EXPECT_GT(by_rounding, 0U) << "some must meet by the rounding of their corners alone for the test to mean something";
}

TEST(DopMethods, BodiesOfAllSizesAndDistancesAreDecided) {
  Scratch scratch;
  const Mesh unit = scenes::sphere(1, 4, 5);
  const auto sized = [&](double factor) {
    MeshInput in;
    in.triangles.assign(unit.triangles().begin(), unit.triangles().end());
    for (const Point3& v : unit.vertices()) in.vertices.push_back(factor * v);
    return Shape(Mesh::build(in).value());
  };
  for (const int size_a : {-1060, -40, 0, 500, 990})
    for (const int size_b : {-1060, -40, 0, 500, 990}) {
      SCOPED_TRACE(testing::Message() << size_a << ' ' << size_b);
      const Shape a = sized(std::ldexp(1.0, size_a)), b = sized(std::ldexp(1.0, size_b));
      for (const int distance : {-1070, -480, 0, 500, 990}) {
        const double d = std::ldexp(1.0, distance);
        const Pose pose_a = Pose::make({0.9, 0.1, 0.2, 0.3}, {d, -d, 0}).value(), pose_b;
        const auto expected = triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = Method::brute});
        for (const Method method : {Method::dop, Method::dop_fixed}) {
          ASSERT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = method}), expected);
          ASSERT_EQ(triangle_pairs(b, pose_b, a, pose_a, scratch, {.method = method}).size(), expected.size());
        }
        ASSERT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = Method::dop_fixed, .dop = words_of(35)}),
                  expected);
      }
    }
}

TEST(DopMethods, UpdatedShapesKeepTheirTreeAndFindWhatBruteForceFinds) {
  const Shape a(scenes::bumpy_knot(40, 8)), b(scenes::torus(1, 0.3, 14, 8));
  Scratch scratch;
  const auto is_built = [](const Shape& shape) {
    return detail::Access::data(shape).structures.find<bvh::DopTree>() != nullptr;
  };
  const std::vector<Point3> as_it_is(a.mesh().vertices().begin(), a.mesh().vertices().end());
  const Shape unasked = a.updated(as_it_is).value();
  EXPECT_FALSE(is_built(unasked)) << "nobody asked for it";
  Shape moving = a;
  const auto& links = detail::Access::data(a).get<bvh::DopTree>().links;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Point3> vertices;
    for (const Point3& v : moving.mesh().vertices()) vertices.push_back(1.3 * v + random.point(-0.2, 0.3));
    moving = moving.updated(vertices).value();
    ASSERT_TRUE(is_built(moving));
    EXPECT_EQ(detail::Access::data(moving).get<bvh::DopTree>().links, links);
    EXPECT_EQ(bvh::validate(detail::Access::data(moving).get<bvh::DopTree>(), moving.mesh()), std::nullopt);
    const Pose pose_a = random.pose(0.4), pose_b = random.pose(0.4);
    const auto expected = triangle_pairs(moving, pose_a, b, pose_b, scratch, {.method = Method::brute});
    for (const Method method : {Method::dop, Method::dop_fixed})
      EXPECT_EQ(triangle_pairs(moving, pose_a, b, pose_b, scratch, {.method = method}), expected);
  }
  EXPECT_FALSE(is_built(moving.rebuilt()));
}

TEST(DopMethods, AVisitorThatThrowsLeavesNothingBehind) {
  const Shape a(scenes::sphere(1, 8, 12));
  Scratch scratch;
  const Pose other = translation(0.5, 0.2, 0.1);
  const auto expected = triangle_pairs(a, {}, a, other, scratch, {.method = Method::brute});
  ASSERT_FALSE(expected.empty());
  for (const Method method : {Method::dop, Method::dop_fixed}) {
    EXPECT_THROW(visit_triangle_pairs(a, {}, a, other, scratch,
                                      [](const TrianglePair&) -> bool { throw std::bad_alloc(); }, {.method = method}),
                 std::bad_alloc);
    EXPECT_EQ(triangle_pairs(a, {}, a, other, scratch, {.method = method}), expected);
  }
}

TEST(DopMethods, DistancesAreThoseOfTheDefaultMethod) {
  const Shape a(scenes::sphere(1, 8, 12)), b(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch scratch;
  for (const Method method : {Method::dop, Method::dop_fixed}) {
    EXPECT_EQ(distance(a, {}, b, translation(4, 1, 0), scratch, {}, {.method = method}).value,
              distance(a, {}, b, translation(4, 1, 0), scratch).value);
    EXPECT_TRUE(within(a, {}, b, translation(4, 1, 0), 3, scratch, {.method = method}));
  }
}

}  // namespace
}  // namespace snug
