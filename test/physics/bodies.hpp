#pragma once

#include <snug/bullet.hpp>

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace snug::bullet {

/// A world of Bullet's with our contacts installed.
class Bodies {
 public:
  Bodies() : dispatcher_(&configuration_), world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    install(dispatcher_);
    world_.setGravity({0, 0, btScalar(-9.81)});
  }
  ~Bodies() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  btRigidBody& add(btCollisionShape& shape, double mass, const btVector3& at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(btScalar(mass), inertia);
    bodies_.push_back(std::make_unique<btRigidBody>(btScalar(mass), nullptr, &shape, inertia));
    bodies_.back()->setWorldTransform(btTransform(btQuaternion::getIdentity(), at));
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world_.stepSimulation(btScalar(1) / 60, 0);
  }
  /// Calls use(manifold, point) for every contact there is.
  template <class Use>
  void for_each_point(const Use& use) {
    for (int m = 0; m < dispatcher_.getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(m);
      for (int i = 0; i < manifold.getNumContacts(); ++i) use(manifold, manifold.getContactPoint(i));
    }
  }
  [[nodiscard]] int points() {
    int count = 0;
    for_each_point([&](const btPersistentManifold&, const btManifoldPoint&) { ++count; });
    return count;
  }
  [[nodiscard]] btDiscreteDynamicsWorld& world() { return world_; }
  [[nodiscard]] btCollisionDispatcher& dispatcher() { return dispatcher_; }
  [[nodiscard]] btDefaultCollisionConfiguration& configuration() { return configuration_; }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace snug::bullet
