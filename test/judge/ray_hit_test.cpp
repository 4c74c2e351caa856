#include "judge_support.hpp"
#include "rational_judge.hpp"

#include <snug/triangle.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace snug::judge {
namespace {

struct Shot {
  Ray ray;
  Triangle target;
};

struct Counts {
  std::size_t missed = 0;
  std::array<std::size_t, 3> hit{};
};

void check_shot(const Shot& shot, double t_tolerance, Counts& counts) {
  const auto judged = rational_ray_hit(shot.ray, shot.target);
  const auto text = [&] {
    return "\n  origin = " + to_hex(shot.ray.origin) + "\n  direction = " + to_hex(shot.ray.direction) +
           "\n  triangle = " + to_hex(shot.target);
  };
  if (judged) {
    ++counts.hit[static_cast<std::size_t>(judged->kind)];
  } else {
    ++counts.missed;
  }
  for (std::size_t order = 0; order != 6; ++order) {
    const auto found = ray_hit(shot.ray, reordered(shot.target, order));
    ASSERT_EQ(found.has_value(), judged.has_value()) << text();
    if (!found) continue;
    ASSERT_EQ(found->kind, judged->kind) << text();
    const bool flipped = order >= 3 && judged->kind != RayHitKind::grazing;
    ASSERT_EQ(found->from_inside, judged->from_inside != flipped) << text();
    ASSERT_GE(found->t, 0) << text();
    ASSERT_NEAR(found->t, judged->t, t_tolerance * std::max(1.0, judged->t)) << text();
  }
}

template <class Make>
void check_shots(const char* what, std::uint64_t seed, std::size_t count, double t_tolerance, Make make) {
  SCOPED_TRACE(testing::Message() << what << ", seed " << seed);
  Random random(seed);
  Counts counts;
  for (std::size_t i = 0; i != scaled(count); ++i) {
    check_shot(make(random), t_tolerance, counts);
    if (testing::Test::HasFatalFailure()) return;
  }
  std::printf("%-34s | missed %6zu | inner %6zu | border %6zu | grazing %6zu\n", what, counts.missed, counts.hit[0],
              counts.hit[1], counts.hit[2]);
}

Point3 grid_point(Random& random, std::int64_t size) {
  const auto x = static_cast<double>(random.integer(-size, size));
  const auto y = static_cast<double>(random.integer(-size, size));
  return {x, y, static_cast<double>(random.integer(-size, size))};
}

/// A point of the triangle whose weights are multiples of 1/8: exact for small integer corners, eight times too large.
Point3 eightfold_point(Random& random, const Triangle& t) {
  auto i = static_cast<double>(random.integer(0, 8));
  auto j = static_cast<double>(random.integer(0, 8 - static_cast<std::int64_t>(i)));
  if (random.one_in(3)) j = 8 - i;
  if (random.one_in(4)) i = 8, j = 0;
  return i * t[0] + j * t[1] + (8 - i - j) * t[2];
}

/// Aimed at a corner, an edge or the inside of a triangle on a grid, so that all of it holds exactly.
Shot aimed(Random& random) {
  Shot shot{{}, {{grid_point(random, 9), grid_point(random, 9), grid_point(random, 9)}}};
  const Point3 aim = eightfold_point(random, shot.target);
  for (Point3& p : shot.target.corner) p = 8 * p;
  shot.ray.origin = 8 * grid_point(random, 20);
  if (random.one_in(6)) shot.ray.origin = aim;
  shot.ray.direction = aim - shot.ray.origin;
  if (random.one_in(8)) shot.ray.direction = -shot.ray.direction;
  if (shot.ray.direction == Vec3{}) shot.ray.direction = {0, 0, 1};
  return shot;
}

void place(Shot& shot, Random& random) {
  const double size = std::ldexp(1, static_cast<int>(random.integer(-30, 30)));
  const double offset = random.one_in(2) ? 0 : size * 0x1p20;
  const auto moved = [&](const Point3& p) { return size * p + Vec3{offset, -offset, offset}; };
  for (Point3& p : shot.target.corner) p = moved(p);
  shot.ray.origin = moved(shot.ray.origin);
  shot.ray.direction = std::ldexp(1, static_cast<int>(random.integer(-40, 40))) * shot.ray.direction;
}

TEST(RayHitJudged, OnRandomRays) {
  check_shots("random", 41, 20'000, 1e-9, [](Random& random) {
    Shot shot{{random.in_cube(2), random.in_cube(1)}, {{random.in_cube(1), random.in_cube(1), random.in_cube(1)}}};
    if (random.one_in(2))
      shot.ray.direction = shot.target[0] + 0.4 * (shot.target[1] - shot.target[0]) +
                           random.between(-0.2, 0.8) * (shot.target[2] - shot.target[1]) - shot.ray.origin;
    return shot;
  });
}

