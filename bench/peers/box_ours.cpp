// Ours: a scene of bodies that are only boxes.

#include "bench/peers/box_engine.hpp"

#include <snug/scene.hpp>
#include <snug/version.hpp>

namespace snug::bench {

namespace {

class OurBoxes final : public MovingBoxes {
 public:
  void start(std::span<const Aabb> boxes) override {
    for (const Aabb& box : boxes) bodies_.push_back(scene_.add_box(box).value());
  }
  void step(std::span<const Aabb> boxes, std::span<const std::uint32_t> moved) override {
    if (moved.size() == boxes.size())
      scene_.set_boxes(bodies_, boxes).value();
    else
      for (const std::uint32_t i : moved) scene_.set_box(bodies_[i], boxes[i]).value();
    scene_.box_pairs(pairs_).value();
  }
  void pairs(std::vector<IdPair>& out) const override {
    out.clear();
    for (const BodyPair& pair : pairs_) out.push_back({pair.a.index, pair.b.index});
  }

 private:
  Scene scene_;
  std::vector<BodyId> bodies_;
  std::vector<BodyPair> pairs_;
};

}  // namespace

std::unique_ptr<MovingBoxes> make_our_boxes() { return std::make_unique<OurBoxes>(); }

std::span<const BoxEngine> box_engines() {
  static const std::vector<BoxEngine> all = [] {
    std::vector<BoxEngine> made{{"snug", std::string(version()), make_our_boxes}};
#ifdef SNUG_PEER_FCL
    made.push_back({"fcl", fcl_version(), make_fcl_boxes});
#endif
#ifdef SNUG_PEER_EMBREE
    made.push_back({"embree", embree_version(), make_embree_boxes});
#endif
    return made;
  }();
  return all;
}

}  // namespace snug::bench
