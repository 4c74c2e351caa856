#include "aligned_support.hpp"
#include "count_allocations.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

// The default engine held to brute force: everything it answers, on every instruction set.

namespace snug {
namespace {

using scenes::Random;

constexpr std::array k_instructions{Instructions::scalar, Instructions::sse2, Instructions::avx2};

Mesh some_mesh(Random& random, std::uint64_t kind) {
  switch (kind) {
    case 0:
      return scenes::box({-1, -0.6, -0.8}, {1, 0.6, 0.8});
    case 1:
      return scenes::cylinder(0.5, 1.6, 14);
    case 2:
      return scenes::pipe(0.9, 0.6, 1.2, 12);
    case 3:
      return scenes::sphere(0.9, 7, 10);
    case 4:
      return scenes::torus(0.9, 0.3, 24, 12);
    case 5:
      return scenes::bumpy_knot(60, 6);
    default:
      return test::soup(random, 90);
  }
}

struct Case {
  Mesh a, b;
  Pose pose_a, pose_b;
  std::uint64_t kinds = 0;
};

/// With corners on a grid, so that right angles and the sums of a few powers of two leave them exact.
Mesh snapped(const Mesh& mesh) {
  MeshInput in;
  for (const Point3& p : mesh.vertices())
    in.vertices.push_back(
        {std::round(p.x * 0x1p12) * 0x1p-12, std::round(p.y * 0x1p12) * 0x1p-12, std::round(p.z * 0x1p12) * 0x1p-12});
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  return Mesh::build(std::move(in)).value();
}

/// Two bodies turned by right angles, side by side along x so that their bounds share a plane: faces, edges or corners that reach
/// it touch if they meet there.
Case side_by_side(Random& random, const Mesh& a, const Mesh& b, std::uint64_t kinds) {
  const auto turns = test::cube_rotations();
  const Pose turn_a = turns[random.below(24)], turn_b = turns[random.below(24)];
  double most = -1e9, least = 1e9;
  for (const Point3& p : a.vertices()) most = std::max(most, turn_a.apply(p).x);
  for (const Point3& p : b.vertices()) least = std::min(least, turn_b.apply(p).x);
  const double far = random.below(2) == 0 ? 0 : 0x1p23;
  const auto aside = [&] { return 0x1p-5 * (double(random.below(17)) - 8); };
  return {a, b, Pose::make(turn_a.rotation(), {far, far, -far}).value(),
          Pose::make(turn_b.rotation(), {far + (most - least), far + aside(), aside() - far}).value(), kinds};
}

/// Any two of seven bodies, any rotations, four sizes and bodies of different size, near the origin and far away. Every
/// sixth time bodies that lie flush, mostly blocks: turned by right angles and moved by powers of two, so that they touch exactly.
Case some_case(std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t kind_a = random.below(7), kind_b = random.below(7);
  const double scale = std::array{1e-3, 1.0, 37.0, 1e4}[random.below(4)];
  const double ratio = std::array{1.0, 1.0, 1e-3, 50.0}[random.below(4)];
  if (seed % 18 == 0)
    return side_by_side(random, snapped(some_mesh(random, kind_a)), snapped(some_mesh(random, kind_b)),
                        100 + 7 * kind_a + kind_b);
  if (seed % 6 == 0) {
    const double size = std::array{0x1p-10, 1.0, 0x1p13}[random.below(3)];
    const double far = random.below(2) == 0 ? 0 : 0x1p23;
    const auto turns = test::cube_rotations();
    const Mesh block = test::scaled(scenes::box({-1, -1, -1}, {1, 1, 1}), size);
    const auto at = [&](const Vec3& v) {
      return Pose::make(turns[random.below(24)].rotation(), Vec3{far, -far, far} + size * v).value();
    };
    return {block, block, at({0, 0, 0}), at({2, 0.25 * double(random.below(8)), 0.5}), 99};
  }
  const Vec3 far = (random.below(2) == 0 ? 0 : 1e7) * random.point(-1, 1);
  const auto at = [&](double reach) {
    return Pose::make(random.rotation(), far + scale * reach * random.point(-1, 1)).value();
  };
  Case c{test::scaled(some_mesh(random, kind_a), scale),
         test::scaled(some_mesh(random, kind_b), scale * ratio),
         {},
         {},
         7 * kind_a + kind_b};
  c.pose_a = at(0.45), c.pose_b = at(0.45);
  return c;
}

template <class Pair>
std::vector<Pair> exchanged(std::vector<Pair> pairs) {
  for (Pair& p : pairs) std::swap(p.a, p.b);
  std::ranges::sort(pairs);
  return pairs;
}

TEST(Oriented, FindsWhatBruteForceFinds) {
  Scratch scratch;
  std::uint64_t hits = 0, touching_only = 0;
  std::set<std::uint64_t> kinds, kinds_touching;
  const std::uint64_t count = test::scaled(6000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = some_case(seed);
    const Shape a(c.a), b(c.b);
    const QueryOptions brute{.method = Method::brute};
    const auto triangles = triangle_pairs(a, c.pose_a, b, c.pose_b, scratch, brute);
    const auto surfaces = surface_pairs(a, c.pose_a, b, c.pose_b, scratch, brute);
    kinds.insert(c.kinds);
    hits += triangles.empty() ? 0 : 1;
    const bool touch = !triangles.empty() && std::ranges::all_of(triangles, [](const TrianglePair& p) {
      return p.relation == Relation::touching;
    });
    touching_only += touch ? 1 : 0;
    if (touch) kinds_touching.insert(c.kinds);
    std::optional<TrianglePair> first;
    std::vector<TrianglePair> first_visited;
    std::vector<SurfacePair> first_visited_surfaces;
    Stats counted;
    for (const Instructions instructions : k_instructions) {
      SCOPED_TRACE(static_cast<int>(instructions));
      Stats stats;
      const QueryOptions options{.stats = &stats, .instructions = instructions};
      ASSERT_EQ(triangle_pairs(a, c.pose_a, b, c.pose_b, scratch, options), triangles);
      ASSERT_EQ(surface_pairs(a, c.pose_a, b, c.pose_b, scratch, options), surfaces);
      const auto one = first_pair(a, c.pose_a, b, c.pose_b, scratch, options);
      ASSERT_EQ(one.has_value(), !triangles.empty());
      if (one) {
        ASSERT_TRUE(std::ranges::binary_search(triangles, *one));
      }
      ASSERT_EQ(intersects(a, c.pose_a, b, c.pose_b, scratch, options), !triangles.empty());
      const auto one_surface = first_surface_pair(a, c.pose_a, b, c.pose_b, scratch, options);
      ASSERT_EQ(one_surface.has_value(), !triangles.empty());
      if (one_surface) {
        ASSERT_TRUE(std::ranges::binary_search(surfaces, *one_surface));
      }
      std::vector<TrianglePair> visited;
      const auto visit = [&](const TrianglePair& pair) {
        visited.push_back(pair);
        return true;
      };
      visit_triangle_pairs(a, c.pose_a, b, c.pose_b, scratch, visit, options);
      std::vector<SurfacePair> visited_surfaces;
      const auto visit_surface = [&](const SurfacePair& pair) {
        visited_surfaces.push_back(pair);
        return true;
      };
      visit_surface_pairs(a, c.pose_a, b, c.pose_b, scratch, visit_surface, options);
      ASSERT_EQ(exchanged(triangle_pairs(b, c.pose_b, a, c.pose_a, scratch, options)), triangles);
      ASSERT_EQ(exchanged(surface_pairs(b, c.pose_b, a, c.pose_a, scratch, options)), surfaces);
      if (instructions == k_instructions.front()) {
        first = one, counted = stats;
        first_visited = visited, first_visited_surfaces = visited_surfaces;
      } else {
        ASSERT_EQ(one, first) << "which pair comes first must not depend on the instruction set";
        ASSERT_EQ(visited, first_visited) << "nor the order in which they come";
        ASSERT_EQ(visited_surfaces, first_visited_surfaces);
        ASSERT_EQ(stats, counted);
      }
    }
    std::ranges::sort(first_visited);
    ASSERT_EQ(first_visited, triangles);
    std::ranges::sort(first_visited_surfaces);
    ASSERT_EQ(first_visited_surfaces, surfaces) << "each once";
    if (seed % 16 == 0) {
      const QueryOptions parallel{.threads = 2 + static_cast<unsigned>(seed / 16 % 3)};
      ASSERT_EQ(triangle_pairs(a, c.pose_a, b, c.pose_b, scratch, parallel), triangles);
      ASSERT_EQ(surface_pairs(a, c.pose_a, b, c.pose_b, scratch, parallel), surfaces);
    }
  }
  EXPECT_GE(kinds.size(), 12U);
  EXPECT_GE(2 * hits, count) << "at least half of the poses must meet";
  EXPECT_GE(10 * touching_only, count) << "at least a tenth must only touch";
  EXPECT_GE(kinds_touching.size(), 2U) << "and not one kind alone";
}

/// Triangles of all sizes at all distances from the origin, down to 2^-deep: slivers, coplanar, repeated and rounded to a grid.
Mesh soup_of_all_scales(Random& random, double deep) {
  const auto small = [&](double bits) { return std::exp2(-random.uniform(0, bits)); };
  const std::uint64_t style = random.below(5), count = 20 + random.below(160);
  MeshInput in;
  for (std::uint64_t t = 0; t < count; ++t) {
    const double size = small(deep), part = small(random.below(2) == 0 ? deep / 2 : 8);
    Point3 at = size * random.point(-1, 1);
    if (style == 1) at.z = 0;
    if (style == 2) at = {};
    const auto k = static_cast<std::uint32_t>(in.vertices.size());
    for (int i = 0; i < 3; ++i) {
      Point3 p = at + size * part * random.point(-1, 1);
      if (style == 1) p.z = 0;
      if (style == 3 && i == 2) {
        const Point3 first = in.vertices[k], second = in.vertices[k + 1];
        p = first + random.uniform(-0.5, 1.5) * (second - first) +
            size * part * 0x1p-10 * small(40) * random.point(-1, 1);
      }
      in.vertices.push_back(p);
    }
    in.triangles.push_back({k, k + 1, k + 2});
    if (random.below(15) == 0) in.triangles.push_back(in.triangles[random.below(in.triangles.size())]);
  }
  if (random.below(2) == 0) {
    const double grid = small(50);
    for (Point3& v : in.vertices)
      v = {std::round(v.x / grid) * grid, std::round(v.y / grid) * grid, std::round(v.z / grid) * grid};
  }
  return Mesh::build(std::move(in)).value();
}

TEST(Oriented, ScalesMayDifferWithinAMesh) {
  Scratch scratch;
  std::uint64_t pairs = 0;
  const std::uint64_t count = test::scaled(160);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double deep = std::array{0.0, 6.0, 20.0, 45.0, 60.0, 100.0}[seed % 6];
    const Shape a(soup_of_all_scales(random, deep)), b(seed % 4 == 0 ? a : Shape(soup_of_all_scales(random, deep)));
    ASSERT_EQ(a.validate(), std::nullopt);
    for (int pose = 0; pose < 4; ++pose) {
      SCOPED_TRACE(pose);
      const Vec3 far = (pose % 2 == 0 ? 1e6 : 0.0) * random.point(-1, 1);
      const double aside = random.below(3) == 0 ? 0 : std::exp2(-random.uniform(0, deep + 5));
      const Quaternion turn = random.below(2) == 0 ? random.rotation() : Quaternion{};
      const Pose pose_a = Pose::make(turn, far).value();
      const Pose pose_b =
          Pose::make(random.below(2) == 0 ? random.rotation() : turn, far + aside * random.point(-1, 1)).value();
      const auto all = triangle_pairs(a, pose_a, b, pose_b, scratch, {.method = Method::brute});
      pairs += all.size();
      for (const Instructions instructions : k_instructions) {
        SCOPED_TRACE(static_cast<int>(instructions));
        ASSERT_EQ(triangle_pairs(a, pose_a, b, pose_b, scratch, {.instructions = instructions}), all);
      }
      ASSERT_EQ(exchanged(triangle_pairs(b, pose_b, a, pose_a, scratch)), all);
      if (pose == 0) {
        const Distance ours = distance(a, pose_a, b, pose_b, scratch),
                       brute = distance(a, pose_a, b, pose_b, scratch, {}, {.method = Method::brute});
        ASSERT_EQ(ours.value, brute.value);
        if (ours.value > 0) {
          ASSERT_EQ(std::pair(ours.triangle_a, ours.triangle_b), std::pair(brute.triangle_a, brute.triangle_b));
        }
      }
    }
  }
  EXPECT_GT(pairs, 100 * count);
}

TEST(Oriented, AFormerQueryDoesNotSlowDownTheNext) {
  // By its answers only: a table that was large must be as empty as a new one.
  const Shape many(scenes::pipe(1, 0.9, 1, 300)), box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch used, fresh;
  const Pose aside = Pose::make({}, {0.1, 0.2, 0.3}).value();
  ASSERT_FALSE(surface_pairs(many, {}, many, aside, used).empty());
  EXPECT_EQ(surface_pairs(box, {}, box, aside, used), surface_pairs(box, {}, box, aside, fresh));
  EXPECT_EQ(surface_pairs(many, {}, many, aside, used), surface_pairs(many, {}, many, aside, fresh));
}

TEST(Oriented, ClearancesMayBeAsLargeAsTheWorld) {
  const Shape box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch scratch;
  for (int exponent = 8; exponent <= 290; exponent += 3) {
    SCOPED_TRACE(exponent);
    const double away = std::pow(10.0, exponent);
    const Pose far = Pose::make({}, {away, 0.5 * away, -0.25 * away}).value();
    for (const double clearance : {0.1 * away, away, 1.2 * away, 10 * away}) {
      const bool expected = within(box, {}, box, far, clearance, scratch, {.method = Method::brute});
      EXPECT_EQ(within(box, {}, box, far, clearance, scratch), expected) << clearance;
      EXPECT_EQ(within(box, far, box, {}, clearance, scratch), expected) << clearance;
    }
  }
}

TEST(Oriented, CountsWhatItDoes) {
  const Shape knot(scenes::bumpy_knot(100, 8));
  const Pose aside = Pose::make({}, {0.1, 0.2, 0.05}).value();
  Scratch scratch;
  for (const Instructions instructions : k_instructions) {
    Stats stats;
    ASSERT_FALSE(
        triangle_pairs(knot, {}, knot, aside, scratch, {.stats = &stats, .instructions = instructions}).empty());
    EXPECT_GT(stats.node_pairs, 0U);
    EXPECT_GT(stats.box_tests, stats.node_pairs);
    EXPECT_GT(stats.box_updates, 0U);
    EXPECT_GT(stats.triangle_tests, stats.exact_tests);
  }
}

TEST(Oriented, VisitorsOfSurfacesMayStop) {
  const Shape box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Pose aside = Pose::make({}, {0.5, 0.25, 0.125}).value();
  Scratch scratch;
  ASSERT_GT(surface_pairs(box, {}, box, aside, scratch).size(), 3U);
  for (const Method method : {Method::surface, Method::brute}) {
    int calls = 0;
    visit_surface_pairs(box, {}, box, aside, scratch, [&](const SurfacePair&) { return ++calls < 3; },
                        {.method = method});
    EXPECT_EQ(calls, 3);
  }
}

TEST(Oriented, FindsTheSameDistanceAsBruteForce) {
  Scratch scratch;
  const std::uint64_t count = test::scaled(1500);
  std::uint64_t apart = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Case c = some_case(seed);
    Random random(seed + 1'000'000);
    const Shape a(c.a), b(c.b);
    // Mostly moved apart, by anything from nearly nothing to several times their size, some by up to 1e10 times.
    const Vec3 size = c.a.bounds().hi - c.a.bounds().lo;
    double times = double(random.below(5));
    if (seed % 5 == 0)
      for (std::uint64_t i = random.below(10); i > 0; --i) times *= 10;
    if (seed % 6 != 0) c.pose_b = Pose::make(c.pose_b.rotation(), c.pose_b.translation() + times * size).value();
    const Distance expected = distance(a, c.pose_a, b, c.pose_b, scratch, {}, {.method = Method::brute});
    apart += expected.value > 0;
    for (const Instructions instructions : k_instructions) {
      const Distance found = distance(a, c.pose_a, b, c.pose_b, scratch, {}, {.instructions = instructions});
      ASSERT_EQ(found.value, expected.value);
      ASSERT_EQ(found.lower, expected.lower);
      ASSERT_TRUE(found.complete);
      if (expected.value > 0) {
        ASSERT_EQ(found.triangle_a, expected.triangle_a);
        ASSERT_EQ(found.triangle_b, expected.triangle_b);
        ASSERT_EQ(found.on_a, expected.on_a);
        ASSERT_EQ(found.on_b, expected.on_b);
      }
    }
    const Distance back = distance(b, c.pose_b, a, c.pose_a, scratch);
    ASSERT_EQ(back.value, expected.value);
    for (const double factor : {0.0, 0.5, 1 - 0x1p-52, 1.0, 1 + 0x1p-51, 2.0}) {
      const double clearance = factor * expected.value;
      // Just below the distance that is named others may lie that are as close by their first digits.
      Distance within_it;
      if (factor >= 1 || expected.value == 0)
        within_it = expected;
      else if (factor > 0.5)
        within_it =
            distance(a, c.pose_a, b, c.pose_b, scratch, {.ignore_beyond = clearance}, {.method = Method::brute});
      ASSERT_LE(within_it.found(), expected.value <= clearance * (1 + 1e-12)) << factor;
      ASSERT_EQ(within(a, c.pose_a, b, c.pose_b, clearance, scratch), within_it.found()) << factor;
      const Distance near = distance(a, c.pose_a, b, c.pose_b, scratch, {.ignore_beyond = clearance});
      ASSERT_EQ(near.found(), within_it.found());
      ASSERT_EQ(near.value, within_it.value);
      ASSERT_EQ(near.lower, near.found() ? within_it.value : clearance);
    }
    // Stopped early, what is known must still be true.
    for (const std::uint64_t steps : {1U, 3U, 10U, 40U}) {
      const Distance some = *try_distance(a, c.pose_a, b, c.pose_b, scratch, {.steps = steps});
      ASSERT_LE(some.lower, expected.value);
      ASSERT_GE(some.value, expected.value * (1 - 0x1p-38));  // as close in its first digits
      if (some.complete) {
        ASSERT_EQ(some.value, expected.value);
      }
    }
    const Distance enough = distance(a, c.pose_a, b, c.pose_b, scratch, {.enough = 3 * expected.value});
    ASSERT_LE(enough.value, 3 * expected.value);
    ASSERT_LE(enough.lower, expected.value);
  }
  EXPECT_GE(3 * apart, count);
}

