#include "scenes/fingerprint.hpp"

#include <bit>

namespace snug::scenes {

namespace {

class Fnv {
 public:
  void number(std::uint64_t value) noexcept {
    for (int i = 0; i < 8; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void number(double value) noexcept { number(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view text) noexcept {
    for (const char c : text) byte(static_cast<std::uint8_t>(c));
    number(std::uint64_t{text.size()});
  }
  void vector(const Vec3& v) noexcept { number(v.x), number(v.y), number(v.z); }
  void pose(const Pose& p) noexcept {
    const Quaternion& q = p.rotation();
    number(q.w), number(q.x), number(q.y), number(q.z);
    vector(p.translation());
  }
  void byte(std::uint8_t b) noexcept { hash_ = (hash_ ^ b) * 0x100000001b3ULL; }
  [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

void add(Fnv& fnv, const Simulation& s) {
  fnv.vector(s.gravity);
  for (const double value : {s.rate_hz, s.duration, s.friction, s.restitution, s.density}) fnv.number(value);
  for (const std::string& part : s.fixed) fnv.text(part);
  for (const Release& r : s.releases) fnv.text(r.part), fnv.number(r.t), fnv.pose(r.pose);
  fnv.number(s.published_pairs);
}

}  // namespace

std::uint64_t fingerprint(const Scene& scene) {
  Fnv fnv;
  fnv.text(scene.name);
  fnv.text(to_string(scene.assembly.units()));
  for (const Part& part : scene.assembly.parts()) {
    fnv.text(part.path);
    fnv.pose(part.pose);
    for (const std::uint8_t b : part.mesh.hash()) fnv.byte(b);
  }
  fnv.number(scene.clearance);
  for (const auto& c : scene.contacts) fnv.text(c.a), fnv.text(c.b), fnv.number(static_cast<std::uint64_t>(c.verdict));
  for (const auto& f : scene.faults) {
    fnv.text(f.a), fnv.text(f.b), fnv.number(static_cast<std::uint64_t>(f.verdict));
    fnv.text(f.what), fnv.number(f.amount);
  }
  for (const auto& track : scene.tracks) {
    fnv.text(track.part);
    for (const PoseKey& key : track.keys) fnv.number(key.t), fnv.pose(key.pose);
  }
  fnv.number(scene.duration), fnv.number(std::uint64_t{scene.steps});
  for (const auto& m : scene.meetings)
    fnv.text(m.a), fnv.text(m.b), fnv.number(m.begin), fnv.number(m.end), fnv.text(m.what);
  for (const auto& deformation : scene.deformations) {
    fnv.text(deformation.part);
    for (const VertexKey& key : deformation.keys) {
      fnv.number(key.t);
      for (const Point3& p : key.vertices) fnv.vector(p);
    }
  }
  if (scene.simulation) add(fnv, *scene.simulation);
  return fnv.value();
}

}  // namespace snug::scenes
