// The first contact of two shapes on their ways, held to dense sampling with exact predicates and to check_path().

#include "ccd/relative_motion.hpp"
#include "count_allocations.hpp"
#include "query/distance/nearest.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace snug {
namespace {

using scenes::Random;

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

Vec3 direction(Random& random) {
  for (;;) {
    const Vec3 v = random.point(-1, 1);
    if (const double l = length(v); l > 0.1 && l <= 1) return (1 / l) * v;
  }
}

/// Turns of up to half a turn between keys, about one axis or several, not always from time 0.
Motion some_way(Random& random, int keys, double reach, double widest) {
  std::vector<PoseKey> out;
  const double begin = random.uniform(-3, 1);
  const Vec3 axis = direction(random);
  const bool one_axis = random.uniform(0, 1) < 0.5;
  double angle = random.uniform(-3, 3);
  for (int i = 0; i < keys; ++i) {
    angle += random.uniform(-1, 1) * widest;
    const Vec3 at = random.point(-reach, reach);
    out.push_back({begin + i + random.uniform(0, 0.5),
                   compose(translation(at.x, at.y, at.z), rotation(one_axis ? axis : direction(random), angle))});
  }
  return Motion::make(std::move(out), Arc::shorter).value();
}

struct Case {
  Shape a, b;
  Motion way_a, way_b;
};

/// Plates, rods whose pivot is at their end or far away, balls and knots; one of them at rest, or both on their ways.
Case some_case(std::uint64_t seed) {
  Random random(seed);
  const Mesh meshes[] = {scenes::box({-1, -0.5, -0.0005}, {1, 0.5, 0.0005}),
                         scenes::box({-0.02, -0.02, -0.02}, {4, 0.02, 0.02}),
                         scenes::torus(1, 0.3, 12, 8),
                         scenes::sphere(0.6, 6, 8),
                         scenes::box({3, 3, 3}, {4, 4.5, 3.5}),
                         scenes::bumpy_knot(60, 6)};
  const double reach = random.uniform(0.5, 4);
  const int keys = 2 + static_cast<int>(random.below(3));
  Motion way_a = some_way(random, keys, reach, random.uniform(0, 3.14));
  Motion way_b = random.below(2) == 0 ? Motion::rest(some_way(random, 1, 1, 3).at(0)) : some_way(random, 3, 1, 1.5);
  // Every third goes on with a turn about an axis, a screw among them, and some to a pose after that.
  if (seed % 3 == 1) {
    const Turn turn{random.point(-3, 3), direction(random), random.uniform(-8, 8),
                    random.below(2) == 0 ? 0 : random.uniform(-1, 1)};
    way_a = way_a.then(way_a.end() + random.uniform(0.3, 2), turn).value();
    if (random.below(2) == 0) way_a = way_a.then(way_a.end() + 0.5, way_a.keys().front().pose, Arc::shorter).value();
  }
  return {Shape(meshes[seed % 6]), Shape(meshes[(seed / 6) % 6]), std::move(way_a), std::move(way_b)};
}

TimeSpan range_of(const Case& c) {
  TimeSpan range{c.way_a.begin(), c.way_a.end()};
  if (c.way_b.keys().size() > 1) range = {std::min(range.begin, c.way_b.begin()), std::max(range.end, c.way_b.end())};
  return range;
}

TEST(FirstContactProperty, DenseSamplingFindsNothingThatWasMissed) {
  std::size_t hits = 0, misses = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = some_case(seed);
    Scratch scratch;
    const double separation = seed % 3 == 0 ? 0.05 : 0;
    const auto found = first_contact(c.a, c.way_a, c.b, c.way_b, scratch, {.separation = separation}).value();
    ASSERT_TRUE(found.decided());
    (found.yes() ? hits : misses)++;
    const TimeSpan range = range_of(c);
    EXPECT_GE(found->t, range.begin);
    EXPECT_LE(found->t, range.end);
    // Before: nothing, at 200 instants and ever closer to the contact. Bodies sampled are posed with their own rounding.
    const auto clear_at = [&](double t) {
      if (t < range.begin || (t >= found->t && found.yes())) return true;
      const Pose a = c.way_a.at(t), b = c.way_b.at(t);
      return separation > 0 ? !within(c.a, a, c.b, b, separation, scratch) : !intersects(c.a, a, c.b, b, scratch);
    };
    for (int i = 0; i <= 200; ++i) ASSERT_TRUE(clear_at(range.begin + i / 200.0 * range.length())) << i;
    if (!found.yes()) continue;
    for (int i = 2; i < 40; ++i) ASSERT_TRUE(clear_at(found->t - std::ldexp(range.length(), -i))) << i;
    // At it: as close as told, by the triangles named.
    const Pose a = c.way_a.at(found->t), b = c.way_b.at(found->t);
    EXPECT_LE(found->distance, separation + found->resolution);
    EXPECT_TRUE(within(c.a, a, c.b, b, separation + 1.01 * found->resolution, scratch));
    const Triangle ta = test::posed(c.a.mesh().view().triangle(found->triangle_a), a);
    const Triangle tb = test::posed(c.b.mesh().view().triangle(found->triangle_b), b);
    EXPECT_LE(closest_points(ta, tb).distance, separation + 1.01 * found->resolution);
    EXPECT_NEAR(length(found->on_a - found->on_b), found->distance, 1e-12);
  }
  EXPECT_GT(hits, 10U);
  EXPECT_GT(misses, 2U);
}

