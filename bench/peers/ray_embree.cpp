// Embree: rtcIntersect1() on its default tree, in floats. In its robust mode no ray slips through between two triangles; its default
// does not promise that.

#include "bench/peers/embree_scene.hpp"
#include "bench/peers/ray_engine.hpp"

#include <limits>

namespace snug::bench {

namespace {

class EmbreeRays final : public RayMesh {
 public:
  EmbreeRays(const Mesh& mesh, RTCSceneFlags flags) : scene_(mesh, RTC_BUILD_QUALITY_MEDIUM, flags) {}

  void cast(std::span<const Ray> rays, std::span<FirstHit> hits) const override {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      RTCRayHit query{};
      query.ray.org_x = static_cast<float>(rays[i].origin.x), query.ray.org_y = static_cast<float>(rays[i].origin.y);
      query.ray.org_z = static_cast<float>(rays[i].origin.z);
      query.ray.dir_x = static_cast<float>(rays[i].direction.x);
      query.ray.dir_y = static_cast<float>(rays[i].direction.y);
      query.ray.dir_z = static_cast<float>(rays[i].direction.z);
      query.ray.tfar = std::numeric_limits<float>::infinity();
      query.ray.mask = ~0U;
      query.hit.geomID = query.hit.primID = query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(scene_.get(), &context, &query);
      hits[i] = query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? FirstHit{} : FirstHit{query.hit.primID, query.ray.tfar};
    }
  }
  std::size_t bytes() const override { return scene_.tree_bytes(); }

 private:
  EmbreeScene scene_;
};

}  // namespace

std::unique_ptr<RayMesh> make_embree_rays(const Mesh& mesh) {
  return std::make_unique<EmbreeRays>(mesh, RTC_SCENE_FLAG_NONE);
}
std::unique_ptr<RayMesh> make_robust_embree_rays(const Mesh& mesh) {
  return std::make_unique<EmbreeRays>(mesh, RTC_SCENE_FLAG_ROBUST);
}

}  // namespace snug::bench
