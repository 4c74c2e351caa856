// Compounds of meshes, those who ask once, and Bullet's callbacks. Compiled for Bullet in single and in double precision.

#include "physics/bodies.hpp"
#include "scenes/bodies.hpp"
#include "scenes/solids.hpp"

#include <snug/distance.hpp>

#include <BulletCollision/CollisionDispatch/btCompoundCollisionAlgorithm.h>
#include <LinearMath/btPoolAllocator.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <deque>
#include <map>
#include <random>
#include <set>

namespace snug::bullet {
namespace {

btTransform at(double x, double y, double z) {
  return btTransform(btQuaternion::getIdentity(), {btScalar(x), btScalar(y), btScalar(z)});
}
Vec3 vec(const btVector3& v) {
  return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/// A shape as it is, or inside of compounds.
enum class Wrap : std::uint8_t { none, compound, nested, without_tree };
constexpr Wrap k_every_wrap[] = {Wrap::none, Wrap::compound, Wrap::nested, Wrap::without_tree};

class Wrapped {
 public:
  /// `place`: of each child in its compound.
  Wrapped(btCollisionShape& shape, Wrap wrap, const btTransform& place = btTransform::getIdentity())
      : shape_(&shape), place_(place) {
    if (wrap == Wrap::none) return;
    around(wrap != Wrap::without_tree);
    if (wrap == Wrap::nested) around(true);
  }
  operator btCollisionShape&() { return *shape_; }
  [[nodiscard]] std::size_t compounds() const { return compounds_.size(); }

 private:
  void around(bool with_tree) {
    compounds_.emplace_back(with_tree).addChildShape(place_, shape_);
    shape_ = &compounds_.back();
  }
  btCollisionShape* shape_;
  btTransform place_;
  std::deque<btCompoundShape> compounds_;
};

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
        btRigidBody& body = bodies.add(upper, 1, {0, 0, btScalar(0.499)});
        body.setActivationState(DISABLE_DEACTIVATION);
        body.setCollisionFlags(body.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
        body.setFriction(0);
        body.setLinearVelocity({btScalar(speed), 0, 0});
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
  btRigidBody& body = bodies.add(upper, 1, {0, 0, btScalar(0.499)});
  body.setActivationState(DISABLE_DEACTIVATION);
  body.setFriction(0);
  body.setLinearVelocity({3, 0, 0});
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
    double calls_of_bullet = 0;
    for (const bool ours : {false, true}) {
      SCOPED_TRACE(::testing::Message() << (ours ? "ours " : "Bullet's ") << static_cast<int>(wrap));
      Wrapped upper(ours ? static_cast<btCollisionShape&>(block) : box, wrap);
      Bodies bodies;
      bodies.add(ours ? static_cast<btCollisionShape&>(table) : stage, 0, {0, 0, btScalar(ours ? 0 : -1)});
      btRigidBody& body = bodies.add(upper, 1, {0, 0, btScalar(0.499)});
      body.setActivationState(DISABLE_DEACTIVATION);
      bodies.run(30);
      const int points = bodies.points();
      ASSERT_EQ(points, 4);
      const Listening listening;
      heard.box = &body;
      bodies.run(10);
      ASSERT_EQ(bodies.points(), points);
      const double calls = heard.processed / 10.0 / points;
      EXPECT_EQ(calls, wrap == Wrap::none ? 1 : 2);  // compounds refresh what their children then find anew
      EXPECT_EQ(ours ? calls_of_bullet : calls, calls);
      calls_of_bullet = calls;
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
    btRigidBody& body = bodies.add(upper, 1, {0, 0, btScalar(0.499)});
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setFriction(0);
    body.setLinearVelocity({3, 0, 0});
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

/// A world whose dispatcher has threads.
struct ManyThreads {
  explicit ManyThreads(unsigned threads) : dispatcher(&configuration, threads) {
    world.setGravity({0, 0, btScalar(-9.81)});
  }
  btRigidBody& add(btCollisionShape& shape, double mass, const btTransform& place) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(btScalar(mass), inertia);
    bodies.push_back(std::make_unique<btRigidBody>(btScalar(mass), nullptr, &shape, inertia));
    bodies.back()->setWorldTransform(place);
    world.addRigidBody(bodies.back().get());
    return *bodies.back();
  }
  ~ManyThreads() {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }
  btDefaultCollisionConfiguration configuration;
  Dispatcher dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
  std::vector<std::unique_ptr<btRigidBody>> bodies;
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
      ManyThreads many(2);
      many.add(lower, 0, at(0, 0, 0));
      many.add(upper, 1, at(0, 0, height)).setActivationState(DISABLE_DEACTIVATION);
      many.dispatcher.setNearCallback(
          [](btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info) {
            Watched::dispatching = true;
            btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
            Watched::dispatching = false;
          });
      many.world.stepSimulation(btScalar(1) / 60, 0);  // makes the algorithms
      hull.asked = 0, hull.asked_late = 0;
      for (int i = 0; i < 10; ++i) many.world.stepSimulation(btScalar(1) / 60, 0);
      EXPECT_GE(hull.asked, 80);
      EXPECT_EQ(hull.asked_late, 0);
      EXPECT_NEAR(many.bodies[1]->getWorldTransform().getOrigin().z(), height, 0.01);
    }
}

TEST(Threads, WhatWasFoundAheadIsOfItsStepOnly) {
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  MeshShape block{Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}))};
  Wrapped upper(block, Wrap::compound);
  ManyThreads many(2);
  many.add(table, 0, at(0, 0, 0));
  btRigidBody& body = many.add(upper, 1, at(0, 0, 0.499));
  many.world.stepSimulation(btScalar(1) / 60, 0);
  // Found ahead, but not asked for.
  gCompoundChildShapePairCallback = [](const btCollisionShape*, const btCollisionShape*) { return false; };
  many.world.stepSimulation(btScalar(1) / 60, 0);
  gCompoundChildShapePairCallback = nullptr;
  body.setWorldTransform(at(0, 0, 0.45));
  // Asked for by somebody who has nothing found ahead.
  many.dispatcher.btCollisionDispatcher::dispatchAllCollisionPairs(many.broad_phase.getOverlappingPairCache(),
                                                                   many.world.getDispatchInfo(), &many.dispatcher);
  ASSERT_EQ(many.dispatcher.getNumManifolds(), 1);
  EXPECT_NEAR(many.dispatcher.getManifoldByIndexInternal(0)->getContactPoint(0).getDistance(), -0.05, 1e-5);
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
    ManyThreads many(threads);
    many.add(table, 0, at(0, 0, 0));
    for (int i = 0; i < 6; ++i) {
      btTransform place = at(0.1 * (i % 3), 0.15 * (i % 2), 0.5 + 0.5 * i);
      place.setRotation(btQuaternion(btScalar(0.3 * i), btScalar(0.2 * i), btScalar(0.5 * i)));
      many.add(i % 2 == 0 ? static_cast<btCollisionShape&>(nested) : dumbbell, 1, place);
    }
    for (int step = 0; step < 90; ++step) {
      many.world.stepSimulation(btScalar(1) / 60, 0);
      // A child that goes while its contacts are there; the others stay.
      if (step == 60) many.world.removeRigidBody(many.bodies[2].get());
    }
    many.world.addRigidBody(many.bodies[2].get());
    std::vector<btScalar> found;
    for (const auto& body : many.bodies) {
      const btVector3& place = body->getWorldTransform().getOrigin();
      found.insert(found.end(), {place.x(), place.y(), place.z(), body->getAngularVelocity().x()});
      EXPECT_GT(place.z(), -0.01);
    }
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected) << threads << " threads";
  }
}

TEST(Threads, CompoundsMayChange) {
  // Children come, go and move between steps: what was noted of them must not be used any more.
  MeshShape table{Shape(scenes::box({-5, -5, -1}, {5, 5, 0}))};
  ManyThreads many(2);
  many.add(table, 0, at(0, 0, 0));
  auto block = std::make_unique<MeshShape>(Shape(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})));
  MeshShape foot{Shape(scenes::box({-0.5, -0.5, -0.2}, {0.5, 0.5, 0.2}))};
  btCompoundShape compound;
  compound.addChildShape(at(0, 0, 0), block.get());
  btRigidBody& body = many.add(compound, 1, at(0, 0, 0.5));
  body.setActivationState(DISABLE_DEACTIVATION);
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) many.world.stepSimulation(btScalar(1) / 60, 0);
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
