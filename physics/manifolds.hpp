#pragma once

#include <snug/vec.hpp>

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <cstdint>
#include <span>
#include <vector>

namespace snug::bullet {

/// A contact as Bullet wants it, in the world.
struct Touch {
  std::uint64_t id = 0;  ///< the same from step to step
  Point3 on_b;
  Vec3 normal;              ///< unit, out of b
  double distance = 0;      ///< negative where bodies overlap
  std::uint32_t patch = 0;  ///< touches of a patch stand together and share manifolds
  std::uint32_t surface_a = 0, surface_b = 0, triangle_a = 0, triangle_b = 0;
  bool foreseen = false;  ///< bodies are to meet later in the step: nothing bounces back before
};

/// The contact manifolds of one pair of bodies. Bullet's hold four points each, which is enough for one place where bodies
/// meet but not for concave ones, which meet at several: each patch gets its own.
class Manifolds {
 public:
  explicit Manifolds(btDispatcher* dispatcher) : dispatcher_(dispatcher) {}
  ~Manifolds();
  Manifolds(const Manifolds&) = delete;
  Manifolds& operator=(const Manifolds&) = delete;

  /// Puts these in the place of those of the step before. A touch whose id was there keeps its impulses, its age and the
  /// user's data.
  void set(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, std::span<const Touch> touches);
  /// For getAllContactManifolds(), by which compounds also ask for what they refresh.
  void append_to(btManifoldArray& all);

 private:
  struct Kept {
    std::uint64_t id = 0;
    btManifoldPoint point;
    bool taken = false;  ///< by a touch of this step
  };
  /// By which a point is known again, wherever in its manifold Bullet or its user have moved it.
  struct Known {
    std::uint64_t id = 0;
    int age = 0;  ///< in steps; refreshing a point makes it older, however often that is done in a step
    btVector3 local_a, local_b;

    [[nodiscard]] bool is(const btManifoldPoint& point) const {
      return local_a == point.m_localPointA && local_b == point.m_localPointB;
    }
  };
  void keep();
  [[nodiscard]] const Known* known(std::size_t manifold, int point) const;
  [[nodiscard]] bool is_left_alone(std::size_t manifold) const;
  void drop_rest();
  [[nodiscard]] Kept* kept(std::uint64_t id);
  /// Finds what each touch goes on from: the point of its id, or else the nearest that is nobody's, within Bullet's breaking threshold. A
  /// place may be a contact of a region in one step and a prediction of a vertex in the next, and what it bears must not be forgotten in between.
  void match(std::span<const Touch> touches, const btCollisionObject& a, const btCollisionObject& b);
  /// `before`: what each of these touches goes on from, or null.
  void fill(btPersistentManifold& manifold, std::vector<Known>& known, std::span<const Touch> touches,
            std::span<Kept* const> before, const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b);

  btDispatcher* dispatcher_;
  std::vector<btPersistentManifold*> manifolds_;
  std::vector<std::vector<Known>> known_;  ///< the points of each
  std::vector<Kept> kept_;                 ///< points of the step before, by id; memory that is used again
  std::vector<Kept*> before_;              ///< per touch of this step: what it goes on from, or null
  int compounds_ = 0;                      ///< that the two shapes are in, one inside the other
  btScalar breaking_threshold_ = 0;        ///< as Bullet would have it
};

/// True if touches of children of compounds are for somebody who asked once. Bullet makes such children as for a step, even if it
/// does so for contactTest() and the like; but these hand on a result that tells their callback instead of one that keeps contacts.
[[nodiscard]] bool asked_once(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b,
                              const btManifoldResult& result);
/// Hands touches to whoever asked for them once instead of keeping them.
void report(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, std::span<const Touch> touches,
            btDispatcher* dispatcher, btManifoldResult& result);

}  // namespace snug::bullet
