#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

// Overlaps that hide: among hundreds of contacts that are as they should be, thinner than anything else of the bodies, or
// at scales where squares of lengths are no longer numbers.

namespace snug {
namespace {

using scenes::Random;

struct Soup {
  MeshInput in;

  void add(const Mesh& mesh) { test::append(in, mesh); }
  void shuffle(Random& random) {
    for (std::size_t i = in.triangles.size(); i > 1; --i) std::swap(in.triangles[i - 1], in.triangles[random.below(i)]);
  }
  [[nodiscard]] Shape shape() const { return Shape(Mesh::build(in).value()); }
};

/// n x n columns that stand on as many others; the middle one reaches `depth` too far down.
std::pair<Soup, Soup> columns(int n, double depth) {
  Soup lower, upper;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double x = 2.0 * i, y = 2.0 * j;
      const bool odd_one = i == n / 2 && j == n / 3;
      lower.add(scenes::box({x, y, 0}, {x + 1, y + 1, 1}));
      upper.add(scenes::box({x, y, odd_one ? 1 - depth : 1}, {x + 1, y + 1, 2}));
    }
  return {lower, upper};
}

TEST(HardOverlaps, OneLongColumnAmongManyIsFoundInAnyOrderOfTriangles) {
  for (std::uint64_t seed = 0; seed < test::scaled(24); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    auto [lower, upper] = columns(14, seed % 3 == 0 ? 0.5 : 1e-3);
    lower.shuffle(random), upper.shuffle(random);
    const Pose pose = seed % 2 == 0 ? Pose{} : random.pose(5);
    EXPECT_EQ(assess(lower.shape(), pose, upper.shape(), pose).verdict, Verdict::clash);
  }
  auto [lower, upper] = columns(8, 0);
  Random random(1);
  for (int i = 0; i < 4; ++i) {
    const Pose pose = random.pose(5);
    EXPECT_EQ(assess(lower.shape(), pose, upper.shape(), pose).verdict, Verdict::touch);
  }
}

TEST(HardOverlaps, ThinOnesAreFoundDownToTheResolution) {
  const Shape a(scenes::box({0, 0, 0}, {1, 1, 1}));
  std::size_t tried = 0;
  for (const double depth : {1e-3, 1e-6, 1e-9, 1e-11, 1e-12, 1e-13}) {
    const Shape b(scenes::box({0.25, 0.25, 1 - depth}, {0.75, 0.75, 2}));
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed, ++tried) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const Pose pose = random.pose(0);
      const PairReport r = assess(a, pose, b, pose);
      ASSERT_EQ(r.verdict, Verdict::clash) << depth;
      EXPECT_NEAR(r.depth->upper, depth, 8 * r.resolution);
    }
  }
  EXPECT_GE(tried, 6U);
}

TEST(HardOverlaps, LongRodsThatBarelyMeet) {
  for (const double length : {1e3, 1e5}) {
    const double depth = 1e-11 * length;
    const Shape rod(scenes::cylinder(1, length, 16));
    const Pose lying = compose(translation(-length / 2, 0, 0), rotation({0, 1, 0}, 1.5707963267948966));
    for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
      Random random(seed);
      const Pose turned = rotation({0, 0, 1}, random.uniform(0.3, 1.2));
      const double side = 2 * std::cos(0) - depth;
      const PairReport r = assess(rod, lying, rod, compose(translation(0, 0, side), compose(turned, lying)));
      // Two edges that cross, or two faces, depending on how the rods lie; the touch of the tops is what counts.
      ASSERT_NE(r.verdict, Verdict::touch) << length << " seed " << seed << " crossing " << r.crossing_pairs;
    }
  }
}