TEST(Oriented, TheDistanceOfBodiesFarApartIsNoHarder) {
  const Shape knot(scenes::bumpy_knot(200, 20));
  Scratch scratch;
  const auto exact_tests_at = [&](double far) {
    Stats stats;
    const Distance found =
        distance(knot, {}, knot, translation(far, 0.3 * far, -0.2 * far), scratch, {}, {.stats = &stats});
    EXPECT_TRUE(found.complete && found.found());
    return stats.exact_tests;
  };
  const std::uint64_t near = exact_tests_at(10);
  for (double far = 100; far < 1e10; far *= 10) EXPECT_LE(exact_tests_at(far), 4 * near + 100) << far;
}

TEST(Oriented, NeverLosesAPairWhereTheBoundsBegin) {
  // Two finely divided blocks a hair apart, flush, or a hair into each other, turned together so that nothing is exact: the
  // gap runs through all magnitudes at which a bound of boxes, blocks or batches might be a little too small.
  Scratch scratch;
  const Shape block(scenes::box({-1, -1, -1}, {1, 1, 1})), ball(scenes::sphere(1, 12, 24));
  const std::uint64_t count = test::scaled(160);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Quaternion turn = random.rotation();
    const Pose frame = Pose::make(turn, (seed % 3 == 0 ? 1e6 : 0.0) * random.point(-1, 1)).value();
    for (int exponent = -54; exponent <= -10; ++exponent)
      for (const double sign : {-1.0, 0.0, 1.0}) {
        const double gap = sign * std::ldexp(1 + double(random.below(1000)) / 1000, exponent);
        const Pose other = compose(frame, translation(2 + gap, 0.3, -0.2));
        for (const Shape* b : {&block, &ball}) {
          const auto expected = triangle_pairs(block, frame, *b, other, scratch, {.method = Method::brute});
          ASSERT_EQ(triangle_pairs(block, frame, *b, other, scratch), expected) << exponent << ' ' << sign;
          ASSERT_EQ(intersects(block, frame, *b, other, scratch), !expected.empty());
        }
      }
  }
}

