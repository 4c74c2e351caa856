#include "physics/headless/remarks.hpp"

#include "geometry/vec_ops.hpp"
#include "report/text.hpp"

#include <snug/solid.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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

/// The least extent of a body's box, or what its walls measure if they are far thinner: a channel of sheet metal goes through things
/// by as much as its metal.
double thickness_of(const Mesh& mesh) {
  const Vec3 size = mesh.bounds().hi - mesh.bounds().lo;
  const double extent = std::min({size.x, size.y, size.z});
  if (!is_closed(mesh.view())) return extent;
  double volume = 0, area = 0;  // six times, and twice
  const Point3& origin = mesh.vertices()[0];
  for (const Index3& t : mesh.triangles()) {
    const Vec3 a = mesh.vertices()[t[0]] - origin;
    const Vec3 n =
        detail::cross(mesh.vertices()[t[1]] - mesh.vertices()[t[0]], mesh.vertices()[t[2]] - mesh.vertices()[t[0]]);
    volume += detail::dot(a, n), area += detail::length_of(n);
  }
  // Two faces of each wall. Of a cube or a ball it comes to a third of the extent.
  const double wall = area > 0 ? 2 * (std::abs(volume) / 6) / (area / 2) : extent;
  constexpr double k_thin = 1.0 / 6;
  return wall > 0 && wall < k_thin * extent ? wall : extent;
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
  std::map<const Point3*, double> known;  // bodies share meshes
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Mesh& mesh = scene.assembly.parts()[i].mesh;
    const auto [at, is_new] = known.try_emplace(mesh.vertices().data());
    if (is_new) at->second = thickness_of(mesh);
    bodies_[i].thickness = at->second;
    // What is open has no thickness: all that lies behind it counts as solid.
    if (at->second < thinnest_thickness() && is_closed(mesh.view())) thinnest_ = i;
  }
}

double Remarks::thinnest_thickness() const noexcept {
  return thinnest_ ? bodies_[*thinnest_].thickness : std::numeric_limits<double>::infinity();
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
    const double least = std::min(body.thickness, thinnest_thickness());
    if (!(way > least)) continue;
    if (body.most == 0) body.since = step;
    body.most = std::max(body.most, way / least);
  }
}

std::vector<std::string> Remarks::all(const World& world) const {
  std::vector<std::string> remarks;
  // Contacts are looked for once in each step: whoever goes by the size of something in one is not seen to pass through it.
  const auto worst = std::ranges::max_element(bodies_, {}, &Body::most);
  const auto fast = std::ranges::count_if(bodies_, [](const Body& body) { return body.most > 0; });
  const auto path = [&](std::size_t body) { return scene_.assembly.parts()[body].path; };
  if (fast > 0)
    remarks.push_back(
        path(static_cast<std::size_t>(worst - bodies_.begin())) + " moves by up to " +
        report::short_number(worst->most) + " times " +
        (worst->thickness <= thinnest_thickness() ? "its own thickness" : "the thickness of " + path(*thinnest_)) +
        " in a step, since step " + std::to_string(worst->since) +
        (fast == 1   ? ""
         : fast == 2 ? ", and another body too far"
                     : ", and " + std::to_string(fast - 1) + " other bodies too far") +
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