TEST(HardOverlaps, ScalesWhereSquaresOverflowOrVanish) {
  for (const int power : {-900, -560, -300, -200, 0, 200, 300, 340, 500, 900}) {
    SCOPED_TRACE(power);
    const double s = std::ldexp(1.0, power);
    const Shape a(scenes::box({0, 0, 0}, {s, s, s})), b(scenes::box({0.25 * s, 0.25 * s, 0.75 * s}, {s, s, 2 * s}));
    const PairReport r = assess(a, {}, b, {});
    ASSERT_EQ(r.verdict, Verdict::clash);
    EXPECT_EQ(r.depth->upper, 0.25 * s);
    EXPECT_NEAR(r.depth->lower / s, 0.25, 1e-6);
    if (r.volume) {
      EXPECT_NEAR(r.volume->value / s / s / s, 0.140625, 1e-9);
    }
    const Shape c(scenes::box({0, 0, 1.5 * s}, {s, s, 2 * s}));
    const PairReport near = assess(a, {}, c, {}, {.tolerances = {.clearance = s}});
    ASSERT_EQ(near.verdict, Verdict::near);
    EXPECT_EQ(*near.gap, 0.5 * s);
    MeshInput sheet;
    sheet.vertices = {{-s, -s, 0.5 * s}, {3 * s, -s, 0.5 * s}, {-s, 3 * s, 0.5 * s}};
    sheet.triangles = {{0, 1, 2}};
    ASSERT_EQ(assess(a, {}, Shape(Mesh::build(sheet).value()), {}).verdict, Verdict::clash);
  }
}

/// A box with a ring of vertices half way up.
Mesh ringed_box() {
  MeshInput in;
  for (const double z : {0.0, 1.0, 2.0})
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}})
      in.vertices.push_back({x, y, z});
  in.triangles = {{0, 2, 1}, {0, 3, 2}, {8, 9, 10}, {8, 10, 11}};
  for (const std::uint32_t ring : {0U, 4U})
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t p = ring + i, q = ring + (i + 1) % 4;
      in.triangles.push_back({p, q, q + 4});
      in.triangles.push_back({p, q + 4, p + 4});
    }
  return Mesh::build(std::move(in)).value();
}

Shape sheet_of(std::vector<Point3> vertices, std::vector<Index3> triangles) {
  MeshInput in;
  in.vertices = std::move(vertices);
  in.triangles = std::move(triangles);
  return Shape(Mesh::build(std::move(in)).value());
}

TEST(HardOverlaps, SheetsThatSlipBetweenTrianglesOfASolid) {
  const Shape solid(ringed_box());
  const auto at = [](double z) { return sheet_of({{-5, -5, z}, {7, -5, z}, {-5, 7, z}}, {{0, 1, 2}}); };
  EXPECT_EQ(assess(solid, {}, at(1), {}).verdict, Verdict::clash);
  EXPECT_EQ(assess(solid, {}, at(1.01), {}).verdict, Verdict::clash);
  EXPECT_EQ(assess(solid, {}, at(2), {}).verdict, Verdict::touch);
  EXPECT_EQ(assess(solid, {}, at(2.01), {}).verdict, Verdict::clear);
  const Shape inscribed = sheet_of({{0, 0, 0.5}, {1, 0, 0.5}, {1, 1, 0.5}, {0, 1, 0.5}}, {{0, 1, 2}, {0, 2, 3}});
  EXPECT_EQ(assess(solid, {}, inscribed, {}).verdict, Verdict::undecided);
  const Shape two_sided = sheet_of({{-5, -5, 0.5}, {7, -5, 0.5}, {-5, 7, 0.5}}, {{0, 1, 2}, {0, 2, 1}});
  EXPECT_EQ(assess(solid, {}, two_sided, {}).verdict, Verdict::clash);
}

TEST(HardOverlaps, TouchOverlapDoesNotPushASheetInside) {
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1}));
  const Shape fin = sheet_of({{.3, .3, .2}, {.6, .4, .2}, {.4, .35, 1.01}}, {{0, 1, 2}});
  EXPECT_EQ(assess(cube, {}, fin, {}).verdict, Verdict::clash);
  EXPECT_EQ(assess(cube, {}, fin, {}, {.tolerances = {.touch_overlap = 0.02}}).verdict, Verdict::clash);
  const Shape shallow = sheet_of({{.3, .3, .99}, {.6, .4, .99}, {.4, .35, 2}}, {{0, 1, 2}});
  EXPECT_EQ(assess(cube, {}, shallow, {}, {.tolerances = {.touch_overlap = 0.02}}).verdict, Verdict::touch);
}

