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
  point.m_combinedRestitution = touch.foreseen ? 0 : gCalculateCombinedRestitutionCallback(&a, &b);
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
  // Impulses of friction are told along directions that turn with the normal: they are kept as vectors.
  const btVector3 friction = before.m_lateralFrictionDir1 * before.m_appliedImpulseLateral1 +
                             before.m_lateralFrictionDir2 * before.m_appliedImpulseLateral2;
  now.m_appliedImpulseLateral1 = friction.dot(now.m_lateralFrictionDir1);
  now.m_appliedImpulseLateral2 = friction.dot(now.m_lateralFrictionDir2);
}

int compounds_around(const btCollisionObjectWrapper& child) {
  int count = 0;
  for (const auto* wrapper = child.m_parent; wrapper != nullptr; wrapper = wrapper->m_parent) ++count;
  return count;
}

}  // namespace

Manifolds::~Manifolds() {
  for (btPersistentManifold* manifold : manifolds_) dispatcher_->releaseManifold(manifold);
}

void Manifolds::keep() {
  kept_.clear();
  for (std::size_t m = 0; m < manifolds_.size(); ++m)
    for (int i = 0; i < manifolds_[m]->getNumContacts(); ++i) {
      const Known* const found = known(m, i);
      kept_.push_back({found != nullptr ? found->id : k_nobody, manifolds_[m]->getContactPoint(i), false});
      if (found != nullptr) kept_.back().point.m_lifeTime = found->age;
    }
  std::ranges::sort(kept_, {}, &Kept::id);
}

const Manifolds::Known* Manifolds::known(std::size_t manifold, int point) const {
  const std::vector<Known>& all = known_[manifold];
  const btManifoldPoint& asked = manifolds_[manifold]->getContactPoint(point);
  // Where it was put, if nobody has moved it: two vertices may be at one place.
  const auto place = static_cast<std::size_t>(point);
  if (place < all.size() && all[place].is(asked)) return &all[place];
  const auto found = std::ranges::find_if(all, [&](const Known& one) { return one.is(asked); });
  return found != all.end() ? &*found : nullptr;
}

bool Manifolds::is_left_alone(std::size_t manifold) const {
  for (int i = 0; i < manifolds_[manifold]->getNumContacts(); ++i)
    if (const Known* const found = known(manifold, i))
      if (manifolds_[manifold]->getContactPoint(i).m_lifeTime >= found->age + compounds_) return true;
  return false;
}

Manifolds::Kept* Manifolds::kept(std::uint64_t id) {
  const auto found = std::ranges::lower_bound(kept_, id, {}, &Kept::id);
  return found == kept_.end() || found->id != id ? nullptr : &*found;
}

void Manifolds::match(std::span<const Touch> touches, const btCollisionObject& a, const btCollisionObject& b) {
  before_.assign(touches.size(), nullptr);
  for (std::size_t i = 0; i < touches.size(); ++i)
    if (Kept* const same = kept(touches[i].id)) before_[i] = same, same->taken = true;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    if (before_[i] != nullptr) continue;
    const btVector3 on_b = to_bullet(touches[i].on_b);
    const btVector3 on_a = on_b + to_bullet(touches[i].normal) * static_cast<btScalar>(touches[i].distance);
    const btVector3 in_a = a.getWorldTransform().invXform(on_a), in_b = b.getWorldTransform().invXform(on_b);
    btScalar least = breaking_threshold_ * breaking_threshold_;
    for (Kept& one : kept_) {
      const btScalar apart =
          std::max((one.point.m_localPointA - in_a).length2(), (one.point.m_localPointB - in_b).length2());
      if (!one.taken && one.id != k_nobody && apart <= least) least = apart, before_[i] = &one;
    }
    if (before_[i] != nullptr) before_[i]->taken = true;
  }
}

