// Ours: cast_ray(), exact in doubles.

#include "bench/peers/ray_engine.hpp"

#include <snug/cast.hpp>
#include <snug/shape.hpp>

namespace snug::bench {

namespace {

class OurRays final : public RayMesh {
 public:
  explicit OurRays(const Mesh& mesh) : shape_(mesh) {
    shape_.prepare().value();
    (void)cast_ray({{}, {1, 0, 0}}, shape_, {}, 0).value();  // builds what rays need
  }
  void cast(std::span<const Ray> rays, std::span<FirstHit> hits) const override {
    const Pose pose;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const auto hit = cast_ray(rays[i], shape_, pose);
      hits[i] = hit.value() ? FirstHit{hit.value()->triangle, hit.value()->t} : FirstHit{};
    }
  }
  std::size_t bytes() const override { return shape_.bytes() - shape_.mesh().bytes(); }

 private:
  Shape shape_;
};

}  // namespace

std::unique_ptr<RayMesh> make_our_rays(const Mesh& mesh) { return std::make_unique<OurRays>(mesh); }

std::span<const RayEngine> ray_engines() {
  static const std::vector<RayEngine> all = [] {
    std::vector<RayEngine> made{{"snug", make_our_rays}};
#ifdef SNUG_PEER_EMBREE
    made.push_back({"embree", make_embree_rays});
    made.push_back({"embree-robust", make_robust_embree_rays});
#endif
    return made;
  }();
  return all;
}

}  // namespace snug::bench
