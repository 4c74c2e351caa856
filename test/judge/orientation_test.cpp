#include "judge_support.hpp"
#include "rational_judge.hpp"

#include <snug/predicates.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace snug::judge {
namespace {

struct Signs {
  std::array<std::size_t, 3> count{};
  void add(int sign) { ++count[static_cast<std::size_t>(sign + 1)]; }
};

void print_signs(const char* what, const Signs& signs) {
  std::printf("%-44s | -1: %6zu | 0: %6zu | +1: %6zu\n", what, signs.count[0], signs.count[1], signs.count[2]);
}

template <class Make>
void check_orient3d(const char* what, std::uint64_t seed, std::size_t count, Make make) {
  Random random(seed);
  Signs signs;
  for (std::size_t i = 0; i != scaled(count); ++i) {
    const std::array<Point3, 4> p = make(random);
    const int judged = rational_orient3d(p[0], p[1], p[2], p[3]);
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), judged)
        << what << ", seed " << seed << ": " << to_hex(p[0]) << to_hex(p[1]) << to_hex(p[2]) << to_hex(p[3]);
    ASSERT_EQ(orient3d(p[1], p[0], p[2], p[3]), -judged) << what << ", first two exchanged";
    ASSERT_EQ(orient3d(p[3], p[1], p[2], p[0]), -judged) << what << ", first and last exchanged";
    signs.add(judged);
  }
  print_signs(what, signs);
}

template <class Make>
void check_orient2d(const char* what, std::uint64_t seed, std::size_t count, Make make) {
  Random random(seed);
  Signs signs;
  for (std::size_t i = 0; i != scaled(count); ++i) {
    const std::array<Point2, 3> p = make(random);
    const int judged = rational_orient2d(p[0], p[1], p[2]);
    ASSERT_EQ(orient2d(p[0], p[1], p[2]), judged)
        << what << ", seed " << seed << ": "
        << to_hex(Triangle{{{{p[0].x, p[0].y, 0}, {p[1].x, p[1].y, 0}, {p[2].x, p[2].y, 0}}}});
    ASSERT_EQ(orient2d(p[1], p[2], p[0]), judged) << what << ", turned";
    ASSERT_EQ(orient2d(p[1], p[0], p[2]), -judged) << what << ", first two exchanged";
    signs.add(judged);
  }
  print_signs(what, signs);
}

/// Any finite double, all exponents equally likely, with few or many bits; now and then zero or an extreme.
double any_double(Random& random) {
  if (random.one_in(12)) {
    static constexpr std::array<double, 6> special{
        0, 1, 0x1p-1074, std::numeric_limits<double>::min(), 1e300, std::numeric_limits<double>::max()};
    return special[static_cast<std::size_t>(random.integer(0, 5))];
  }
  const double mantissa = random.one_in(2) ? static_cast<double>(random.integer(-8, 8)) : random.between(-2, 2);
  return std::ldexp(mantissa, static_cast<int>(random.integer(-1074, 1020)));
}

double nudged(Random& random, double value) { return nudge(value, static_cast<int>(random.integer(-1, 1))); }
Point3 nudged(Random& random, const Point3& p) {
  const double x = nudged(random, p.x);
  const double y = nudged(random, p.y);
  return {x, y, nudged(random, p.z)};
}

/// p + s (q - p) + t (r - p), rounded: next to the plane of the three, or on it.
Point3 in_plane(const Point3& p, const Point3& q, const Point3& r, double s, double t) {
  return p + s * (q - p) + t * (r - p);
}

Point3 grid_point(Random& random, std::int64_t size) {
  const auto x = static_cast<double>(random.integer(-size, size));
  const auto y = static_cast<double>(random.integer(-size, size));
  return {x, y, static_cast<double>(random.integer(-size, size))};
}

/// Scales each axis by a power of two of its own, which no sign depends on.
void stretch(Random& random, std::array<Point3, 4>& points, std::int64_t lo, std::int64_t hi) {
  const int x = static_cast<int>(random.integer(lo, hi));
  const int y = static_cast<int>(random.integer(lo, hi));
  const int z = static_cast<int>(random.integer(lo, hi));
  for (Point3& p : points) p = {std::ldexp(p.x, x), std::ldexp(p.y, y), std::ldexp(p.z, z)};
}

TEST(OrientationJudged, Orient3dOnRandomPoints) {
  check_orient3d("orient3d, random points", 1, 60'000, [](Random& random) {
    const double size = std::ldexp(1, static_cast<int>(random.integer(-30, 30)));
    std::array<Point3, 4> p;
    for (Point3& q : p) q = random.in_cube(size);
    return p;
  });
}

TEST(OrientationJudged, Orient3dNextToThePlane) {
  check_orient3d("orient3d, rounded onto the plane", 2, 60'000, [](Random& random) {
    std::array<Point3, 4> p{random.in_cube(1), random.in_cube(1), random.in_cube(1)};
    const double s = random.between(-2, 2);
    p[3] = nudged(random, in_plane(p[0], p[1], p[2], s, random.between(-2, 2)));
    return p;
  });
  check_orient3d("orient3d, exactly on the plane or an ulp off", 3, 60'000, [](Random& random) {
    std::array<Point3, 4> p{grid_point(random, 64), grid_point(random, 64), grid_point(random, 64)};
    const auto s = static_cast<double>(random.integer(-4, 4));
    p[3] = in_plane(p[0], p[1], p[2], s, static_cast<double>(random.integer(-4, 4)));
    const double offset = random.one_in(2) ? 0 : 1e7;
    for (Point3& q : p) q = {q.x + offset, q.y - offset, q.z + offset};
    if (random.one_in(2)) p[3] = nudged(random, p[3]);
    return p;
  });
  // Differences cancel nearly all bits: the classic grid of doubles around a line of slope one.
  check_orient3d("orient3d, ulps around (0.5, 0.5, 0.5)", 4, 40'000, [](Random& random) {
    std::array<Point3, 4> p{Point3{12, 12, 12}, Point3{24, 24, 24}, Point3{12, 24, 18}};
    const auto ulps = [&] { return static_cast<double>(random.integer(0, 16)) * 0x1p-53; };
    p[3] = {0.5 + ulps(), 0.5 + ulps(), 0.5 + ulps()};
    return p;
  });
}

