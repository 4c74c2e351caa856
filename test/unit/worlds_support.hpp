#pragma once

#include "scenes/scene.hpp"

#include <snug/snug.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace snug::test {

/// The scene of that name with its own seed and size, or with those given; made once. Without a name if there is none.
inline const scenes::Scene& world(const std::string& name, const scenes::SceneOptions& options = {}) {
  static std::map<std::tuple<std::string, std::uint64_t, std::uint32_t>, scenes::Scene> made;
  const auto [at, is_new] = made.try_emplace({name, options.seed, options.size});
  if (const scenes::SceneEntry* entry = scenes::find(name); is_new && entry != nullptr)
    at->second = entry->make(options);
  return at->second;
}

inline std::vector<Mesh> distinct_meshes(const scenes::Scene& scene) {
  std::vector<Mesh> meshes;
  for (const Part& part : scene.assembly.parts())
    if (std::ranges::none_of(meshes, [&](const Mesh& m) { return m.same_data(part.mesh); }))
      meshes.push_back(part.mesh);
  return meshes;
}

/// Pairs of a mesh's own triangles that cross, or that meet without a common corner. Sorted along x, brute along the rest.
inline std::size_t self_intersections(const Mesh& mesh) {
  struct Boxed {
    Aabb box;
    std::uint32_t id;
  };
  const TriangleMeshView view = mesh.view();
  std::vector<Boxed> sorted;
  for (std::uint32_t t = 0; t < view.triangles.size(); ++t) {
    Boxed boxed{{}, t};
    for (const Point3& p : view.triangle(t).corner) boxed.box.include(p);
    sorted.push_back(boxed);
  }
  std::ranges::sort(sorted, {}, [](const Boxed& b) { return b.box.lo.x; });
  std::size_t found = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j].box.lo.x <= sorted[i].box.hi.x; ++j) {
      if (!sorted[i].box.overlaps(sorted[j].box)) continue;
      const Triangle a = view.triangle(sorted[i].id), b = view.triangle(sorted[j].id);
      const bool neighbours = std::ranges::any_of(
          a.corner, [&](const Point3& p) { return std::ranges::find(b.corner, p) != b.corner.end(); });
      const Relation how = relation(a, b);
      if (how == Relation::crossing || (how == Relation::touching && !neighbours)) ++found;
    }
  return found;
}

struct Found {
  std::string a, b;
  Verdict verdict;
  friend auto operator<=>(const Found&, const Found&) = default;
};

/// What check() says of the scene at rest, and what the scene says of itself; both in one order.
inline std::vector<Found> findings_of(const scenes::Scene& scene) {
  std::vector<Found> found;
  for (const Finding& f :
       check(scene.assembly, {.tolerances = {.clearance = scene.clearance}, .threads = hardware_threads()}).findings)
    found.push_back({f.a.part, f.b.part, f.verdict});
  std::ranges::sort(found);
  return found;
}
inline std::vector<Found> designed_in(const scenes::Scene& scene) {
  std::vector<Found> designed;
  for (const auto& contact : scene.contacts) designed.push_back({contact.a, contact.b, contact.verdict});
  for (const auto& fault : scene.faults) designed.push_back({fault.a, fault.b, fault.verdict});
  std::ranges::sort(designed);
  return designed;
}

}  // namespace snug::test
