#include "aligned_support.hpp"
#include "geometry/box_gap.hpp"
#include "geometry/closest_points.hpp"
#include "query/distance/closer.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

// Distances where doubles end, where many triangles are as close, and far apart.

namespace snug {
namespace {

using scenes::Random;

constexpr std::array k_instructions{Instructions::scalar, Instructions::sse2, Instructions::avx2};

Mesh mesh_of(const std::vector<Triangle>& triangles) {
  MeshInput in;
  for (const Triangle& t : triangles) {
    const auto k = static_cast<std::uint32_t>(in.vertices.size());
    in.vertices.insert(in.vertices.end(), t.corner.begin(), t.corner.end());
    in.triangles.push_back({k, k + 1, k + 2});
  }
  return Mesh::build(std::move(in)).value();
}

/// Everything that distance() tells, from method surface on every instruction set as from brute force.
Distance expect_same_as_brute(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  Scratch scratch;
  const Distance expected = distance(a, pose_a, b, pose_b, scratch, {}, {.method = Method::brute});
  for (const Instructions instructions : k_instructions) {
    const Distance found = distance(a, pose_a, b, pose_b, scratch, {}, {.instructions = instructions});
    EXPECT_EQ(found.value, expected.value);
    EXPECT_EQ(found.lower, expected.lower);
    EXPECT_TRUE(found.complete);
    if (expected.value == 0) continue;  // the first to touch ends the search
    EXPECT_EQ(std::pair(found.triangle_a, found.triangle_b), std::pair(expected.triangle_a, expected.triangle_b));
    EXPECT_EQ(found.on_a, expected.on_a);
    EXPECT_EQ(found.on_b, expected.on_b);
  }
  const bool meet = intersects(a, pose_a, b, pose_b, scratch, {.method = Method::brute});
  EXPECT_EQ(expected.value == 0, meet) << "zero exactly if they share a point";
  return expected;
}

TEST(Distance, FirstDigitsKeepTheOrderAndTwelveDigits) {
  using query::first_digits;
  const double infinity = std::numeric_limits<double>::infinity(), smallest = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(first_digits(0), 0);
  EXPECT_GT(first_digits(smallest), 0) << "not a touch";
  EXPECT_EQ(first_digits(infinity), infinity);
  EXPECT_EQ(first_digits(3 * (1 - 0x1p-50)), 3) << "a hair less than a round number";
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(1 + random.uniform(0, 1), static_cast<int>(random.below(2090)) - 1070);
    const double y = x * (1 + std::ldexp(random.uniform(0, 1), -38 - static_cast<int>(random.below(14))));
    ASSERT_LE(first_digits(x), first_digits(y)) << x;
    if (first_digits(x) == first_digits(y)) {
      ASSERT_LE(y - x, 1e-12 * x) << x;
    }
  }
}

TEST(Distance, ATouchIsCloserThanAnyGap) {
  // The triangles named first leave a gap that is nothing beside their size; later ones touch.
  const Triangle plate{{Point3{0, 0, 0}, Point3{1, 0, 0}, Point3{0, 1, 0}}};
  const auto above = [](double gap, double x) {
    return Triangle{{Point3{x, 0, gap}, Point3{x + 1, 0, gap}, Point3{x, 1, gap + 1}}};
  };
  for (int exponent = -1074; exponent <= 0; exponent += exponent < -1060 ? 1 : 7) {
    SCOPED_TRACE(exponent);
    const double gap = std::ldexp(1.0, exponent);
    const Shape one(mesh_of({plate})), apart(mesh_of({above(gap, 0), above(2 * gap, 0.125)})),
        touching(mesh_of({above(gap, 0), above(0, 0.125)}));
    const Distance away = expect_same_as_brute(one, {}, apart, {});
    EXPECT_GT(away.value, 0);
    EXPECT_NEAR(away.value, gap, 1e-15);
    EXPECT_EQ(expect_same_as_brute(one, {}, touching, {}).value, 0);
  }
}

TEST(Distance, IsTheSameOnEveryScale) {
  // Powers of two change no digit, as long as there are digits.
  const std::uint64_t count = test::scaled(60);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Mesh a = test::soup(random, 14), b = test::soup(random, 14);
    const Quaternion turn = random.rotation();
    const Vec3 away = std::array{2.5, 8.0, 300.0, 1e6}[random.below(4)] * random.point(0.3, 1);
    const Distance unit = expect_same_as_brute(Shape(a), {}, Shape(b), Pose::make(turn, away).value());
    for (int exponent = -960; exponent <= 960; exponent += 1 + static_cast<int>(random.below(60))) {
      SCOPED_TRACE(exponent);
      const double scale = std::ldexp(1.0, exponent);
      const Distance found = expect_same_as_brute(Shape(test::scaled(a, scale)), {}, Shape(test::scaled(b, scale)),
                                                  Pose::make(turn, scale * away).value());
      ASSERT_EQ(found.value, scale * unit.value);
      ASSERT_EQ(found.triangle_a, unit.triangle_a);
      ASSERT_EQ(found.triangle_b, unit.triangle_b);
    }
    for (const double scale : {0x1p-1010, 0x1p-1040, 0x1p-1060}) {
      const Distance found = expect_same_as_brute(Shape(test::scaled(a, scale)), {}, Shape(test::scaled(b, scale)),
                                                  Pose::make(turn, scale * away).value());
      EXPECT_NEAR(found.value, scale * unit.value, 64 * std::numeric_limits<double>::denorm_min() + 1e-12 * scale);
    }
  }
}

