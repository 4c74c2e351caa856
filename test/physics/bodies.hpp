#pragma once

#include <snug/bullet.hpp>

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace snug::bullet {

/// A world of Bullet's with our contacts installed, in its own dispatcher or in ours.
class Bodies {
 public:
  Bodies() : dispatcher_(std::make_unique<btCollisionDispatcher>(&configuration_)) {
    install(*dispatcher_);
    world_.setGravity({0, 0, btScalar(-9.81)});
  }
  explicit Bodies(unsigned threads) : dispatcher_(std::make_unique<Dispatcher>(&configuration_, threads)) {
    world_.setGravity({0, 0, btScalar(-9.81)});
  }
  ~Bodies() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  btRigidBody& add(btCollisionShape& shape, double mass, const btVector3& at) {
    return add(shape, mass, btTransform(btQuaternion::getIdentity(), at));
  }
  btRigidBody& add(btCollisionShape& shape, double mass, const btTransform& at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(btScalar(mass), inertia);
    bodies_.push_back(std::make_unique<btRigidBody>(btScalar(mass), nullptr, &shape, inertia));
    bodies_.back()->setWorldTransform(at);
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world_.stepSimulation(btScalar(1) / 60, 0);
  }
  /// Calls use(manifold, point) for every contact there is.
  template <class Use>
  void for_each_point(const Use& use) {
    for (int m = 0; m < dispatcher_->getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *dispatcher_->getManifoldByIndexInternal(m);
      for (int i = 0; i < manifold.getNumContacts(); ++i) use(manifold, manifold.getContactPoint(i));
    }
  }
  [[nodiscard]] int points() {
    int count = 0;
    for_each_point([&](const btPersistentManifold&, const btManifoldPoint&) { ++count; });
    return count;
  }
  [[nodiscard]] btRigidBody& body(std::size_t i) { return *bodies_[i]; }
  [[nodiscard]] std::size_t size() const { return bodies_.size(); }
  [[nodiscard]] btDiscreteDynamicsWorld& world() { return world_; }
  [[nodiscard]] btCollisionDispatcher& dispatcher() { return *dispatcher_; }
  [[nodiscard]] btDefaultCollisionConfiguration& configuration() { return configuration_; }

 private:
  btDefaultCollisionConfiguration configuration_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{dispatcher_.get(), &broad_phase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace snug::bullet
