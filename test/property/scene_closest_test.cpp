#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

// The closest two bodies of a scene and of two scenes, and contacts of all pairs, held to asking every pair.

namespace snug {
namespace {

using scenes::Random;

struct Placed {
  Shape shape;
  Pose pose;
};

double distance_of(const Placed& a, const Placed& b) {
  Scratch scratch;
  return distance(a.shape, a.pose, b.shape, b.pose, scratch).value;
}

/// Some meshes and primitives, `spread` apart.
std::vector<Placed> bodies_of(Random& random, std::size_t count, double spread) {
  const Shape knot(scenes::bumpy_knot(24, 8)), ball(scenes::sphere(1, 6, 9));
  const Shape block(Primitive::box({1, 0.5, 2}).value()), round(Primitive::sphere(0.7).value());
  const std::array shapes{block, round, knot, ball};
  std::vector<Placed> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    const Pose pose = random.pose(spread);
    bodies.push_back({shapes[random.below(4)], pose});
  }
  return bodies;
}

Scene scene_of(const std::vector<Placed>& bodies, std::vector<BodyId>& ids) {
  Scene scene;
  ids.clear();
  for (const Placed& body : bodies) ids.push_back(scene.add(body.shape, body.pose).value());
  return scene;
}

TEST(SceneClosest, IsTheSmallestDistanceOfAllPairs) {
  SceneScratch scratch;
  for (std::uint64_t seed = 0; seed < test::scaled(24); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto bodies = bodies_of(random, 3 + random.below(10), seed % 3 == 0 ? 4 : seed % 3 == 1 ? 20 : 2000);
    std::vector<BodyId> ids;
    const Scene scene = scene_of(bodies, ids);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j) least = std::min(least, distance_of(bodies[i], bodies[j]));
    const auto found = scene.closest_pair(scratch).value();
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->value, least, 1e-11 * (1 + least));
    EXPECT_LT(found->a.index, found->b.index);
    EXPECT_NEAR((found->on_b - found->on_a).length(), found->value, 1e-9 * (1 + least));
    // Passed over, the next one is found.
    Scene without = scene_of(bodies, ids);
    without.ignore(ids[found->a.index], ids[found->b.index]).value();
    const auto next = without.closest_pair(scratch).value();
    if (bodies.size() > 2) {
      ASSERT_TRUE(next.has_value());
      EXPECT_GE(next->value, found->value * (1 - 1e-11));
    }
    const SceneOptions filter{.filter = [](const BodyPair& pair) { return pair.a.index == 0; }};
    const auto of_first = scene.closest_pair(scratch, filter).value();
    ASSERT_TRUE(of_first.has_value());
    EXPECT_EQ(of_first->a.index, 0U);
  }
}

TEST(SceneClosest, LooksAtFewPairsHoweverFarAwaySingleBodiesAre) {
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  constexpr std::uint32_t count = 1000;
  Scene row, other;
  for (std::uint32_t i = 0; i < count; ++i) (void)row.add(cube, translation(10.0 * i, 0, 0)).value();
  (void)row.add(cube, translation(0, 1e9, 0)).value();
  for (std::uint32_t i = 0; i < count; ++i) (void)other.add(cube, translation(10.0 * i, 20, 0)).value();
  (void)other.add(cube, translation(0, 0, -1e9)).value();
  SceneScratch scratch;
  std::uint64_t looked_at = 0;
  const SceneOptions counted{.filter = [&](const BodyPair&) { return ++looked_at > 0; }};
  EXPECT_EQ(row.closest_pair(scratch, counted).value()->value, 8);
  EXPECT_LT(looked_at, 10 * count) << "of half a million";
  looked_at = 0;
  EXPECT_EQ(row.distance(other, scratch, counted).value()->value, 18);
  EXPECT_LT(looked_at, 20 * count) << "of a million";
}

TEST(SceneClosest, OfNothingThereIsNone) {
  SceneScratch scratch;
  Scene scene;
  EXPECT_FALSE(scene.closest_pair(scratch).value().has_value());
  EXPECT_FALSE(scene.distance(Scene(), scratch).value().has_value());
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  (void)scene.add(cube).value();
  (void)scene.add_box({{3, 3, 3}, {4, 4, 4}}).value();
  EXPECT_FALSE(scene.closest_pair(scratch).value().has_value()) << "a box alone has no shape";
  const BodyId shy = scene.add(cube, translation(5, 0, 0), {.groups = {.member = 2, .meets = 4}}).value();
  EXPECT_FALSE(scene.closest_pair(scratch).value().has_value()) << "groups that do not meet";
  scene.set_groups(shy, {}).value();
  EXPECT_EQ(scene.closest_pair(scratch).value()->value, 3);
  CancelToken token;
  token.cancel();
  EXPECT_EQ(scene.closest_pair(scratch, {.cancel = &token}).error().code, SceneError::Code::cancelled);
}

