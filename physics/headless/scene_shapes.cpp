#include "physics/headless/scene_shapes.hpp"

#include "shape/posed_bounds.hpp"

#include <snug/contacts.hpp>
#include <snug/solid.hpp>

#include <algorithm>
#include <map>

namespace snug::headless {

SceneShapes::SceneShapes(const WorldScene& scene) {
  std::map<const Point3*, std::size_t> known;  // the first part with that mesh
  for (std::size_t i = 0; i < scene.assembly.parts().size(); ++i) {
    const Mesh& mesh = scene.assembly.parts()[i].mesh;
    const auto [at, is_new] = known.try_emplace(mesh.vertices().data(), i);
    shapes.push_back(is_new ? Shape(mesh) : shapes[at->second]);
    closed.push_back(is_new ? is_closed(mesh.view()) : closed[at->second]);
  }
  for (const BodySpec& body : scene.bodies) fixed.push_back(body.fixed);
}

std::vector<PartPair> near_pairs(std::vector<BoxedPart> parts, const std::vector<bool>& fixed) {
  std::ranges::sort(parts, {}, [](const BoxedPart& part) { return std::pair(part.box.lo.x, part.part); });
  std::vector<PartPair> pairs;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size() && parts[j].box.lo.x <= parts[i].box.hi.x; ++j)
      if (parts[i].box.overlaps(parts[j].box) && !(fixed[parts[i].part] && fixed[parts[j].part]))
        pairs.push_back(std::minmax(parts[i].part, parts[j].part));
  std::ranges::sort(pairs);
  return pairs;
}

std::vector<PartOverlap> overlaps_of(const SceneShapes& scene, std::span<const Pose> poses,
                                     const std::vector<bool>& present, const std::vector<bool>& appear) {
  std::vector<PartOverlap> overlaps;
  if (std::ranges::find(appear, true) == appear.end()) return overlaps;
  std::vector<BoxedPart> parts;
  for (std::uint32_t i = 0; i < poses.size(); ++i)
    if (present[i] || appear[i]) parts.push_back({shape::posed_bounds(scene.shapes[i], poses[i]), i});
  Scratch scratch;
  Contacts found;
  for (const PartPair& pair : near_pairs(std::move(parts), scene.fixed)) {
    const auto [a, b] = pair;
    if (!appear[a] && !appear[b]) continue;
    contacts(scene.shapes[a], poses[a], scene.shapes[b], poses[b], scratch, found).value();
    double depth = 0;
    for (const Contact& contact : found.contacts) depth = std::max(depth, contact.depth);
    if (depth > resolution(scene.shapes[a], poses[a], scene.shapes[b], poses[b])) overlaps.push_back({pair, depth});
  }
  return overlaps;
}

}  // namespace snug::headless
