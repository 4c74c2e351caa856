// Contacts of compounds from step to step, Bullet's callbacks, and threads. Compiled for Bullet in single and in double precision.

#include "physics/bodies.hpp"
#include "physics/compounds.hpp"
#include "scenes/bodies.hpp"
#include "scenes/solids.hpp"

#include <BulletCollision/CollisionDispatch/btCompoundCollisionAlgorithm.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>

namespace snug::bullet {
namespace {

/// What was seen of the contacts at the four lower corners of a box.
struct Corners {
  struct Seen {
    btScalar impulse = 0;
    int age = 0;
  } seen[4];
  int kept = 0, fresh = 0, wrong = 0;

  [[nodiscard]] static std::size_t of(const btVector3& on_box) {
    return (on_box.x() > 0 ? 1U : 0U) + (on_box.y() > 0 ? 2U : 0U);
  }
  /// A contact as it is when a step has found it, before anything is solved.
  void check(const btManifoldPoint& point, bool box_is_first) {
    const Seen& before = seen[of(box_is_first ? point.m_localPointA : point.m_localPointB)];
    if (point.m_userPersistentData == nullptr) {
      ++fresh;
      return;
    }
    ++kept;
    if (point.m_userPersistentData != &before || point.m_appliedImpulse != before.impulse ||
        point.m_lifeTime != before.age + 1)
      ++wrong;
  }
  /// At the end of a step.
  void remember(btManifoldPoint& point, bool box_is_first) {
    Seen& now = seen[of(box_is_first ? point.m_localPointA : point.m_localPointB)];
    now = {point.m_appliedImpulse, point.m_lifeTime};
    point.m_userPersistentData = &now;
  }
};

/// Set by whoever uses Bullet's callbacks, which are functions.
struct Heard {
  Corners* corners = nullptr;
  const btCollisionObject* box = nullptr;
  int processed = 0, destroyed = 0, started = 0, ended = 0;
} heard;

/// Listens as long as it lives.
class Listening {
 public:
  Listening() {
    heard = {};
    gContactAddedCallback = [](btManifoldPoint& point, const btCollisionObjectWrapper* a, int, int,
                               const btCollisionObjectWrapper*, int, int) {
      if (heard.corners != nullptr) heard.corners->check(point, a->getCollisionObject() == heard.box);
      return true;
    };
    gContactProcessedCallback = [](btManifoldPoint&, void* a, void* b) {
      heard.processed += a == heard.box || b == heard.box ? 1 : 0;
      return true;
    };
    gContactDestroyedCallback = [](void*) { return ++heard.destroyed, true; };
    gContactStartedCallback = [](btPersistentManifold* const&) { ++heard.started; };
    gContactEndedCallback = [](btPersistentManifold* const&) { ++heard.ended; };
  }
  ~Listening() {
    gContactAddedCallback = nullptr;
    gContactProcessedCallback = nullptr;
    gContactDestroyedCallback = nullptr;
    gContactStartedCallback = nullptr;
    gContactEndedCallback = nullptr;
  }
};

/// A cube that slides on z = 0, a little sunk in, without friction and without rest.
btRigidBody& sliding(Bodies& bodies, btCollisionShape& cube, double speed) {
  btRigidBody& body = bodies.add(cube, 1, {0, 0, btScalar(0.499)});
  body.setActivationState(DISABLE_DEACTIVATION);
  body.setFriction(0);
  body.setLinearVelocity({btScalar(speed), 0, 0});
  return body;
}

TEST(Sliding, ContactsKeepImpulseAgeAndData) {
  MeshShape table{Shape(scenes::box({-100, -100, -1}, {100, 100, 0}))};
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  for (const Wrap above : k_every_wrap)
    for (const Wrap below : {Wrap::none, Wrap::compound, Wrap::without_tree})
      for (const double speed : {0.0, 1.0, 3.0, 30.0}) {
        SCOPED_TRACE(::testing::Message()
                     << static_cast<int>(above) << static_cast<int>(below) << ' ' << speed << " m/s");
        Wrapped upper(block, above), lower(table, below);
        Bodies bodies;
        bodies.add(lower, 0, {0, 0, 0}).setFriction(0);
        btRigidBody& body = sliding(bodies, upper, speed);
        body.setCollisionFlags(body.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
        body.setAngularVelocity({0, 0, btScalar(0.5)});
        Corners corners;
        const Listening listening;
        heard.corners = &corners, heard.box = &body;
        const int steps = 40;
        for (int step = 0; step < steps; ++step) {
          bodies.run(1);
          bodies.for_each_point([&](const btPersistentManifold& manifold, btManifoldPoint& point) {
            corners.remember(point, manifold.getBody0() == &body);
          });
        }
        EXPECT_EQ(corners.wrong, 0);
        EXPECT_EQ(corners.fresh, 4);
        EXPECT_EQ(corners.kept, 4 * (steps - 1));
        EXPECT_EQ(heard.destroyed, 0);
        EXPECT_EQ(heard.started, 1);
        EXPECT_EQ(heard.ended, 0);
        for (const Corners::Seen& seen : corners.seen) EXPECT_EQ(seen.age, steps - 1);
      }
}

/// Every face of a box with corners of its own; the three vertices at a corner have neighbouring numbers.
Mesh with_corners_of_faces(const Mesh& box) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> vertex_of;  // by corner and surface
  for (std::uint32_t t = 0; t < box.triangles().size(); ++t)
    for (const std::uint32_t corner : box.triangles()[t]) vertex_of[{corner, box.surface_of(t)}] = 0;
  MeshInput input;
  for (auto& [key, vertex] : vertex_of) {
    vertex = static_cast<std::uint32_t>(input.vertices.size());
    input.vertices.push_back(box.vertices()[key.first]);
  }
  for (std::uint32_t t = 0; t < box.triangles().size(); ++t) {
    Index3 triangle = box.triangles()[t];
    for (std::uint32_t& v : triangle) v = vertex_of.at({v, box.surface_of(t)});
    input.triangles.push_back(triangle);
  }
  return Mesh::build(std::move(input)).value();
}

TEST(Sliding, PointsKeepTheirOwnWhateverIsAtTheirPlace) {
  const Mesh mesh = with_corners_of_faces(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  ASSERT_EQ(mesh.vertices().size(), 24U);
  MeshShape block{Shape(mesh)};
  btStaticPlaneShape plane({0, 0, 1}, 0);
  Wrapped upper(block, Wrap::compound);
  Bodies bodies;
  bodies.add(plane, 0, {0, 0, 0}).setFriction(0);
  btRigidBody& body = sliding(bodies, upper, 3);
  const Listening listening;
  bodies.run(1);
  std::vector<btVector3> marks;  // where each was
  marks.reserve(64);
  const auto mark = [&](const btPersistentManifold& manifold, btManifoldPoint& point) {
    marks.push_back(manifold.getBody0() == &body ? point.m_localPointA : point.m_localPointB);
    point.m_userPersistentData = &marks.back();
  };
  bodies.for_each_point(mark);
  EXPECT_EQ(marks.size(), 12U);
  const auto check = [&](std::size_t left) {
    std::set<void*> seen;
    bodies.for_each_point([&](const btPersistentManifold& manifold, const btManifoldPoint& point) {
      if (point.m_userPersistentData == nullptr) return;
      EXPECT_TRUE(seen.insert(point.m_userPersistentData).second) << "two have the same";
      const btVector3& now = manifold.getBody0() == &body ? point.m_localPointA : point.m_localPointB;
      EXPECT_LT((now - *static_cast<btVector3*>(point.m_userPersistentData)).length(), 0.1);
    });
    EXPECT_EQ(seen.size(), left);
  };
  bodies.run(5);
  check(12);
  EXPECT_EQ(heard.destroyed, 0);
  // The last of a manifold moves into the place of one that is taken away.
  btPersistentManifold& first = *bodies.dispatcher().getManifoldByIndexInternal(0);
  ASSERT_EQ(first.getNumContacts(), 4);
  first.removeContactPoint(0);
  bodies.run(5);
  check(11);
  EXPECT_EQ(heard.destroyed, 1);
}

TEST(Callbacks, ProcessedIsCalledAsByBullet) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  btBoxShape box({btScalar(0.5), btScalar(0.5), btScalar(0.5)}), stage({5, 5, 1});
  // Bullet's own boxes first: what they do is what is expected of meshes.
  for (const Wrap wrap : {Wrap::none, Wrap::compound}) {
    for (const bool ours : {false, true}) {
      SCOPED_TRACE(::testing::Message() << (ours ? "ours " : "Bullet's ") << static_cast<int>(wrap));
      Wrapped upper(ours ? static_cast<btCollisionShape&>(block) : box, wrap);
      Bodies bodies;
      bodies.add(ours ? static_cast<btCollisionShape&>(table) : stage, 0, {0, 0, btScalar(ours ? 0 : -1)});
      btRigidBody& body = bodies.add(upper, 1, {0, 0, btScalar(0.499)});
      body.setActivationState(DISABLE_DEACTIVATION);
      bodies.run(30);
      int points = bodies.points(), expected = 0;
      const Listening listening;
      heard.box = &body;
      for (int step = 0; step < 10; ++step) {
        if (wrap != Wrap::none) expected += points;  // compounds refresh what their children then find anew
        bodies.run(1);
        points = bodies.points();
        // A corner that is out for a step is predicted, beside a point that is not.
        ASSERT_TRUE(points == 4 || (ours && points == 5)) << points;
        expected += points;
      }
      EXPECT_EQ(heard.processed, expected);
    }
  }
}

TEST(LeftAlone, ChildrenThatAreNotAskedLoseTheirContacts) {
  MeshShape table{Shape(scenes::box({-50, -50, -1}, {50, 50, 0}))};
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  for (const Wrap wrap : {Wrap::compound, Wrap::nested, Wrap::without_tree}) {
    SCOPED_TRACE(static_cast<int>(wrap));
    Wrapped upper(block, wrap);
    Bodies bodies;
    bodies.add(table, 0, {0, 0, 0}).setFriction(0);
    btRigidBody& body = sliding(bodies, upper, 3);
    bodies.run(10);
    EXPECT_EQ(bodies.points(), 4);
    gCompoundChildShapePairCallback = [](const btCollisionShape*, const btCollisionShape*) { return false; };
    bodies.run(3);
    const int left = bodies.points();
    bodies.run(10);
    gCompoundChildShapePairCallback = nullptr;
    EXPECT_EQ(left, 0);
    EXPECT_LT(body.getLinearVelocity().z(), -1) << "something holds it";
  }
}

TEST(Callbacks, OwnResultsOfAStepKeepContacts) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  Bodies bodies;
  bodies.add(table, 0, {0, 0, 0});
  const btRigidBody& body = bodies.add(block, 1, {0, 0, btScalar(0.6)});
  bodies.dispatcher().setNearCallback(
      [](btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info) {
        struct Own final : btManifoldResult {
          using btManifoldResult::btManifoldResult;
        };
        const auto* a = static_cast<btCollisionObject*>(pair.m_pProxy0->m_clientObject);
        const auto* b = static_cast<btCollisionObject*>(pair.m_pProxy1->m_clientObject);
        const btCollisionObjectWrapper first(nullptr, a->getCollisionShape(), a, a->getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper second(nullptr, b->getCollisionShape(), b, b->getWorldTransform(), -1, -1);
        if (pair.m_algorithm == nullptr)
          pair.m_algorithm = dispatcher.findAlgorithm(&first, &second, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        Own result(&first, &second);
        pair.m_algorithm->processCollision(&first, &second, info, &result);
      });
  bodies.run(120);
  EXPECT_NEAR(body.getWorldTransform().getOrigin().z(), 0.5, 0.01);
}

/// Tells whether its corners are asked for while Bullet works through its pairs.
class Watched final : public btConvexHullShape {
 public:
  Watched() {
    for (int corner = 0; corner < 8; ++corner)
      addPoint({btScalar((corner & 1) - 0.5), btScalar((corner / 2 & 1) - 0.5), btScalar(corner / 4 - 0.5)});
  }
  void getVertex(int i, btVector3& vertex) const override {
    asked += 1;
    asked_late += dispatching ? 1 : 0;
    btConvexHullShape::getVertex(i, vertex);
  }
  static inline bool dispatching = false;
  mutable std::atomic<int> asked = 0, asked_late = 0;
};

TEST(Threads, ChildrenOfCompoundsAreSearchedAhead) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  for (const Wrap above : k_every_wrap)
    for (const Wrap below : {Wrap::none, Wrap::compound, Wrap::without_tree}) {
      SCOPED_TRACE(static_cast<int>(above) * 10 + static_cast<int>(below));
      Watched hull;
      // Places at which children would not meet if they were taken for their bodies.
      Wrapped upper(hull, above, at(0, 0, 3)), lower(table, below, at(0.7, 0, 0.1));
      const double height =
          0.5 - 3 * static_cast<double>(upper.compounds()) + 0.1 * static_cast<double>(lower.compounds());
      Bodies many(2);
      many.add(lower, 0, at(0, 0, 0));
      many.add(upper, 1, at(0, 0, height)).setActivationState(DISABLE_DEACTIVATION);
      many.dispatcher().setNearCallback(
          [](btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info) {
            Watched::dispatching = true;
            btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
            Watched::dispatching = false;
          });
      many.run(1);  // makes the algorithms
      hull.asked = 0, hull.asked_late = 0;
      many.run(10);
      EXPECT_GE(hull.asked, 80);
      EXPECT_EQ(hull.asked_late, 0);
      EXPECT_NEAR(many.body(1).getWorldTransform().getOrigin().z(), height, 0.01);
    }
}

TEST(Threads, WhatWasFoundAheadIsOfItsStepOnly) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  Wrapped upper(block, Wrap::compound);
  Bodies many(2);
  many.add(table, 0, at(0, 0, 0));
  btRigidBody& body = many.add(upper, 1, at(0, 0, 0.499));
  many.run(1);
  // Found ahead, but not asked for.
  gCompoundChildShapePairCallback = [](const btCollisionShape*, const btCollisionShape*) { return false; };
  many.run(1);
  gCompoundChildShapePairCallback = nullptr;
  body.setWorldTransform(at(0, 0, 0.45));
  // Asked for by somebody who has nothing found ahead.
  many.dispatcher().btCollisionDispatcher::dispatchAllCollisionPairs(
      many.world().getBroadphase()->getOverlappingPairCache(), many.world().getDispatchInfo(), &many.dispatcher());
  ASSERT_EQ(many.dispatcher().getNumManifolds(), 1);
  EXPECT_NEAR(many.dispatcher().getManifoldByIndexInternal(0)->getContactPoint(0).getDistance(), -0.05, 1e-5);
}

TEST(Threads, DoNotShowInCompounds) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  MeshShape ring{Shape(scenes::torus(0.3, 0.1, 12, 8))}, ball{Shape(scenes::sphere(0.2, 6, 8))};
  btCompoundShape dumbbell;
  dumbbell.addChildShape(at(-0.5, 0, 0), &ring);
  dumbbell.addChildShape(at(0.5, 0, 0), &ball);
  Wrapped nested(dumbbell, Wrap::compound);
  std::vector<btScalar> expected;
  for (const unsigned threads : {1U, 2U, 4U, 8U}) {
    Bodies many(threads);
    many.add(table, 0, at(0, 0, 0));
    for (int i = 0; i < 6; ++i) {
      btTransform place = at(0.1 * (i % 3), 0.15 * (i % 2), 0.5 + 0.5 * i);
      place.setRotation(btQuaternion(btScalar(0.3 * i), btScalar(0.2 * i), btScalar(0.5 * i)));
      many.add(i % 2 == 0 ? static_cast<btCollisionShape&>(nested) : dumbbell, 1, place);
    }
    for (int step = 0; step < 90; ++step) {
      many.run(1);
      // A child that goes while its contacts are there; the others stay.
      if (step == 60) many.world().removeRigidBody(&many.body(2));
    }
    many.world().addRigidBody(&many.body(2));
    std::vector<btScalar> found;
    for (std::size_t i = 0; i < many.size(); ++i) {
      const btVector3& place = many.body(i).getWorldTransform().getOrigin();
      found.insert(found.end(), {place.x(), place.y(), place.z(), many.body(i).getAngularVelocity().x()});
      EXPECT_GT(place.z(), -0.01);
    }
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected) << threads << " threads";
  }
}

TEST(Threads, CompoundsMayChange) {
  // Children come, go and move between steps: what was noted of them must not be used any more.
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  Bodies many(2);
  many.add(table, 0, at(0, 0, 0));
  auto block = std::make_unique<MeshShape>(Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})));
  MeshShape foot{Shape(scenes::box({-0.5, -0.5, -0.2}, {0.5, 0.5, 0.2}))};
  btCompoundShape compound;
  compound.addChildShape(at(0, 0, 0), block.get());
  btRigidBody& body = many.add(compound, 1, at(0, 0, 0.5));
  body.setActivationState(DISABLE_DEACTIVATION);
  const auto run = [&](int steps) {
    many.run(steps);
    return static_cast<double>(body.getWorldTransform().getOrigin().z());
  };
  EXPECT_NEAR(run(20), 0.5, 0.01);
  compound.removeChildShape(block.get());
  block.reset();
  compound.addChildShape(at(0, 0, 0), &foot);
  EXPECT_NEAR(run(120), 0.2, 0.01);
  compound.updateChildTransform(0, at(0, 0, -0.1));
  EXPECT_NEAR(run(120), 0.3, 0.02);
}

}  // namespace
}  // namespace snug::bullet
