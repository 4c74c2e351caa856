#include "physics/children.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>

namespace snug::bullet {

Children::Path::Path(const btCollisionObjectWrapper& wrapper)
    : object(wrapper.getCollisionObject()), shape(wrapper.getCollisionShape()) {
  for (const auto *child = &wrapper, *parent = wrapper.m_parent; parent != nullptr;
       child = parent, parent = parent->m_parent) {
    const auto& compound = static_cast<const btCompoundShape&>(*parent->getCollisionShape());
    steps.push_back({&compound, child->m_index, compound.getUpdateRevision()});
  }
  std::ranges::reverse(steps);
}

bool Children::Path::find(PlacedShape& placed) const {
  placed = {object, object->getCollisionShape(), object->getWorldTransform()};
  for (const Step& step : steps) {
    if (placed.shape != step.compound || step.compound->getUpdateRevision() != step.revision) return false;
    placed.shape = step.compound->getChildShape(step.child);
    placed.at = placed.at * step.compound->getChildTransform(step.child);  // as Bullet does, to the last bit
  }
  return placed.shape == shape;
}

void Children::add(Algorithm& algorithm, const btCollisionObjectWrapper& first,
                   const btCollisionObjectWrapper& second) {
  if (first.m_parent == nullptr && second.m_parent == nullptr) return;
  for (const auto* wrapper : {first.m_parent, second.m_parent})
    for (; wrapper != nullptr; wrapper = wrapper->m_parent)
      if (!wrapper->getCollisionShape()->isCompound()) return;  // a triangle of something of Bullet's, say
  at_[&algorithm] = all_.insert(all_.end(), {&algorithm, Path(first), Path(second)});
}

void Children::remove(const void* algorithm) {
  const auto known = at_.find(algorithm);
  if (known == at_.end()) return;
  all_.erase(known->second);
  at_.erase(known);
}

void Children::forget_prepared() {
  for (const Child& child : all_) child.algorithm->forget_prepared();
}

bool Children::near(const PlacedShape& first, const PlacedShape& second) {
  btVector3 lo_a, hi_a, lo_b, hi_b;
  first.shape->getAabb(first.at, lo_a, hi_a);
  second.shape->getAabb(second.at, lo_b, hi_b);
  return TestAabbAgainstAabb2(lo_a, hi_a, lo_b, hi_b);
}

}  // namespace snug::bullet
