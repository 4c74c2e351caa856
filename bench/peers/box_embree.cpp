// Embree: a scene of boxes, built anew for each step by its quickest builder, against itself. Its boxes are floats, rounded
// outwards; what it finds is held to the doubles.

#include "bench/peers/box_engine.hpp"

#include <embree3/rtcore.h>

#include <cmath>
#include <limits>

namespace snug::bench {

namespace {

RTCDevice device() {
  static const RTCDevice one = rtcNewDevice("threads=1,user_threads=1");
  return one;
}

float below(double x) {
  const auto f = static_cast<float>(x);
  return f <= x ? f : std::nextafter(f, -std::numeric_limits<float>::infinity());
}
float above(double x) { return -below(-x); }

class EmbreeBoxes final : public MovingBoxes {
 public:
  EmbreeBoxes() : scene_(rtcNewScene(device())), geometry_(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_USER)) {}
  ~EmbreeBoxes() override { rtcReleaseGeometry(geometry_), rtcReleaseScene(scene_); }
  EmbreeBoxes(const EmbreeBoxes&) = delete;
  EmbreeBoxes& operator=(const EmbreeBoxes&) = delete;

  void start(std::span<const Aabb> boxes) override {
    boxes_ = boxes;
    rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_LOW);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(boxes.size()));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
    rtcAttachGeometry(scene_, geometry_);
    rtcCommitGeometry(geometry_), rtcCommitScene(scene_);
  }
  void step(std::span<const Aabb> boxes, std::span<const std::uint32_t> /*moved*/) override {
    boxes_ = boxes;
    rtcCommitGeometry(geometry_), rtcCommitScene(scene_);
    found_.clear();
    rtcCollide(
        scene_, scene_,
        [](void* self, RTCCollision* candidates, unsigned count) {
          static_cast<EmbreeBoxes*>(self)->take({candidates, count});
        },
        this);
  }
  void pairs(std::vector<IdPair>& out) const override { out = found_; }

 private:
  static void bounds(const RTCBoundsFunctionArguments* arguments) {
    const Aabb& box = static_cast<const EmbreeBoxes*>(arguments->geometryUserPtr)->boxes_[arguments->primID];
    RTCBounds& out = *arguments->bounds_o;
    out.lower_x = below(box.lo.x), out.upper_x = above(box.hi.x);
    out.lower_y = below(box.lo.y), out.upper_y = above(box.hi.y);
    out.lower_z = below(box.lo.z), out.upper_z = above(box.hi.z);
  }
  /// The scene meets itself, so each pair comes both ways round, and each box with itself.
  void take(std::span<const RTCCollision> candidates) {
    for (const RTCCollision& c : candidates)
      if (c.primID0 < c.primID1 && boxes_[c.primID0].overlaps(boxes_[c.primID1]))
        found_.push_back({c.primID0, c.primID1});
  }

  RTCScene scene_;
  RTCGeometry geometry_;
  std::span<const Aabb> boxes_;
  std::vector<IdPair> found_;
};

}  // namespace

std::unique_ptr<MovingBoxes> make_embree_boxes() { return std::make_unique<EmbreeBoxes>(); }
std::string embree_version() { return RTC_VERSION_STRING; }

}  // namespace snug::bench