TEST(FirstContactProperty, AgreesWithTheWholePath) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1000; seed < 1000 + std::max<std::uint64_t>(test::scaled(40), 12); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = some_case(seed);
    Scratch scratch;
    const auto found = first_contact(c.a, c.way_a, c.b, c.way_b, scratch).value();
    const auto path = check_path(c.a, c.way_a, c.b, c.way_b, {.time_tolerance = 1e-7, .surfaces = false}).value();
    if (found.yes()) {
      EXPECT_TRUE(path.first_contact);
    }
    if (!path.first_contact) continue;
    // A part inside another is in contact for check_path() alone.
    if (!found.yes()) {
      EXPECT_EQ(path.verdict, Verdict::contained);
      continue;
    }
    // check_path() counts what is within 2^-30 of the sizes, which comes a little earlier, more so if bodies graze.
    EXPECT_LE(path.first_contact->t_lo, found->t + 1e-9);
    if (path.verdict != Verdict::contained && path.first_contact->t_lo > range_of(c).begin) {
      EXPECT_NEAR(path.first_contact->t_hi, found->t, 1e-3);
    }
    ++compared;
  }
  EXPECT_GT(compared, 2U);
}

TEST(FirstContactProperty, ExchangingTheBodiesExchangesTheirPlacesAlone) {
  for (std::uint64_t seed = 2000; seed < 2000 + test::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = some_case(seed);
    Scratch scratch, other;
    const auto there = first_contact(c.a, c.way_a, c.b, c.way_b, scratch).value();
    auto back = first_contact(c.b, c.way_b, c.a, c.way_a, other).value();
    std::swap(back.known.triangle_a, back.known.triangle_b);
    std::swap(back.known.on_a, back.known.on_b);
    EXPECT_EQ(there, back);
    EXPECT_EQ(first_contact(c.a, c.way_a, c.b, c.way_b, other).value(), there);  // memory that was used shows nowhere
  }
}

TEST(FirstContactProperty, LargeBodiesAreHeldToSamples) {
  // Beyond a million pairs of triangles spans are cleared by distances first.
  const Shape knot(scenes::bumpy_knot(120, 10));
  std::size_t hits = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 way = direction(random), axis = direction(random);
    const Vec3 aside = random.uniform(0, 1) * random.point(-1.5, 1.5);
    const Pose start = random.pose(0);
    const auto at = [&](double t) {
      const Vec3 p = aside + (-2.5 + 5 * t) * way;
      return compose(compose(translation(p.x, p.y, p.z), rotation(axis, 2 * t)), start);
    };
    const Motion moves = Motion::make({{0, at(0)}, {0.6, at(0.6)}, {1, at(1)}}).value();
    const Motion other =
        seed % 2 == 0 ? Motion::rest({}) : Motion::make({{0, {}}, {1, rotation(direction(random), 1)}}).value();
    Scratch scratch;
    const auto found = first_contact(knot, moves, knot, other, scratch).value();
    for (int i = 0; i <= 100; ++i) {
      const double t = i / 100.0;
      if (found.yes() && t >= found->t) break;
      ASSERT_FALSE(intersects(knot, moves.at(t), knot, other.at(t), scratch)) << t;
    }
    if (!found.yes()) continue;
    ++hits;
    EXPECT_TRUE(within(knot, moves.at(found->t), knot, other.at(found->t), 1.01 * found->resolution, scratch));
    for (int i = 4; i < 36; ++i) {
      const double t = std::max(0.0, found->t - std::ldexp(1.0, -i));
      ASSERT_TRUE(t >= found->t || !intersects(knot, moves.at(t), knot, other.at(t), scratch)) << i;
    }
  }
  EXPECT_GT(hits, 1U);
}

