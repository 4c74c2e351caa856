#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// What each rule of contacts by regions is for.

namespace snug {
namespace {

using Normal = RayContactOptions::Normal;
using Kind = ContactArea::Kind;

Contacts regions(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 Normal normal = Normal::smooth) {
  Scratch scratch;
  return contacts(a, pose_a, b, pose_b, scratch, {.normal = normal}).value();
}

TEST(ContactRegions, OfABoxOnAnotherAreItsFourCorners) {
  const Shape box(scenes::box({0, 0, 0}, {1, 1, 1})), ground(scenes::box({-1, -1, -1}, {3, 3, 0}));
  for (const double sunk : {0.0, 1e-9, 0.1}) {
    SCOPED_TRACE(sunk);
    const Contacts found = regions(box, translation(0, 0, -sunk), ground, {});
    ASSERT_EQ(found.patches.size(), 1U);
    EXPECT_EQ(found.patches[0].kind, sunk == 0 ? Kind::touching : Kind::overlap);
    EXPECT_EQ(found.patches[0].normal.z, 1);
    EXPECT_NEAR(found.patches[0].area, sunk == 0 ? 0 : 1, 1e-12);
    ASSERT_EQ(found.contacts.size(), 4U);
    double x = 0, y = 0;
    for (const Contact& c : found.contacts) {
      EXPECT_NEAR(c.depth, sunk, 1e-15);
      x += c.on_a.x, y += c.on_a.y;
      EXPECT_TRUE((c.on_a.x == 0 || c.on_a.x == 1) && (c.on_a.y == 0 || c.on_a.y == 1));
    }
    EXPECT_EQ(x, 2);
    EXPECT_EQ(y, 2);
  }
}

TEST(ContactRegions, OfEdgesAndCornersThatTouchSeparateThem) {
  const Shape box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  // An edge across an edge, both level, by a thousandth.
  constexpr double k_eighth = 0.78539816339744828;
  const Pose above = compose(translation(0, 0, 2 * std::sqrt(2.0) - 1e-3), rotation({1, 0, 0}, k_eighth));
  const Contacts edges = regions(box, above, box, rotation({0, 1, 0}, k_eighth));
  ASSERT_EQ(edges.patches.size(), 1U);
  EXPECT_NEAR(edges.patches[0].normal.z, 1, 1e-9);
  EXPECT_NEAR(edges.patches[0].depth, 1e-3, 1e-9);
  // Exact touching: a corner of one box on the middle of a face, by coordinates that are exact.
  MeshInput input;
  input.vertices = {{0, 0, 1}, {1, 0, 2}, {-1, 1, 2}, {-1, -1, 2}};
  input.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  const Contacts corner = regions(Shape(Mesh::build(std::move(input)).value()), {}, box, {});
  ASSERT_EQ(corner.patches.size(), 1U);
  EXPECT_EQ(corner.patches[0].kind, Kind::touching);
  EXPECT_EQ(corner.patches[0].normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(corner.patches[0].depth, 0);
  ASSERT_EQ(corner.contacts.size(), 1U);
  EXPECT_EQ(corner.contacts[0].on_a, (Point3{0, 0, 1}));
}

TEST(ContactRegions, AreSplitAtAConcaveCrease) {
  // A step, its ledge at y = 2 and its wall at x = 1: the box is pushed out of both, each as far as it takes.
  const std::pair<double, double> outline[] = {{0, 0}, {3, 0}, {3, 2}, {1, 2}, {1, 4}, {0, 4}};
  const Shape step(scenes::prism(outline, 0, 2)), box(scenes::box({0, 0, 0.5}, {1, 1, 1.5}));
  for (const double ledge : {1e-6, 0.01, 0.05})
    for (const double wall : {0.05, 0.3}) {
      SCOPED_TRACE(testing::Message() << ledge << ' ' << wall);
      const Contacts found = regions(box, translation(1 - wall, 2 - ledge, 0), step, {});
      ASSERT_EQ(found.patches.size(), 2U);
      const bool wall_first = found.patches[0].normal.x > 0.9;
      const ContactArea &of_wall = found.patches[wall_first ? 0 : 1], &of_ledge = found.patches[wall_first ? 1 : 0];
      EXPECT_NEAR(of_wall.normal.x, 1, 1e-9);
      EXPECT_NEAR(of_wall.depth, wall, 1e-9);
      EXPECT_NEAR(of_ledge.normal.y, 1, 1e-9);
      EXPECT_NEAR(of_ledge.depth, ledge, 1e-9);
      EXPECT_NEAR(of_ledge.area, 1 - wall, 1e-9);
    }
}

TEST(ContactRegions, OfABodyThroughAnotherOrInsideItLeadOutTheShortWay) {
  const Shape cube(scenes::box({-0.5, -0.5, 0}, {0.5, 0.5, 1})), plate(scenes::box({-10, -10, -0.04}, {10, 10, 0}));
  for (const double sunk : {0.01, 0.03, 0.042, 0.06, 0.2, 0.4, 0.48}) {
    SCOPED_TRACE(sunk);
    const Contacts found = regions(cube, compose(translation(0.31, 0.17, -sunk), rotation({0, 0, 1}, 0.3)), plate, {});
    ASSERT_EQ(found.patches.size(), 1U);
    EXPECT_NEAR(found.patches[0].normal.z, 1, 1e-12);
    EXPECT_NEAR(found.patches[0].depth, sunk, 1e-9);
  }
  const Shape small(scenes::box({0, 0, 0}, {0.2, 0.2, 0.2})), large(scenes::box({-1, -1, -1}, {3, 3, 0}));
  const Contacts inside = regions(small, translation(0.1, 0.1, -0.4), large, {});
  ASSERT_EQ(inside.patches.size(), 1U);
  EXPECT_EQ(inside.patches[0].kind, Kind::contained);
  EXPECT_NEAR(inside.patches[0].normal.z, 1, 1e-12);
  EXPECT_NEAR(inside.patches[0].depth, 0.4, 1e-12);
  EXPECT_EQ(inside.contacts.size(), 4U);
}

TEST(ContactRegions, ThatPushAgainstEachOtherSaySo) {
  MeshInput both;
  test::append(both, scenes::box({-1, -1, -1}, {0, 1, 1}));
  test::append(both, scenes::box({0.98, -1, -1}, {2, 1, 1}));
  const Shape walls(Mesh::build(std::move(both)).value()), peg(scenes::box({0, -0.5, -0.5}, {1, 0.5, 0.5}));
  const Contacts held = regions(peg, translation(-0.005, 0, 0), walls, {});
  ASSERT_EQ(held.patches.size(), 2U);
  EXPECT_TRUE(held.patches[0].opposed && held.patches[1].opposed);
  EXPECT_NEAR(std::abs(held.patches[0].normal.x + held.patches[1].normal.x), 0, 1e-12);
  const Contacts free = regions(peg, translation(-0.02, 0, 0), walls, {});
  ASSERT_EQ(free.patches.size(), 2U);  // the other side touches
  for (const ContactArea& region : free.patches) EXPECT_NEAR(region.depth, region.normal.x > 0 ? 0.02 : 0, 1e-12);
}

TEST(ContactRegions, OfASheetAreOpenWhereItsRimIsInside) {
  MeshInput input;
  input.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  input.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Shape sheet(Mesh::build(std::move(input)).value()), ball(scenes::sphere(0.5, 8, 12));
  const Contacts middle = regions(ball, translation(0.1, 0.2, 0.4), sheet, {});
  ASSERT_EQ(middle.patches.size(), 1U);
  EXPECT_EQ(middle.patches[0].kind, Kind::overlap);
  EXPECT_NEAR(middle.patches[0].normal.z, 1, 1e-9);
  EXPECT_NEAR(middle.patches[0].depth, 0.1, 1e-9);
  const Contacts rim = regions(ball, translation(1, 0.2, 0.4), sheet, {});
  ASSERT_EQ(rim.patches.size(), 1U);
  EXPECT_EQ(rim.patches[0].kind, Kind::open);
  EXPECT_GT(rim.patches[0].normal.z, 0.8);
  EXPECT_GT(rim.patches[0].depth, 0.05);
  EXPECT_LT(rim.patches[0].depth, 0.2);
}

TEST(ContactRegions, OfABodyThatCrossesItselfAreThoseOfItsOutside) {
  // Two boxes through each other as one body, and a box sunk into both across the seam.
  MeshInput both;
  test::append(both, scenes::box({-3, -1, -1}, {0.5, 1, 0}));
  test::append(both, scenes::box({-0.5, -1, -1}, {3, 1, 0}));
  const Shape ground(Mesh::build(std::move(both)).value()), box(scenes::box({-1, -0.5, 0}, {1, 0.5, 1}));
  const Contacts found = regions(box, translation(0.01, 0.02, -0.1), ground, {});
  ASSERT_FALSE(found.patches.empty());
  for (const ContactArea& region : found.patches) {
    EXPECT_GT(region.normal.z, 0.99);
    EXPECT_NEAR(region.depth, 0.1, 1e-9);
  }
}

TEST(ContactRegions, CountTheShellsAroundAnEdgeThatBeginsInSeveral) {
  // Two boxes through each other as one body. Edges of the other box lead from both of them into one, in either order of their vertices.
  MeshInput both;
  test::append(both, scenes::box({-3, -1, -1}, {0.5, 1, 0}));
  test::append(both, scenes::box({-0.5, -1, -1}, {3, 1, 0}));
  const Shape ground(Mesh::build(std::move(both)).value());
  for (const double x : {0.0, -2.0}) {
    SCOPED_TRACE(x);
    const Shape box(scenes::box({x, -0.5, 0}, {x + 2, 0.5, 1}));
    const Contacts found = regions(box, translation(0.01, 0.02, -0.1), ground, {});
    ASSERT_FALSE(found.patches.empty());
    for (const ContactArea& region : found.patches) {
      EXPECT_EQ(region.kind, Kind::overlap);
      // A limit, not the ideal: walls inside the body are part of its curves, and the normal leans by 2.3 degrees here.
      EXPECT_GT(region.normal.z, 0.999);
      EXPECT_NEAR(region.depth, 0.1, 1e-4);
    }
  }
}

TEST(ContactRegions, KnowCavities) {
  // A box with a cavity: what floats in it is free, and what sinks into its floor is pushed up.
  MeshInput hollow;
  test::append(hollow, scenes::box({-2, -2, -2}, {2, 2, 2}));
  test::append(hollow, scenes::box({-1, -1, -1}, {1, 1, 1}), true);
  const Shape shell(Mesh::build(std::move(hollow)).value()), box(scenes::box({-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}));
  EXPECT_TRUE(regions(box, {}, shell, {}).patches.empty());
  const Contacts found = regions(box, translation(0.01, 0.02, -0.8), shell, {});
  ASSERT_EQ(found.patches.size(), 1U);
  EXPECT_NEAR(found.patches[0].normal.z, 1, 1e-12);
  EXPECT_NEAR(found.patches[0].depth, 0.1, 1e-12);
}

TEST(ContactRegions, OfTheSameCornersTurnRoundWithTheBodies) {
  // Two bodies with the same vertices, whose triangles come in another order.
  const Mesh box = scenes::box({-1, -1, -1}, {1, 1, 1});
  MeshInput input;
  input.vertices.assign(box.vertices().begin(), box.vertices().end());
  input.triangles.assign(box.triangles().rbegin(), box.triangles().rend());
  const Shape a(box), b(Mesh::build(std::move(input)).value());
  for (const Normal normal : {Normal::smooth, Normal::minimum}) {
    const Contacts found = regions(a, {}, b, {}, normal), exchanged = regions(b, {}, a, {}, normal);
    ASSERT_FALSE(found.patches.empty());
    ASSERT_EQ(found.patches.size(), exchanged.patches.size());
    for (std::size_t i = 0; i < found.patches.size(); ++i)
      EXPECT_EQ(found.patches[i].normal, -exchanged.patches[i].normal);
  }
}

TEST(ContactRegions, OfTinyAndHugeBodiesAreThoseOfTheSameAtOne) {
  const auto scaled = [](const Mesh& mesh, double scale) {
    MeshInput input;
    for (const Point3& p : mesh.vertices()) input.vertices.push_back(scale * p);
    input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
    return Shape(Mesh::build(std::move(input)).value());
  };
  const Mesh box = scenes::box({-1, -1, -1}, {1, 1, 1}), cylinder = scenes::cylinder(1, 2, 9);
  const Vec3 at{1.5, 0.3, 0.2};
  const Pose pose = compose(translation(at.x, at.y, at.z), rotation({1, 2, 3}, 0.3));
  for (const Mesh* const mesh : {&box, &cylinder})
    for (const Normal normal : {Normal::smooth, Normal::minimum}) {
      const Contacts found = regions(scaled(*mesh, 1), pose, scaled(box, 1), {}, normal);
      ASSERT_EQ(found.patches.size(), 1U);
      for (const int power : {-500, -400, 400, 500}) {
        SCOPED_TRACE(power);
        const double scale = std::ldexp(1.0, power);
        const Pose far = Pose::make(pose.rotation(), scale * pose.translation()).value();
        const Contacts other = regions(scaled(*mesh, scale), far, scaled(box, scale), {}, normal);
        ASSERT_EQ(other.patches.size(), 1U);
        EXPECT_EQ(other.contacts.size(), found.contacts.size());
        EXPECT_NEAR(other.patches[0].depth / scale, found.patches[0].depth, 1e-9);
        EXPECT_NEAR(other.patches[0].area / scale / scale, found.patches[0].area, 1e-9);
        EXPECT_LT((other.patches[0].normal - found.patches[0].normal).length(), 1e-9);
      }
    }
}

TEST(ContactRegions, AreOpposedIfAnyPushesAgainstThem) {
  // A ball of small balls, sunk into the wall of a cavity all around or on one side: each region is held to all others.
  Scratch scratch;
  std::size_t some = 0, none = 0;
  for (const double aside : {0.0, 0.1, 0.25}) {
    MeshInput balls, hollow;
    const Mesh ball = scenes::sphere(0.1, 5, 8);
    for (int i = 0; i < 60; ++i) {
      const double z = -1 + (2 * i + 1) / 60.0, r = std::sqrt(1 - z * z), turn = 2.4 * i;
      const auto first = static_cast<std::uint32_t>(balls.vertices.size());
      for (const Point3& p : ball.vertices())
        balls.vertices.push_back(p + Vec3{r * std::cos(turn), r * std::sin(turn), z});
      for (const Index3& t : ball.triangles()) balls.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    test::append(hollow, scenes::sphere(2, 12, 24));
    test::append(hollow, scenes::sphere(1.1, 24, 48), true);
    const Contacts found = regions(Shape(Mesh::build(std::move(balls)).value()), translation(aside, 0.02, 0),
                                   Shape(Mesh::build(std::move(hollow)).value()), {});
    EXPECT_GT(found.patches.size(), 5U);
    for (const ContactArea& one : found.patches) {
      const bool opposed = std::ranges::any_of(
          found.patches, [&](const ContactArea& other) { return one.normal.dot(other.normal) < -0.85716730070211233; });
      EXPECT_EQ(one.opposed, opposed);
      ++(opposed ? some : none);
    }
  }
  EXPECT_GT(some, 10U);
  EXPECT_GT(none, 10U);
}

TEST(ContactRegions, RefuseAnInvalidPose) {
  const Shape box(scenes::box({0, 0, 0}, {1, 1, 1}));
  Scratch scratch;
  const auto refused = contacts(box, translation(std::nan(""), 0, 0), box, {}, scratch);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ContactError::Code::bad_pose);
}

}  // namespace
}  // namespace snug