TEST(HardOverlaps, WhatStandsInACupIsUndecidedWhicheverTriangleComesFirst) {
  const Mesh box = scenes::box({0, 0, 0}, {3, 3, 3});
  MeshInput cup;
  cup.vertices.assign(box.vertices().begin(), box.vertices().end());
  for (std::uint32_t t = 0; t < 12; ++t)
    if (box.surface_of(t) != 1) cup.triangles.push_back(box.triangles()[t]);
  const Shape open(Mesh::build(cup).value());
  Soup pencil;
  pencil.add(scenes::box({1, 1, 1}, {2, 2, 5}));
  for (std::size_t first = 0; first < 12; ++first) {
    std::swap(pencil.in.triangles[0], pencil.in.triangles[first]);
    EXPECT_EQ(assess(open, {}, pencil.shape(), {}).verdict, Verdict::undecided) << first;
  }
}

TEST(HardOverlaps, BodiesThatWindTwiceHaveNoVolume) {
  const Mesh box = scenes::box({0, 0, 0}, {1, 1, 1});
  Soup twice;
  twice.add(box);
  for (std::uint32_t t = 0; t < 12; ++t) twice.in.triangles.push_back(twice.in.triangles[t]);
  const Shape other(scenes::box({.6, .25, .25}, {.9, .75, 2}));
  const PairReport r = assess(twice.shape(), {}, other, {});
  EXPECT_EQ(r.verdict, Verdict::clash);
  EXPECT_FALSE(r.volume);
}

TEST(HardOverlaps, NearlyCoincidentIsNotADuplicate) {
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1}));
  EXPECT_TRUE(assess(cube, {}, cube, {}).duplicate);
  EXPECT_FALSE(assess(cube, {}, cube, translation(1e-9, 0, 0)).duplicate);
}

TEST(HardOverlaps, WhatRoundingCouldHideIsNoDuplicate) {
  // So far out that rounding moves faces by a good part of the cube.
  const double far = 1e12, size = 0.01;
  const auto cube = [&](double shift) {
    return Shape(scenes::box({far + shift, far, 0}, {far + shift + size, far + size, size}));
  };
  const Shape here = cube(0), beside = cube(0.0075);
  const PairReport shifted = assess(here, {}, beside, {});
  EXPECT_EQ(shifted.verdict, Verdict::clash);
  EXPECT_GT(shifted.resolution, 0.1 * size);
  EXPECT_FALSE(shifted.duplicate);
  EXPECT_FALSE(assess(beside, {}, here, {}).duplicate);
  EXPECT_TRUE(assess(here, {}, cube(0), {}).duplicate);
}

TEST(HardOverlaps, VolumeErrorsAreBounds) {
  // A prism under a slanted plane that spans far more than the small box it is cut with; the common volume is known.
  for (const double far : {1.0, 1e3, 1e6}) {
    MeshInput in;
    const auto top = [](double x, double y) { return 0.5 - 0.25 * x - 0.125 * y; };
    const std::array<std::pair<double, double>, 4> corner{{{-far, -far}, {far, -far}, {far, far}, {-far, far}}};
    for (const auto& [x, y] : corner) in.vertices.push_back({x, y, -2 * far});
    for (const auto& [x, y] : corner) in.vertices.push_back({x, y, top(x, y)});
    in.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t j = (i + 1) % 4;
      in.triangles.push_back({i, j, j + 4});
      in.triangles.push_back({i, j + 4, i + 4});
    }
    const Shape prism(Mesh::build(in).value()), small(scenes::box({0, 0, 0}, {0.5, 0.5, 1}));
    const PairReport r = assess(prism, {}, small, {});
    ASSERT_TRUE(r.volume);
    const double exact = 0.25 * (0.5 - 0.25 * 0.25 - 0.125 * 0.25);
    EXPECT_LE(std::abs(r.volume->value - exact), r.volume->error) << far;
    EXPECT_LT(r.volume->error, 1e-9 * far * far) << far;
  }
}

}  // namespace
}  // namespace snug
