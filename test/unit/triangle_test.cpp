#include "geometry/unit_triangle.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace snug {
namespace {

using scenes::Random;

constexpr Triangle k_floor{{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}};

struct Case {
  const char* name;
  Triangle a, b;
  Relation expected;
  std::uint32_t shared_points;  ///< corners of intersection()
};

constexpr Triangle tri(Point3 a, Point3 b, Point3 c) { return {{{a, b, c}}}; }

const std::vector<Case>& cases() {
  using enum Relation;
  static const std::vector<Case> all{
      {"pierced in the middle", k_floor, tri({1, 1, -1}, {1, 1, 1}, {1, 2, 1}), crossing, 2},
      {"above", k_floor, tri({1, 1, 1}, {2, 1, 2}, {1, 2, 2}), disjoint, 0},
      {"beside, planes meet", k_floor, tri({9, 9, -1}, {9, 9, 1}, {9, 10, 1}), disjoint, 0},
      {"corner on the face", k_floor, tri({1, 1, 0}, {1, 1, 1}, {2, 1, 1}), touching, 1},
      {"corner on a corner", k_floor, tri({0, 0, 0}, {-1, 0, 1}, {0, -1, 1}), touching, 1},
      {"corner on an edge", k_floor, tri({2, 0, 0}, {2, -1, 1}, {3, -1, 1}), touching, 1},
      {"edge on the face", k_floor, tri({1, 1, 0}, {2, 1, 0}, {1, 1, 3}), touching, 2},
      {"edge through the boundary of the face", k_floor, tri({1, 1, 0}, {1, -3, 0}, {1, 1, 3}), touching, 2},
      {"shared edge", k_floor, tri({0, 0, 0}, {4, 0, 0}, {0, -3, 3}), touching, 2},
      {"part of an edge shared", k_floor, tri({1, 0, 0}, {9, 0, 0}, {1, -3, 3}), touching, 2},
      {"edges cross in a point", k_floor, tri({2, -1, -1}, {2, 1, 1}, {2, -4, 4}), touching, 1},
      {"cut through a corner only", k_floor, tri({0, 0, -1}, {0, 0, 1}, {-1, -1, 0}), touching, 1},
      {"coplanar, sharing an area", k_floor, tri({1, 1, 0}, {9, 1, 0}, {1, 9, 0}), touching, 3},
      {"coplanar, one inside", k_floor, tri({1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}), touching, 3},
      {"coplanar star", k_floor, tri({-1, 1, 0}, {3, 1, 0}, {1, -1, 0}), touching, 4},
      {"coplanar, sharing a corner", k_floor, tri({0, 0, 0}, {-1, 0, 0}, {0, -1, 0}), touching, 1},
      {"coplanar, sharing an edge", k_floor, tri({0, 0, 0}, {4, 0, 0}, {0, -1, 0}), touching, 2},
      {"coplanar, apart", k_floor, tri({5, 5, 0}, {6, 5, 0}, {5, 6, 0}), disjoint, 0},
      {"coplanar, boxes overlap, apart", k_floor, tri({3, 3, 0}, {4, 3, 0}, {3, 4, 0}), disjoint, 0},
      {"the same triangle", k_floor, k_floor, touching, 3},
      {"parallel planes an ulp apart", k_floor, tri({1, 1, 5e-324}, {2, 1, 5e-324}, {1, 2, 5e-324}), disjoint, 0},
      {"segment through the face", k_floor, tri({1, 1, -1}, {1, 1, 2}, {1, 1, 0.5}), touching, 1},
      {"segment in the face", k_floor, tri({1, 1, 0}, {2, 1, 0}, {1.5, 1, 0}), touching, 2},
      {"segment past a corner, coplanar", k_floor, tri({-1, 1, 0}, {1, -1, 0}, {0, 0, 0}), touching, 1},
      {"segment apart", k_floor, tri({1, 1, 1}, {2, 1, 1}, {3, 1, 1}), disjoint, 0},
      {"point in the face", k_floor, tri({1, 1, 0}, {1, 1, 0}, {1, 1, 0}), touching, 1},
      {"point off the face", k_floor, tri({1, 1, 1}, {1, 1, 1}, {1, 1, 1}), disjoint, 0},
      {"point on the corner", k_floor, tri({4, 0, 0}, {4, 0, 0}, {4, 0, 0}), touching, 1},
      {"segments crossing", tri({-1, 0, 0}, {1, 0, 0}, {0, 0, 0}), tri({0, -1, 0}, {0, 1, 0}, {0, 1, 0}), touching, 1},
      {"segments skew", tri({-1, 0, 0}, {1, 0, 0}, {0, 0, 0}), tri({0, -1, 1}, {0, 1, 1}, {0, 1, 1}), disjoint, 0},
      {"segments on one line", tri({0, 0, 0}, {2, 2, 2}, {1, 1, 1}), tri({1, 1, 1}, {3, 3, 3}, {1, 1, 1}), touching, 2},
      {"segments end to end", tri({0, 0, 0}, {1, 1, 1}, {0, 0, 0}), tri({1, 1, 1}, {3, 3, 3}, {1, 1, 1}), touching, 1},
      {"segments on one line, apart", tri({0, 0, 0}, {1, 1, 1}, {0, 0, 0}), tri({2, 2, 2}, {3, 3, 3}, {2, 2, 2}),
       disjoint, 0},
      {"points equal", tri({7, 7, 7}, {7, 7, 7}, {7, 7, 7}), tri({7, 7, 7}, {7, 7, 7}, {7, 7, 7}), touching, 1},
      {"points apart", tri({7, 7, 7}, {7, 7, 7}, {7, 7, 7}), tri({7, 7, 8}, {7, 7, 8}, {7, 7, 8}), disjoint, 0},
  };
  return all;
}

TEST(Relation, KnowsEveryNamedCaseInAllOrdersRotationsAndScales) {
  for (const Case& c : cases())
    for (const Pose& pose : test::cube_rotations())
      for (const double scale : {0x1p-300, 0x1p-10, 1.0, 0x1p40, 0x1p300}) {
        SCOPED_TRACE(c.name);
        const auto scaled = [&](const Triangle& t) {
          Triangle r = test::posed(t, pose);
          for (Point3& p : r.corner) p = scale * p;
          return r;
        };
        if (c.name == std::string_view("parallel planes an ulp apart") && scale < 1) continue;  // rounds to zero
        test::for_all_72_orders(scaled(c.a), scaled(c.b), [&](const Triangle& a, const Triangle& b) {
          ASSERT_EQ(relation(a, b), c.expected);
          const TriangleIntersection shared = intersection(a, b);
          ASSERT_EQ(shared.relation, c.expected);
          ASSERT_EQ(shared.count, c.shared_points);
          ASSERT_EQ(closest_points(a, b).distance == 0, c.expected != Relation::disjoint);
          const auto second = detail::unit_triangle_test(a, b);
          if (second == detail::UnitTriangleAnswer::disjoint) {
            ASSERT_EQ(c.expected, Relation::disjoint);
          }
          if (second == detail::UnitTriangleAnswer::intersecting) {
            ASSERT_NE(c.expected, Relation::disjoint);
          }
        });
      }
}

TEST(Intersection, PointsLieOnBothTriangles) {
  Random random(3);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < test::scaled(20000); ++i) {
    SCOPED_TRACE(i);
    const Triangle a = random.triangle(-1, 1), b = random.triangle(-1, 1);
    const TriangleIntersection shared = intersection(a, b);
    ASSERT_EQ(shared.relation, relation(a, b));
    for (const Point3& p : shared.points()) {
      ++hits;
      const Triangle point{{{p, p, p}}};
      ASSERT_LT(closest_points(a, point).distance, 1e-12);
      ASSERT_LT(closest_points(b, point).distance, 1e-12);
    }
  }
  EXPECT_GT(hits, 0U);
}

