#pragma once

#include <snug/mesh.hpp>

#include <embree3/rtcore.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace snug::bench {

/// A mesh as Embree holds it, on one thread.
class EmbreeScene {
 public:
  EmbreeScene(const Mesh& mesh, RTCBuildQuality quality, RTCSceneFlags flags = RTC_SCENE_FLAG_NONE)
      : scene_(rtcNewScene(device())) {
    const std::int64_t before = allocated();
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
    rtcSetSceneFlags(scene_, flags);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    const std::int64_t of_mesh = allocated();
    rtcCommitScene(scene_);
    bytes_ = grown(before), tree_bytes_ = grown(of_mesh);
  }
  ~EmbreeScene() { rtcReleaseScene(scene_); }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  [[nodiscard]] RTCScene get() const noexcept { return scene_; }
  /// Of mesh and tree, and of the tree alone.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t tree_bytes() const noexcept { return tree_bytes_; }

  /// One for all: what it costs to start the library is nobody's.
  static RTCDevice device() {
    static const RTCDevice one = [] {
      const RTCDevice made = rtcNewDevice("threads=1,user_threads=1");
      rtcSetDeviceMemoryMonitorFunction(
          made,
          [](void*, ssize_t bytes, bool) {
            allocated() += bytes;
            return true;
          },
          nullptr);
      return made;
    }();
    return one;
  }

 private:
  static std::atomic<std::int64_t>& allocated() noexcept {
    static std::atomic<std::int64_t> bytes{0};
    return bytes;
  }
  static std::size_t grown(std::int64_t since) noexcept {
    return static_cast<std::size_t>(std::max<std::int64_t>(0, allocated() - since));
  }

  RTCScene scene_;
  std::size_t bytes_ = 0, tree_bytes_ = 0;
};

}  // namespace snug::bench
