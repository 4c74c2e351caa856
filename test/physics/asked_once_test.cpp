// What contactTest() and contactPairTest() tell of meshes, of compounds of them, and of gaps between them. Compiled for Bullet in
// single and in double precision.

#include "physics/bodies.hpp"
#include "physics/compounds.hpp"
#include "scenes/bodies.hpp"
#include "scenes/solids.hpp"

#include <snug/distance.hpp>

#include <LinearMath/btPoolAllocator.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace snug::bullet {
namespace {

Vec3 vec(const btVector3& v) {
  return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/// What contactPairTest() tells, with the object whose shape is `mesh` first.
struct Told final : btCollisionWorld::ContactResultCallback {
  struct Point {
    Vec3 on_first, on_second, normal;  ///< out of the second
    double distance = 0;
    int surface = -1, triangle = -1, other_triangle = -1;
  };
  const btCollisionObject* first = nullptr;
  std::vector<Point> points;

  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper* a, int part_a, int index_a,
                           const btCollisionObjectWrapper* b, int part_b, int index_b) override {
    const bool in_order = a->getCollisionObject() == first;
    EXPECT_TRUE(in_order || b->getCollisionObject() == first);
    const Vec3 on_a = vec(point.m_positionWorldOnA), on_b = vec(point.m_positionWorldOnB);
    const Vec3 normal = vec(point.m_normalWorldOnB);
    points.push_back({in_order ? on_a : on_b, in_order ? on_b : on_a, in_order ? normal : -normal,
                      static_cast<double>(point.getDistance()), in_order ? part_a : part_b,
                      in_order ? index_a : index_b, in_order ? index_b : index_a});
    return 0;
  }
  [[nodiscard]] double least() const {
    double out = 1e300;
    for (const Point& point : points) out = std::min(out, point.distance);
    return out;
  }
};

/// Asks for the contacts of two shapes once, in both orders, which must tell the same. `threshold`: what is further apart, too.
Told ask(Bodies& bodies, btCollisionShape& upper, const btTransform& at_upper, btCollisionShape& lower,
         double threshold = 0) {
  btCollisionObject first, second;
  first.setCollisionShape(&upper), second.setCollisionShape(&lower);
  first.setWorldTransform(at_upper);
  Told told, swapped;
  told.first = swapped.first = &first;
  told.m_closestDistanceThreshold = swapped.m_closestDistanceThreshold = btScalar(threshold);
  bodies.world().contactPairTest(&first, &second, told);
  bodies.world().contactPairTest(&second, &first, swapped);
  EXPECT_EQ(told.points.size(), swapped.points.size());
  EXPECT_NEAR(told.least(), swapped.least(), 1e-6);
  EXPECT_EQ(bodies.dispatcher().getNumManifolds(), 0);
  return told;
}

/// How far a place is from the plane of a triangle of a mesh that is where it was modelled.
double from_plane(const Mesh& mesh, int triangle, const Vec3& place) {
  const Triangle c = mesh.view().triangle(static_cast<std::size_t>(triangle));
  const Vec3 u = c[1] - c[0], v = c[2] - c[0], d = place - c[0];
  const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  return std::abs(n.x * d.x + n.y * d.y + n.z * d.z) / std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
}

TEST(AskedOnce, ShapesTellTheSameInsideOfCompounds) {
  const Mesh block = scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}), ground = scenes::box({-5, -5, -1}, {5, 5, 0});
  MeshShape mesh{Shape(block)}, mesh_floor{Shape(ground)};
  btBoxShape box({btScalar(0.5), btScalar(0.5), btScalar(0.5)});
  btStaticPlaneShape plane({0, 0, 1}, 0);
  struct Pair {
    const char* name;
    btCollisionShape &upper, &lower;
  };
  for (const Pair& pair : std::initializer_list<Pair>{
           {"mesh on mesh", mesh, mesh_floor}, {"mesh on plane", mesh, plane}, {"box on mesh", box, mesh_floor}})
    for (const Wrap above : k_every_wrap)
      for (const Wrap below : k_every_wrap) {
        SCOPED_TRACE(::testing::Message() << pair.name << ' ' << static_cast<int>(above) << static_cast<int>(below));
        if (&pair.lower == &plane && below != Wrap::none) continue;  // Bullet has no tree over what is infinite
        Bodies bodies;
        Wrapped upper(pair.upper, above), lower(pair.lower, below);
        const Told told = ask(bodies, upper, at(0.3, 0.1, 0.49), lower);
        EXPECT_EQ(told.points.size(), 4U);
        for (const Told::Point& point : told.points) {
          EXPECT_NEAR(point.distance, -0.01, 1e-5);
          EXPECT_NEAR(point.normal.z, 1, 1e-5);
          // Ids are those of the body they are told with, in whichever order was asked.
          if (&pair.upper == &mesh) {
            EXPECT_EQ(point.surface, static_cast<int>(block.surface_of(static_cast<std::uint32_t>(point.triangle))));
            EXPECT_LT(from_plane(block, point.triangle, point.on_first - Vec3{0.3, 0.1, 0.49}), 1e-5);
          }
          if (&pair.lower == &mesh_floor) {
            EXPECT_LT(from_plane(ground, point.other_triangle, point.on_second), 1e-5);
          }
        }
      }
}