TEST(FirstContactProperty, LargeBodiesKeepTheirSeparation) {
  const Shape knot(scenes::bumpy_knot(120, 10));
  const double separation = 0.4;
  std::size_t hits = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 way = direction(random), aside = random.uniform(0, 2.5) * direction(random);
    const Vec3 from = aside - 3 * way, to = aside + 3 * way;
    // At rest for most of the time, then past the other at once.
    const Pose start = translation(from.x, from.y, from.z), end = translation(to.x, to.y, to.z);
    const Motion moves =
        Motion::make({{0, start}, {0.5 + 0.1 * static_cast<double>(seed % 5), start}, {1, end}}).value();
    Scratch scratch;
    const auto found = first_contact(knot, moves, knot, Motion::rest({}), scratch, {.separation = separation}).value();
    for (int i = 0; i <= 200; ++i) {
      const double t = i / 200.0;
      if (found.yes() && t >= found->t) break;
      ASSERT_FALSE(within(knot, moves.at(t), knot, {}, separation, scratch)) << t;
    }
    hits += found.yes() ? 1 : 0;
  }
  EXPECT_GT(hits, 0U);
}

TEST(FirstContact, LooksAtAllWhereTooMuchIsNear) {
  // Two plates of many triangles, one a hair above the other, hold more near pairs than are listed. Beside them two fins pass through each
  // other, near when the list is made, but less so than the plates.
  constexpr std::uint32_t k_side = 24;
  const auto body = [](double z, double fin) {
    std::vector<Point3> points;
    std::vector<Index3> triangles;
    for (std::uint32_t i = 0; i <= k_side; ++i)
      for (std::uint32_t k = 0; k <= k_side; ++k) points.push_back({1.0 * i / k_side, 1.0 * k / k_side, z});
    for (std::uint32_t i = 0; i < k_side; ++i)
      for (std::uint32_t k = 0; k < k_side; ++k) {
        const std::uint32_t p = i * (k_side + 1) + k, q = p + k_side + 1;
        triangles.push_back({p, q, p + 1}), triangles.push_back({q, q + 1, p + 1});
      }
    const auto first = static_cast<std::uint32_t>(points.size());
    for (const Point3& p : {Point3{fin, 0, -0.1}, Point3{fin, 1, -0.1}, Point3{fin, 0, 0.1}}) points.push_back(p);
    triangles.push_back({first, first + 1, first + 2});
    return Shape(Mesh::build({std::move(points), std::move(triangles), {}, {}}).value());
  };
  const Shape below = body(0, 2), above = body(5e-6, 2 - 2e-6);
  const Motion slides = Motion::make({{0, {}}, {1, translation(0.1, 0, 0)}}).value();
  Scratch scratch;
  const auto met = first_contact(above, slides, below, Motion::rest({}), scratch).value();
  ASSERT_TRUE(met.yes());
  EXPECT_NEAR(met->t, 2e-5, 1e-9);
  EXPECT_EQ(met->triangle_a, 2 * k_side * k_side);
  EXPECT_EQ(met->triangle_b, 2 * k_side * k_side);
}

