#include "query/self/beyond_shared.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

// Neighbours by hand: what two triangles with common corners share beyond them.

namespace snug {
namespace {

using Corners = std::array<Point3, 3>;

void expect(Relation expected, const Corners& of_a, const Corners& of_b) {
  const Triangle a{of_a}, b{of_b};
  test::for_all_72_orders(
      a, b, [&](const Triangle& x, const Triangle& y) { ASSERT_EQ(query::relation_beyond_shared(x, y), expected); });
  // Turned by exact rotations, so that every axis is dropped once.
  for (const Pose& turn : test::cube_rotations())
    ASSERT_EQ(query::relation_beyond_shared(test::posed(a, turn), test::posed(b, turn)), expected);
}

constexpr Relation none = Relation::disjoint, touching = Relation::touching, crossing = Relation::crossing;
const Point3 o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0};

TEST(BeyondShared, ASideInCommon) {
  const Corners t{{o, x, y}};
  expect(none, t, {{x, o, {0.3, -1, 0}}});     // across, in one plane
  expect(none, t, {{x, o, {0.3, 0.5, 0.1}}});  // folded, but not flat
  expect(none, t, {{x, o, {0.3, 0.5, 0x1p-1074}}});
  expect(touching, t, {{x, o, {0.3, 0.2, 0}}});  // folded flat
  expect(touching, t, {{x, o, {0, 7, 0}}});
  expect(touching, t, {{x, o, {-5, 0x1p-40, 0}}});
}

TEST(BeyondShared, ThreeCornersInCommon) {
  expect(touching, {{o, x, y}}, {{o, y, x}});
  const Point3 half{0.5, 0, 0};
  expect(none, {{o, half, x}}, {{o, half, x}});  // a needle twice: a side is all there is of them
}

TEST(BeyondShared, ACornerInCommon) {
  const Corners t{{o, x, y}};
  expect(none, t, {{o, {1, 1, 1}, {1, 2, 1}}});       // both ends on one side
  expect(none, t, {{o, {-1, -1, 1}, {-1, -1, -1}}});  // through the plane, on the far side of the corner
  expect(none, t, {{o, {1, -1, 1}, {1, -1, -1}}});    // beside
  expect(crossing, t, {{o, {1, 1, 1}, {1, 1, -1}}});
  expect(crossing, t, {{o, {0.1, 0.1, 1e-9}, {0.1, 0.1, -1e-9}}});
  expect(touching, t, {{o, {1, 0, 1}, {1, 0, -1}}});  // along a side of t
  expect(touching, t, {{o, {1, 1, 0}, {1, 1, -1}}});  // a side of the other lies in t
  expect(none, t, {{o, {-1, -1, 0}, {1, 1, -1}}});    // or in its plane beside it
  expect(touching, t, {{o, {2, 0, 0}, {1, 1, -1}}});  // sides on one another, one longer
  expect(touching, t, {{o, {0.5, 0, 0}, {1, 1, -1}}});
  expect(none, t, {{o, {-2, 0, 0}, {1, -1, -1}}});
}

TEST(BeyondShared, ACornerInCommonInOnePlane) {
  const Corners t{{o, x, y}};
  expect(none, t, {{o, {-1, 0, 0}, {0, -1, 0}}});
  expect(none, t, {{o, {-1, 0.5, 0}, {-1, -1, 0}}});
  expect(touching, t, {{o, {2, 1, 0}, {2, 2, 0}}});    // within
  expect(touching, t, {{o, {2, -1, 0}, {-1, 2, 0}}});  // around
  expect(touching, t, {{o, {1, 1, 0}, {-1, 1, 0}}});   // half
  expect(touching, t, {{o, {3, 0, 0}, {1, -1, 0}}});   // along a side
}

TEST(BeyondShared, NothingInCommonIsPlainRelation) {
  const Corners t{{o, x, y}};
  expect(touching, t, {{{0.5, 0, 0}, {0.5, 0, 1}, {0.7, 0, 1}}});
  expect(crossing, t, {{{0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.3, 0.2, 1}}});
  expect(none, t, {{{2, 2, 0}, {3, 2, 0}, {2, 3, 0}}});
}

TEST(BeyondShared, WithoutArea) {
  const Corners t{{o, x, y}};
  const Point3 half{0.5, 0, 0}, up{0, 0, 1};
  expect(none, t, {{o, o, o}});          // a corner is all there is
  expect(none, t, {{o, x, x}});          // a side
  expect(none, t, {{o, half, x}});       // a needle along a side
  expect(none, t, {{o, x, {2, 0, 0}}});  // and beyond its end
  expect(none, t, {{o, o, up}});         // away from it
  expect(touching, t, {{o, o, half}});   // along a side, no corner at the other end
  expect(touching, t, {{o, o, {1, 1, 0}}});
  expect(none, t, {{o, o, {-1, -1, 0}}});
  expect(touching, t, {{{-1, -1, 0}, o, {1, 1, 0}}});  // the common corner in its middle
  expect(none, t, {{{-1, 1, 0}, o, {1, -1, 0}}});
  expect(touching, t, {{half, half, half}});  // a point on a side
  expect(none, {{o, o, x}}, {{o, o, y}});
  expect(none, {{o, o, x}}, {{o, {-1, 0, 0}, o}});
  expect(touching, {{o, o, x}}, {{o, half, half}});
  expect(none, {{o, o, x}}, {{x, x, {2, 0, 0}}});
  expect(touching, {{o, x, {3, 0, 0}}}, {{x, x, {2, 0, 0}}});
  expect(touching, {{o, x, {3, 0, 0}}}, {{o, x, {2, 0, 0}}});
  expect(none, {{o, x, x}}, {{o, x, {-2, 0, 0}}});
  expect(none, {{o, o, o}}, {{o, o, o}});
}

}  // namespace
}  // namespace snug
