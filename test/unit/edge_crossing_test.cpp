// Sheets that cross along edges of their triangles cross as others do, and each piece of the curve counts once.
#include "scenes/solids.hpp"

#include <snug/verdict.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

/// A grid of so many squares over a parallelogram.
Shape sheet(std::uint32_t along, std::uint32_t across, const Point3& origin, const Vec3& u, const Vec3& v) {
  MeshInput input;
  for (std::uint32_t j = 0; j <= across; ++j)
    for (std::uint32_t i = 0; i <= along; ++i)
      input.vertices.push_back(origin + (static_cast<double>(i) / along) * u + (static_cast<double>(j) / across) * v);
  for (std::uint32_t j = 0; j < across; ++j)
    for (std::uint32_t i = 0; i < along; ++i) {
      const std::uint32_t p = j * (along + 1) + i, q = p + 1, r = p + along + 2, s = r - 1;
      input.triangles.push_back({p, q, r});
      input.triangles.push_back({p, r, s});
    }
  return Shape(Mesh::build(std::move(input)).value());
}

/// Sheets with a common edge from (-1, 0, 0) to (1, 0, 0), each from there to (., y, z).
Shape tent(const Vec3& one, const Vec3& other) {
  MeshInput input{{{-1, 0, 0},
                   {1, 0, 0},
                   Point3{-1, 0, 0} + one,
                   Point3{1, 0, 0} + one,
                   Point3{-1, 0, 0} + other,
                   Point3{1, 0, 0} + other},
                  {{0, 1, 3}, {0, 3, 2}, {1, 0, 4}, {1, 4, 5}},
                  {},
                  {}};
  return Shape(Mesh::build(std::move(input)).value());
}

TEST(EdgeCrossing, LengthCountsEachPieceOnceHoweverTheEdgesLie) {
  const Shape floor = sheet(4, 4, {-2, -2, 0}, {4, 0, 0}, {0, 4, 0});  // with edges along y = 0
  for (const std::uint32_t along : {1U, 3U})
    for (const std::uint32_t across : {1U, 2U, 3U})
      for (const double y : {0.0, 0.25})
        for (const double z : {-1.0, -0.875}) {
          SCOPED_TRACE(testing::Message() << along << ' ' << across << ' ' << y << ' ' << z);
          const Shape wall = sheet(along, across, {-1, y, z}, {2.5, 0, 0}, {0, 0, 2});
          for (const PairReport& r : {assess(floor, {}, wall, {}), assess(wall, {}, floor, {})}) {
            ASSERT_EQ(r.verdict, Verdict::clash);
            ASSERT_TRUE(r.crossing);
            EXPECT_NEAR(r.crossing->length, 2.5, 1e-12);
            EXPECT_NEAR(r.crossing->depth, -z, 1e-6) << "by the shorter end of the wall";
          }
        }
}

TEST(EdgeCrossing, IsKnownByTheOrderOfTheTrianglesAroundTheEdge) {
  const Shape floor = sheet(2, 2, {-2, -2, 0}, {4, 0, 0}, {0, 4, 0});
  const Shape upright = tent({0, 0, 1}, {0, 0, -1}), slanted = tent({0, 1, 1}, {0, 1, -1});
  for (const Shape& through : {upright, slanted, tent({0, 1, 0.5}, {0, -1, -0.5})}) {
    const PairReport r = assess(floor, {}, through, {});
    EXPECT_EQ(r.verdict, Verdict::clash);
    ASSERT_TRUE(r.crossing);
    EXPECT_NEAR(r.crossing->length, 2, 1e-12);
  }
  // Those that stand on the floor, one that hangs below it, and one that ends there only touch.
  for (const Shape& beside : {tent({0, 1, 1}, {0, -1, 1}), tent({0, 1, 1}, {0, 0.5, 1}), tent({0, 1, -1}, {0, -1, -1}),
                              tent({0, 1, 1}, {0, 1, 0})})
    EXPECT_EQ(assess(floor, {}, beside, {}).verdict, Verdict::touch);
  // Edge along edge: one tent through the other, and one within the other.
  EXPECT_EQ(assess(tent({0, 1, 1}, {0, -1, -1}), {}, tent({0, 1, -1}, {0, -1, 1}), {}).verdict, Verdict::clash);
  EXPECT_LT(assess(tent({0, 1, 1}, {0, -1, 1}), {}, tent({0, 2, 1}, {0, -2, 1}), {}).verdict, Verdict::clash);
  EXPECT_EQ(assess(tent({0, 1, 1}, {0, -1, 1}), {}, tent({0, 2, 1}, {0, 1, 2}), {}).verdict, Verdict::clash);
}

TEST(EdgeCrossing, OfASheetThroughTheEdgeOfABoxIsOneOnlyIfItEnters) {
  const Shape box(scenes::box({0, 0, 0}, {1, 1, 1}));
  const Shape enters = sheet(1, 1, {0.25, -0.5, -0.5}, {0.5, 0, 0}, {0, 1, 1});
  const PairReport r = assess(box, {}, enters, {});
  EXPECT_EQ(r.verdict, Verdict::clash);
  ASSERT_TRUE(r.crossing);
  EXPECT_NEAR(r.crossing->length, 0.5, 1e-12) << "along the edge of the box; the sheet ends inside it";
  const Shape passes = sheet(1, 1, {0.25, -0.5, 0.5}, {0.5, 0, 0}, {0, 1, -1});
  EXPECT_EQ(assess(box, {}, passes, {}).verdict, Verdict::touch);
}

}  // namespace
}  // namespace snug