TEST(FirstContactProperty, SeesTheOnePieceThatIsFast) {
  // Slow ones before and after it, taken together with it in blocks of any size.
  const Shape rod(scenes::box({0.5, -0.05, -0.05}, {3, 0.05, 0.05})),
      post(scenes::box({-0.05, -0.05, -1}, {0.05, 0.05, 1}));
  const Shape ball(scenes::sphere(0.3, 6, 8));  // more triangles than the rod: comes second
  Scratch scratch;
  for (int pieces = 2; pieces <= 17; ++pieces)
    for (int fast = 0; fast < pieces; ++fast)
      for (const double way : {1.0, -1.0})
        for (const bool turns : {false, true})
          for (const Shape* other : {&post, &ball}) {
            SCOPED_TRACE(testing::Message()
                         << fast << " of " << pieces << ", " << way << (turns ? " turns" : " shifts"));
            std::vector<PoseKey> keys;
            for (int i = 0; i <= pieces; ++i) {
              // From one side to the other in the fast piece; slow ones go no farther than 0.01.
              const double s = way * ((i <= fast ? -1.0 : 1.0) + 0.01 * i / pieces);
              keys.push_back({static_cast<double>(i), turns ? rotation({0, 0, 1}, s) : translation(-2, 4 * s, 0)});
            }
            const Motion motion = Motion::make(std::move(keys)).value();
            const Motion rest = Motion::rest(translation(turns ? 2 : -0.5, 0, 0));
            const auto met = first_contact(rod, motion, *other, rest, scratch).value();
            ASSERT_TRUE(met.yes());
            EXPECT_GT(met->t, fast + 0.3);
            EXPECT_LT(met->t, fast + 0.6);
          }
}

