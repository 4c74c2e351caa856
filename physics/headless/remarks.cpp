#include "physics/headless/remarks.hpp"

#include "geometry/vec_ops.hpp"
#include "report/text.hpp"
#include "support/text.hpp"

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
  if (told < parts.size()) out += " and " + std::to_string(parts.size() - told) + " others";  // at least two
  return out + (parts.size() == 1 ? " is" : " are");
}

/// The least extent of a body's box, or what its walls measure if they are far thinner: a channel of sheet metal goes through things
/// by as much as its metal.
double thickness_of(const Mesh& mesh, bool closed) {
  const Vec3 size = mesh.bounds().hi - mesh.bounds().lo;
  const double extent = std::min({size.x, size.y, size.z});
  if (!closed) return extent;
  double volume = 0, area = 0;  // six times, and twice
  const Point3& origin = mesh.vertices()[0];
  for (const Index3& t : mesh.triangles()) {
    const Vec3 a = mesh.vertices()[t[0]] - origin;
    const Vec3 n =
        geometry::cross(mesh.vertices()[t[1]] - mesh.vertices()[t[0]], mesh.vertices()[t[2]] - mesh.vertices()[t[0]]);
    volume += geometry::dot(a, n), area += geometry::length_of(n);
  }
  // Two faces of each wall. Of a cube or a ball it comes to a third of the extent.
  const double wall = area > 0 ? 2 * (std::abs(volume) / 6) / (area / 2) : extent;
  constexpr double k_thin = 1.0 / 6;
  return wall > 0 && wall < k_thin * extent ? wall : extent;
}

}  // namespace

Remarks::Remarks(const WorldScene& scene, const SceneShapes& shapes)
    : scene_(scene), shapes_(shapes), bodies_(scene.bodies.size()) {
  std::map<const Point3*, double> known;  // bodies share meshes
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Mesh& mesh = scene.assembly.parts()[i].mesh;
    const auto [at, is_new] = known.try_emplace(mesh.vertices().data());
    if (is_new) at->second = thickness_of(mesh, shapes.closed[i]);
    bodies_[i].thickness = at->second;
    // What is open has no thickness: all that lies behind it counts as solid.
    if (at->second < thinnest_thickness() && shapes.closed[i]) thinnest_ = i;
  }
}

double Remarks::thinnest_thickness() const noexcept {
  return thinnest_ ? bodies_[*thinnest_].thickness : std::numeric_limits<double>::infinity();
}

void Remarks::before_step(const World& world, std::span<const Pose> poses) {
  std::vector<bool> present(bodies_.size()), appear(bodies_.size());
  std::vector<Pose> places(poses.begin(), poses.end());
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    present[i] = world.present(i), appear[i] = world.is_due(i);
    // As it was written, not as the frame of its mass has rounded it: what is flush stays so.
    if (appear[i]) places[i] = scene_.bodies[i].at.value_or(scene_.assembly.parts()[i].pose);
  }
  for (const PartOverlap& overlap : overlaps_of(shapes_, places, present, appear)) {
    ++overlaps_;
    if (overlap.depth > deepest_.depth) deepest_ = overlap, deepest_time_ = world.time();
  }
}

void Remarks::at(std::uint64_t step, std::span<const Pose> poses, const std::vector<bool>& present) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (scene_.bodies[i].fixed || !present[i]) continue;
    Body& body = bodies_[i];
    const Aabb& box = scene_.assembly.parts()[i].mesh.bounds();
    const Point3 centre = poses[i].apply(0.5 * (box.lo + box.hi));
    const double way = body.known ? geometry::length_of(centre - body.centre) : 0;
    body.centre = centre;
    body.known = true;
    const double least = std::min(body.thickness, thinnest_thickness());
    if (!(way > least)) continue;
    if (body.most == 0) body.since = step;
    body.most = std::max(body.most, way / least);
  }
}

std::string Remarks::overlap_text() const {
  const std::string unit(to_string(scene_.assembly.units()));
  return path(deepest_.pair.first) + " and " + path(deepest_.pair.second) + " overlap by " +
         report::short_number(deepest_.depth) + ' ' + unit +
         (deepest_time_ > 0 ? " as one of them is released, after " + report::short_number(deepest_time_) + " s"
                            : " at the start") +
         (overlaps_ > 1 ? ", and " + support::counted(overlaps_ - 1, "other pair", "other pairs") : "") +
         ": they fly apart, the faster the deeper";
}

std::string Remarks::speed_text() const {
  const auto worst = std::ranges::max_element(bodies_, {}, &Body::most);
  const auto fast = std::ranges::count_if(bodies_, [](const Body& body) { return body.most > 0; });
  return path(static_cast<std::size_t>(worst - bodies_.begin())) + " moves by up to " +
         report::short_number(worst->most) + " times " +
         (worst->thickness <= thinnest_thickness() ? "its own thickness" : "the thickness of " + path(*thinnest_)) +
         " in a step, since step " + std::to_string(worst->since) +
         (fast == 1   ? ""
          : fast == 2 ? ", and another body too far"
                      : ", and " + std::to_string(fast - 1) + " other bodies too far") +
         ": bodies may pass through one another unnoticed; a higher rate_hz helps";
}

std::vector<std::string> Remarks::all(const World& world) const {
  std::vector<std::string> remarks;
  if (overlaps_ > 0) remarks.push_back(overlap_text());
  // Contacts are looked for once in each step: whoever goes by the size of something in one is not seen to pass through it.
  if (std::ranges::any_of(bodies_, [](const Body& body) { return body.most > 0; })) remarks.push_back(speed_text());
  std::vector<std::uint32_t> open, crossed, late;  // crossed: closed, but with shells that leave nothing solid
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    if (!shapes_.closed[i])
      open.push_back(i);
    else if (!scene_.bodies[i].fixed && world.heavy_as_box(i))
      crossed.push_back(i);
    if (!world.present(i)) late.push_back(i);
  }
  const auto remark = [&](const std::vector<std::uint32_t>& parts, const char* text) {
    if (!parts.empty()) remarks.push_back(named(scene_, parts) + text);
  };
  remark(open,
         " not closed: solid is what lies behind the triangles, mass is that of the box around them, and "
         "interpenetration is not judged");
  remark(crossed, " of shells that cross and leave nothing solid: mass is that of the box around them");
  remark(world.given_up(),
         " no longer moved by Bullet, which gives up what reaches a million metres with its motion in a step");
  if (world.steps() > 0) remark(late, " not released before the last step, and so not part of what is told");
  return remarks;
}

}  // namespace snug::headless
