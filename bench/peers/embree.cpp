// Embree builds trees for rays on one thread; it has no query of two moving meshes.

#include "bench/peers/factories.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace snug::bench {

namespace {

std::atomic<std::int64_t> allocated{0};

/// One for all builds: what it costs to start the library is not the build's.
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

class EmbreeBody final : public Body {
 public:
  EmbreeBody(const Mesh& mesh, RTCBuildQuality quality) : scene_(rtcNewScene(device())) {
    const std::int64_t before = allocated;
    const RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertex = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                               3 * sizeof(float), mesh.vertices().size()));
    for (const Point3& v : mesh.vertices())
      for (const double x : {v.x, v.y, v.z}) *vertex++ = static_cast<float>(x);
    auto* index = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                 3 * sizeof(unsigned), mesh.triangles().size()));
    for (const Index3& t : mesh.triangles()) index = std::ranges::copy(t, index).out;
    rtcSetGeometryBuildQuality(geometry, quality);
    rtcCommitGeometry(geometry);
    rtcSetSceneBuildQuality(scene_, quality);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
    bytes_ = static_cast<std::size_t>(std::max<std::int64_t>(0, allocated - before));
  }
  ~EmbreeBody() override { rtcReleaseScene(scene_); }
  EmbreeBody(const EmbreeBody&) = delete;
  EmbreeBody& operator=(const EmbreeBody&) = delete;
  std::size_t bytes() const override { return bytes_; }

 private:
  RTCScene scene_;
  std::size_t bytes_ = 0;
};

class Embree final : public Engine {
 public:
  Embree(std::string_view name, RTCBuildQuality quality) : name_(name), quality_(quality) { device(); }
  std::string_view name() const override { return name_; }
  std::string version() const override { return RTC_VERSION_STRING; }
  Trust trust() const override { return Trust::rough; }
  bool can(Query /*query*/) const override { return false; }
  std::unique_ptr<Body> build(const Mesh& mesh) const override { return std::make_unique<EmbreeBody>(mesh, quality_); }
  std::unique_ptr<PairQueries> pair(const Body& /*a*/, const Body& /*b*/) const override { return nullptr; }

 private:
  std::string_view name_;
  RTCBuildQuality quality_;
};

}  // namespace

std::unique_ptr<Engine> make_embree_morton() {
  return std::make_unique<Embree>("embree-morton", RTC_BUILD_QUALITY_LOW);
}
std::unique_ptr<Engine> make_embree_sah() { return std::make_unique<Embree>("embree-sah", RTC_BUILD_QUALITY_MEDIUM); }

}  // namespace snug::bench
