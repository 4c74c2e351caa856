#include "physics/manifolds.hpp"

#include "physics/convert.hpp"

#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <algorithm>
#include <typeinfo>

namespace snug::bullet {

namespace {

constexpr std::size_t k_points = MANIFOLD_CACHE_SIZE;
/// The id of no touch: what somebody else has put into a manifold goes with the next step.
constexpr std::uint64_t k_nobody = ~std::uint64_t{0};

btManifoldPoint point_of(const Touch& touch, const btCollisionObject& a, const btCollisionObject& b) {
  const btVector3 normal = to_bullet(touch.normal), on_b = to_bullet(touch.on_b);
  const auto distance = static_cast<btScalar>(touch.distance);
  const btVector3 on_a = on_b + normal * distance;
  btManifoldPoint point(a.getWorldTransform().invXform(on_a), b.getWorldTransform().invXform(on_b), normal, distance);
  point.m_positionWorldOnA = on_a;
  point.m_positionWorldOnB = on_b;
  point.m_partId0 = static_cast<int>(touch.surface_a), point.m_partId1 = static_cast<int>(touch.surface_b);
  point.m_index0 = static_cast<int>(touch.triangle_a), point.m_index1 = static_cast<int>(touch.triangle_b);
  // As btManifoldResult::addContactPoint() does, which can not be used: it takes points that lie close for the same.
  point.m_combinedFriction = gCalculateCombinedFrictionCallback(&a, &b);
  point.m_combinedRestitution = gCalculateCombinedRestitutionCallback(&a, &b);
  point.m_combinedRollingFriction = gCalculateCombinedRollingFrictionCallback(&a, &b);
  point.m_combinedSpinningFriction = gCalculateCombinedSpinningFrictionCallback(&a, &b);
  const int flags = a.getCollisionFlags() | b.getCollisionFlags();
  if ((flags & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) != 0) {
    point.m_combinedContactDamping1 = gCalculateCombinedContactDampingCallback(&a, &b);
    point.m_combinedContactStiffness1 = gCalculateCombinedContactStiffnessCallback(&a, &b);
    point.m_contactPointFlags |= BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;
  }
  if ((flags & btCollisionObject::CF_HAS_FRICTION_ANCHOR) != 0)
    point.m_contactPointFlags |= BT_CONTACT_FLAG_FRICTION_ANCHOR;
  btPlaneSpace1(point.m_normalWorldOnB, point.m_lateralFrictionDir1, point.m_lateralFrictionDir2);
  return point;
}

/// What a contact carries from step to step.
void hand_on(const btManifoldPoint& before, btManifoldPoint& now) {
  now.m_userPersistentData = before.m_userPersistentData;
  now.m_appliedImpulse = before.m_appliedImpulse;
  now.m_prevRHS = before.m_prevRHS;
  now.m_lifeTime = before.m_lifeTime + 1;
  // Impulses of friction are told along directions that turn with the normal: they are kept as vectors.
  const btVector3 friction = before.m_lateralFrictionDir1 * before.m_appliedImpulseLateral1 +
                             before.m_lateralFrictionDir2 * before.m_appliedImpulseLateral2;
  now.m_appliedImpulseLateral1 = friction.dot(now.m_lateralFrictionDir1);
  now.m_appliedImpulseLateral2 = friction.dot(now.m_lateralFrictionDir2);
}

}  // namespace

Manifolds::~Manifolds() {
  for (btPersistentManifold* manifold : manifolds_) dispatcher_->releaseManifold(manifold);
}

void Manifolds::keep() {
  kept_.clear();
  for (std::size_t m = 0; m < manifolds_.size(); ++m)
    for (int i = 0; i < manifolds_[m]->getNumContacts(); ++i) {
      const btManifoldPoint& point = manifolds_[m]->getContactPoint(i);
      const auto found = std::ranges::find_if(known_[m], [&](const Known& known) { return known.is(point); });
      kept_.push_back({found != known_[m].end() ? found->id : k_nobody, point});
    }
  std::ranges::sort(kept_, {}, &Kept::id);
}

Manifolds::Kept* Manifolds::kept(std::uint64_t id) {
  const auto found = std::ranges::lower_bound(kept_, id, {}, &Kept::id);
  return found == kept_.end() || found->id != id ? nullptr : &*found;
}

void Manifolds::fill(btPersistentManifold& manifold, std::vector<Known>& known, std::span<const Touch> touches,
                     const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b) {
  const btCollisionObject &object_a = *a.getCollisionObject(), &object_b = *b.getCollisionObject();
  known.clear();
  manifold.setNumContacts(static_cast<int>(touches.size()));
  for (std::size_t i = 0; i < touches.size(); ++i) {
    btManifoldPoint& point = manifold.getContactPoint(static_cast<int>(i));
    point = point_of(touches[i], object_a, object_b);
    known.push_back({touches[i].id, point.m_localPointA, point.m_localPointB});
    if (Kept* before = kept(touches[i].id)) {
      hand_on(before->point, point);
      before->point.m_userPersistentData = nullptr;  // it has a new home
    }
    const int flags = object_a.getCollisionFlags() | object_b.getCollisionFlags();
    if (gContactAddedCallback != nullptr && (flags & btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK) != 0)
      (*gContactAddedCallback)(point, &a, point.m_partId0, point.m_index0, &b, point.m_partId1, point.m_index1);
  }
  // What refreshContactPoints() would do at the end of a step.
  if (gContactProcessedCallback == nullptr) return;
  for (int i = 0; i < manifold.getNumContacts(); ++i)
    (*gContactProcessedCallback)(manifold.getContactPoint(i), const_cast<btCollisionObject*>(&object_a),
                                 const_cast<btCollisionObject*>(&object_b));
}

void Manifolds::drop_rest() {
  for (Kept& gone : kept_)
    if (gone.point.m_userPersistentData != nullptr && gContactDestroyedCallback != nullptr)
      (*gContactDestroyedCallback)(gone.point.m_userPersistentData);
}

void Manifolds::set(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b,
                    std::span<const Touch> touches) {
  keep();
  std::size_t used = 0;
  while (!touches.empty()) {
    std::size_t count = 1;
    while (count < std::min(k_points, touches.size()) && touches[count].patch == touches[0].patch) ++count;
    if (used == manifolds_.size()) {
      manifolds_.push_back(dispatcher_->getNewManifold(a.getCollisionObject(), b.getCollisionObject()));
      // Compounds refresh the manifolds of their children before they ask these: that must not take points away.
      manifolds_.back()->setContactBreakingThreshold(BT_LARGE_FLOAT);
      known_.emplace_back();
    }
    btPersistentManifold& manifold = *manifolds_[used];
    const bool began = manifold.getNumContacts() == 0;
    fill(manifold, known_[used++], touches.first(count), a, b);
    btPersistentManifold* started = &manifold;
    if (began && gContactStartedCallback != nullptr) gContactStartedCallback(started);
    touches = touches.subspan(count);
  }
  drop_rest();
  // Those that are left over go, the last first, as they came.
  while (manifolds_.size() > used) {
    btPersistentManifold* ended = manifolds_.back();
    if (ended->getNumContacts() > 0 && gContactEndedCallback != nullptr) gContactEndedCallback(ended);
    ended->setNumContacts(0);  // what their points carried has been handed on or dropped
    dispatcher_->releaseManifold(ended);
    manifolds_.pop_back();
    known_.pop_back();
  }
}

void Manifolds::append_to(btManifoldArray& all) const {
  for (btPersistentManifold* manifold : manifolds_) all.push_back(manifold);
}

bool asked_once(const btManifoldResult& result) { return typeid(result) != typeid(btManifoldResult); }

void report(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, std::span<const Touch> touches,
            btDispatcher* dispatcher, btManifoldResult& result) {
  if (touches.empty()) return;
  // Those who ask look at the manifold to learn which body comes first.
  btPersistentManifold* manifold = dispatcher->getNewManifold(a.getCollisionObject(), b.getCollisionObject());
  btPersistentManifold* before = result.getPersistentManifold();
  result.setPersistentManifold(manifold);
  for (const Touch& touch : touches) {
    result.setShapeIdentifiersA(static_cast<int>(touch.surface_a), static_cast<int>(touch.triangle_a));
    result.setShapeIdentifiersB(static_cast<int>(touch.surface_b), static_cast<int>(touch.triangle_b));
    result.addContactPoint(to_bullet(touch.normal), to_bullet(touch.on_b), static_cast<btScalar>(touch.distance));
  }
  result.setPersistentManifold(before);
  dispatcher->releaseManifold(manifold);
}

}  // namespace snug::bullet
