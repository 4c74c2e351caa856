#pragma once

#include <btBulletDynamicsCommon.h>

#include <cstdint>
#include <deque>

namespace snug::bullet {

inline btTransform at(double x, double y, double z) {
  return btTransform(btQuaternion::getIdentity(), {btScalar(x), btScalar(y), btScalar(z)});
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

}  // namespace snug::bullet
