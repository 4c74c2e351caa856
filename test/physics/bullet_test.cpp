// The plug-in inside Bullet: masses, shapes, and every kind of pair it knows.

#include "physics/bodies.hpp"
#include "scenes/animals.hpp"
#include "scenes/bodies.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/bullet.hpp>

#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <vector>

namespace snug::bullet {
namespace {

double lowest(const MeshShape& shape, const btRigidBody& body) {
  const Pose pose = shape.pose_at(body.getWorldTransform());
  double out = 1e300;
  for (const Point3& p : shape.shape().mesh().vertices()) out = std::min(out, pose.apply(p).z);
  return out;
}

/// A mesh with its origin at the centre of mass, as Bullet wants it.
MeshShape centred(const Mesh& mesh) { return MeshShape(Shape(mesh), inverse(body_mass(mesh, 1).frame)); }

TEST(BodyMass, OfABoxIsThatOfTextbooks) {
  const BodyMass mass = body_mass(scenes::box({1, 2, 3}, {2, 4, 6}), 10);
  EXPECT_TRUE(mass.closed);
  EXPECT_NEAR(mass.mass, 60, 1e-12);
  EXPECT_NEAR(mass.frame.translation().x, 1.5, 1e-12);
  EXPECT_NEAR(mass.frame.translation().y, 3, 1e-12);
  EXPECT_NEAR(mass.frame.translation().z, 4.5, 1e-12);
  EXPECT_NEAR(mass.inertia.x, 60.0 / 12 * (4 + 9), 1e-10);
  EXPECT_NEAR(mass.inertia.y, 60.0 / 12 * (1 + 9), 1e-10);
  EXPECT_NEAR(mass.inertia.z, 60.0 / 12 * (1 + 4), 1e-10);
}

TEST(BodyMass, PrincipalAxesFollowATurnedBody) {
  const Mesh box = scenes::box({-0.5, -1, -1.5}, {0.5, 1, 1.5});
  const Pose turn = compose(translation(5, -3, 2), rotation({1, 2, -1}, 0.7));
  MeshInput input;
  for (const Point3& p : box.vertices()) input.vertices.push_back(turn.apply(p));
  input.triangles.assign(box.triangles().begin(), box.triangles().end());
  const BodyMass mass = body_mass(Mesh::build(std::move(input)).value(), 1);
  std::multiset<double> found{mass.inertia.x, mass.inertia.y, mass.inertia.z};
  const std::vector<double> known{6.0 / 12 * (1 + 4), 6.0 / 12 * (1 + 9), 6.0 / 12 * (4 + 9)};
  EXPECT_TRUE(std::ranges::equal(found, known, [](double a, double b) { return std::abs(a - b) < 1e-9; }));
  EXPECT_NEAR(mass.frame.translation().x, 5, 1e-12);
  // The axes: in the frame of the answer the body is a box along them again.
  const Pose back = compose(inverse(mass.frame), turn);
  for (const double entry : back.matrix()) EXPECT_NEAR(std::abs(entry), std::round(std::abs(entry)), 1e-6);
}

TEST(BodyMass, OfAnOpenMeshIsThatOfItsBox) {
  MeshInput input;
  input.vertices = {{0, 0, 0}, {2, 0, 0}, {0, 3, 1}};
  input.triangles = {{0, 1, 2}};
  const BodyMass mass = body_mass(Mesh::build(std::move(input)).value(), 2);
  EXPECT_FALSE(mass.closed);
  EXPECT_NEAR(mass.mass, 12, 1e-12);
}

TEST(BodyMass, OfABodyInsideOutIsThatOfTheBody) {
  // Not at the middle of its box, so that one could not be taken for the other.
  MeshInput input;
  input.vertices = {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0, 0, 1}};
  input.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const BodyMass right = body_mass(Mesh::build(MeshInput(input)).value(), 4);
  for (auto& triangle : input.triangles) std::swap(triangle[0], triangle[1]);
  const BodyMass turned = body_mass(Mesh::build(std::move(input)).value(), 4);
  EXPECT_NEAR(right.mass, 4, 1e-12);
  EXPECT_TRUE(turned.closed);
  EXPECT_NEAR(turned.mass, right.mass, 1e-12);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(turned.inertia[i], right.inertia[i], 1e-12);
    EXPECT_NEAR(turned.frame.translation()[i], right.frame.translation()[i], 1e-12);
  }
}