TEST(Distance, NoBoundIsTooLargeWhereSquaresUnderflow) {
  // Normals of triangles of this size have squared lengths of a few bits. A tracker begins with the triangles that were closest,
  // and rules out others by such normals.
  const std::uint64_t count = test::scaled(60);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::ldexp(1.0, -257 - static_cast<int>(seed % 12));
    const Shape a(test::scaled(scenes::sphere(1, 5, 7), scale)), b(test::scaled(test::soup(random, 20), scale));
    Tracker tracker(a, b);
    Pose turn = Pose::make(random.rotation(), {}).value();
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(step);
      turn = compose(rotation(random.point(-1, 1) + Vec3{0, 0, 0.01}, 0.2), turn);
      const Pose pose = Pose::make(turn.rotation(), scale * Vec3{random.uniform(2.5, 2.8), 0, 0}).value();
      const Distance expected = expect_same_as_brute(a, {}, b, pose), tracked = tracker.distance({}, pose);
      ASSERT_EQ(tracked.value, expected.value);
    }
  }
  // So have gaps of this size.
  const auto plate = [](double height) {
    const double size = 0x1p-530;
    return Triangle{{Point3{0, 0, height}, Point3{size, 0, height}, Point3{0, size, height}}};
  };
  for (int exponent = -545; exponent <= -500; ++exponent)
    for (int step = 0; step < 16; ++step) {
      const double gap = std::ldexp(1 + step / 16.0, exponent), more = gap * (1 + 0x1p-6);
      EXPECT_LE(geometry::gap_below({{0, 0, 0}, {1, 1, 0}}, {{0, 0, gap}, {1, 1, 1}}), gap);
      const Distance found =
          expect_same_as_brute(Shape(mesh_of({plate(0)})), {}, Shape(mesh_of({plate(more), plate(gap)})), {});
      EXPECT_EQ(found.value, gap);
    }
}

TEST(Distance, TrianglesMayBeOfAnySizeBesideOthers) {
  // Specks of all sizes around a point, seen from bodies at a distance: they are all where the point is.
  for (int exponent = -1070; exponent < -60; exponent += 9) {
    SCOPED_TRACE(exponent);
    Random random(static_cast<std::uint64_t>(2000 + exponent));
    const double size = std::ldexp(1.0, exponent);
    std::vector<Triangle> specks;
    for (int i = 0; i < 5; ++i)
      specks.push_back({{size * random.point(-1, 1), size * random.point(-1, 1), size * random.point(-1, 1)}});
    specks.push_back({{Point3{0, 0, 0}, Point3{size, 0, 0}, Point3{0, size, 0}}});
    std::vector<Triangle> others;
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 6; ++i) {
      Triangle t;
      for (Point3& p : t.corner) p = {random.uniform(1, 3), random.uniform(-3, 3), random.uniform(1, 2)};
      others.push_back(t);
      nearest = std::min(nearest, closest_points(t, {}).distance);
    }
    const Distance found = expect_same_as_brute(Shape(mesh_of(specks)), {}, Shape(mesh_of(others)), {});
    EXPECT_NEAR(found.value, nearest, 8 * 0x1p-52 + 4 * size);
    for (const Triangle& speck : specks)
      for (const Triangle& t : others)
        EXPECT_NEAR(closest_points(speck, t).distance, closest_points(t, {}).distance, 8 * 0x1p-52 + 4 * size);
  }
}

