// What a plane costs in each step.
#include "physics/finder.hpp"
#include "property/count_allocations.hpp"
#include "scenes/solids.hpp"

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <gtest/gtest.h>

#include <vector>

namespace snug::bullet {
namespace {

TEST(PlaneFinder, MakesTheHalfSpaceOfARestingPlaneOnce) {
  const MeshShape box(Shape(scenes::box({-1, -1, -1}, {1, 1, 1})));
  const btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
  const auto finder = plane_finder();
  std::vector<Touch> touches;
  const auto allocations_of = [&](btScalar lift) {
    const btTransform up(btQuaternion::getIdentity(), btVector3(0, 0, btScalar(0.95) + lift)),
        ground(btQuaternion::getIdentity(), btVector3(0, 0, lift));
    const std::size_t before = test::allocations();
    finder->find(box, {up}, plane, {ground}, 0.01, touches);
    return test::allocations() - before;
  };
  (void)allocations_of(0), (void)allocations_of(0);
  const std::size_t resting = allocations_of(0), moved = allocations_of(btScalar(0.25));
  EXPECT_LT(resting, moved);
  // A plane that has moved is found where it is.
  ASSERT_EQ(touches.size(), 4U);
  for (const Touch& touch : touches) {
    EXPECT_NEAR(touch.distance, -0.05, 1e-6);
    EXPECT_NEAR(touch.on_b.z, 0.25, 1e-6);
  }
}

}  // namespace
}  // namespace snug::bullet