TEST(BodyMass, OfShellsTurnedInsideOutIsThatOfSolids) {
  // A box with a cavity, and a smaller box beside it, turned inside out in every way that leaves the solid as it is.
  const auto body = [](bool box, bool beside) {
    MeshInput input;
    test::append(input, scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}), box);
    test::append(input, scenes::box({-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}), !box);
    test::append(input, scenes::box({2.55, -0.45, -0.45}, {3.45, 0.45, 0.45}), beside);
    return body_mass(Mesh::build(std::move(input)).value(), 1000);
  };
  const BodyMass right = body(false, false);
  EXPECT_NEAR(right.mass, 1000 * (1 - 0.125 + 0.729), 1e-6);
  for (const auto& [box, beside] : {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    const BodyMass other = body(box, beside);
    EXPECT_NEAR(other.mass, right.mass, 1e-6);
    EXPECT_NEAR(other.frame.translation().x, right.frame.translation().x, 1e-9);
    EXPECT_NEAR(other.inertia.x, right.inertia.x, 1e-6);
    EXPECT_NEAR(other.inertia.y, right.inertia.y, 1e-6);
    EXPECT_NEAR(other.inertia.z, right.inertia.z, 1e-6);
  }
}

TEST(BodyMass, OfShellsThatCrossIsNeverNegative) {
  // A tetrahedron, and a plate turned inside out that begins inside of it: taken for a cavity, of less volume but more inertia.
  MeshInput input;
  input.vertices = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
  input.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  test::append(input, scenes::box({0.1, 0.1, 0.1}, {2.9, 2.9, 0.5}), true);
  const BodyMass mass = body_mass(Mesh::build(std::move(input)).value(), 1);
  EXPECT_GT(mass.mass, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(mass.inertia[i], 0);
    EXPECT_LE(mass.inertia[i], (1 + 1e-9) * (mass.inertia[(i + 1) % 3] + mass.inertia[(i + 2) % 3]));
  }
}

TEST(MeshShape, HasBoxTrianglesAndInertia) {
  MeshShape shape{Shape(scenes::box({-1, -2, -3}, {1, 2, 3})), translation(10, 0, 0)};
  btVector3 lo, hi, inertia;
  shape.getAabb(btTransform(btQuaternion::getIdentity(), {0, 0, 1}), lo, hi);
  EXPECT_NEAR(lo.x(), 9, 1e-5);
  EXPECT_NEAR(hi.z(), 4, 1e-5);
  shape.calculateLocalInertia(12, inertia);  // about the body's origin, ten metres away
  EXPECT_NEAR(inertia.x(), 16 + 36, 1e-9);
  EXPECT_NEAR(inertia.y(), 4 + 36 + 1200, 1e-9);

  struct Collect final : btTriangleCallback {
    std::set<int> seen;
    void processTriangle(btVector3*, int, int index) override { seen.insert(index); }
  } near, all;
  shape.processAllTriangles(&near, {10.5, -10, -10}, {1e30, 10, 10});
  shape.processAllTriangles(&all, {-1e30, -1e30, -1e30}, {1e30, 1e30, 1e30});
  EXPECT_EQ(all.seen.size(), 12U);
  EXPECT_EQ(near.seen.size(), 10U);  // all but the two of the face at x = 9

  shape.setLocalScaling({2, 1, 1});
  shape.getAabb(btTransform::getIdentity(), lo, hi);
  EXPECT_NEAR(lo.x(), 18, 1e-5);
  shape.setLocalScaling({1, 1, 1});
  shape.getAabb(btTransform::getIdentity(), lo, hi);
  EXPECT_NEAR(lo.x(), 9, 1e-5);
}

TEST(MeshShape, IsScaledAboutTheOriginOfTheBody) {
  const Pose in_body = Pose::make({1, 0, 0, 1}, {0.5, 0, 0.1}).value();  // a quarter turn about z
  MeshShape shape(Shape(scenes::box({-1, -2, -3}, {1, 2, 3})), in_body);
  shape.setLocalScaling({2, 3, 4});
  btVector3 lo, hi;
  shape.setMargin(0);
  shape.getAabb(btTransform::getIdentity(), lo, hi);
  const double expected[2][3] = {{2 * -1.5, 3 * -1, 4 * -2.9}, {2 * 2.5, 3 * 1, 4 * 3.1}};
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(lo[axis], expected[0][axis], 1e-3);
    EXPECT_NEAR(hi[axis], expected[1][axis], 1e-3);
  }
  shape.setLocalScaling({1, 1, 1});
  EXPECT_EQ(shape.shape().mesh().vertices()[0], (Point3{-1, -2, -3}));
}

