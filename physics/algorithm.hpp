#pragma once

#include "physics/finder.hpp"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>

namespace snug::bullet {

/// What Bullet keeps for each pair of close bodies of which one is a MeshShape. Small, since it lives in a pool of Bullet's
/// whose places have a fixed size; everything else is behind a pointer.
class Algorithm final : public btCollisionAlgorithm {
 public:
  /// `swapped`: the MeshShape is the second of the two. `keeps`: contacts are for the solver and stay from step to step;
  /// otherwise somebody asks once.
  Algorithm(const btCollisionAlgorithmConstructionInfo& info, std::unique_ptr<Finder> finder, bool swapped, bool keeps);
  ~Algorithm() override;

  /// Where the meshes of both are, if that is known.
  struct Poses {
    const Pose *first = nullptr, *second = nullptr;
  };
  /// Looks for the contacts now, on any thread, so that processCollision() need not. Bodies that have Bullet's continuous mode are swept through
  /// the next `step` seconds, if that is not zero.
  void prepare(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second, const Poses& known,
               btScalar step);
  /// The same in two halves, if it can be: what to ask for together with other pairs, and what is left when that was found.
  [[nodiscard]] bool ask(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                         const Poses& known, TrackedPair& asked);
  void take(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second, btScalar step);
  /// To look again when asked.
  void forget_prepared();

  void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                        const btDispatcherInfo& info, btManifoldResult* result) override;
  /// When the two first meet between where they are and where Bullet predicts them, as a share of the step; 1 if they do not, if both move by less
  /// than their motion thresholds, or if the other is a plane, which nothing passes through.
  btScalar calculateTimeOfImpact(btCollisionObject* first, btCollisionObject* second, const btDispatcherInfo& info,
                                 btManifoldResult* result) override;
  void getAllContactManifolds(btManifoldArray& all) override;

 private:
  struct State;
  void foresee(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, btScalar step);

  std::unique_ptr<State> state_;
};

}  // namespace snug::bullet
