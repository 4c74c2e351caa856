#include "aligned_support.hpp"
#include "count_allocations.hpp"
#include "primitive_support.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

// Scenes of meshes and primitives, held to the queries of each two bodies.

namespace snug {
namespace {

using scenes::Random;

struct Body {
  Shape shape;
  Pose pose;
  BodyId id = {};
};

bool pair_intersects(const Body& a, const Body& b, Scratch& scratch) {
  return intersects(a.shape, a.pose, b.shape, b.pose, scratch);
}

bool pair_within(const Body& a, const Body& b, double clearance, Scratch& scratch) {
  return within(a.shape, a.pose, b.shape, b.pose, clearance, scratch);
}

bool unbounded(const Body& body) { return !body.shape.is_mesh() && !body.shape.primitive()->bounded(); }

struct Mixed {
  double scale;
  Vec3 far;
  Scene scene;
  std::vector<Body> bodies;

  Mixed(Random& random, std::size_t count) {
    scale = std::array{1e-200, 1e-3, 1.0, 1e4, 1e200}[random.below(5)];
    far = (random.below(3) == 0 ? 1e7 * scale : 0.0) * random.point(-1, 1);
    const Shape torus(test::scaled(scenes::torus(0.7, 0.2, 10, 6), scale));
    const Shape cube(test::scaled(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}), scale));
    for (std::size_t i = 0; i < count; ++i) {
      const Pose at = pose(random);
      if (random.below(3) == 0) {
        bodies.push_back({random.below(2) == 0 ? torus : cube, at});
        bodies.back().id = scene.add(bodies.back().shape, at).value();
        continue;
      }
      auto kind = test::k_kinds[random.below(test::k_kinds.size())];
      const bool endless = kind == Primitive::Kind::half_space || kind == Primitive::Kind::plane;
      if (endless && random.below(4) != 0) kind = Primitive::Kind::box;
      bodies.push_back({Shape(test::random_primitive(random, kind, {scale, random.below(4) == 0})), at});
      bodies.back().id = scene.add(bodies.back().shape, at).value();
    }
  }
  [[nodiscard]] Pose pose(Random& random) const {
    return Pose::make(random.rotation(), far + 3 * scale * random.point(-1, 1)).value();
  }
  void move_some(Random& random) {
    for (Body& body : bodies) {
      if (random.below(2) == 0) continue;
      body.pose = pose(random);
      scene.set_pose(body.id, body.pose).value();
    }
  }
  template <class Decide>
  [[nodiscard]] std::vector<BodyPair> pairs(Decide&& decide) const {
    std::vector<BodyPair> out;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j)
        if (decide(bodies[i], bodies[j])) out.push_back({bodies[i].id, bodies[j].id});
    return out;
  }
};

TEST(ScenePrimitives, EveryQueryAgreesWithEachTwoBodies) {
  Scratch scratch;
  std::size_t met = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Mixed mixed(random, 40);
    SceneScratch memory;
    for (int step = 0; step < 3; ++step) {
      SCOPED_TRACE(step);
      ASSERT_EQ(mixed.scene.validate(), std::nullopt);
      const auto expected = mixed.pairs([&](const Body& a, const Body& b) { return pair_intersects(a, b, scratch); });
      const double clearance = 0.4 * mixed.scale;
      const auto expected_near =
          mixed.pairs([&](const Body& a, const Body& b) { return pair_within(a, b, clearance, scratch); });
      met += expected.size();
      for (const unsigned threads : {1U, 2U, 4U}) {
        const SceneOptions options{.threads = threads};
        std::vector<BodyPair> pairs;
        mixed.scene.intersecting_pairs(memory, pairs, options).value();
        EXPECT_EQ(pairs, expected);
        EXPECT_EQ(mixed.scene.first_intersecting_pair(memory, options).value(),
                  expected.empty() ? std::nullopt : std::optional(expected.front()));
        mixed.scene.pairs_within(clearance, memory, pairs, options).value();
        EXPECT_EQ(pairs, expected_near);
        SceneContacts contacts;
        mixed.scene.contacts(memory, contacts, options).value();
        std::vector<BodyPair> in_contact;
        for (const auto& contact : contacts.bodies) in_contact.push_back({contact.a, contact.b});
        EXPECT_EQ(in_contact, expected);
      }
      const Body& asker = mixed.bodies[random.below(mixed.bodies.size())];
      std::vector<BodyId> expected_met, expected_within, found, found_outside;
      for (const Body& other : mixed.bodies) {
        if (other.id == asker.id) continue;
        if (pair_intersects(asker, other, scratch)) expected_met.push_back(other.id);
        if (pair_within(asker, other, clearance, scratch)) expected_within.push_back(other.id);
      }
      mixed.scene.bodies_meeting(asker.id, memory, found).value();
      EXPECT_EQ(found, expected_met);
      EXPECT_EQ(mixed.scene.first_body_meeting(asker.id, memory).value(),
                expected_met.empty() ? std::nullopt : std::optional(expected_met.front()));
      mixed.scene.bodies_within(asker.id, clearance, memory, found).value();
      EXPECT_EQ(found, expected_within);
      // The same from outside, which meets itself.
      mixed.scene.bodies_meeting(asker.shape, asker.pose, memory, found_outside).value();
      std::erase(found_outside, asker.id);
      EXPECT_EQ(found_outside, expected_met);
      mixed.scene.bodies_within(asker.shape, asker.pose, clearance, memory, found_outside).value();
      std::erase(found_outside, asker.id);
      EXPECT_EQ(found_outside, expected_within);
      mixed.move_some(random);
    }
  }
  EXPECT_GT(met, 0U);
}