TEST(MeshShape, TakesTheTrianglesOfBullet) {
  btTriangleMesh triangles;
  const Mesh box = scenes::box({0, 0, 0}, {1, 1, 1});
  for (std::size_t t = 0; t < 12; ++t) {
    const Triangle c = box.view().triangle(t);
    const auto v = [](const Point3& p) { return btVector3(btScalar(p.x), btScalar(p.y), btScalar(p.z)); };
    triangles.addTriangle(v(c[0]), v(c[1]), v(c[2]));
  }
  triangles.setScaling({2, 2, 2});
  const auto mesh = mesh_of(triangles);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangles().size(), 12U);
  EXPECT_NEAR(body_mass(*mesh, 1).mass, 8, 1e-6);
  EXPECT_FALSE(mesh_of(btTriangleMesh()));  // empty
}

TEST(Plane, BodiesRestAtTheRightHeight) {
  // Concave, and neither symmetric nor aligned: a bunny as it falls. And a torus flat on the ground.
  for (const Mesh& mesh : {scenes::torus(0.5, 0.15, 24, 12), scenes::falling_body(scenes::bunny(453), 0.5)}) {
    Bodies bodies;
    MeshShape shape = centred(mesh);
    btStaticPlaneShape plane({0, 0, 1}, btScalar(0.25));
    bodies.add(plane, 0, {0, 0, 0});
    const btRigidBody& body = bodies.add(shape, 50, {0, 0, 1});
    bodies.run(400);
    EXPECT_NEAR(lowest(shape, body), 0.25, 0.002);
    EXPECT_LT(body.getLinearVelocity().length(), 0.02);
    EXPECT_LT(body.getAngularVelocity().length(), 0.05);
  }
}

TEST(Plane, WorksInEitherOrderAndForAnyPlane) {
  Bodies bodies;
  MeshShape ball = centred(scenes::sphere(0.5, 12, 16));
  btStaticPlaneShape floor({0, 0, 1}, 0), wall({-1, 0, 0}, -2);  // x <= 2
  const btRigidBody& first = bodies.add(ball, 10, {0, 0, 2});    // before the planes
  bodies.add(floor, 0, {0, 0, 0});
  bodies.add(wall, 0, {0, 0, 0});
  btRigidBody& thrown = bodies.add(ball, 10, {0, 3, 0.6});
  thrown.setLinearVelocity({6, 0, 0});
  bodies.run(240);
  EXPECT_NEAR(lowest(ball, first), 0, 0.003);
  EXPECT_NEAR(lowest(ball, thrown), 0, 0.003);
  EXPECT_LT(thrown.getWorldTransform().getOrigin().x(), 1.52);
}

TEST(Convex, RestsOnAMeshAndAMeshOnIt) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  MeshShape block{Shape(scenes::sphere(0.5, 12, 16))};
  btBoxShape box({btScalar(0.4), btScalar(0.3), btScalar(0.2)});
  const btScalar corners[6][4] = {{1, 0, 0, 0},  {-1, 0, 0, 0}, {0, 1, 0, 0},
                                  {0, -1, 0, 0}, {0, 0, 1, 0},  {0, 0, -1, 0}};
  btConvexHullShape hull(&corners[0][0], 6, sizeof corners[0]);
  btSphereShape sphere(btScalar(0.3));
  btBoxShape pedestal({1, 1, 1});
  Bodies bodies;
  bodies.add(table, 0, {0, 0, 0});
  bodies.add(pedestal, 0, {20, 0, -1});
  const btRigidBody& on_table = bodies.add(box, 5, {0, 0, 1});
  btRigidBody& pointed = bodies.add(hull, 5, {3, 0, 2});
  pointed.setAngularVelocity({1, btScalar(0.7), 0});             // or it would balance on its corner
  const btRigidBody& round = bodies.add(sphere, 5, {-3, 0, 1});  // Bullet's own algorithm, our triangles
  const btRigidBody& on_box = bodies.add(block, 5, {20, 0, 1});
  bodies.run(300);
  EXPECT_NEAR(on_table.getWorldTransform().getOrigin().z(), 0.2, 0.005);
  EXPECT_NEAR(on_table.getLinearVelocity().length(), 0, 0.05);
  // An octahedron comes to lie on a face, whose plane is 1/sqrt(3) from its centre.
  EXPECT_NEAR(pointed.getWorldTransform().getOrigin().z(), 1 / std::sqrt(3.0), 0.02);
  EXPECT_NEAR(round.getWorldTransform().getOrigin().z(), 0.3, 0.02);
  EXPECT_NEAR(lowest(block, on_box), 0, 0.005);
}

