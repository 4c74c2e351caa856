#include "cgal_judge.hpp"
#include "degenerate_pairs.hpp"
#include "judge_support.hpp"
#include "rational_judge.hpp"

#include <gtest/gtest.h>

#include <cmath>

// The judges are judged: the fast one by the slow one, and both by cases that can be checked by hand.

namespace snug::judge {
namespace {

const Triangle k_base{{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}};

struct HandMade {
  const char* what;
  Triangle b;
  Relation relation;
  int corners;
};

TEST(Judges, AgreeWithCasesDoneByHand) {
  const HandMade cases[] = {
      {"the same triangle", k_base, Relation::touching, 3},
      {"above it", {{{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}}}, Relation::disjoint, 0},
      {"straight through it", {{{{1, 1, -1}, {1, 1, 1}, {2, 1, 1}}}}, Relation::crossing, 2},
      {"standing on it with an edge", {{{{1, 1, 0}, {2, 1, 0}, {1, 1, 1}}}}, Relation::touching, 2},
      {"standing on it with a corner", {{{{1, 1, 0}, {2, 1, 1}, {1, 1, 1}}}}, Relation::touching, 1},
      {"through its edge line, beside it", {{{{3, 3, -1}, {3, 3, 1}, {5, 5, 0}}}}, Relation::disjoint, 0},
      {"edge across edge", {{{{2, -1, -1}, {2, 1, 1}, {2, -3, 0}}}}, Relation::touching, 1},
      {"coplanar, across a corner", {{{{3, -1, 0}, {5, 1, 0}, {3, 1, 0}}}}, Relation::touching, 3},
      {"coplanar, upside down", {{{{3, 3, 0}, {-1, 3, 0}, {3, -1, 0}}}}, Relation::touching, 6},
      {"a segment through it", {{{{1, 1, -1}, {1, 1, 1}, {1, 1, 0}}}}, Relation::touching, 1},
      {"a point on it", {{{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}}, Relation::touching, 1},
      {"a point above it", {{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}}, Relation::disjoint, 0},
      {"a segment along its edge", {{{{1, 0, 0}, {9, 0, 0}, {2, 0, 0}}}}, Relation::touching, 2},
  };
  for (const HandMade& c : cases) {
    EXPECT_EQ(cgal_relation(k_base, c.b), c.relation) << c.what;
    EXPECT_EQ(rational_intersection(k_base, c.b).relation, c.relation) << c.what;
    EXPECT_EQ(rational_intersection(c.b, k_base).relation, c.relation) << c.what;
    EXPECT_EQ(rational_intersection(k_base, c.b).corners, c.corners) << c.what;
    EXPECT_EQ(rational_intersection(c.b, k_base).corners, c.corners) << c.what;
  }
}

TEST(Judges, AgreeWithOneAnotherOnGenericPairs) {
  Random random(11);
  const std::size_t count = scaled(2'000);
  for (std::size_t i = 0; i != count; ++i) {
    const TrianglePair p = generic_pair(random);
    ASSERT_EQ(cgal_relation(p.a, p.b), rational_intersection(p.a, p.b).relation) << to_hex(p.a, p.b);
  }
}

TEST(Judges, AgreeWithOneAnotherOnDegeneratePairs) {
  for (const PairClass pair_class : k_pair_classes) {
    SCOPED_TRACE(to_string(pair_class));
    Random random(12);
    const std::size_t count = scaled(2'000);
    for (std::size_t i = 0; i != count; ++i) {
      const TrianglePair p = degenerate_pair(pair_class, random);
      ASSERT_EQ(cgal_relation(p.a, p.b), rational_intersection(p.a, p.b).relation) << to_hex(p.a, p.b);
    }
  }
}

TEST(Judges, MeasureKnownDistances) {
  const Triangle above{{{{1, 1, 3}, {2, 1, 4}, {1, 2, 5}}}};
  EXPECT_EQ(cgal_distance_error(k_base, above, 3), 0);
  EXPECT_NEAR(cgal_distance_error(k_base, above, 3 * (1 + 0x1p-50)), 0x1p-50, 0x1p-60);
  EXPECT_NEAR(cgal_distance_error(k_base, above, 1.5), 0.5, 1e-15);
  EXPECT_EQ(cgal_distance(Point3{1, 1, -2}, k_base), 2);
  EXPECT_EQ(cgal_distance(Point3{7, -4, 0}, k_base), 5);
  const Triangle point{{{{7, -4, 0}, {7, -4, 0}, {7, -4, 0}}}};
  EXPECT_EQ(cgal_distance_error(k_base, point, 5), 0);
}

TEST(Judges, KnowTheSignsOfOrientation) {
  EXPECT_EQ(rational_orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), 1);
  EXPECT_EQ(rational_orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0x1p-1074}), -1);
  EXPECT_EQ(rational_orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0x1p1023, 3, 0}), 0);
  EXPECT_EQ(rational_orient2d({0, 0}, {1, 0}, {0, 0x1p-1074}), 1);
  EXPECT_EQ(rational_orient2d({0, 0}, {0x1p1023, 0x1p1023}, {0x1p-1074, 0x1p-1074}), 0);
}

TEST(Judges, KnowRayHits) {
  const auto down = [](double x, double y) { return rational_ray_hit({{x, y, 2}, {0, 0, -0.5}}, k_base); };
  ASSERT_TRUE(down(1, 1));
  EXPECT_EQ(down(1, 1)->t, 4);
  EXPECT_EQ(down(1, 1)->kind, RayHitKind::inner);
  EXPECT_FALSE(down(1, 1)->from_inside);
  ASSERT_TRUE(down(2, 2));
  EXPECT_EQ(down(2, 2)->kind, RayHitKind::border);
  EXPECT_FALSE(down(2, nudge(2, 1)));
  const auto grazing = rational_ray_hit({{-2, 1, 0}, {1, 0, 0}}, k_base);
  ASSERT_TRUE(grazing);
  EXPECT_EQ(grazing->t, 2);
  EXPECT_EQ(grazing->kind, RayHitKind::grazing);
  EXPECT_FALSE(rational_ray_hit({{9, 1, 0}, {1, 0, 0}}, k_base));
}

}  // namespace
}  // namespace snug::judge
