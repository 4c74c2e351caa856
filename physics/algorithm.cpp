#include "physics/algorithm.hpp"

#include "physics/convert.hpp"
#include "physics/impact.hpp"

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
  std::unique_ptr<ImpactFinder> impacts;  ///< of those that were swept
  bool swapped = false, keeps = true, prepared = false;
};

Algorithm::Algorithm(const btCollisionAlgorithmConstructionInfo& info, std::unique_ptr<Finder> finder, bool swapped,
                     bool keeps)
    : btCollisionAlgorithm(info),
      state_(new State{.finder = std::move(finder),
                       .manifolds = Manifolds(info.m_dispatcher1),
                       .touches = {},
                       .impacts = nullptr,
                       .swapped = swapped,
                       .keeps = keeps}) {}

Algorithm::~Algorithm() = default;

namespace {

/// How far apart two shapes may be for Bullet to be told.
double reach_of(const btCollisionShape& a, const btCollisionShape& b) {
  return static_cast<double>(std::min(a.getContactBreakingThreshold(gContactBreakingThreshold),
                                      b.getContactBreakingThreshold(gContactBreakingThreshold)));
}

/// Of a shape of an object, or of its compound, from `at` on as the object moves from where it is to `to`.
Sweep sweep_of(const btCollisionObject& object, const btTransform& at, const btTransform& to, const Shape& shape,
               const Pose& in_body) {
  const btTransform& from = object.getWorldTransform();
  const Pose before = compose(pose_of(at), in_body), after = compose(pose_of(to * from.inverseTimes(at)), in_body);
  return {&shape, before, after, inverse(before).apply(from_bullet(from.getOrigin()))};
}

}  // namespace

void Algorithm::prepare(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                        const Poses& known, btScalar step) {
  const auto& [a, b] = state_->swapped ? std::tie(second, first) : std::tie(first, second);
  const auto [pose_a, pose_b] = state_->swapped ? Poses{known.second, known.first} : known;
  const btCollisionShape &shape_a = *a.getCollisionShape(), &shape_b = *b.getCollisionShape();
  state_->finder->find(static_cast<const MeshShape&>(shape_a), {a.getWorldTransform(), pose_a}, shape_b,
                       {b.getWorldTransform(), pose_b}, reach_of(shape_a, shape_b), state_->touches);
  foresee(a, b, step);
  state_->prepared = true;
}

bool Algorithm::ask(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second, const Poses& known,
                    TrackedPair& asked) {
  const auto& [a, b] = state_->swapped ? std::tie(second, first) : std::tie(first, second);
  const auto [pose_a, pose_b] = state_->swapped ? Poses{known.second, known.first} : known;
  return state_->finder->ask(static_cast<const MeshShape&>(*a.getCollisionShape()), {a.getWorldTransform(), pose_a},
                             *b.getCollisionShape(), {b.getWorldTransform(), pose_b}, asked);
}

void Algorithm::take(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second, btScalar step) {
  state_->finder->take(reach_of(*first.getCollisionShape(), *second.getCollisionShape()), state_->touches);
  const auto& [a, b] = state_->swapped ? std::tie(second, first) : std::tie(first, second);
  foresee(a, b, step);
  state_->prepared = true;
}

void Algorithm::foresee(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, btScalar step) {
  const btCollisionObject &object_a = *a.getCollisionObject(), &object_b = *b.getCollisionObject();
  if (!(step > 0) || (!needs_sweep(object_a, step) && !needs_sweep(object_b, step))) return;
  const auto& mesh = static_cast<const MeshShape&>(*a.getCollisionShape());
  const Finder::Other other = state_->finder->other(*b.getCollisionShape());
  if (other.shape == nullptr) return;
  if (!state_->impacts) state_->impacts = std::make_unique<ImpactFinder>();
  state_->impacts->add_contacts(
      sweep_of(object_a, a.getWorldTransform(), moved_freely(object_a, step), mesh.shape(),
               mesh.pose_at(btTransform::getIdentity())),
      sweep_of(object_b, b.getWorldTransform(), moved_freely(object_b, step), *other.shape, other.in_body),
      state_->touches);
}

btScalar Algorithm::calculateTimeOfImpact(btCollisionObject* first, btCollisionObject* second,
                                          const btDispatcherInfo& /*info*/, btManifoldResult* /*result*/) {
  const btCollisionObject &a = state_->swapped ? *second : *first, &b = state_->swapped ? *first : *second;
  const auto end_of = [](const btCollisionObject& object) -> const btTransform& {
    return object.isStaticObject() ? object.getWorldTransform() : object.getInterpolationWorldTransform();
  };
  const auto is_slow = [&](const btCollisionObject& object) {
    const btVector3 way = end_of(object).getOrigin() - object.getWorldTransform().getOrigin();
    return !(way.length2() > object.getCcdSquareMotionThreshold());
  };
  // Compounds ask with themselves for their children.
  if (a.getCollisionShape()->getShapeType() != FAST_CONCAVE_MESH_PROXYTYPE || b.getCollisionShape()->isCompound() ||
      (is_slow(a) && is_slow(b)))
    return 1;
  const auto& mesh = static_cast<const MeshShape&>(*a.getCollisionShape());
  const Finder::Other other = state_->finder->other(*b.getCollisionShape());
  if (other.shape == nullptr) return 1;
  if (!state_->impacts) state_->impacts = std::make_unique<ImpactFinder>();
  const auto t = state_->impacts->time(
      sweep_of(a, a.getWorldTransform(), end_of(a), mesh.shape(), mesh.pose_at(btTransform::getIdentity())),
      sweep_of(b, b.getWorldTransform(), end_of(b), *other.shape, other.in_body));
  if (!t) return 1;
  for (btCollisionObject* object : {first, second})
    object->setHitFraction(std::min(object->getHitFraction(), static_cast<btScalar>(*t)));
  return static_cast<btScalar>(*t);
}

void Algorithm::forget_prepared() { state_->prepared = false; }

void Algorithm::processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                 const btDispatcherInfo& info, btManifoldResult* result) {
  const auto& [a, b] = state_->swapped ? std::tie(*second, *first) : std::tie(*first, *second);
  const bool once = !state_->keeps || asked_once(a, b, *result);
  const auto asked_for = static_cast<double>(result->m_closestPointDistanceThreshold);
  if (once && asked_for > 0) {
    const btCollisionShape &shape_a = *a.getCollisionShape(), &shape_b = *b.getCollisionShape();
    const double reach = reach_of(shape_a, shape_b);
    state_->finder->measure(static_cast<const MeshShape&>(shape_a), {a.getWorldTransform()}, shape_b,
                            {b.getWorldTransform()}, reach, reach + asked_for, state_->touches);
  } else if (!std::exchange(state_->prepared, false)) {
    prepare(*first, *second, {}, once || !info.m_useContinuous ? 0 : info.m_timeStep);
    state_->prepared = false;
  }
  if (once)
    report(a, b, state_->touches, m_dispatcher, *result);
  else
    state_->manifolds.set(a, b, state_->touches);
}

void Algorithm::getAllContactManifolds(btManifoldArray& all) { state_->manifolds.append_to(all); }

}  // namespace snug::bullet