TEST(Convex, IsFollowedWhenItChanges) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  btBoxShape box({btScalar(0.5), btScalar(0.5), btScalar(0.5)});
  Bodies bodies;
  bodies.add(table, 0, {0, 0, 0});
  btRigidBody& body = bodies.add(box, 5, {0, 0, btScalar(0.5)});
  body.setActivationState(DISABLE_DEACTIVATION);
  bodies.run(10);
  box.setLocalScaling({1, 1, 2});
  bodies.run(240);
  EXPECT_NEAR(body.getWorldTransform().getOrigin().z(), 1, 0.02);
}

TEST(Install, RefusesWrongSettingsAtOnce) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  const Settings wrong{.contacts = {.displacement_threshold = 1, .distance_extension = 0.5}};
  ASSERT_FALSE(validate(wrong.contacts));
  EXPECT_DEATH(install(dispatcher, wrong), "distance_extension");
}

TEST(Convex, FlatHullsFallBackOnBullet) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  const btScalar corners[4][4] = {{1, 1, 0, 0}, {-1, 1, 0, 0}, {-1, -1, 0, 0}, {1, -1, 0, 0}};
  btConvexHullShape sheet(&corners[0][0], 4, sizeof corners[0]);
  Bodies bodies;
  bodies.add(table, 0, {0, 0, 0});
  btRigidBody& body = bodies.add(sheet, 1, {0, 0, btScalar(0.3)});
  bodies.run(120);
  EXPECT_GT(body.getWorldTransform().getOrigin().z(), -0.05);
}

TEST(Mesh, BoxesOfTwelveTrianglesLieWithAnOffset) {
  // Corners of one end lie on the other box; at the other end only edges meet.
  for (const double yaw : {0.0, 0.4, 0.785}) {
    SCOPED_TRACE(yaw);
    MeshShape base{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0}))};
    MeshShape lid{Shape(scenes::box({-0.6, -0.3, -0.1}, {0.6, 0.3, 0.1}))};
    Bodies bodies;
    bodies.add(base, 0, {0, 0, 0});
    btRigidBody& body = bodies.add(lid, 10, {btScalar(0.3), btScalar(0.15), btScalar(0.105)});
    body.setWorldTransform(btTransform(btQuaternion({0, 0, 1}, btScalar(yaw)), body.getWorldTransform().getOrigin()));
    bodies.run(300);
    EXPECT_NEAR(body.getWorldTransform().getOrigin().z(), 0.1, 0.01);
    EXPECT_NEAR(body.getWorldTransform().getOrigin().x(), 0.3, 0.05);
    EXPECT_GT(body.getWorldTransform().getBasis()[2][2], 0.995) << "it has tipped over";
  }
}

TEST(Mesh, ContactsPersistWithTheirImpulsesAndData) {
  Bodies bodies;
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))}, block = centred(scenes::torus(0.5, 0.15, 24, 12));
  bodies.add(table, 0, {0, 0, 0});
  btRigidBody& body = bodies.add(block, 10, {0, 0, btScalar(0.2)});
  body.setActivationState(DISABLE_DEACTIVATION);
  bodies.run(200);
  double impulse = 0;
  int oldest = 0, points = 0;
  int marks[64] = {};
  for (int m = 0; m < bodies.dispatcher().getNumManifolds(); ++m) {
    btPersistentManifold& manifold = *bodies.dispatcher().getManifoldByIndexInternal(m);
    EXPECT_LE(manifold.getNumContacts(), 4);
    for (int i = 0; i < manifold.getNumContacts(); ++i, ++points) {
      btManifoldPoint& point = manifold.getContactPoint(i);
      impulse += static_cast<double>(point.m_appliedImpulse);
      oldest = std::max(oldest, point.m_lifeTime);
      if (points < 64) point.m_userPersistentData = &marks[points];
      EXPECT_LT(point.m_index0, 24 * 12 * 2);
    }
  }
  EXPECT_GE(points, 3);
  // At rest the impulses of a step are the weight times its length.
  EXPECT_NEAR(impulse, 10 * 9.81 / 60, 0.1);
  EXPECT_GE(oldest, 10);

  static int destroyed = 0;
  gContactDestroyedCallback = [](void* data) { return ++destroyed, *static_cast<int*>(data) = 1, true; };
  bodies.run(1);
  int kept = 0;
  for (int m = 0; m < bodies.dispatcher().getNumManifolds(); ++m) {
    btPersistentManifold& manifold = *bodies.dispatcher().getManifoldByIndexInternal(m);
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      kept += manifold.getContactPoint(i).m_userPersistentData != nullptr ? 1 : 0;
      manifold.getContactPoint(i).m_userPersistentData = nullptr;
    }
  }
  EXPECT_EQ(kept + destroyed, points);  // none is lost, none is told twice
  EXPECT_GT(kept, 0);
  gContactDestroyedCallback = nullptr;
}