TEST(OrientationJudged, Orient3dOnExtremeExponents) {
  check_orient3d("orient3d, any doubles", 5, 40'000, [](Random& random) {
    std::array<Point3, 4> p;
    for (Point3& q : p) q = {any_double(random), any_double(random), any_double(random)};
    return p;
  });
  check_orient3d("orient3d, coplanar, axes stretched apart", 6, 40'000, [](Random& random) {
    std::array<Point3, 4> p{grid_point(random, 64), grid_point(random, 64), grid_point(random, 64)};
    const auto s = static_cast<double>(random.integer(-4, 4));
    p[3] = in_plane(p[0], p[1], p[2], s, static_cast<double>(random.integer(-4, 4)));
    stretch(random, p, -1074, 1010);
    if (random.one_in(2)) p[3] = nudged(random, p[3]);
    return p;
  });
  check_orient3d("orient3d, subnormal", 7, 20'000, [](Random& random) {
    std::array<Point3, 4> p{grid_point(random, 9), grid_point(random, 9), grid_point(random, 9), grid_point(random, 9)};
    stretch(random, p, -1074, -1060);
    return p;
  });
  // Widths in bits at which an integer path could run out of room: one mantissa lies just within or beyond a limb.
  check_orient3d("orient3d, exponents at limb borders", 8, 40'000, [](Random& random) {
    static constexpr std::array<std::int64_t, 4> widths{61, 125, 381, 2097};
    const std::int64_t width = widths[static_cast<std::size_t>(random.integer(0, 3))] - 53;
    std::array<Point3, 4> p;
    for (Point3& q : p) {
      const auto coordinate = [&] {
        const std::int64_t full = (std::int64_t{1} << 53) - random.integer(1, 3);
        const auto small = static_cast<double>(random.integer(-3, 3));
        if (random.one_in(2)) return std::ldexp(small, -1074);
        const auto shift = std::min<std::int64_t>(width + random.integer(-2, 2), 1024 + 1074 - 53);
        const double large = std::ldexp(static_cast<double>(full), static_cast<int>(shift) - 1074);
        return random.one_in(2) ? large : -large;
      };
      const double x = coordinate();
      const double y = coordinate();
      q = {x, y, coordinate()};
    }
    // The same field width for every axis, at another place in the range of exponents.
    if (width < 1000) stretch(random, p, 0, 600);
    return p;
  });
}

TEST(OrientationJudged, Orient2dOnRandomAndCollinearPoints) {
  check_orient2d("orient2d, random points", 11, 60'000, [](Random& random) {
    const double size = std::ldexp(1, static_cast<int>(random.integer(-30, 30)));
    std::array<Point2, 3> p;
    for (Point2& q : p) {
      const Vec3 v = random.in_cube(size);
      q = {v.x, v.y};
    }
    return p;
  });
  check_orient2d("orient2d, rounded onto the line", 12, 60'000, [](Random& random) {
    const Vec3 a = random.in_cube(1);
    const Vec3 b = random.in_cube(1);
    const Point3 c = nudged(random, a + random.between(-2, 3) * (b - a));
    return std::array{Point2{a.x, a.y}, Point2{b.x, b.y}, Point2{c.x, c.y}};
  });
  check_orient2d("orient2d, ulps around (0.5, 0.5)", 13, 40'000, [](Random& random) {
    const double x = 0.5 + static_cast<double>(random.integer(0, 255)) * 0x1p-53;
    const double y = 0.5 + static_cast<double>(random.integer(0, 255)) * 0x1p-53;
    return std::array{Point2{x, y}, Point2{12, 12}, Point2{24, 24}};
  });
}

TEST(OrientationJudged, Orient2dOnExtremeExponents) {
  check_orient2d("orient2d, any doubles", 14, 60'000, [](Random& random) {
    std::array<Point2, 3> p;
    for (Point2& q : p) q = {any_double(random), any_double(random)};
    return p;
  });
  check_orient2d("orient2d, collinear, axes stretched apart", 15, 40'000, [](Random& random) {
    const Point3 a = grid_point(random, 64);
    const Point3 b = grid_point(random, 64);
    const Point3 c = a + static_cast<double>(random.integer(-4, 4)) * (b - a);
    const int x = static_cast<int>(random.integer(-1074, 1010));
    const int y = static_cast<int>(random.integer(-1074, 1010));
    std::array<Point2, 3> p{Point2{a.x, a.y}, Point2{b.x, b.y}, Point2{c.x, c.y}};
    for (Point2& q : p) q = {std::ldexp(q.x, x), std::ldexp(q.y, y)};
    if (random.one_in(2)) p[2].x = nudged(random, p[2].x);
    return p;
  });
}

}  // namespace
}  // namespace snug::judge
