#include "physics/headless/remarks.hpp"

#include "geometry/vec_ops.hpp"
#include "report/text.hpp"

#include <snug/solid.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace snug::headless {

namespace {

/// The first by name, and how many others.
std::string named(const std::string& first, std::size_t count) {
  if (count == 1) return first + " is";
  return first + " and " + std::to_string(count - 1) + (count == 2 ? " other body are" : " other bodies are");
}

/// Contacts are looked for at the end of each step: whoever falls by its own size in one is not seen to pass through others.
std::optional<std::string> too_fast(const WorldScene& scene) {
  const double dt = 1 / scene.rate_hz;
  const double fall = detail::length_of(scene.gravity) * dt * dt;
  const Part* worst = nullptr;
  double worst_rate = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodySpec& body = scene.bodies[i];
    if (body.fixed) continue;
    const Aabb& box = scene.assembly.parts()[i].mesh.bounds();
    const Vec3 size = box.hi - box.lo;
    const double smallest = std::min({size.x, size.y, size.z});
    const double way = detail::length_of(body.velocity) * dt + fall;
    if (!(way > smallest)) continue;
    ++count;
    if (way / smallest > worst_rate) worst_rate = way / smallest, worst = &scene.assembly.parts()[i];
  }
  if (worst == nullptr) return std::nullopt;
  return "in its first step " + worst->path + " moves by " + report::short_number(worst_rate) +
         " times its own thickness" +
         (count > 1 ? ", and " + std::to_string(count - 1) + " other bodies by more than theirs" : "") +
         ": bodies may pass through one another unnoticed; a higher rate_hz helps";
}

std::optional<std::string> open_ones(const WorldScene& scene) {
  std::map<const Point3*, bool> known;  // bodies share meshes
  const Part* first = nullptr;
  std::size_t count = 0;
  for (const Part& part : scene.assembly.parts()) {
    const auto [at, is_new] = known.try_emplace(part.mesh.vertices().data());
    if (is_new) at->second = !is_closed(part.mesh.view());
    if (!at->second) continue;
    ++count;
    if (first == nullptr) first = &part;
  }
  if (first == nullptr) return std::nullopt;
  return named(first->path, count) +
         " not closed: solid behind where triangles face, heavy as a box, and not judged for interpenetration";
}

}  // namespace

std::vector<std::string> remarks_on(const WorldScene& scene) {
  std::vector<std::string> remarks;
  for (auto& remark : {too_fast(scene), open_ones(scene)})
    if (remark) remarks.push_back(*remark);
  return remarks;
}

std::vector<std::string> remarks_on(const WorldScene& scene, const World& world) {
  const std::vector<std::uint32_t> parts = world.given_up();
  if (parts.empty()) return {};
  return {named(scene.assembly.parts()[parts[0]].path, parts.size()) +
          " no longer moved by Bullet: too large, or so fast that its box grows beyond a million metres in a step"};
}

}  // namespace snug::headless