TEST(Intersection, StaysFiniteForAnyFiniteInput) {
  Random random(9);
  std::uint64_t points = 0;
  const auto coordinate = [&] {
    if (random.below(3) == 0) return 0.0;
    if (random.below(4) == 0) return (random.below(2) == 0 ? 1 : -1) * std::ldexp(1.0, random.below(2) == 0 ? 0 : 1023);
    return std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(2098)) - 1074);
  };
  for (std::uint64_t i = 0; i < test::scaled(50000); ++i) {
    SCOPED_TRACE(i);
    std::array<Triangle, 2> t;
    const std::uint64_t plane = random.below(3);
    for (Triangle& u : t)
      for (Point3& p : u.corner) {
        p = {coordinate(), coordinate(), coordinate()};
        if (plane == 0) p.x = 0;
        if (plane == 1) p.y = p.x;
      }
    if (random.below(4) == 0) t[1].corner[0] = t[0].corner[1];
    const TriangleIntersection shared = intersection(t[0], t[1]);
    ASSERT_EQ(shared.relation, relation(t[0], t[1]));
    ASSERT_EQ(shared.count == 0, shared.relation == Relation::disjoint);
    for (const Point3& p : shared.points()) {
      ++points;
      ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
    }
    const ClosestPoints closest = closest_points(t[0], t[1]);
    ASSERT_GE(closest.distance, 0);
    ASSERT_EQ(closest.distance == 0, shared.relation != Relation::disjoint);
  }
  EXPECT_GT(points, 0U);
}

TEST(Intersection, SegmentOfACrossIsExact) {
  const auto shared = intersection(k_floor, tri({1, 1, -1}, {1, 1, 1}, {1, 3, 1}));
  ASSERT_EQ(shared.count, 2U);
  EXPECT_EQ(std::min(shared.corner[0], shared.corner[1]), (Point3{1, 1, 0}));
  EXPECT_EQ(std::max(shared.corner[0], shared.corner[1]), (Point3{1, 2, 0}));
}

