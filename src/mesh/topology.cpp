#include "mesh/topology.hpp"

#include "geometry/edges.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/disjoint_sets.hpp"
#include "support/parallel.hpp"

#include <snug/inspect.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace snug::mesh {

namespace {

/// The edges that are used more often one way than the other, turned around, as often as needed for balance.
std::vector<std::array<std::uint32_t, 2>> missing_edges(const TriangleMeshView& mesh, const CancelToken* cancel) {
  std::vector<std::array<std::uint32_t, 2>> missing;
  const auto uses = sorted_edge_uses(mesh, same_place_ids(mesh.vertices, cancel), cancel);
  for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
    const auto forward = static_cast<std::size_t>(std::ranges::count_if(edge, &EdgeUse::forward));
    const std::size_t backward = edge.size() - forward;
    for (std::size_t i = backward; i < forward; ++i) missing.push_back({edge[0].hi, edge[0].lo});
    for (std::size_t i = forward; i < backward; ++i) missing.push_back({edge[0].lo, edge[0].hi});
  });
  return missing;
}

std::vector<Topology::Rim> find_rims(const TriangleMeshView& mesh, const CancelToken* cancel) {
  const auto missing = missing_edges(mesh, cancel);
  DisjointSets connected(mesh.vertices.size());
  for (const auto& [from, to] : missing) connected.join(from, to);
  std::map<std::uint32_t, Topology::Rim> rim_of;
  for (const auto& edge : missing) rim_of[connected.find(edge[0])].edges.push_back(edge);
  std::vector<Topology::Rim> rims;
  rims.reserve(rim_of.size());
  for (auto& [root, rim] : rim_of) {
    rim.measure(mesh.vertices);
    rims.push_back(std::move(rim));
  }
  return rims;
}

void sort_by_shell(Topology& topology) {
  topology.first_of_shell.assign(topology.shells() + 1, 0);
  for (const std::uint32_t shell : topology.shell_of)
    if (shell != MeshReport::k_no_shell) ++topology.first_of_shell[shell + 1];
  std::partial_sum(topology.first_of_shell.begin(), topology.first_of_shell.end(), topology.first_of_shell.begin());
  topology.by_shell.resize(topology.first_of_shell.back());
  SNUG_ASSERT(topology.by_shell.size() <= topology.shell_of.size());
  std::vector<std::uint32_t> next(topology.first_of_shell.begin(), topology.first_of_shell.end() - 1);
  for (std::uint32_t t = 0; t < topology.shell_of.size(); ++t)
    if (const std::uint32_t shell = topology.shell_of[t]; shell != MeshReport::k_no_shell)
      topology.by_shell[next[shell]++] = t;
}

/// Volume of each shell, and whether it is more than a sheet with two sides.
void measure_shells(Topology& topology, const TriangleMeshView& mesh) {
  topology.shell_volume.assign(topology.shells(), 0);
  for (std::uint32_t shell = 0; shell < topology.shells(); ++shell) {
    SNUG_ASSERT(!topology.triangles_of(shell).empty());
    const Point3 origin = mesh.triangle(topology.triangles_of(shell)[0])[0];
    double extent = 0;
    for (const std::uint32_t t : topology.triangles_of(shell))
      for (const Point3& p : mesh.triangle(t).corner) extent = std::max(extent, max_abs(p - origin));
    const double scale = scale_to_one(extent);
    double volume = 0, area = 0;
    for (const std::uint32_t t : topology.triangles_of(shell)) {
      const Triangle c = mesh.triangle(t);
      const Vec3 u = scale * (c[0] - origin), v = scale * (c[1] - origin), w = scale * (c[2] - origin);
      const Vec3 twice = cross(v - u, w - u);
      volume += dot(u, cross(v, w)) / 6;
      area += std::sqrt(dot(twice, twice)) / 2;
    }
    topology.shell_volume[shell] = volume / scale / scale / scale;
    if (std::abs(volume) <= 0x1p-46 * area) topology.shell_closed[shell] = false;
  }
}

}  // namespace

void Topology::Rim::measure(std::span<const Point3> vertices) noexcept {
  SNUG_ASSERT(!edges.empty());
  apex = {}, box = {};
  const double share = 1.0 / static_cast<double>(edges.size());
  for (const auto& [from, to] : edges) apex = apex + share * vertices[from];
  for (const auto& [from, to] : edges) box.include(vertices[from]), box.include(vertices[to]);
  box.include(apex);
}

bool Topology::in_closed_shell(std::uint32_t triangle) const noexcept {
  SNUG_ASSERT(triangle < shell_of.size());
  const std::uint32_t shell = shell_of[triangle];
  return shell != MeshReport::k_no_shell && shell_closed[shell];
}

Topology find_topology(const Mesh& mesh, const CancelToken* cancel) {
  auto inspected = inspect(mesh, {.cancel = cancel});
  if (!inspected) throw LoopCancelled{};
  MeshReport& report = *inspected;
  Topology topology;
  topology.shell_of = std::move(report.shell_of);
  topology.shell_closed = std::move(report.shell_closed);
  topology.manifold = report.non_manifold.empty();
  sort_by_shell(topology);
  measure_shells(topology, mesh.view());
  topology.closed = !topology.shell_closed.empty() && std::ranges::count(topology.shell_closed, false) == 0;
  std::vector<bool> used(mesh.vertices().size());
  for (const Index3& t : mesh.triangles())
    for (const std::uint32_t v : t) used[v] = true;
  for (std::uint32_t v = 0; v < used.size(); ++v)
    if (used[v]) topology.used_vertices.push_back(v);
  SNUG_ASSERT(topology.shell_volume.size() == topology.shells());
  if (!topology.closed) topology.rims = find_rims(mesh.view(), cancel);
  return topology;
}

}  // namespace snug::mesh