TEST(Distance, OfManyAsCloseTheSmallestIdsAreNamed) {
  // Plates of many triangles face to face, turned together: rounding makes all their distances a little different.
  const std::uint64_t count = test::scaled(60);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Triangle> plate;
    const std::uint32_t cells = 3 + static_cast<std::uint32_t>(random.below(4));
    for (std::uint32_t i = 0; i < cells; ++i)
      for (std::uint32_t j = 0; j < cells; ++j) {
        const double x = i, y = j;
        plate.push_back({{Point3{x, y, 0}, Point3{x + 1, y, 0}, Point3{x, y + 1, 0}}});
        plate.push_back({{Point3{x + 1, y + 1, 0}, Point3{x, y + 1, 0}, Point3{x + 1, y, 0}}});
      }
    for (std::size_t i = plate.size(); i > 1; --i) std::swap(plate[i - 1], plate[random.below(i)]);
    const double gap = std::ldexp(random.uniform(0.5, 2), -static_cast<int>(random.below(24)));
    const Shape a(mesh_of(plate)), b(test::scaled(a.mesh(), random.below(2) == 0 ? 1 : 0.7));
    const Pose frame = Pose::make(random.rotation(), (seed % 3 == 0 ? 1e3 : 1.0) * random.point(-1, 1)).value();
    const Pose above = compose(frame, translation(0.3, 0.2, gap));
    const Distance found = expect_same_as_brute(a, frame, b, above);
    // Those found are the smallest of all that are as close.
    Scratch scratch;
    double nearest = found.value;
    for (std::uint32_t t = 0; t < a.mesh().triangles().size(); ++t)
      for (std::uint32_t u = 0; u < b.mesh().triangles().size(); ++u) {
        const double here = closest_points(test::posed(a.mesh().view().triangle(t), frame),
                                           test::posed(b.mesh().view().triangle(u), above))
                                .distance;
        nearest = std::min(nearest, here);
        ASSERT_GE(here, found.value * (1 - 1e-12));
        if (std::pair(t, u) < std::pair(found.triangle_a, found.triangle_b)) {
          ASSERT_GT(here, found.value);
        }
      }
    // A clearance that some of them meet and others do not.
    Tracker tracker(a, b);
    for (const double clearance :
         {found.value, std::nextafter(found.value, 0.0), nearest, std::nextafter(nearest, 0.0)}) {
      for (const Method method : {Method::surface, Method::brute}) {
        EXPECT_EQ(within(a, frame, b, above, clearance, scratch, {.method = method}), nearest <= clearance);
        EXPECT_EQ(within(b, above, a, frame, clearance, scratch, {.method = method}), nearest <= clearance);
      }
      EXPECT_EQ(tracker.within(frame, above, clearance), nearest <= clearance);
    }
  }
}

/// A sphere whose vertices are moved in or out a little, each by its own amount.
Mesh rough_sphere(double radius, double roughness, Random& random) {
  const Mesh smooth = scenes::sphere(radius, 16, 20);
  MeshInput in;
  for (const Point3& p : smooth.view().vertices) in.vertices.push_back((1 + roughness * random.uniform(-1, 1)) * p);
  in.triangles.assign(smooth.view().triangles.begin(), smooth.view().triangles.end());
  return Mesh::build(std::move(in)).value();
}

// Planes keep whole blocks of one sphere away from those of the other: none that is the closest may be among them.
TEST(Distance, OfAShellInAShellIsThatOfBruteForce) {
  Random random(27);
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    const double roughness = i % 3 == 0 ? 0 : std::ldexp(1.0, -8 - i % 5);
    const Shape outer(rough_sphere(1, roughness, random)),
        inner(rough_sphere(i % 2 == 0 ? 0.9 : 0.98, roughness, random));
    const Pose turn = i % 4 == 0 ? Pose{} : rotation({0.6, 0, 0.8}, random.uniform(-3, 3));
    const Pose at = i % 4 < 2 ? turn : translation(random.uniform(0, 0.004), 0.002, 0) * turn;
    expect_same_as_brute(outer, turn, inner, at);
    expect_same_as_brute(inner, at, outer, turn);
  }
}