TEST(ClosestPoints, KnowsTheThreeKindsOfFeatures) {
  const auto face = closest_points(k_floor, tri({1, 1, 3}, {1, 2, 5}, {2, 1, 5}));
  EXPECT_EQ(face.distance, 3);
  EXPECT_EQ(face.on_a, (Point3{1, 1, 0}));
  EXPECT_EQ(face.on_b, (Point3{1, 1, 3}));
  const auto edges = closest_points(k_floor, tri({2, -2, 2}, {2, -3, 1}, {2, -1, 5}));
  EXPECT_NEAR(edges.distance, std::sqrt(8.0), 1e-15);
  const auto corners = closest_points(k_floor, tri({-3, -4, 0}, {-9, -4, 0}, {-3, -9, 0}));
  EXPECT_EQ(corners.distance, 5);
  EXPECT_EQ(corners.on_a, (Point3{0, 0, 0}));
}

TEST(ClosestPoints, KeepsItsDigitsForTinyGapsTinyTrianglesAndHugeOnes) {
  for (const double scale : {0x1p-900, 0x1p-30, 1.0, 0x1p30, 0x1p900}) {
    const double gap = 0x1p-45;
    const auto scaled = [&](Triangle t) {
      for (Point3& p : t.corner) p = scale * p;
      return t;
    };
    const auto found = closest_points(scaled(k_floor), scaled(tri({1, 1, gap}, {2, 1, 1}, {1, 2, 1})));
    EXPECT_DOUBLE_EQ(found.distance, gap * scale);
  }
}

TEST(RayHit, TellsInnerBorderAndGrazingApart) {
  const auto down = [](double x, double y) { return ray_hit({{x, y, 2}, {0, 0, -4}}, k_floor); };
  ASSERT_TRUE(down(1, 1));
  EXPECT_EQ(down(1, 1)->t, 0.5);
  EXPECT_EQ(down(1, 1)->kind, RayHitKind::inner);
  EXPECT_FALSE(down(1, 1)->from_inside);
  EXPECT_EQ(down(2, 0)->kind, RayHitKind::border);
  EXPECT_EQ(down(2, 2)->kind, RayHitKind::border);
  EXPECT_EQ(down(0, 0)->kind, RayHitKind::border);
  EXPECT_FALSE(down(std::nextafter(2.0, 3.0), 2));
  EXPECT_FALSE(down(-5e-324, 1));
  const auto up = ray_hit({{1, 1, -2}, {0, 0, 1}}, k_floor);
  ASSERT_TRUE(up);
  EXPECT_TRUE(up->from_inside);
  EXPECT_FALSE(ray_hit({{1, 1, 2}, {0, 0, 1}}, k_floor)) << "behind the origin";
  EXPECT_EQ(ray_hit({{1, 1, 0}, {0, 0, 1}}, k_floor)->t, 0) << "origin on the face";
  const auto along = ray_hit({{-2, 1, 0}, {1, 0, 0}}, k_floor);
  ASSERT_TRUE(along);
  EXPECT_EQ(along->kind, RayHitKind::grazing);
  EXPECT_EQ(along->t, 2);
  EXPECT_EQ(ray_hit({{1, 1, 0}, {1, 0, 0}}, k_floor)->t, 0) << "origin inside, ray in the plane";
  EXPECT_FALSE(ray_hit({{-2, 1, 0}, {-1, 0, 0}}, k_floor));
  EXPECT_TRUE(ray_hit({{-1, 5, 0}, {1, -1, 0}}, k_floor)) << "along an edge";
}

TEST(RayHit, NeverSlipsThroughAClosedMesh) {
  // A fan of triangles around a corner, and rays aimed exactly at corner and spokes from everywhere.
  const std::vector<Point3> rim{{3, 0, 0}, {1, 3, 0.5}, {-2, 2, -0.25}, {-3, -1, 0.75}, {0, -3, 0.125}, {2, -2, -0.5}};
  const Point3 hub{0.1, 0.2, 0.3};
  Random random(5);
  for (std::uint64_t i = 0; i < test::scaled(20000); ++i) {
    SCOPED_TRACE(i);
    const Point3& spoke = rim[i % rim.size()];
    const double s = random.below(4) == 0 ? 0 : random.uniform(0, 0.9);
    const Point3 target = hub + s * (spoke - hub);
    const Point3 origin = target + Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(4, 9)};
    std::size_t hits = 0;
    for (std::size_t k = 0; k < rim.size(); ++k)
      hits += ray_hit({origin, target - origin}, tri(hub, rim[k], rim[(k + 1) % rim.size()])) ? 1 : 0;
    ASSERT_GE(hits, 1U);
  }
}

}  // namespace
}  // namespace snug