void Manifolds::fill(btPersistentManifold& manifold, std::vector<Known>& known, std::span<const Touch> touches,
                     std::span<Kept* const> before, const btCollisionObjectWrapper& a,
                     const btCollisionObjectWrapper& b) {
  const btCollisionObject &object_a = *a.getCollisionObject(), &object_b = *b.getCollisionObject();
  known.clear();
  manifold.setNumContacts(static_cast<int>(touches.size()));
  for (std::size_t i = 0; i < touches.size(); ++i) {
    btManifoldPoint& point = manifold.getContactPoint(static_cast<int>(i));
    point = point_of(touches[i], object_a, object_b);
    if (Kept* const same = before[i]) {
      hand_on(same->point, point);
      point.m_lifeTime = same->point.m_lifeTime + 1;
      same->point.m_userPersistentData = nullptr;  // it has a new home
    }
    known.push_back({touches[i].id, point.m_lifeTime, point.m_localPointA, point.m_localPointB});
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
  match(touches, *a.getCollisionObject(), *b.getCollisionObject());
  compounds_ = compounds_around(a) + compounds_around(b);
  std::size_t used = 0;
  std::span<Kept* const> before = before_;
  while (!touches.empty()) {
    std::size_t count = 1;
    while (count < std::min(k_points, touches.size()) && touches[count].patch == touches[0].patch) ++count;
    if (used == manifolds_.size()) {
      manifolds_.push_back(dispatcher_->getNewManifold(a.getCollisionObject(), b.getCollisionObject()));
      breaking_threshold_ = manifolds_.back()->getContactBreakingThreshold();
      known_.emplace_back();
    }
    btPersistentManifold& manifold = *manifolds_[used];
    // Compounds refresh the manifolds of their children before they ask these: that must not take points away.
    if (compounds_ > 0) manifold.setContactBreakingThreshold(BT_LARGE_FLOAT);
    const bool began = manifold.getNumContacts() == 0;
    fill(manifold, known_[used++], touches.first(count), before.first(count), a, b);
    btPersistentManifold* started = &manifold;
    if (began && gContactStartedCallback != nullptr) gContactStartedCallback(started);
    touches = touches.subspan(count), before = before.subspan(count);
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

void Manifolds::append_to(btManifoldArray& all) {
  for (std::size_t m = 0; m < manifolds_.size(); ++m) {
    // Each compound refreshes once in a step. Who was refreshed that often and then not asked, since boxes are apart or somebody
    // does not want the two to collide, holds what is no longer so: Bullet shall drop it, as it does its own.
    if (compounds_ > 0 && is_left_alone(m)) manifolds_[m]->setContactBreakingThreshold(breaking_threshold_);
    all.push_back(manifolds_[m]);
  }
}

bool asked_once(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, const btManifoldResult& result) {
  return (a.m_parent != nullptr || b.m_parent != nullptr) && typeid(result) != typeid(btManifoldResult);
}

void report(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, std::span<const Touch> touches,
            btDispatcher* dispatcher, btManifoldResult& result) {
  if (touches.empty()) return;
  // Those who ask look at the manifold to learn which body comes first.
  btPersistentManifold* manifold = dispatcher->getNewManifold(a.getCollisionObject(), b.getCollisionObject());
  btPersistentManifold* before = result.getPersistentManifold();
  result.setPersistentManifold(manifold);
  const bool in_order = result.getBody0Internal() == a.getCollisionObject();  // of the bodies whose ids it wants
  for (const Touch& touch : touches) {
    const auto surface_a = static_cast<int>(touch.surface_a), triangle_a = static_cast<int>(touch.triangle_a);
    const auto surface_b = static_cast<int>(touch.surface_b), triangle_b = static_cast<int>(touch.triangle_b);
    result.setShapeIdentifiersA(in_order ? surface_a : surface_b, in_order ? triangle_a : triangle_b);
    result.setShapeIdentifiersB(in_order ? surface_b : surface_a, in_order ? triangle_b : triangle_a);
    result.addContactPoint(to_bullet(touch.normal), to_bullet(touch.on_b), static_cast<btScalar>(touch.distance));
  }
  result.setPersistentManifold(before);
  dispatcher->releaseManifold(manifold);
}

}  // namespace snug::bullet