TEST(Compound, ContactsOfChildrenPersistWithTheirData) {
  Bodies bodies;
  MeshShape table{Shape(scenes::box({-50, -50, -1}, {50, 50, 0}))};
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  btCompoundShape compound;
  compound.addChildShape(btTransform::getIdentity(), &block);
  bodies.add(table, 0, {0, 0, 0}).setFriction(0);
  btRigidBody& body = bodies.add(compound, 1, {0, 0, btScalar(0.499)});
  body.setActivationState(DISABLE_DEACTIVATION);
  body.setFriction(0);
  // Fast enough for Bullet to take a contact of the step before for another one, if it is asked.
  body.setLinearVelocity({3, 0, 0});
  body.setAngularVelocity({0, 0, btScalar(0.5)});
  static int destroyed, ended;
  destroyed = ended = 0;
  gContactDestroyedCallback = [](void*) { return ++destroyed, true; };
  gContactEndedCallback = [](btPersistentManifold* const&) { ++ended; };
  int corners[4] = {}, kept = 0, fresh = 0, of_another = 0;
  for (int step = 0; step < 60; ++step) {
    bodies.run(1);
    for (int m = 0; m < bodies.dispatcher().getNumManifolds(); ++m) {
      btPersistentManifold& manifold = *bodies.dispatcher().getManifoldByIndexInternal(m);
      for (int i = 0; i < manifold.getNumContacts(); ++i) {
        btManifoldPoint& point = manifold.getContactPoint(i);
        const btVector3& at = manifold.getBody0() == &body ? point.m_localPointA : point.m_localPointB;
        int* const corner = &corners[(at.x() > 0 ? 1 : 0) + (at.y() > 0 ? 2 : 0)];
        point.m_userPersistentData == nullptr ? ++fresh : ++kept;
        of_another += point.m_userPersistentData != nullptr && point.m_userPersistentData != corner ? 1 : 0;
        point.m_userPersistentData = corner;
      }
    }
  }
  gContactDestroyedCallback = nullptr;
  gContactEndedCallback = nullptr;
  EXPECT_EQ(of_another, 0);
  EXPECT_GT(kept, 200);
  EXPECT_LT(fresh, 16);
  EXPECT_LT(destroyed, 16);
  EXPECT_EQ(ended, 0);
}

TEST(Mesh, TellsOfEveryPointInEveryStep) {
  Bodies bodies;
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))}, block = centred(scenes::torus(0.5, 0.15, 24, 12));
  const btRigidBody& ground = bodies.add(table, 0, {0, 0, 0});
  bodies.add(block, 10, {0, 0, btScalar(0.2)}).setActivationState(DISABLE_DEACTIVATION);
  bodies.run(60);
  static int processed;
  static const void* expected;
  processed = 0, expected = &ground;
  gContactProcessedCallback = [](btManifoldPoint&, void* a, void* b) {
    return processed += a == expected || b == expected ? 1 : 0, true;
  };
  bodies.run(1);
  gContactProcessedCallback = nullptr;
  int points = 0;
  for (int m = 0; m < bodies.dispatcher().getNumManifolds(); ++m)
    points += bodies.dispatcher().getManifoldByIndexInternal(m)->getNumContacts();
  EXPECT_GE(points, 3);
  EXPECT_EQ(processed, points);
}