TEST(Distance, FarApartIsAsGoodAsNear) {
  const std::uint64_t count = test::scaled(120);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape a(seed % 2 == 0 ? test::soup(random, 24) : scenes::sphere(1, 5, 7)),
        b(test::scaled(seed % 3 == 0 ? scenes::bumpy_knot(12, 4) : test::soup(random, 24),
                       std::array{1.0, 1e-4, 30.0}[random.below(3)]));
    const Vec3 offset = (seed % 4 == 0 ? 1e7 : 0.0) * random.point(-1, 1);
    for (double far = 3; far < 1e15; far *= random.uniform(3, 300)) {
      SCOPED_TRACE(far);
      Vec3 towards = random.point(-1, 1);
      if (random.below(3) == 0) towards = {1, 0, 0};
      const Pose pose_a = Pose::make(random.rotation(), offset).value(),
                 pose_b = Pose::make(random.rotation(), offset + far * towards).value();
      const Distance found = expect_same_as_brute(a, pose_a, b, pose_b);
      Scratch scratch;
      for (const std::uint64_t steps : {1U, 4U, 20U})
        EXPECT_LE(try_distance(a, pose_a, b, pose_b, scratch, {.steps = steps})->lower, found.value);
      EXPECT_LE(distance(a, pose_a, b, pose_b, scratch, {.enough = 2 * found.value}).lower, found.value);
    }
  }
}

TEST(Distance, FarApartIsHardlySlowerThanNear) {
  // Where many are as close by first digits, ids lead the search. Beyond 1e13 bounds are too coarse for that in one pose of some
  // twenty-five, and there all pairs are compared.
  const Shape knot(scenes::bumpy_knot(40, 10));
  const double all = std::pow(static_cast<double>(knot.mesh().triangles().size()), 2);
  Scratch scratch;
  int compared_all = 0;
  for (double far = 10; far < 1e17; far *= 10)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const Pose pose = Pose::make(random.rotation(), far * random.uniform(1, 10) * random.point(0.1, 1)).value();
      Stats stats;
      EXPECT_TRUE(distance(knot, {}, knot, pose, scratch, {}, {.stats = &stats}).complete);
      const double share = static_cast<double>(stats.triangle_tests) / all;
      if (far < 1e12)
        EXPECT_LE(share, 0.1) << far;
      else
        compared_all += share > 0.5 ? 1 : 0;
    }
  EXPECT_LE(compared_all, 10) << "of 50";
}

TEST(Distance, WitnessesLieWhereTheDistanceIs) {
  const std::uint64_t count = test::scaled(300);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Shape a(test::soup(random, 20)), b(test::soup(random, 20));
    const Pose pose_a = random.pose(1), pose_b = random.pose(4);
    Scratch scratch;
    const Distance found = distance(a, pose_a, b, pose_b, scratch);
    const Vec3 between = found.on_b - found.on_a;
    EXPECT_NEAR(std::sqrt(between.x * between.x + between.y * between.y + between.z * between.z), found.value, 1e-14);
    const auto off = [&](const Shape& shape, const Pose& pose, std::uint32_t t, const Point3& p) {
      return closest_points(test::posed(shape.mesh().view().triangle(t), pose), {{p, p, p}}).distance;
    };
    EXPECT_LE(off(a, pose_a, found.triangle_a, found.on_a), 1e-14);
    EXPECT_LE(off(b, pose_b, found.triangle_b, found.on_b), 1e-14);
  }
}

