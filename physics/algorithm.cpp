#include "physics/algorithm.hpp"

#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>
#include <utility>

namespace snug::bullet {

static_assert(sizeof(Algorithm) <= sizeof(btConvexConvexAlgorithm), "Bullet's pool has no place for more");

struct Algorithm::State {
  std::unique_ptr<Finder> finder;
  Manifolds manifolds;
  std::vector<Touch> touches;
  bool swapped = false, keeps = true, prepared = false;
};

Algorithm::Algorithm(const btCollisionAlgorithmConstructionInfo& info, std::unique_ptr<Finder> finder, bool swapped,
                     bool keeps)
    : btCollisionAlgorithm(info),
      state_(new State{.finder = std::move(finder),
                       .manifolds = Manifolds(info.m_dispatcher1),
                       .touches = {},
                       .swapped = swapped,
                       .keeps = keeps}) {}

Algorithm::~Algorithm() = default;

namespace {

/// How far apart two shapes may be for Bullet to be told.
double reach_of(const btCollisionShape& a, const btCollisionShape& b) {
  return static_cast<double>(std::min(a.getContactBreakingThreshold(gContactBreakingThreshold),
                                      b.getContactBreakingThreshold(gContactBreakingThreshold)));
}

}  // namespace

void Algorithm::prepare(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                        const Poses& known) {
  const auto& [a, b] = state_->swapped ? std::tie(second, first) : std::tie(first, second);
  const auto [pose_a, pose_b] = state_->swapped ? Poses{known.second, known.first} : known;
  const btCollisionShape &shape_a = *a.getCollisionShape(), &shape_b = *b.getCollisionShape();
  state_->finder->find(static_cast<const MeshShape&>(shape_a), {a.getWorldTransform(), pose_a}, shape_b,
                       {b.getWorldTransform(), pose_b}, reach_of(shape_a, shape_b), state_->touches);
  state_->prepared = true;
}

bool Algorithm::ask(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second, const Poses& known,
                    TrackedPair& asked) {
  const auto& [a, b] = state_->swapped ? std::tie(second, first) : std::tie(first, second);
  const auto [pose_a, pose_b] = state_->swapped ? Poses{known.second, known.first} : known;
  return state_->finder->ask(static_cast<const MeshShape&>(*a.getCollisionShape()), {a.getWorldTransform(), pose_a},
                             *b.getCollisionShape(), {b.getWorldTransform(), pose_b}, asked);
}

void Algorithm::take(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second) {
  state_->finder->take(reach_of(*first.getCollisionShape(), *second.getCollisionShape()), state_->touches);
  state_->prepared = true;
}

void Algorithm::processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                 const btDispatcherInfo& /*info*/, btManifoldResult* result) {
  if (!std::exchange(state_->prepared, false)) {
    prepare(*first, *second, {});
    state_->prepared = false;
  }
  const auto& [a, b] = state_->swapped ? std::tie(*second, *first) : std::tie(*first, *second);
  if (state_->keeps && !asked_once(*result))
    state_->manifolds.set(a, b, state_->touches);
  else
    report(a, b, state_->touches, m_dispatcher, *result);
}

void Algorithm::getAllContactManifolds(btManifoldArray& all) { state_->manifolds.append_to(all); }

}  // namespace snug::bullet