TEST(FirstContactProperty, TurnsHalfTurnsTheWayMotionsDo) {
  // Of a half turn rounding alone decides which way it goes.
  for (std::uint64_t seed = 0; seed < test::scaled(500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose from = random.pose(0), to = compose(from, rotation(direction(random), std::acos(-1.0)));
    const Motion motion = Motion::make({{0, from}, {1, to}}, Arc::shorter).value();
    ccd::RelativeMotion relative;
    ASSERT_TRUE(relative.set(Motion::rest({}), 1, motion, 1, {0, 1}, 2));
    const Vec3 spin = relative.piece(0).spin_b;
    const Pose turned = compose(rotation((1 / length(spin)) * spin, 0.25 * length(spin)), from);
    const Point3 p{0.3, -0.4, 0.5};
    ASSERT_LT(length(turned.apply(p) - motion.at(0.25).apply(p)), 1e-12);
  }
}

TEST(FirstContactProperty, CostsNoMoreForTenTimesTheKeys) {
  const Shape ball(scenes::sphere(1, 16, 24)), ring(scenes::torus(3, 0.8, 48, 16));
  const auto way = [](int keys) {
    std::vector<PoseKey> out;
    for (int i = 0; i <= keys; ++i) {
      const double t = static_cast<double>(i) / keys;
      out.push_back({t, compose(translation(-12 + 10.5 * t, 0.3, 2 - 0.5 * t), rotation({1, 0.2, 0}, 1.5 * t))});
    }
    return Motion::make(std::move(out)).value();
  };
  Scratch scratch;
  const Motion rest = Motion::rest({});
  const auto few = first_contact(ball, way(10), ring, rest, scratch).value();
  for (const int keys : {100, 1000, 10'000}) {
    SCOPED_TRACE(keys);
    const auto many = first_contact(ball, way(keys), ring, rest, scratch).value();
    EXPECT_EQ(many.yes(), few.yes());
    EXPECT_TRUE(many.decided());
    EXPECT_NEAR(many->t, few->t, 1e-9);
    EXPECT_LT(many->pairs, 3 * few->pairs + 50);
  }
  const auto cut = first_contact(ball, way(100), ring, rest, scratch, {.budget = {.steps = few->pairs / 2}}).value();
  EXPECT_FALSE(cut.decided());
  EXPECT_LE(cut->t, few->t);
}

TEST(FirstContactProperty, TravelBoundsEveryPoint) {
  // No two points get closer, by the distance of their bodies' places along any direction, than RelativeMotion tells.
  for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Motion a = some_way(random, 2 + static_cast<int>(random.below(6)), 3, 3.1);
    const Motion b = some_way(random, 2 + static_cast<int>(random.below(6)), 3, 3.1);
    const TimeSpan range{std::max(a.begin(), b.begin()), std::min(a.end(), b.end())};
    if (!(range.begin < range.end)) continue;
    ccd::RelativeMotion relative;
    ASSERT_TRUE(relative.set(a, 2, b, 2, range, 10));
    const Point3 pa = 2 * direction(random), pb = 2 * direction(random);
    const double from = random.uniform(range.begin, range.end), to = random.uniform(from, range.end);
    const double travel = relative.travel({from, to}) + 1e-12;
    const auto apart = [&](double t) { return b.at(t).apply(pb) - a.at(t).apply(pa); };
    const Vec3 start = apart(from);
    for (int i = 0; i <= 50; ++i) {
      const double t = from + i / 50.0 * (to - from);
      ASSERT_LE(length(apart(t) - start), travel);
    }
  }
}

TEST(FirstContact, KnowsWhatCanBeWorkedOut) {
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch scratch;
  // Two unit cubes, one comes from x = 10 at speed 10: faces meet at x = 2, t = 0.8.
  const Motion comes = Motion::make({{0, translation(10, 0.5, 0)}, {1, translation(0, 0.5, 0)}}).value();
  const auto met = first_contact(cube, comes, cube, Motion::rest({}), scratch).value();
  ASSERT_TRUE(met.yes());
  EXPECT_NEAR(met->t, 0.8, 1e-11);
  const auto earlier = first_contact(cube, comes, cube, Motion::rest({}), scratch, {.separation = 1}).value();
  EXPECT_NEAR(earlier->t, 0.7, 1e-11);
  EXPECT_TRUE(first_contact(cube, comes, cube, Motion::rest({}), scratch, {.range = TimeSpan{0, 0.79}})->no());
  // A corner at distance sqrt(2) sweeps past a wall at 1.2: cos = 1.2 / sqrt(2) short of 45 degrees.
  const Shape wall(scenes::box({1.2, -9, -9}, {2, 9, 9}));
  const Motion turns = Motion::make({{0, {}}, {1, rotation({0, 0, 1}, 1)}}).value();
  const auto corner = first_contact(cube, turns, wall, Motion::rest({}), scratch).value();
  ASSERT_TRUE(corner.yes());
  EXPECT_NEAR(corner->t, std::acos(-1.0) / 4 - std::acos(1.2 / std::sqrt(2.0)), 1e-10);
  // At once, at rest, and at one instant.
  EXPECT_EQ(first_contact(cube, Motion::rest({}), cube, Motion::rest(translation(1, 1, 1)), scratch).value()->t, 0);
  EXPECT_TRUE(first_contact(cube, Motion::rest({}), cube, Motion::rest(translation(1, 1, 1)), scratch)->yes());
  EXPECT_TRUE(first_contact(cube, Motion::rest({}), cube, Motion::rest(translation(3, 1, 1)), scratch)->no());
  EXPECT_TRUE(first_contact(cube, comes, cube, Motion::rest({}), scratch, {.range = TimeSpan{0.9, 0.9}})->yes());
  // Flush faces that slide touch from the beginning; a hair above they never do.
  const auto slide = [](double z) {
    return Motion::make({{0, translation(-9, 0, z)}, {1, translation(9, 0, z)}}).value();
  };
  EXPECT_TRUE(first_contact(cube, slide(2), cube, Motion::rest({}), scratch)->yes());
  EXPECT_TRUE(first_contact(cube, slide(2 + 1e-9), cube, Motion::rest({}), scratch)->no());
}

TEST(FirstContact, MissesNothingBetweenNeighbouringTimes) {
  // Sheets that pass through each other from one double to the next, by the clock of a computer and by others that are late.
  const auto sheet = [](double size) {
    return Shape(Mesh::build({{{-size, -size, 0}, {size, -size, 0}, {0, size, 0}}, {{0, 1, 2}}, {}, {}}).value());
  };
  const Shape small = sheet(1), large = sheet(2);
  Scratch scratch;
  for (const double begin : {0.0, -1e4, 1e4, 1e5, 1e6, 1.7e9, 1e15})
    for (int i = 0; i < 40; ++i) {
      SCOPED_TRACE(testing::Message() << begin << ' ' << i);
      const double beyond = 1 + 0.013 * i, turn = i % 2 == 0 ? 0 : 0.3;
      const auto way = [&](double aside) {
        return Motion::make({{begin, compose(translation(aside, 0.2, -1), rotation({0, 0, 1}, -turn))},
                             {begin + 1, compose(translation(aside, 0.2, beyond), rotation({0, 0, 1}, turn))}})
            .value();
      };
      const auto met = first_contact(small, way(0.1), large, Motion::rest({}), scratch).value();
      ASSERT_TRUE(met.yes());
      EXPECT_NEAR(met->t, begin + 1 / (1 + beyond), 1e-11 + 0x1p-51 * std::abs(begin));
      EXPECT_TRUE(first_contact(small, way(5), large, Motion::rest({}), scratch)->no());
    }
}

TEST(FirstContact, MissesNothingTooSmallOrTooSlowForSquares) {
  // Speeds whose squares are zero in doubles are speeds all the same.
  Scratch scratch;
  for (const double size : {1e-50, 1e-59, 1e-100, 1e-160, 1e-165, 1e-200, 1e-300}) {
    SCOPED_TRACE(size);
    const Shape cube(scenes::box({-size, -size, -size}, {size, size, size}));
    const Motion past = Motion::make({{0, translation(10 * size, 0, 0)}, {1, translation(-10 * size, 0, 0)}}).value();
    const auto met = first_contact(cube, past, cube, Motion::rest({}), scratch).value();
    ASSERT_TRUE(met.yes());
    EXPECT_LE(met->t, 0.4);
    EXPECT_LE(met->distance, met->resolution);
    if (size > 1e-55) {
      EXPECT_NEAR(met->t, 0.4, 1e-9);
    }
  }
  const Shape rod(scenes::box({-3, -0.01, -0.01}, {3, 0.01, 0.01}));
  const Shape post(scenes::box({-0.01, -0.01, -1}, {0.01, 0.01, 1}));
  for (const double length : {1.0, 1e30, 1e60, 1e100, 1e200, 1e300}) {
    SCOPED_TRACE(length);
    const Motion turns = Motion::make({{0, {}}, {length, rotation({0, 0, 1}, 2)}}).value();
    const auto met = first_contact(rod, turns, post, Motion::rest(translation(0, 2, 0)), scratch);
    ASSERT_EQ(met.has_value(), length <= 1e60);
    if (met) {
      EXPECT_NEAR(met.value()->t / length, 0.78037308, 1e-8);
    } else {
      EXPECT_EQ(met.error().code, PathError::Code::bad_range);
    }
  }
}

TEST(FirstContact, DoesNotAllocateOnceItHasBeenAsked) {
  const Shape knot(scenes::bumpy_knot(120, 10)), cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  std::vector<PoseKey> keys;
  for (int i = 0; i <= 20; ++i)
    keys.push_back({i * 0.1, compose(translation(6 - 0.3 * i, 0.1, 0), rotation({1, 2, 3}, 0.1 * i))});
  const Motion many = Motion::make(keys).value(), two = Motion::make({keys.front(), keys.back()}).value();
  const Motion rest = Motion::rest({});
  Scratch scratch;
  std::size_t before = 0;
  for (int round = 0; round < 3; ++round) {
    before = test::allocations();
    for (const Motion* motion : {&many, &two})
      for (const Shape* shape : {&knot, &cube}) EXPECT_TRUE(first_contact(*shape, *motion, knot, rest, scratch)->yes());
  }
  EXPECT_EQ(test::allocations(), before);
}

TEST(FirstContact, RefusesWhatMakesNoSenseAndEndsWhenTold) {
  using Code = PathError::Code;
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scratch scratch;
  const Motion comes = Motion::make({{0, translation(10, 0, 0)}, {1, translation(0, 0, 0)}}).value();
  const auto code = [&](const FirstContactOptions& options) {
    const auto result = first_contact(cube, comes, cube, Motion::rest({}), scratch, options);
    EXPECT_FALSE(result);
    return result ? Code::motion_count : result.error().code;
  };
  EXPECT_EQ(code({.separation = -1}), Code::bad_length);
  EXPECT_EQ(code({.separation = NAN}), Code::bad_length);
  EXPECT_EQ(code({.range = TimeSpan{1, 0}}), Code::bad_range);
  EXPECT_EQ(code({.range = TimeSpan{0, INFINITY}}), Code::bad_range);
  const Motion far = Motion::make({{0, translation(1e100, 0, 0)}, {1, {}}}).value();
  EXPECT_EQ(first_contact(cube, far, cube, Motion::rest({}), scratch).error().code, Code::bad_coordinate);
  const Motion hasty = Motion::make({{0, translation(10, 0, 0)}, {1e-305, translation(0, 0, 0)}}).value();
  EXPECT_EQ(first_contact(cube, hasty, cube, Motion::rest({}), scratch).error().code, Code::bad_range);
  // Times that doubles hardly tell apart: 16 to a second. What is between them is one instant, never a contact out of thin air.
  const Motion late = Motion::make({{1e15, translation(10, 9, 0)}, {1e15 + 1, translation(0, 9, 0)}}).value();
  EXPECT_TRUE(first_contact(cube, late, cube, Motion::rest({}), scratch)->no());
  const Motion quick = Motion::make({{0, translation(10, 0, 0)}, {1e-80, translation(0, 0, 0)}}).value();
  EXPECT_NEAR(first_contact(cube, quick, cube, Motion::rest({}), scratch).value()->t / 1e-80, 0.8, 1e-9);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_FALSE(first_contact(cube, comes, cube, Motion::rest({}), scratch, {.budget = {.cancel = &cancel}})->decided());
  EXPECT_FALSE(first_contact(cube, comes, cube, Motion::rest({}), scratch, {.budget = {.steps = 0}})->decided());
  const auto because = [&](const Budget& budget) {
    return first_contact(cube, comes, cube, Motion::rest({}), scratch, {.budget = budget})->because;
  };
  EXPECT_EQ(because({.cancel = &cancel}), Undecided::cancelled);
  EXPECT_EQ(because({.steps = 0}), Undecided::steps);
  EXPECT_EQ(because(Budget::lasting(std::chrono::nanoseconds(0))), Undecided::deadline);
  EXPECT_EQ(because({}), std::nullopt);
}

TEST(FirstContact, TheListOfWhatIsNearEndsWhenTold) {
  const Shape knot(scenes::bumpy_knot(120, 12));
  const Pose pose = translation(0.1, 0.2, 0.3);
  Scratch scratch;
  const query::OrientedPair bodies = query::oriented_pair(knot, {}, knot, pose, {});
  const DistanceLimits limits;
  auto& memory = detail::Access::data(scratch).get<query::SearchMemory>();
  query::NearPairs near;
  support::Fuel enough;
  query::Nearest(bodies, limits, memory).gather(near, 0.01, nullptr, enough);
  EXPECT_FALSE(enough.why());
  EXPECT_GT(near.horizon, 0);
  CancelToken token;
  token.cancel();
  for (const Budget& budget :
       {Budget{.cancel = &token}, Budget::lasting(std::chrono::seconds(-1)), Budget{.steps = 3}}) {
    support::Fuel fuel(budget);
    query::Nearest(bodies, limits, memory).gather(near, 0.01, nullptr, fuel);
    EXPECT_TRUE(fuel.why());
    EXPECT_EQ(near.horizon, 0);
  }
}

TEST(FirstContact, NeverIsClearOnTooSmallABudget) {
  // Small bodies and large ones, of which time is halved first; ways with contact and without.
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1})), knot(scenes::bumpy_knot(120, 10));
  const Motion rest = Motion::rest({});
  Scratch scratch;
  for (const Shape* shape : {&cube, &knot})
    for (const double aside : {0.0, 1.5, 2.2, 3.0}) {
      const Motion past =
          Motion::make({{0, translation(9, aside, 0)}, {1, compose(translation(-9, aside, 0), rotation({0, 0, 1}, 1))}})
              .value();
      const auto whole = first_contact(*shape, past, *shape, rest, scratch).value();
      ASSERT_TRUE(whole.decided());
      for (std::uint64_t budget = 0; budget <= whole->pairs; ++budget) {
        SCOPED_TRACE(testing::Message() << aside << ' ' << budget << " of " << whole->pairs);
        const auto cut = first_contact(*shape, past, *shape, rest, scratch, {.budget = {.steps = budget}}).value();
        ASSERT_EQ(cut.decided(), budget >= whole->pairs);
        ASSERT_EQ(cut.yes(), cut.decided() && whole.yes());
        EXPECT_LE(cut->t, whole->t);
      }
      CancelToken cancel;
      cancel.cancel();
      EXPECT_FALSE(first_contact(*shape, past, *shape, rest, scratch, {.budget = {.cancel = &cancel}})->decided());
    }
}

}  // namespace
}  // namespace snug
