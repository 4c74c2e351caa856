// FCL's dynamic tree. All boxes moved: its update() of everything, which refits and rebalances; some: its update() of those.

#include "bench/peers/box_engine.hpp"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>

namespace snug::bench {

namespace {

class FclBoxes final : public MovingBoxes {
 public:
  void start(std::span<const Aabb> boxes) override {
    std::vector<fcl::CollisionObjectd*> all;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Vec3 size = boxes[i].hi - boxes[i].lo;
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(std::make_shared<fcl::Boxd>(size.x, size.y, size.z)));
      objects_.back()->setUserData(reinterpret_cast<void*>(i));
      place(i, boxes[i]);
      all.push_back(objects_.back().get());
    }
    manager_.registerObjects(all);
    manager_.setup();
  }
  void step(std::span<const Aabb> boxes, std::span<const std::uint32_t> moved) override {
    if (moved.size() == boxes.size()) {
      for (std::size_t i = 0; i < boxes.size(); ++i) place(i, boxes[i]);
      manager_.update();
    } else {
      some_.clear();
      for (const std::uint32_t i : moved) place(i, boxes[i]), some_.push_back(objects_[i].get());
      manager_.update(some_);
    }
    found_.clear();
    manager_.collide(this, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* self) {
      static_cast<FclBoxes*>(self)->found_.push_back({id(a), id(b)});
      return false;
    });
  }
  void pairs(std::vector<IdPair>& out) const override {
    out.clear();
    for (const IdPair& pair : found_) out.push_back({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
  }

 private:
  static std::uint32_t id(const fcl::CollisionObjectd* object) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object->getUserData()));
  }
  /// Where the box is, without computing it anew from its size: all engines get the same bits.
  void place(std::size_t i, const Aabb& box) {
    const auto& bounds = objects_[i]->getAABB();
    const_cast<fcl::AABBd&>(bounds).min_ = {box.lo.x, box.lo.y, box.lo.z};
    const_cast<fcl::AABBd&>(bounds).max_ = {box.hi.x, box.hi.y, box.hi.z};
  }

  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  std::vector<fcl::CollisionObjectd*> some_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
  std::vector<IdPair> found_;
};

}  // namespace

std::unique_ptr<MovingBoxes> make_fcl_boxes() { return std::make_unique<FclBoxes>(); }
std::string fcl_version() { return FCL_VERSION; }

}  // namespace snug::bench