/// What those are told who ask once.
struct Collect final : btCollisionWorld::ContactResultCallback {
  double deepest = 0;
  int count = 0;
  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    deepest = std::min(deepest, static_cast<double>(point.getDistance()));
    return ++count, btScalar(0);
  }
};

TEST(Compound, AnswersThoseWhoAskOnce) {
  Bodies bodies;
  MeshShape ball{Shape(scenes::sphere(0.5, 12, 16))}, block{Shape(scenes::box({-1, -1, -1}, {1, 1, 1}))};
  btBoxShape box({1, 1, 1});
  btStaticPlaneShape plane({0, 0, 1}, 0);
  const auto compound_of = [](btCollisionShape& shape) {
    auto made = std::make_unique<btCompoundShape>();
    made->addChildShape(btTransform::getIdentity(), &shape);
    return made;
  };
  const auto balls = compound_of(ball), blocks = compound_of(block), boxes = compound_of(box);
  const auto ask = [&](btCollisionShape& upper, btCollisionShape& lower, double height) {
    btCollisionObject first, second;
    first.setCollisionShape(&upper), second.setCollisionShape(&lower);
    first.setWorldTransform(btTransform(btQuaternion::getIdentity(), {0, 0, btScalar(height)}));
    Collect told, swapped;
    bodies.world().contactPairTest(&first, &second, told);
    bodies.world().contactPairTest(&second, &first, swapped);
    EXPECT_GT(told.count, 0);
    EXPECT_EQ(told.count, swapped.count);
    EXPECT_NEAR(told.deepest, swapped.deepest, 1e-6);
    EXPECT_EQ(bodies.dispatcher().getNumManifolds(), 0);
    return told.deepest;
  };
  EXPECT_NEAR(ask(ball, block, 1.4), -0.1, 0.01);
  EXPECT_NEAR(ask(*balls, block, 1.4), -0.1, 0.01);
  EXPECT_NEAR(ask(ball, *blocks, 1.4), -0.1, 0.01);
  EXPECT_NEAR(ask(*balls, *blocks, 1.4), -0.1, 0.01);
  EXPECT_NEAR(ask(ball, *boxes, 1.4), -0.1, 0.01);
  EXPECT_NEAR(ask(*balls, plane, 0.4), -0.1, 0.01);
}

TEST(Mesh, AnswersThoseWhoAskOnce) {
  Bodies bodies;
  MeshShape a{Shape(scenes::sphere(0.5, 12, 16))}, b{Shape(scenes::box({-1, -1, -1}, {1, 1, 1}))};
  btStaticPlaneShape plane({0, 0, 1}, 0);
  btRigidBody& ball = bodies.add(a, 1, {0, 0, btScalar(1.4)});
  btRigidBody& block = bodies.add(b, 0, {0, 0, 0});
  btRigidBody& ground = bodies.add(plane, 0, {0, 0, btScalar(0.95)});
  Collect with_block, with_ground, swapped;
  bodies.world().contactPairTest(&ball, &block, with_block);
  bodies.world().contactPairTest(&ball, &ground, with_ground);
  bodies.world().contactPairTest(&ground, &ball, swapped);
  EXPECT_GT(with_block.count, 0);
  EXPECT_NEAR(with_block.deepest, -0.1, 0.01);
  EXPECT_GT(with_ground.count, 0);
  EXPECT_NEAR(with_ground.deepest, -0.05, 0.001);
  EXPECT_EQ(swapped.count, with_ground.count);
  EXPECT_EQ(bodies.dispatcher().getNumManifolds(), 0);
}

TEST(Mesh, RaysFindItsTriangles) {
  Bodies bodies;
  MeshShape torus{Shape(scenes::torus(0.5, 0.15, 48, 24))};
  bodies.add(torus, 0, {0, 0, 1});
  btCollisionWorld::ClosestRayResultCallback through({0, 0, 5}, {0, 0, -5}),
      onto({btScalar(0.5), 0, 5}, {btScalar(0.5), 0, -5});
  bodies.world().rayTest(through.m_rayFromWorld, through.m_rayToWorld, through);
  bodies.world().rayTest(onto.m_rayFromWorld, onto.m_rayToWorld, onto);
  EXPECT_FALSE(through.hasHit());  // there is a hole
  ASSERT_TRUE(onto.hasHit());
  EXPECT_NEAR(onto.m_hitPointWorld.z(), 1.15, 0.01);
}

}  // namespace
}  // namespace snug::bullet