TEST(ScenePrimitives, CastsFindTheFirstOfAllBodies) {
  std::size_t ray_hits = 0, cast_hits = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Mixed mixed(random, 30);
    SceneScratch memory;
    for (int i = 0; i < 12; ++i) {
      SCOPED_TRACE(i);
      const Point3 from = mixed.far + 8 * mixed.scale * random.point(-1, 1);
      const Vec3 way = (mixed.far + 3 * mixed.scale * random.point(-1, 1)) - from;
      const double t_max = i % 3 == 0 ? 0.7 : std::numeric_limits<double>::infinity();
      std::optional<SceneRayHit> expected;
      for (const Body& body : mixed.bodies) {
        const auto hit = cast_ray({from, way}, body.shape, body.pose, t_max).value();
        if (hit && (!expected || hit->t < expected->hit.t)) expected = SceneRayHit{body.id, *hit};
      }
      const auto found = mixed.scene.cast_ray({from, way}, memory, t_max).value();
      ASSERT_EQ(found.has_value(), expected.has_value());
      EXPECT_EQ(mixed.scene.ray_meets({from, way}, memory, t_max).value(), expected.has_value());
      if (found) {
        ++ray_hits;
        EXPECT_EQ(found->body, expected->body);
        EXPECT_EQ(found->hit.t, expected->hit.t);
        EXPECT_EQ(found->hit.triangle, expected->hit.triangle);
        EXPECT_EQ(found->hit.normal, expected->hit.normal);
      }
      const Body& moving = mixed.bodies[random.below(mixed.bodies.size())];
      if (unbounded(moving)) continue;
      std::optional<SceneCastHit> expected_cast;
      for (const Body& body : mixed.bodies) {
        if (body.id == moving.id) continue;
        const auto hit = cast_shape(moving.shape, moving.pose, way, body.shape, body.pose).value();
        if (hit && (!expected_cast || hit->t < expected_cast->hit.t)) expected_cast = SceneCastHit{body.id, *hit};
      }
      const auto met = mixed.scene.cast_shape(moving.id, way, memory).value();
      ASSERT_EQ(met.has_value(), expected_cast.has_value());
      if (!met) continue;
      ++cast_hits;
      EXPECT_EQ(met->body, expected_cast->body);
      EXPECT_EQ(met->hit.t, expected_cast->hit.t);
      EXPECT_EQ(met->hit.on_other, expected_cast->hit.on_other);
    }
  }
  EXPECT_GT(ray_hits, 0U);
  EXPECT_GT(cast_hits, 0U);
}

TEST(ScenePrimitives, QueriesDoNotAllocateOnceWarm) {
  Random random(7);
  Mixed mixed(random, 40);
  const Shape torus(scenes::torus(1, 0.3, 20, 10));
  const Shape hull(test::random_primitive(random, Primitive::Kind::hull)),
      cylinder(test::random_primitive(random, Primitive::Kind::cylinder));
  SceneScratch memory;
  Scratch scratch;
  std::vector<BodyPair> pairs;
  std::size_t found = 0;
  const auto ask = [&] {
    for (int i = 0; i < 20; ++i) {
      const Pose pose = Pose::make(random.rotation(), random.point(-2, 2)).value();
      const Vec3 way = -2.0 * pose.translation();
      found += intersects(hull, pose, cylinder, {}, scratch) ? 1 : 0;
      found += distance(hull, pose, torus, {}, scratch).value > 0 ? 1 : 0;
      found += cast_ray({pose.translation(), way}, torus, {}).value().has_value() ? 1 : 0;
      found += cast_shape(hull, pose, way, torus, {}).value().has_value() ? 1 : 0;
      found += cast_shape(torus, pose, way, torus, {}).value().has_value() ? 1 : 0;
    }
    mixed.scene.intersecting_pairs(memory, pairs).value();
    found += mixed.scene.cast_ray({mixed.far, {1, 0, 0}}, memory).value().has_value() ? 1 : 0;
  };
  ask();
  const std::size_t before = test::allocations();
  ask();
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace snug