TEST(Distance, GapsAlongADirectionAreLowerBounds) {
  using Long = long double;
  const std::uint64_t count = test::scaled(40000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Triangle a = random.triangle(-1, 1), b = random.triangle(-1, 1);
    const Vec3 offset = std::array{0.0, 1.0, 1e6}[random.below(3)] * random.point(-1, 1),
               apart = std::exp2(random.uniform(-6, 6)) * random.point(-1, 1);
    for (Point3& p : a.corner) p = p + offset;
    for (Point3& p : b.corner) p = p + offset + apart;
    const Vec3 some = random.point(-1, 1);
    const double length = std::sqrt(some.x * some.x + some.y * some.y + some.z * some.z);
    const Vec3 direction = random.below(2) == 0
                               ? geometry::approach(a, b, std::numeric_limits<double>::infinity()).direction
                               : (1 / length) * some;
    const auto along = [&](const Point3& p) {
      return Long{direction.x} * (Long{p.x} - a[0].x) + Long{direction.y} * (Long{p.y} - a[0].y) +
             Long{direction.z} * (Long{p.z} - a[0].z);
    };
    const auto [least_a, most_a] = std::minmax({along(a[0]), along(a[1]), along(a[2])});
    const auto [least_b, most_b] = std::minmax({along(b[0]), along(b[1]), along(b[2])});
    const Long exact = std::max({least_b - most_a, least_a - most_b, Long{0}}) /
                       std::max(std::sqrt(Long{direction.x} * direction.x + Long{direction.y} * direction.y +
                                          Long{direction.z} * direction.z),
                                Long{0.5});
    const double found = geometry::gap_along(direction, a, b);
    ASSERT_LE(found, exact);
    ASSERT_GE(found, exact * (1 - 0x1p-47L) - 0x1p-40L);
  }
}

TEST(Distance, AFootBesideACornerIsNotLost) {
  // A corner of one triangle just above another, next to a corner of that and a hair inside its edge: seen from there, the angle to
  // the edge is mostly rounding.
  using Long = long double;
  const auto inner = [](const std::array<Long, 3>& u, const std::array<Long, 3>& v) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  };
  const auto outer = [](const std::array<Long, 3>& u, const std::array<Long, 3>& v) {
    return std::array<Long, 3>{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  };
  const auto from_to = [](const Point3& p, const Point3& q) {
    return std::array<Long, 3>{Long{q.x} - p.x, Long{q.y} - p.y, Long{q.z} - p.z};
  };
  const auto vector = [](const std::array<Long, 3>& v) { return Vec3{double(v[0]), double(v[1]), double(v[2])}; };
  const std::uint64_t count = test::scaled(40000);
  std::uint64_t inside = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Triangle face = random.triangle(-1, 1);
    const auto edge = from_to(face[0], face[1]), normal = outer(edge, from_to(face[0], face[2]));
    const Long length = std::sqrt(inner(edge, edge)), area = std::sqrt(inner(normal, normal));
    if (area < 0.1L * length) continue;
    const auto inward = outer(normal, edge);
    const double along = std::exp2(-random.uniform(36, 45)), high = along * std::exp2(-random.uniform(0, 6)),
                 aside = std::exp2(-random.uniform(52.5, 54.5));
    const Point3 p = face[0] + (along / double(length)) * vector(edge) + (high / double(area)) * vector(normal) +
                     (aside / double(area * length)) * vector(inward);
    const auto to = from_to(face[0], p);
    const auto above = [&](int corner) {
      const Point3 &q = face[static_cast<std::size_t>(corner)], &r = face[static_cast<std::size_t>((corner + 1) % 3)];
      return inner(outer(from_to(q, r), from_to(q, p)), normal) > 0;
    };
    const Long height = inner(to, normal) / area;
    if (!above(0) || !above(1) || !above(2) || !(height > 0x1p-49L)) continue;
    ++inside;
    const Vec3 up = (1 / double(area)) * vector(normal);
    const Triangle spike{{p, p + 0.7 * up + 0.1 * random.point(-1, 1), p + 0.9 * up + 0.1 * random.point(-1, 1)}};
    ASSERT_NEAR(closest_points(spike, face).distance, double(height), 1e-12 * double(height));
  }
  EXPECT_GE(10 * inside, count);
}

TEST(Distance, BruteForceCountsToo) {
  const Shape ball(scenes::sphere(1, 7, 10));
  Scratch scratch;
  Stats stats;
  (void)distance(ball, {}, ball, translation(3, 0, 0), scratch, {}, {.method = Method::brute, .stats = &stats});
  const std::uint64_t triangles = ball.mesh().triangles().size();
  EXPECT_EQ(stats.box_tests, triangles * triangles);
  EXPECT_GT(stats.exact_tests, 0U);
  EXPECT_LT(stats.exact_tests, stats.box_tests);
  EXPECT_EQ(stats.triangle_tests, stats.exact_tests);
}

}  // namespace
}  // namespace snug
