#include "model/topology.hpp"

#include "geometry/edges.hpp"
#include "support/disjoint_sets.hpp"

#include <snug/inspect.hpp>

#include <algorithm>
#include <map>

namespace snug::detail {

namespace {

/// The edges that are used more often one way than the other, turned around, as often as needed for balance.
std::vector<std::array<std::uint32_t, 2>> missing_edges(const TriangleMeshView& mesh) {
  std::vector<std::array<std::uint32_t, 2>> missing;
  for_each_edge(sorted_edge_uses(mesh, same_place_ids(mesh.vertices)), [&](std::span<const EdgeUse> edge) {
    const auto forward = static_cast<std::size_t>(std::ranges::count_if(edge, &EdgeUse::forward));
    const std::size_t backward = edge.size() - forward;
    for (std::size_t i = backward; i < forward; ++i) missing.push_back({edge[0].hi, edge[0].lo});
    for (std::size_t i = forward; i < backward; ++i) missing.push_back({edge[0].lo, edge[0].hi});
  });
  return missing;
}

std::vector<Topology::Rim> find_rims(const TriangleMeshView& mesh) {
  const auto missing = missing_edges(mesh);
  DisjointSets connected(mesh.vertices.size());
  for (const auto& [from, to] : missing) connected.join(from, to);
  std::map<std::uint32_t, Topology::Rim> rim_of;
  for (const auto& edge : missing) rim_of[connected.find(edge[0])].edges.push_back(edge);
  std::vector<Topology::Rim> rims;
  for (auto& [root, rim] : rim_of) rims.push_back(std::move(rim));
  return rims;
}

}  // namespace

bool Topology::in_closed_shell(std::uint32_t triangle) const noexcept {
  const std::uint32_t shell = shell_of[triangle];
  return shell != MeshReport::k_no_shell && shell_closed[shell];
}

Topology find_topology(const Mesh& mesh) {
  MeshReport report = inspect(mesh);
  Topology topology;
  topology.shell_of = std::move(report.shell_of);
  topology.shell_closed = std::move(report.shell_closed);
  topology.closed = report.closed;
  topology.first_of_shell.resize(topology.shells());
  for (std::uint32_t t = static_cast<std::uint32_t>(topology.shell_of.size()); t-- > 0;)
    if (topology.shell_of[t] != MeshReport::k_no_shell) topology.first_of_shell[topology.shell_of[t]] = t;
  std::vector<bool> used(mesh.vertices().size());
  for (const Index3& t : mesh.triangles())
    for (const std::uint32_t v : t) used[v] = true;
  for (std::uint32_t v = 0; v < used.size(); ++v)
    if (used[v]) topology.used_vertices.push_back(v);
  if (!topology.closed) topology.rims = find_rims(mesh.view());
  return topology;
}

}  // namespace snug::detail
