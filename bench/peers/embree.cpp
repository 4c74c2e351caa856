// Embree builds trees for rays on one thread; it has no query of two moving meshes.

#include "bench/peers/embree_scene.hpp"
#include "bench/peers/factories.hpp"

namespace snug::bench {

namespace {

class EmbreeBody final : public Body {
 public:
  EmbreeBody(const Mesh& mesh, RTCBuildQuality quality) : scene_(mesh, quality) {}
  std::size_t bytes() const override { return scene_.bytes(); }

 private:
  EmbreeScene scene_;
};

class Embree final : public Engine {
 public:
  Embree(std::string_view name, RTCBuildQuality quality) : name_(name), quality_(quality) { EmbreeScene::device(); }
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