TEST(Oriented, BoxesHoldWhatIsBelowThem) {
  const std::uint64_t count = test::scaled(300);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-300, 1e-9, 1.0, 1e5, 1e290}[random.below(5)];
    const Mesh mesh = test::scaled(some_mesh(random, random.below(7)), scale);
    EXPECT_EQ(Shape(mesh).validate(), std::nullopt);
  }
  EXPECT_EQ(Shape(scenes::bumpy_knot(400, 20)).validate(), std::nullopt);
  // One point, a line, and a mesh far from its origin.
  for (const Vec3 edge : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0x1p-40, 0, 0}}) {
    MeshInput in;
    in.vertices = {{1e8, 1, 1}, Vec3{1e8, 1, 1} + edge, {1e8, 1, 1}};
    in.triangles = {{0, 1, 2}, {2, 1, 0}, {0, 0, 0}};
    EXPECT_EQ(Shape(Mesh::build(std::move(in)).value()).validate(), std::nullopt);
  }
}

TEST(Oriented, ExtremeSizesAndPlacesAgreeWithBruteForce) {
  Scratch scratch;
  const Mesh unit = scenes::sphere(1, 6, 9);
  for (const double scale_a : {1e-300, 1e-40, 1.0, 1e40, 1e280})
    for (const double scale_b : {1e-300, 1e-40, 1.0, 1e40, 1e280})
      for (const double away : {0.0, 1e-300, 1.0, 1e40, 1e280}) {
        const Shape a(test::scaled(unit, scale_a)), b(test::scaled(unit, scale_b));
        const Pose pose = translation(away, away / 2, 0);
        const auto expected = triangle_pairs(a, {}, b, pose, scratch, {.method = Method::brute});
        EXPECT_EQ(triangle_pairs(a, {}, b, pose, scratch), expected) << scale_a << ' ' << scale_b << ' ' << away;
        EXPECT_EQ(intersects(a, {}, b, pose, scratch), !expected.empty());
      }
}