TEST(AskedOnce, WorldsTellOfAllTheirCompounds) {
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  Bodies bodies;
  Wrapped bare(block, Wrap::none), inside(block, Wrap::compound);
  btRigidBody& asked = bodies.add(inside, 1, {0, 0, 0});
  for (int i = 0; i < 3; ++i) bodies.add(i == 1 ? bare : inside, 1, {btScalar(0.9 - 0.9 * i), 0, btScalar(0.9)});
  Told told;
  told.first = &asked;
  bodies.world().contactTest(&asked, told);
  std::set<double> sides;
  for (const Told::Point& point : told.points) sides.insert(std::round(point.on_second.x));
  EXPECT_EQ(sides, (std::set<double>{-1, 0, 1})) << told.points.size() << " contacts";
  EXPECT_EQ(bodies.dispatcher().getNumManifolds(), 0);
}

TEST(AskedOnce, ApartTheyTellHowFar) {
  MeshShape mesh{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  MeshShape mesh_floor{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  btBoxShape box({btScalar(0.5), btScalar(0.5), btScalar(0.5)});
  btStaticPlaneShape plane({0, 0, 1}, 0);
  const btQuaternion turned(btVector3(1, 2, 0).normalized(), btScalar(0.6));
  double lowest = 0;
  for (int corner = 0; corner < 8; ++corner)
    lowest = std::min(lowest, static_cast<double>(quatRotate(turned, {btScalar(corner & 1) - btScalar(0.5),
                                                                      btScalar(corner / 2 & 1) - btScalar(0.5),
                                                                      btScalar(corner / 4) - btScalar(0.5)})
                                                      .z()));
  for (const auto& [first, second] :
       {std::pair<btCollisionShape*, btCollisionShape*>{&mesh, &mesh_floor}, {&mesh, &plane}, {&box, &mesh_floor}})
    for (const Wrap above : k_every_wrap)
      for (const Wrap below : {Wrap::none, Wrap::compound}) {
        if (second == &plane && below != Wrap::none) continue;
        SCOPED_TRACE(static_cast<int>(above) * 10 + static_cast<int>(below));
        Bodies bodies;
        Wrapped upper(*first, above), lower(*second, below);
        for (const double gap : {0.001, 0.1, 0.5, 0.99}) {
          btTransform place(turned, {0, 0, btScalar(gap - lowest)});
          const Told told = ask(bodies, upper, place, lower, 1);
          EXPECT_NEAR(told.least(), gap, 1e-5);
          for (const Told::Point& point : told.points) {
            EXPECT_NEAR(point.normal.z, 1, 1e-3);
            EXPECT_NEAR(point.on_first.z - point.on_second.z, point.distance, 1e-5);
          }
          place.getOrigin().setZ(btScalar(1.1 - lowest));
          EXPECT_EQ(ask(bodies, upper, place, lower, 1).points.size(), 0U);
          if (gap > 0.1) {
            place.getOrigin().setZ(btScalar(gap - lowest));
            EXPECT_EQ(ask(bodies, upper, place, lower).points.size(), 0U);
          }
        }
        // Those that meet tell what they always do.
        const btTransform sunk(turned, {0, 0, btScalar(-0.01 - lowest)});
        EXPECT_EQ(ask(bodies, upper, sunk, lower, 1).points.size(), ask(bodies, upper, sunk, lower).points.size());
        EXPECT_NEAR(ask(bodies, upper, sunk, lower, 1).least(), -0.01, 1e-5);
        EXPECT_EQ(bodies.configuration().getCollisionAlgorithmPool()->getUsedCount(), 0)
            << "algorithms that nobody ends";
      }
}

TEST(AskedOnce, HowFarIsWhatBruteForceFinds) {
  const Shape torus(scenes::torus(0.5, 0.15, 16, 8)), ball(scenes::sphere(0.2, 6, 8));
  MeshShape first(torus), second(ball);
  const unsigned seed = 11;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto number = [&] { return btScalar(static_cast<double>(random()) / 4294967296.0 - 0.5); };
  int apart = 0;
  for (int i = 0; i < 40; ++i) {
    Bodies bodies;
    const btQuaternion turn{number(), number(), number()};
    const btTransform place(turn, btVector3{2 * number(), 2 * number(), number()});
    const Told told = ask(bodies, first, place, second, 2);
    ASSERT_FALSE(told.points.empty());
    Scratch scratch;
    const Distance judge = distance(torus, pose_of(place), ball, {}, scratch, {}, {.method = Method::brute});
    if (judge.value == 0) continue;
    ++apart;
    EXPECT_NEAR(told.least(), judge.value, 1e-5);
  }
  EXPECT_GT(apart, 10);
}

}  // namespace
}  // namespace snug::bullet
