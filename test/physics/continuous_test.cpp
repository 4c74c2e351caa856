// Bullet's continuous mode: bodies that move by more than their own thickness in a step do not pass through one another.

#include "test/physics/bodies.hpp"

#include "scenes/machine_parts.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace snug::bullet {
namespace {

/// How low a nut of 24 mm gets that is thrown at another one, at 60 steps a second.
double lowest_of_thrown_nut(unsigned threads, double speed, bool continuous, const btVector3& spin) {
  MeshShape nut{Shape(scenes::hexagonal_nut({}, 2, 0.1, 4e-4)), translation(0, 0, -0.012)};
  Bodies bodies(threads);
  bodies.add(nut, 0, btVector3(0, 0, 0));
  btRigidBody& thrown = bodies.add(nut, 0.5, btVector3(btScalar(0.01), 0, btScalar(0.9)));
  thrown.setLinearVelocity(btVector3(0, 0, btScalar(-speed)));
  thrown.setAngularVelocity(spin);
  if (continuous) thrown.setCcdMotionThreshold(btScalar(0.01));
  double lowest = 1;
  for (int i = 0; i < 12; ++i) {
    bodies.run(1);
    // Once it lies on the other it may slide off that.
    const btVector3 at = thrown.getWorldTransform().getOrigin();
    if (at.x() * at.x() + at.y() * at.y() < btScalar(0.0016)) lowest = std::min(lowest, static_cast<double>(at.z()));
  }
  return lowest;
}

TEST(Continuous, NutDoesNotPassThroughItsNeighbour) {
  for (const double speed : {3.0, 12.0, 31.0, 50.0})
    for (const btVector3& spin : {btVector3(0, 0, 0), btVector3(5, 3, 0)}) {
      SCOPED_TRACE(testing::Message() << speed << " m/s, turning " << spin.length());
      EXPECT_GT(lowest_of_thrown_nut(1, speed, true, spin), 0.0);
    }
}

TEST(Continuous, ItDoesWithout) {
  // Or the test above would prove nothing.
  EXPECT_LT(lowest_of_thrown_nut(1, 50, false, {0, 0, 0}), -0.1);
}

TEST(Continuous, IsTheSameOnSeveralThreads) {
  EXPECT_EQ(lowest_of_thrown_nut(1, 31, true, {5, 3, 0}), lowest_of_thrown_nut(2, 31, true, {5, 3, 0}));
}

TEST(Continuous, NutStopsAtAThinBox) {
  MeshShape nut{Shape(scenes::hexagonal_nut({}, 2, 0.1, 4e-4)), translation(0, 0, -0.012)};
  btBoxShape plate(btVector3(1, 1, btScalar(0.001)));
  MeshShape mesh_plate{Shape(scenes::box({-1, -1, -0.001}, {1, 1, 0.001}))};
  for (btCollisionShape* below :
       {static_cast<btCollisionShape*>(&plate), static_cast<btCollisionShape*>(&mesh_plate)}) {
    SCOPED_TRACE(below->getName());
    Bodies bodies;
    bodies.add(*below, 0, btVector3(0, 0, 0));
    btRigidBody& thrown = bodies.add(nut, 0.5, btVector3(0, 0, 2));
    thrown.setLinearVelocity(btVector3(0, 0, -70));
    thrown.setCcdMotionThreshold(btScalar(0.01));
    bodies.run(10);
    EXPECT_GT(thrown.getWorldTransform().getOrigin().z(), 0);
  }
}

/// The share of a step that Bullet is told.
btScalar told(Bodies& bodies, btRigidBody& first, btRigidBody& second) {
  const btCollisionObjectWrapper a(nullptr, first.getCollisionShape(), &first, first.getWorldTransform(), -1, -1);
  const btCollisionObjectWrapper b(nullptr, second.getCollisionShape(), &second, second.getWorldTransform(), -1, -1);
  btCollisionAlgorithm* algorithm = bodies.dispatcher().findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  btManifoldResult result(&a, &b);
  const btScalar t = algorithm->calculateTimeOfImpact(&first, &second, bodies.world().getDispatchInfo(), &result);
  algorithm->~btCollisionAlgorithm();
  bodies.dispatcher().freeCollisionAlgorithm(algorithm);
  return t;
}

TEST(Continuous, TimeOfImpactIsTold) {
  MeshShape cube{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  btBoxShape box(btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5)));
  Bodies bodies;
  btRigidBody& floor = bodies.add(cube, 0, btVector3(0, 0, 0));
  btRigidBody& falling = bodies.add(cube, 1, btVector3(0, 0, 2));
  btRigidBody& box_floor = bodies.add(box, 0, btVector3(5, 0, 0));
  const auto predict = [&](const btVector3& at) {
    falling.setInterpolationWorldTransform(btTransform(falling.getWorldTransform().getBasis(), at));
  };
  predict({0, 0, -2});
  EXPECT_NEAR(told(bodies, floor, falling), 0.25, 1e-6);
  EXPECT_NEAR(told(bodies, falling, floor), 0.25, 1e-6);
  EXPECT_NEAR(falling.getHitFraction(), 0.25, 1e-6);
  // Not on its way.
  predict({0, 3, 2});
  EXPECT_EQ(told(bodies, floor, falling), 1);
  // It turns onto its edge as it falls, by an eighth: the edge is then half a diagonal below its middle.
  falling.setInterpolationWorldTransform(
      btTransform(btQuaternion(btVector3(1, 0, 0), SIMD_PI / 4), btVector3(0, 0, btScalar(1.2))));
  const btScalar turned = told(bodies, floor, falling);
  EXPECT_GT(turned, btScalar(0.9));
  EXPECT_LT(turned, 1);
  // Slower than its threshold.
  predict({0, 0, -2});
  falling.setCcdMotionThreshold(5);
  EXPECT_EQ(told(bodies, floor, falling), 1);
  falling.setCcdMotionThreshold(1);
  EXPECT_NEAR(told(bodies, floor, falling), 0.25, 1e-6);
  // Against a box, in either order.
  falling.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(5, 0, 3)));
  predict({5, 0, -1});
  EXPECT_NEAR(told(bodies, box_floor, falling), 0.5, 1e-6);
  EXPECT_NEAR(told(bodies, falling, box_floor), 0.5, 1e-6);
}

}  // namespace
}  // namespace snug::bullet
