// Embree: rtcIntersect1() on its default tree, in floats.

#include "bench/peers/ray_engine.hpp"

#include <embree3/rtcore.h>

#include <atomic>
#include <limits>

namespace snug::bench {

namespace {

std::atomic<std::int64_t> allocated{0};

RTCDevice device() {
  static const RTCDevice one = [] {
    const RTCDevice made = rtcNewDevice("threads=1,user_threads=1");
    rtcSetDeviceMemoryMonitorFunction(
        made,
        [](void*, ssize_t bytes, bool) {
          allocated += bytes;
          return true;
        },
        nullptr);
    return made;
  }();
  return one;
}

class EmbreeRays final : public RayMesh {
 public:
  explicit EmbreeRays(const Mesh& mesh) : scene_(rtcNewScene(device())) {
    const RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               3 * sizeof(float), mesh.vertices().size()));
    for (const Point3& v : mesh.vertices())
      for (const double x : {v.x, v.y, v.z}) *vertex++ = static_cast<float>(x);
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                 3 * sizeof(unsigned), mesh.triangles().size()));
    for (const Index3& t : mesh.triangles())
      for (const std::uint32_t v : t) *index++ = v;
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    const std::int64_t before = allocated;
    rtcCommitScene(scene_);
    bytes_ = static_cast<std::size_t>(std::max<std::int64_t>(0, allocated - before));
  }
  ~EmbreeRays() override { rtcReleaseScene(scene_); }
  EmbreeRays(const EmbreeRays&) = delete;
  EmbreeRays& operator=(const EmbreeRays&) = delete;

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
      rtcIntersect1(scene_, &context, &query);
      hits[i] = query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? FirstHit{} : FirstHit{query.hit.primID, query.ray.tfar};
    }
  }
  std::size_t bytes() const override { return bytes_; }

 private:
  RTCScene scene_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<RayMesh> make_embree_rays(const Mesh& mesh) { return std::make_unique<EmbreeRays>(mesh); }

}  // namespace snug::bench