TEST(RayHitJudged, AimedAtCornersEdgesAndInside) {
  check_shots("aimed exactly", 42, 40'000, HUGE_VAL, [](Random& random) {
    Shot shot = aimed(random);
    place(shot, random);
    return shot;
  });
  check_shots("aimed exactly, then an ulp off", 43, 20'000, HUGE_VAL, [](Random& random) {
    Shot shot = aimed(random);
    place(shot, random);
    Point3& p = shot.target.corner[static_cast<std::size_t>(random.integer(0, 2))];
    p = {nudge(p.x, static_cast<int>(random.integer(-1, 1))), nudge(p.y, static_cast<int>(random.integer(-1, 1))), p.z};
    return shot;
  });
}

/// Ray and triangle on a grid, in one plane.
Shot in_its_plane(Random& random) {
  Shot shot = aimed(random);
  const Vec3 u = shot.target[1] - shot.target[0];
  const Vec3 v = shot.target[2] - shot.target[0];
  const auto step = [&] { return static_cast<double>(random.integer(-3, 3)); };
  const double s = step();
  const double r = step();
  shot.ray.origin = shot.target[0] + (0.5 * s) * u + (0.5 * r) * v;
  const double du = step();
  shot.ray.direction = du * u + step() * v;
  if (shot.ray.direction == Vec3{}) shot.ray.direction = {0, 0, 1};
  return shot;
}

TEST(RayHitJudged, InThePlaneOfTheTriangle) {
  check_shots("in its plane", 44, 20'000, HUGE_VAL, [](Random& random) {
    Shot shot = in_its_plane(random);
    place(shot, random);
    return shot;
  });
}

TEST(RayHitJudged, InThePlaneOfTheTriangleHoweverSmallOrLargeBothAre) {
  // Products of a direction and an edge would leave the range of doubles, above and below.
  constexpr std::uint64_t k_seed = 46;
  SCOPED_TRACE(testing::Message() << "seed " << k_seed);
  Random random(k_seed);
  std::size_t within = 0;
  for (std::size_t i = 0; i != scaled(20'000); ++i) {
    Shot shot = in_its_plane(random);
    const auto size = static_cast<int>(random.integer(-500, 400));
    const auto length = static_cast<int>(random.integer(-1000, 900));
    const auto resize = [](const Vec3& v, int by) {
      return Vec3{std::ldexp(v.x, by), std::ldexp(v.y, by), std::ldexp(v.z, by)};
    };
    for (Point3& p : shot.target.corner) p = resize(p, size);
    shot.ray = {resize(shot.ray.origin, size), resize(shot.ray.direction, length)};
    const auto judged = rational_ray_hit(shot.ray, shot.target);
    const auto found = ray_hit(shot.ray, shot.target);
    ASSERT_EQ(found.has_value(), judged.has_value());
    if (!found || !(judged->t < 0x1p1000) || (judged->t != 0 && judged->t < 0x1p-1000)) continue;  // beyond doubles
    ASSERT_NEAR(found->t, judged->t, 1e-15 * judged->t)
        << "\n  origin = " << to_hex(shot.ray.origin) << "\n  direction = " << to_hex(shot.ray.direction)
        << "\n  triangle = " << to_hex(shot.target);
    within += judged->t > 0 ? 1 : 0;
  }
  EXPECT_GT(within, scaled(20'000) / 20);
}

TEST(RayHitJudged, AtDegenerateTriangles) {
  check_shots("at segments and points", 45, 20'000, HUGE_VAL, [](Random& random) {
    Shot shot = aimed(random);
    const Point3 p = shot.target[0];
    const Vec3 along = 0.125 * (shot.target[1] - p);
    const auto on_line = [&] { return p + static_cast<double>(random.integer(-4, 8)) * along; };
    shot.target.corner[1] = on_line();
    shot.target.corner[2] = random.one_in(4) ? shot.target[1] : on_line();
    shot.ray.direction = on_line() - shot.ray.origin;
    if (random.one_in(6)) shot.ray = {on_line(), along};
    if (shot.ray.direction == Vec3{}) shot.ray.direction = {1, 0, 0};
    place(shot, random);
    return shot;
  });
}

TEST(RayHitJudged, TellsWhereToAFewUlps) {
  check_shots("parameter of well conditioned hits", 46, 20'000, 1e-13, [](Random& random) {
    const double height = random.between(0.5, 2);
    const double x = random.between(-0.5, 1.5);
    const double y = random.between(-0.5, 1.5);
    return Shot{{{x, y, height}, {random.between(-0.1, 0.1), 0.05, -1}}, {{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}};
  });
}

}  // namespace
}  // namespace snug::judge
