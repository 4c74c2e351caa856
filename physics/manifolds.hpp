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
};

/// The contact manifolds of one pair of bodies. Bullet's hold four points each, which is enough for one place where bodies
/// meet but not for concave ones, which meet at several: each patch gets its own.
class Manifolds {
 public:
  explicit Manifolds(btDispatcher* dispatcher) : dispatcher_(dispatcher) {}
  ~Manifolds();
  Manifolds(const Manifolds&) = delete;
  Manifolds& operator=(const Manifolds&) = delete;

  /// Puts these in the place of those of the step before. A touch whose id was there keeps its impulses and the user's data.
  void set(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, std::span<const Touch> touches);
  void append_to(btManifoldArray& all) const;

 private:
  struct Kept {
    std::uint64_t id = 0;
    btManifoldPoint point;
  };
  /// A point by which it is known again, wherever in its manifold Bullet or its user have moved it.
  struct Known {
    std::uint64_t id = 0;
    btVector3 local_a, local_b;

    [[nodiscard]] bool is(const btManifoldPoint& point) const {
      return local_a == point.m_localPointA && local_b == point.m_localPointB;
    }
  };
  void keep();
  void drop_rest();
  [[nodiscard]] Kept* kept(std::uint64_t id);
  void fill(btPersistentManifold& manifold, std::vector<Known>& known, std::span<const Touch> touches,
            const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b);

  btDispatcher* dispatcher_;
  std::vector<btPersistentManifold*> manifolds_;
  std::vector<std::vector<Known>> known_;  ///< the points of each
  std::vector<Kept> kept_;                 ///< points of the step before, by id; memory that is used again
};

/// True if the touches are for somebody who asked once. In a step Bullet hands on a result of its own; contactTest() and the like have one
/// that tells their callback, and so do the children of compounds then get, whatever they were made for.
[[nodiscard]] bool asked_once(const btManifoldResult& result);
/// Hands touches to whoever asked for them once instead of keeping them.
void report(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, std::span<const Touch> touches,
            btDispatcher* dispatcher, btManifoldResult& result);

}  // namespace snug::bullet
