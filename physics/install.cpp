#include "physics/algorithm.hpp"

#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h>

#include <deque>
#include <memory>
#include <mutex>
#include <new>

namespace snug::bullet {

namespace {

enum class Other : std::uint8_t { mesh, plane, polyhedron };

/// Makes the algorithms of one kind of pair.
struct Create final : btCollisionAlgorithmCreateFunc {
  Create(const Settings& given, Other kind, bool is_swapped, bool keep) : settings(given), other(kind), keeps(keep) {
    m_swapped = is_swapped;
  }

  btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                 const btCollisionObjectWrapper* first,
                                                 const btCollisionObjectWrapper* second) override {
    std::unique_ptr<Finder> finder;
    switch (other) {
      case Other::mesh:
        finder = mesh_finder(settings);
        break;
      case Other::plane:
        finder = plane_finder();
        break;
      case Other::polyhedron:
        finder = polyhedron_finder(settings, *(m_swapped ? first : second)->getCollisionShape());
        if (!finder) return by_triangles(info, first, second);
    }
    void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(Algorithm));
    return new (memory) Algorithm(info, std::move(finder), m_swapped, keeps);
  }

  /// Flat hulls and single points: Bullet's own, which takes the triangles one by one. It wants the convex shape first.
  btCollisionAlgorithm* by_triangles(btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* first,
                                     const btCollisionObjectWrapper* second) const {
    void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(btConvexConcaveCollisionAlgorithm));
    return new (memory) btConvexConcaveCollisionAlgorithm(info, first, second, !m_swapped);
  }

  Settings settings;
  Other other;
  bool keeps;
};

/// Dispatchers do not own what they are given, and nobody tells when they end: kept as long as the program runs, a few
/// hundred bytes for each call of install().
btCollisionAlgorithmCreateFunc* kept(const Settings& settings, Other other, bool swapped, bool keeps) {
  static std::mutex mutex;
  static std::deque<Create> all;
  const std::lock_guard lock(mutex);
  return &all.emplace_back(settings, other, swapped, keeps);
}

}  // namespace

void install(btCollisionDispatcher& dispatcher, const Settings& settings) {
  validate(settings.contacts).value();
  constexpr int k_mesh = FAST_CONCAVE_MESH_PROXYTYPE;
  const auto both_orders = [&](Other other, std::initializer_list<int> types) {
    for (const bool swapped : {false, true}) {
      btCollisionAlgorithmCreateFunc* const step = kept(settings, other, swapped, true);
      btCollisionAlgorithmCreateFunc* const once = kept(settings, other, swapped, false);
      for (const int type : types) {
        dispatcher.registerCollisionCreateFunc(swapped ? type : k_mesh, swapped ? k_mesh : type, step);
        dispatcher.registerClosestPointsCreateFunc(swapped ? type : k_mesh, swapped ? k_mesh : type, once);
      }
    }
  };
  both_orders(Other::plane, {STATIC_PLANE_PROXYTYPE});
  both_orders(Other::polyhedron, {BOX_SHAPE_PROXYTYPE, TETRAHEDRAL_SHAPE_PROXYTYPE, CONVEX_HULL_SHAPE_PROXYTYPE});
  dispatcher.registerCollisionCreateFunc(k_mesh, k_mesh, kept(settings, Other::mesh, false, true));
  dispatcher.registerClosestPointsCreateFunc(k_mesh, k_mesh, kept(settings, Other::mesh, false, false));
}

}  // namespace snug::bullet