TEST(Oriented, DoesNotAllocateOnceWarm) {
  Scratch scratch;
  const Shape a(scenes::bumpy_knot(120, 8)), b(scenes::torus(0.7, 0.3, 40, 16));
  std::vector<TrianglePair> triangles;
  std::vector<SurfacePair> surfaces;
  std::uint64_t visited = 0;
  const auto visit = [&](const TrianglePair&) { return ++visited > 0; };
  const auto visit_surface = [&](const SurfacePair&) { return ++visited > 0; };
  const auto ask = [&](std::uint64_t seed) {
    Random random(seed);
    const Pose pose_a = random.pose(0.3), pose_b = random.pose(0.3);
    triangle_pairs(a, pose_a, b, pose_b, scratch, triangles);
    surface_pairs(a, pose_a, b, pose_b, scratch, surfaces);
    visit_triangle_pairs(a, pose_a, b, pose_b, scratch, visit);
    visit_surface_pairs(a, pose_a, b, pose_b, scratch, visit_surface);
    (void)first_pair(a, pose_a, b, pose_b, scratch);
    (void)first_surface_pair(a, pose_a, b, pose_b, scratch);
    (void)intersects(a, pose_a, b, pose_b, scratch);
    const Pose aside = compose(translation(2, 0, 0), pose_b);
    (void)distance(a, pose_a, b, aside, scratch);
    (void)within(a, pose_a, b, aside, 0.3, scratch);
    (void)distance(a, pose_a, b, compose(translation(1e9, 0, 0), pose_b), scratch);
    return triangles.size();
  };
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) most = std::max(most, ask(seed));
  ASSERT_GT(most, 100U);
  const std::size_t before = test::allocations();
  for (std::uint64_t seed = 0; seed < 100; ++seed) (void)ask(seed);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(visited, 0U);
}

