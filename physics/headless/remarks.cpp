#include "physics/headless/remarks.hpp"

#include "geometry/vec_ops.hpp"
#include "report/text.hpp"

#include <snug/solid.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace snug::headless {

namespace {

/// The first few by name, and how many others.
std::string named(const WorldScene& scene, std::span<const std::uint32_t> parts) {
  constexpr std::size_t k_named = 3;
  const std::size_t told = parts.size() <= k_named + 1 ? parts.size() : k_named;
  std::string out;
  for (std::size_t i = 0; i < told; ++i) {
    if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
    out += scene.assembly.parts()[parts[i]].path;
  }
  if (told < parts.size()) out += " and " + std::to_string(parts.size() - told) + " others";
  return out + (parts.size() == 1 ? " is" : " are");
}

struct OpenParts {
  std::vector<std::uint32_t> open, crossed;
};

/// `crossed`: closed, but with shells that leave nothing solid.
OpenParts open_parts(const WorldScene& scene, const World& world) {
  std::map<const Point3*, bool> known;  // bodies share meshes
  OpenParts found;
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    const Mesh& mesh = scene.assembly.parts()[i].mesh;
    const auto [at, is_new] = known.try_emplace(mesh.vertices().data());
    if (is_new) at->second = is_closed(mesh.view());
    if (!at->second)
      found.open.push_back(i);
    else if (!scene.bodies[i].fixed && world.heavy_as_box(i))
      found.crossed.push_back(i);
  }
  return found;
}

}  // namespace

Remarks::Remarks(const WorldScene& scene) : scene_(scene), bodies_(scene.bodies.size()) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Aabb& box = scene.assembly.parts()[i].mesh.bounds();
    const Vec3 size = box.hi - box.lo;
    bodies_[i].thickness = std::min({size.x, size.y, size.z});
  }
}

void Remarks::at(std::uint64_t step, std::span<const Pose> poses, const std::vector<bool>& present) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (scene_.bodies[i].fixed || !present[i]) continue;
    Body& body = bodies_[i];
    const Aabb& box = scene_.assembly.parts()[i].mesh.bounds();
    const Point3 centre = poses[i].apply(0.5 * (box.lo + box.hi));
    const double way = body.known ? detail::length_of(centre - body.centre) : 0;
    body.centre = centre;
    body.known = true;
    if (!(way > body.thickness)) continue;
    if (body.most == 0) body.since = step;
    body.most = std::max(body.most, way / body.thickness);
  }
}

std::vector<std::string> Remarks::all(const World& world) const {
  std::vector<std::string> remarks;
  // Contacts are looked for once in each step: whoever goes by its own size in one is not seen to pass through others.
  const auto worst = std::ranges::max_element(bodies_, {}, &Body::most);
  const auto fast = std::ranges::count_if(bodies_, [](const Body& body) { return body.most > 0; });
  if (fast > 0)
    remarks.push_back(scene_.assembly.parts()[static_cast<std::size_t>(worst - bodies_.begin())].path +
                      " moves by up to " + report::short_number(worst->most) +
                      " times its own thickness in a step, since step " + std::to_string(worst->since) +
                      (fast == 1   ? ""
                       : fast == 2 ? ", and another body by more than its own"
                                   : ", and " + std::to_string(fast - 1) + " other bodies by more than theirs") +
                      ": bodies may pass through one another unnoticed; a higher rate_hz helps");
  const OpenParts parts = open_parts(scene_, world);
  if (!parts.open.empty())
    remarks.push_back(named(scene_, parts.open) +
                      " not closed: solid is what lies behind the triangles, mass is that of the box around them, and "
                      "interpenetration is not judged");
  if (!parts.crossed.empty())
    remarks.push_back(named(scene_, parts.crossed) +
                      " of shells that cross and leave nothing solid: mass is that of the box around them");
  if (const std::vector<std::uint32_t> lost = world.given_up(); !lost.empty())
    remarks.push_back(
        named(scene_, lost) +
        " no longer moved by Bullet, which gives up what reaches a million metres with its motion in a step");
  return remarks;
}

}  // namespace snug::headless
