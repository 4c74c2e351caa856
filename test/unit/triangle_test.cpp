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
          const auto second = geometry::unit_triangle_test(a, b);
          if (second == geometry::UnitTriangleAnswer::disjoint) {
            ASSERT_EQ(c.expected, Relation::disjoint);
          }
          if (second == geometry::UnitTriangleAnswer::intersecting) {
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

TEST(Intersection, DoesNotDependOnAnyOrderAndKeepsCorners) {
  Random random(12);
  for (std::uint64_t i = 0; i < test::scaled(3000); ++i) {
    SCOPED_TRACE(i);
    Triangle a = random.triangle(-1, 1), b = random.triangle(-1, 1);
    if (i % 2 == 0)
      for (Triangle* t : {&a, &b})
        for (Point3& p : t->corner) p.z = 0.5 * p.x;  // coplanar
    const TriangleIntersection shared = intersection(a, b);
    const ClosestPoints closest = closest_points(a, b);
    test::for_all_72_orders(a, b, [&](const Triangle& x, const Triangle& y) {
      const TriangleIntersection again = intersection(x, y);
      ASSERT_EQ(again.count, shared.count);
      ASSERT_EQ(again.corner, shared.corner);
      ASSERT_EQ(closest_points(x, y).distance, closest.distance);
    });
    ASSERT_EQ(closest_points(b, a).on_a, closest.on_b);
    if (shared.relation == Relation::disjoint) continue;
    for (const auto& [t, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
      for (const Point3& p : t->corner)
        if (relation({{p, p, p}}, *other) != Relation::disjoint) {
          ASSERT_TRUE(std::ranges::find(shared.points(), p) != shared.points().end());
        }
  }
}

TEST(Intersection, PolygonsAreConvexAndHaveTheRightArea) {
  // Area of the overlap of two coplanar triangles by counting points of a fine grid.
  Random random(14);
  const auto turn = [](const Point3& a, const Point3& b, const Point3& c) {
    return orient2d({a.x, a.y}, {b.x, b.y}, {c.x, c.y});
  };
  for (std::uint64_t i = 0; i < test::scaled(200); ++i) {
    SCOPED_TRACE(i);
    Triangle a = random.triangle(0, 1), b = random.triangle(0, 1);
    for (Triangle* t : {&a, &b})
      for (Point3& p : t->corner) p.z = 0;
    const TriangleIntersection shared = intersection(a, b);
    double area = 0;
    for (std::uint32_t k = 0; k < shared.count; ++k) {
      const Point3 &p = shared.corner[k], &q = shared.corner[(k + 1) % shared.count];
      area += 0.5 * (p.x * q.y - p.y * q.x);
    }
    int inside = 0;
    constexpr int k_grid = 200;
    const auto in = [&](const Triangle& t, const Point3& p) {
      const int s = turn(t[0], t[1], t[2]);
      return turn(t[0], t[1], p) != -s && turn(t[1], t[2], p) != -s && turn(t[2], t[0], p) != -s;
    };
    for (int x = 0; x < k_grid; ++x)
      for (int y = 0; y < k_grid; ++y) {
        const Point3 p{(x + 0.5) / k_grid, (y + 0.5) / k_grid, 0};
        inside += in(a, p) && in(b, p) ? 1 : 0;
      }
    ASSERT_NEAR(std::abs(area), inside / double(k_grid * k_grid), 0.01);
  }
}

TEST(UnitTriangle, DecidesNearlyAllGenericPairs) {
  Random random(15);
  int undecided = 0;
  for (int i = 0; i < 2000; ++i) {
    const Triangle a = random.triangle(-1, 1), b = random.triangle(-1, 1);
    const auto answer = geometry::unit_triangle_test(a, b);
    undecided += answer == geometry::UnitTriangleAnswer::undecided ? 1 : 0;
    if (answer != geometry::UnitTriangleAnswer::undecided) {
      ASSERT_EQ(answer == geometry::UnitTriangleAnswer::intersecting, relation(a, b) != Relation::disjoint);
    }
  }
  EXPECT_LE(undecided, 2);
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
  // Over a slanted face, far from axes: plain doubles would keep a handful of digits.
  const Triangle slanted = tri({0.1, 0.2, 0.3}, {1.3, 0.4, 0.9}, {0.2, 1.7, 0.5});
  const Point3 over{0.5, 0.7, 0.5};
  const Point3 foot = closest_points(slanted, tri(over, over, over)).on_a;
  const Vec3 away{over.x - foot.x, over.y - foot.y, over.z - foot.z};
  const Point3 near{foot.x + 0x1p-30 * away.x, foot.y + 0x1p-30 * away.y, foot.z + 0x1p-30 * away.z};
  const double small = closest_points(slanted, tri(near, near + away, near + away)).distance;
  const double exact = [&] {
    using Long = long double;
    const Long ux = Long(1.3) - Long(0.1), uy = Long(0.4) - Long(0.2), uz = Long(0.9) - Long(0.3);
    const Long vx = Long(0.2) - Long(0.1), vy = Long(1.7) - Long(0.2), vz = Long(0.5) - Long(0.3);
    const Long nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const Long d = nx * (Long(near.x) - Long(0.1)) + ny * (Long(near.y) - Long(0.2)) + nz * (Long(near.z) - Long(0.3));
    return static_cast<double>(std::abs(d) / std::sqrt(nx * nx + ny * ny + nz * nz));
  }();
  EXPECT_NEAR(small / exact, 1, 1e-9);
}

TEST(RayHit, KeepsTheDigitsOfFlatFarAndTinyHits) {
  const auto t_of = [](const Ray& ray, const Triangle& t) {
    const auto hit = ray_hit(ray, t);
    EXPECT_TRUE(hit);
    return hit ? hit->t : -1;
  };
  // Nearly in the plane; plain doubles would answer 11.
  EXPECT_NEAR(t_of({{0x1.48adc18b547b6p-3, -0x1.fcc9783f3c9ecp-4, 0x1.b03dfde2e2f8ep-3},
                    {0x1.1b6515b075aeap-1, 0x1.081b534c44394p-1, 0x1.5b7f4e588cbfdp-2}},
                   tri({0x1.d4990bda9b7fdp-1, 0x1.2c2e5c5e60d11p-1, 0x1.5c8601ed5d932p-1},
                       {0x1.4259f8ebf82d9p-1, 0x1.3623581470c9cp-2, 0x1.f499629c483fap-2},
                       {0x1.d1e195dc9bf68p-2, 0x1.34ec1dd3fdd5cp-3, 0x1.919dbac755806p-2})),
              1.00063, 1e-5);
  for (const double size : {1e-300, 1e-100, 1.0, 1e100, 1e300}) {
    for (const double speed : {1e-120, 1.0, 1e120}) {
      const Triangle t = tri({0, 0, 0}, {4 * size, 0, 0}, {0, 4 * size, 0});
      const double expected = 3 * (size / speed);
      if (!std::isnormal(expected)) continue;
      EXPECT_NEAR(t_of({{size, size, 3 * size}, {0, 0, -speed}}, t) / expected, 1, 1e-15) << size << ' ' << speed;
    }
  }
  const Triangle wall = tri({1.5e308, -1, -1}, {1.5e308, 3, -1}, {1.5e308, -1, 3});
  EXPECT_NEAR(t_of({{-1.5e308, 0, 0}, {1e300, 0, 0}}, wall), 3e8, 1e-6);
}

TEST(RayHit, MeetsDegenerateTrianglesWhereTheyAre) {
  const Triangle segment = tri({0, 0, 0}, {2, 0, 0}, {1, 0, 0});
  EXPECT_EQ(ray_hit({{1, 0, 5}, {0, 0, -1}}, segment)->t, 5);
  EXPECT_EQ(ray_hit({{1, 0, 5}, {0, 0, -1}}, segment)->kind, RayHitKind::grazing);
  EXPECT_FALSE(ray_hit({{1, 0.1, 5}, {0, 0, -1}}, segment));
  EXPECT_EQ(ray_hit({{-3, 0, 0}, {1, 0, 0}}, segment)->t, 3);
  EXPECT_FALSE(ray_hit({{3, 0, 0}, {1, 0, 0}}, segment));
  const Triangle point = tri({1, 1, 1}, {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(ray_hit({{0, 0, 0}, {1, 1, 1}}, point)->t, 1);
  EXPECT_FALSE(ray_hit({{0, 0, 0}, {1, 1, 1.5}}, point));
}

TEST(RayHit, CountsEachTriangleOnceThroughItsInside) {
  Random random(6);
  for (std::uint64_t i = 0; i < test::scaled(20000); ++i) {
    SCOPED_TRACE(i);
    const Triangle t = random.triangle(-1, 1);
    const double u = random.uniform(-1, 2), v = random.uniform(-1, 2);
    const Point3 target = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
    const Point3 origin = target + random.point(-3, 3);
    const bool inside = u > 1e-9 && v > 1e-9 && u + v < 1 - 1e-9, outside = u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9;
    const auto hit = ray_hit({origin, target - origin}, t);
    if (inside) {
      ASSERT_TRUE(hit);
      ASSERT_NEAR(hit->t, 1, 1e-6);
    }
    if (outside) {
      ASSERT_FALSE(hit);
    }
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