TEST(SceneClosest, OfSeveralThatTouchTheFirstCounts) {
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1}));
  Scene scene;
  for (const double x : {9.0, 8.0, 1.0, 0.0, 0.5}) (void)scene.add(cube, translation(x, 0, 0)).value();
  SceneScratch scratch;
  const auto found = scene.closest_pair(scratch).value();
  EXPECT_EQ(found->value, 0);
  EXPECT_EQ(found->a.index, 0U);
  EXPECT_EQ(found->b.index, 1U);
  EXPECT_NE(found->triangle_a, BodyDistance::k_no_triangle);
}

TEST(SceneClosest, TwoScenesAreAsFarApartAsTheirClosestBodies) {
  SceneScratch scratch;
  for (std::uint64_t seed = 100; seed < 100 + test::scaled(16); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto here = bodies_of(random, 1 + random.below(6), 6), there = bodies_of(random, 1 + random.below(6), 6);
    std::vector<BodyId> ids_a, ids_b;
    const Scene a = scene_of(here, ids_a), b = scene_of(there, ids_b);
    double least = std::numeric_limits<double>::infinity();
    for (const Placed& one : here)
      for (const Placed& other : there) least = std::min(least, distance_of(one, other));
    const auto found = a.distance(b, scratch).value(), back = b.distance(a, scratch).value();
    ASSERT_TRUE(found && back);
    EXPECT_NEAR(found->value, least, 1e-11 * (1 + least));
    EXPECT_NEAR(back->value, least, 1e-11 * (1 + least));
    EXPECT_TRUE(a.contains(found->a) && b.contains(found->b));
    EXPECT_NEAR((found->on_b - found->on_a).length(), found->value, 1e-9 * (1 + least));
  }
}

TEST(SceneManifolds, AreTheContactsOfEachPair) {
  Random random(7);
  const Shape cube(scenes::box({-1, -1, -1}, {1, 1, 1})), small(scenes::box({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}));
  Scene scene;
  const BodyId ground = scene.add(cube).value();
  const BodyId resting = scene.add(cube, translation(0.5, -0.5, 2)).value();
  const BodyId sunk = scene.add(cube, translation(0, 1.9, 0.1)).value();
  const BodyId inside = scene.add(small, translation(0, 0, 0.1)).value();
  const BodyId far = scene.add(cube, translation(9, 0, 0)).value();
  const BodyId ball = scene.add(Shape(Primitive::sphere(1).value()), translation(-1.5, 0, 0)).value();
  std::vector<SceneManifold> found, again;
  SceneScratch scratch;
  scene.manifolds(scratch, found, {.depth = true}).value();
  const auto of = [&](BodyId a, BodyId b) -> const SceneManifold* {
    for (const SceneManifold& one : found)
      if (one.a == a && one.b == b) return &one;
    return nullptr;
  };
  ASSERT_EQ(found.size(), 4U);
  ASSERT_TRUE(of(ground, resting) && of(ground, sunk) && of(ground, inside) && of(ground, ball));
  EXPECT_EQ(of(ground, far), nullptr);
  EXPECT_EQ(of(ground, resting)->deepest, 0);
  EXPECT_FALSE(of(ground, resting)->depth.has_value());
  ASSERT_EQ(of(ground, resting)->contacts.patches.size(), 1U);
  EXPECT_LE(of(ground, resting)->contacts.contacts.size(), 4U) << "a manifold";
  EXPECT_NEAR(of(ground, sunk)->deepest, 0.1, 1e-12);
  ASSERT_TRUE(of(ground, sunk)->depth.has_value());
  EXPECT_NEAR(of(ground, sunk)->depth->upper, 0.1, 1e-9);
  EXPECT_NEAR(of(ground, inside)->deepest, 1.1, 1e-9) << "one inside the other";
  EXPECT_TRUE(of(ground, ball)->contacts.contacts.empty()) << "of primitives it is only known that they meet";
  Scratch own;
  const Contacts alone = contacts(cube, {}, cube, translation(0, 1.9, 0.1), own, {.reduce = true}).value();
  EXPECT_EQ(of(ground, sunk)->contacts.contacts, alone.contacts);
  scene.manifolds(scratch, again, {.depth = true}, {.threads = 3}).value();
  ASSERT_EQ(again.size(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(again[i].a, found[i].a);
    EXPECT_EQ(again[i].contacts.contacts, found[i].contacts.contacts);
  }
  EXPECT_EQ(scene.manifolds(scratch, found, {.contacts = {.confidence = 0}}).error().code,
            SceneError::Code::bad_contacts);
}

}  // namespace
}  // namespace snug
