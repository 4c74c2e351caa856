#include "geometry/edges.hpp"

#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace snug::geometry {

namespace {

/// Stable counting sort by one end of the edges: linear, and it can be cancelled at every step.
void sort_by_end(std::vector<EdgeUse>& uses, std::size_t places, std::uint32_t EdgeUse::* end, Looks& looks) {
  std::vector<std::uint64_t> next(places + 1, 0);
  for (const EdgeUse& use : uses) looks.look(), ++next[use.*end + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  SNUG_ASSERT(next.back() == uses.size());
  std::vector<EdgeUse> sorted(uses.size());
  for (const EdgeUse& use : uses) looks.look(), sorted[next[use.*end]++] = use;
  uses.swap(sorted);
}

}  // namespace

std::vector<std::uint32_t> same_place_ids(std::span<const Point3> vertices, const CancelToken* cancel) {
  Looks looks(cancel);
  std::vector<std::uint32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    looks.look();
    const Point3 &p = vertices[a], &q = vertices[b];
    return std::tie(p.x, p.y, p.z, a) < std::tie(q.x, q.y, q.z, b);
  });
  std::vector<std::uint32_t> id(vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
    SNUG_ASSERT(!same || id[order[i - 1]] < order[i]);
    id[order[i]] = same ? id[order[i - 1]] : order[i];
  }
  return id;
}

bool is_collapsed(const Index3& triangle, std::span<const std::uint32_t> place_of) noexcept {
  const std::uint32_t a = place_of[triangle[0]], b = place_of[triangle[1]], c = place_of[triangle[2]];
  return a == b || b == c || c == a;
}

std::vector<EdgeUse> sorted_edge_uses(const TriangleMeshView& mesh, std::span<const std::uint32_t> place_of,
                                      const CancelToken* cancel) {
  Looks looks(cancel);
  SNUG_ASSERT(place_of.size() == mesh.vertices.size());
  std::vector<EdgeUse> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    looks.look();
    if (is_collapsed(mesh.triangles[t], place_of)) continue;
    for (std::uint8_t side = 0; side < 3; ++side) {
      const std::uint32_t from = place_of[mesh.triangles[t][side]];
      const std::uint32_t to = place_of[mesh.triangles[t][(side + 1U) % 3U]];
      SNUG_ASSERT(from != to);  // it is not collapsed
      uses.push_back({std::min(from, to), std::max(from, to), t, side, from < to});
    }
  }
  // They are listed by triangle and side.
  sort_by_end(uses, place_of.size(), &EdgeUse::hi, looks);
  sort_by_end(uses, place_of.size(), &EdgeUse::lo, looks);
  return uses;
}

bool are_balanced(std::span<const EdgeUse> sorted_uses) noexcept {
  bool balanced = !sorted_uses.empty();
  for_each_edge(sorted_uses, [&](std::span<const EdgeUse> edge) {
    const auto forward = std::ranges::count_if(edge, &EdgeUse::forward);
    if (2 * static_cast<std::size_t>(forward) != edge.size()) balanced = false;
  });
  return balanced;
}

}  // namespace snug::geometry
