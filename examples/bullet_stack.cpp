// Concave bodies in Bullet: a channel falls onto the ground, and another one, turned over, onto one of its walls.
#include <snug/bullet.hpp>
#include <snug/io.hpp>

#include <btBulletDynamicsCommon.h>

#include <cstdio>

int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  snug::bullet::install(dispatcher);  // this line, and MeshShape below, are all there is to it
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  world.setGravity({0, 0, btScalar(-9.81)});

  btStaticPlaneShape plane({0, 0, 1}, 0);
  btRigidBody ground(0, nullptr, &plane);
  world.addRigidBody(&ground);

  const snug::Mesh mesh = snug::load_mesh("channel.obj").value();
  const snug::bullet::BodyMass mass = snug::bullet::body_mass(mesh, 500);
  snug::bullet::MeshShape shape(snug::Shape(mesh), snug::inverse(mass.frame));
  const btVector3 inertia(btScalar(mass.inertia.x), btScalar(mass.inertia.y), btScalar(mass.inertia.z));
  btRigidBody lower(btScalar(mass.mass), nullptr, &shape, inertia),
      upper(btScalar(mass.mass), nullptr, &shape, inertia);
  const snug::Pose turned_over = snug::rotation({0, 1, 0}, 3.14159265358979);
  lower.setWorldTransform(snug::bullet::transform_of(compose(snug::translation(0, 0, 0.1), mass.frame)));
  upper.setWorldTransform(
      snug::bullet::transform_of(compose(compose(snug::translation(0.25, 0, 0.7), turned_over), mass.frame)));
  world.addRigidBody(&lower);
  world.addRigidBody(&upper);

  for (int step = 0; step < 300; ++step) world.stepSimulation(btScalar(1) / 60, 0);
  for (const btRigidBody* body : {&lower, &upper})
    std::printf("centre %.2f m above the ground, %s\n", double(body->getWorldTransform().getOrigin().z()),
                body->isActive() ? "moving" : "at rest");
}
