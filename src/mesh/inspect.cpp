#include "geometry/edges.hpp"
#include "mesh/winding.hpp"
#include "support/assert.hpp"
#include "support/disjoint_sets.hpp"
#include "support/watched.hpp"

#include <snug/inspect.hpp>
#include <snug/predicates.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace snug {

namespace {

using namespace mesh;

/// Corners by place, sorted: equal for triangles with the same corners in any order.
Index3 corner_key(const Index3& t, std::span<const std::uint32_t> place_of) {
  Index3 key{place_of[t[0]], place_of[t[1]], place_of[t[2]]};
  std::ranges::sort(key);
  return key;
}

std::vector<std::uint32_t> find_duplicates(const TriangleMeshView& mesh, std::span<const std::uint32_t> place_of,
                                           const std::vector<bool>& skip, Looks looks) {
  SNUG_ASSERT(skip.size() == mesh.triangles.size() && place_of.size() == mesh.vertices.size());
  std::vector<std::pair<Index3, std::uint32_t>> keyed;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (!skip[t]) looks.look(), keyed.emplace_back(corner_key(mesh.triangles[t], place_of), t);
  std::ranges::sort(keyed, [&](const auto& x, const auto& y) { return looks.look(), x < y; });
  std::vector<std::uint32_t> duplicates;
  for (std::size_t i = 1; i < keyed.size(); ++i)
    if (keyed[i].first == keyed[i - 1].first) duplicates.push_back(keyed[i].second);
  std::ranges::sort(duplicates);
  return duplicates;
}

/// Numbers the shells of all triangles but the skipped ones, in the order of their first triangle.
void number_shells(MeshReport& report, DisjointSets& sets, const std::vector<bool>& skip) {
  report.shell_of.assign(skip.size(), MeshReport::k_no_shell);
  for (std::uint32_t t = 0; t < skip.size(); ++t) {
    if (skip[t]) continue;
    const std::uint32_t root = sets.find(t);
    SNUG_ASSERT(root <= t && !skip[root]);
    report.shell_of[t] = root == t ? report.shells++ : report.shell_of[root];
  }
}

std::vector<std::uint32_t> ids_of(const std::vector<bool>& marked) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t t = 0; t < marked.size(); ++t)
    if (marked[t]) ids.push_back(t);
  return ids;
}

/// Nothing if cancelled.
std::optional<MeshReport> inspected(const Mesh& mesh, const Watch& watch) try {
  Looks looks(watch.cancel);
  if (!go_on(watch, 0)) return std::nullopt;
  const TriangleMeshView view = mesh.view();
  const std::size_t count = view.triangles.size();
  MeshReport report;
  std::vector<bool> degenerate(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    looks.look();
    degenerate[t] = is_degenerate(view.triangle(t));
  }
  report.degenerate = ids_of(degenerate);

  if (!go_on(watch, 0.1)) return std::nullopt;
  const std::vector<std::uint32_t> place_of = same_place_ids(view.vertices, watch.cancel);
  if (!go_on(watch, 0.2)) return std::nullopt;
  report.duplicate = find_duplicates(view, place_of, degenerate, looks);

  if (!go_on(watch, 0.4)) return std::nullopt;
  DisjointSets shells(count);
  const std::vector<EdgeUse> uses = sorted_edge_uses(view, place_of, watch.cancel);
  if (!go_on(watch, 0.7)) return std::nullopt;
  for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
    looks.look();
    for (const EdgeUse& use : edge) shells.join(edge[0].triangle, use.triangle);
    if (edge.size() == 1) report.open.push_back({edge[0].triangle, edge[0].side});
    if (edge.size() > 2)
      for (const EdgeUse& use : edge) report.non_manifold.push_back({use.triangle, use.side});
  });
  std::ranges::sort(report.open);
  std::ranges::sort(report.non_manifold);
  std::vector<bool> collapsed(count);
  for (std::uint32_t t = 0; t < count; ++t) collapsed[t] = is_collapsed(view.triangles[t], place_of);
  number_shells(report, shells, collapsed);

  report.closed = are_balanced(uses);
  report.shell_closed.assign(report.shells, true);
  for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
    SNUG_ASSERT(report.shell_of[edge[0].triangle] < report.shells);
    if (!are_balanced(edge)) report.shell_closed[report.shell_of[edge[0].triangle]] = false;
  });
  if (!go_on(watch, 0.8)) return std::nullopt;
  report.flipped = ids_of(find_flipped(view, uses, report.shell_of, report.shells));
  if (!go_on(watch, 1)) return std::nullopt;
  return report;
} catch (const LoopCancelled&) {
  return std::nullopt;
}

}  // namespace

MeshReport inspect(const Mesh& mesh) { return std::move(*inspected(mesh, {})); }

Result<MeshReport, Cancelled> inspect(const Mesh& mesh, const Watch& watch) {
  auto report = inspected(mesh, watch);
  if (!report) return Failure{Cancelled{}};
  return std::move(*report);
}

}  // namespace snug