TEST(Oriented, TheTreeIsTheSameForEveryThreadCount) {
  const Mesh mesh = scenes::bumpy_knot(500, 20);
  Scratch scratch;
  Stats one, many;
  const Shape a(mesh), b(mesh, {.threads = 4});
  EXPECT_EQ(b.validate(), std::nullopt);
  Random random(3);
  const Pose pose = random.pose(0.2);
  const auto expected = triangle_pairs(a, {}, a, pose, scratch, {.stats = &one});
  EXPECT_EQ(triangle_pairs(b, {}, b, pose, scratch, {.stats = &many}), expected);
  EXPECT_EQ(one, many);
}

TEST(Oriented, HalvedTreesAnswerTheSame) {
  Scratch scratch;
  const Mesh mesh = scenes::bumpy_knot(200, 12);
  const Shape searched(mesh), halved(mesh, {.quality = ShapeOptions::Quality::halved});
  EXPECT_EQ(halved.validate(), std::nullopt);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Pose a = random.pose(0.2), b = random.pose(0.2);
    EXPECT_EQ(triangle_pairs(halved, a, halved, b, scratch), triangle_pairs(searched, a, searched, b, scratch));
  }
}

TEST(Oriented, ARefittedTreeAnswersLikeANewOne) {
  Scratch scratch;
  const Mesh still = scenes::bumpy_knot(160, 10);
  const Shape shape(still), other(scenes::torus(0.7, 0.25, 36, 14));
  for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 stretch = Vec3{1, 1, 1} + random.point(-0.4, 0.4);
    const double wave = 0.2, far = seed % 2 == 0 ? 0 : 1e6;
    std::vector<Point3> moved;
    for (const Point3& p : still.vertices())
      moved.push_back({far + stretch.x * p.x, stretch.y * p.y + wave * p.x * p.x, stretch.z * p.z - wave * p.y});
    const Shape refitted = shape.updated(moved).value();
    EXPECT_EQ(refitted.validate(), std::nullopt);
    const Shape built(refitted.mesh());
    const Pose pose_a = translation(-far, 0, 0), pose_b = random.pose(0.3);
    const auto expected = triangle_pairs(built, pose_a, other, pose_b, scratch, {.method = Method::brute});
    EXPECT_EQ(triangle_pairs(refitted, pose_a, other, pose_b, scratch), expected);
    EXPECT_EQ(refitted.mesh().surface_of(7), still.surface_of(7));
  }
  EXPECT_EQ(shape.updated({{0, 0, 0}}).error().code, MeshError::Code::vertex_count_differs);
  std::vector<Point3> broken(still.vertices().begin(), still.vertices().end());
  broken[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(shape.updated(broken).error().code, MeshError::Code::non_finite_vertex);
}

TEST(ShapeCache, KeepsOneTreeForEqualMeshesAndForgetsTheOldest) {
  const auto ball = [](std::uint32_t rings) { return scenes::sphere(1, rings, 2 * rings); };
  ShapeCache cache;
  const Shape first = cache.get(ball(8));
  EXPECT_TRUE(cache.get(ball(8)).mesh().same_data(first.mesh())) << "equal, though made twice";
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_FALSE(cache.get(ball(8), {.quality = ShapeOptions::Quality::halved}).mesh().same_data(first.mesh()) &&
               cache.size() == 1);
  EXPECT_EQ(cache.size(), 2U);
  ShapeCache small(3 * first.bytes());
  for (std::uint32_t rings = 4; rings < 12; ++rings) (void)small.get(ball(rings));
  EXPECT_LE(small.bytes(), 3 * first.bytes());
  EXPECT_GE(small.size(), 1U);
  EXPECT_LT(small.size(), 8U);
  ShapeCache tiny(1);
  (void)tiny.get(ball(5));
  EXPECT_EQ(tiny.size(), 1U) << "the last one stays";
}

}  // namespace
}  // namespace snug
