#include "mesh/mesh_links.hpp"

#include "geometry/edges.hpp"
#include "mesh/vertex_groups.hpp"
#include "support/assert.hpp"
#include "support/disjoint_sets.hpp"

#include <algorithm>

namespace snug::mesh {

MeshLinks find_links(const Mesh& mesh) {
  MeshLinks links;
  const auto triangles = mesh.triangles();
  links.place = same_place_ids(mesh.vertices());
  links.neighbour.assign(triangles.size(), {MeshLinks::k_none, MeshLinks::k_none, MeshLinks::k_none});
  const std::vector<EdgeUse> uses = sorted_edge_uses(mesh.view(), links.place);
  DisjointSets shells(triangles.size());
  links.closed.assign(triangles.size(), true);
  links.shell.resize(triangles.size());
  for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
    for (const EdgeUse& use : edge) shells.join(edge[0].triangle, use.triangle);
    // Where more than two meet there is no telling which is next.
    if (edge.size() != 2) return;
    SNUG_ASSERT(edge[0].side < 3 && edge[1].side < 3);
    links.neighbour[edge[0].triangle][edge[0].side] = edge[1].triangle;
    links.neighbour[edge[1].triangle][edge[1].side] = edge[0].triangle;
  });

  for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
    const auto forward = std::ranges::count_if(edge, &EdgeUse::forward);
    if (2 * static_cast<std::size_t>(forward) != edge.size()) links.closed[shells.find(edge[0].triangle)] = false;
  });
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    if (is_collapsed(triangles[t], links.place)) links.closed[t] = false;  // bounds nothing, alone in its shell
    const std::uint32_t first = shells.find(t);
    SNUG_ASSERT(first <= t);
    if (first == t) links.shell_corner.push_back(triangles[t][0]);
    links.shell[t] = first == t ? static_cast<std::uint32_t>(links.shell_corner.size() - 1) : links.shell[first];
    links.closed[t] = links.closed[first];
  }

  links.first_use.assign(mesh.vertices().size() + 1, 0);
  const auto for_each_place = [&](const Index3& corners, auto&& f) {
    const std::uint32_t at[3] = {links.place[corners[0]], links.place[corners[1]], links.place[corners[2]]};
    f(at[0]);
    if (at[1] != at[0]) f(at[1]);
    if (at[2] != at[0] && at[2] != at[1]) f(at[2]);
  };
  for (const Index3& corners : triangles) for_each_place(corners, [&](std::uint32_t at) { ++links.first_use[at + 1]; });
  for (std::size_t v = 1; v < links.first_use.size(); ++v) links.first_use[v] += links.first_use[v - 1];
  links.uses.resize(links.first_use.back());
  std::vector<std::uint32_t> next(links.first_use.begin(), links.first_use.end() - 1);
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for_each_place(triangles[t], [&](std::uint32_t at) { links.uses[next[at]++] = t; });
  std::vector<bool> used(mesh.vertices().size());
  for (std::uint32_t v = 0; v < used.size(); ++v) used[v] = !links.around(v).empty();
  links.order = order_by_place(mesh.vertices(), used);
  SNUG_ASSERT(std::ranges::all_of(links.shell, [&](std::uint32_t shell) { return shell < links.shell_corner.size(); }));
  SNUG_ASSERT(next.empty() || next.back() == links.uses.size());
  return links;
}

}  // namespace snug::mesh
