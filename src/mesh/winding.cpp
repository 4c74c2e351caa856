#include "mesh/winding.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <snug/solid.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace snug::mesh {

namespace {

/// Two triangles that meet at an edge nobody else uses.
struct Neighbours {
  std::uint32_t s, t;
  bool agree;  ///< they run along the edge in opposite directions, as triangles of one winding do
};

/// Links as adjacency lists: neighbours of t are at first[t] … first[t+1]-1.
struct Adjacency {
  std::vector<std::uint32_t> first;
  std::vector<std::pair<std::uint32_t, bool>> neighbour;

  Adjacency(std::size_t triangles, std::span<const Neighbours> links)
      : first(triangles + 1, 0), neighbour(2 * links.size()) {
    for (const Neighbours& l : links) ++first[l.s + 1], ++first[l.t + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    SNUG_ASSERT(first.back() == neighbour.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const Neighbours& l : links) {
      neighbour[next[l.s]++] = {l.t, l.agree};
      neighbour[next[l.t]++] = {l.s, l.agree};
    }
  }
};

/// Marks the triangles wound against the larger part of what they are linked to; in a tie the first one is right.
std::vector<bool> wound_against_region(std::size_t triangles, std::span<const Neighbours> links) {
  const Adjacency adjacency(triangles, links);
  std::vector<bool> against(triangles, false), seen(triangles, false);
  std::vector<std::uint32_t> region;
  for (std::uint32_t start = 0; start < triangles; ++start) {
    if (seen[start]) continue;
    region.assign(1, start);
    seen[start] = true;
    std::size_t count = 0;
    for (std::size_t i = 0; i < region.size(); ++i) {
      const std::uint32_t t = region[i];
      count += against[t] ? 1 : 0;
      for (std::uint32_t k = adjacency.first[t]; k < adjacency.first[t + 1]; ++k) {
        const auto [other, agree] = adjacency.neighbour[k];
        if (seen[other]) continue;
        seen[other] = true;
        against[other] = agree ? against[t] : !against[t];
        region.push_back(other);
      }
    }
    if (2 * count > region.size())
      for (const std::uint32_t t : region) against[t] = !against[t];
  }
  return against;
}

/// A shell with its stray triangles turned the way of the others, if that closes it.
struct ClosedShell {
  std::vector<std::uint32_t> triangles;
  std::vector<Index3> indices;
  Aabb bounds;
  int volume_sign = 0;  ///< 0 when rounding hides it
};

/// Sign of the volume, when it exceeds a bound on its rounding.
int volume_sign(const TriangleMeshView& shell, const Aabb& bounds) noexcept {
  const Point3 origin = 0.5 * bounds.lo + 0.5 * bounds.hi;
  const Vec3 half = 0.5 * bounds.hi - 0.5 * bounds.lo;
  // Each axis on its own scale, which leaves the sign alone and keeps rods and sheets from drowning in rounding.
  const Vec3 scale{scale_to_one(half.x), scale_to_one(half.y), scale_to_one(half.z)};
  const auto local = [&](const Point3& p) {
    const Vec3 d = p - origin;
    return Vec3{scale.x * d.x, scale.y * d.y, scale.z * d.z};
  };
  double sum = 0, magnitude = 0;
  for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
    const Triangle c = shell.triangle(t);
    const double term = dot(local(c[0]), cross(local(c[1]), local(c[2])));
    sum += term;
    magnitude += std::abs(term) + 1;  // each coordinate is rounded relative to size one
  }
  const double error = 64 * std::numeric_limits<double>::epsilon() * magnitude;
  return sum > error ? 1 : sum < -error ? -1 : 0;
}

std::vector<bool> closed_once_turned(std::span<const EdgeUse> sorted_uses, const std::vector<bool>& against,
                                     std::span<const std::uint32_t> shell_of, std::uint32_t shells) {
  std::vector<bool> closed(shells, true);
  for_each_edge(sorted_uses, [&](std::span<const EdgeUse> edge) {
    const auto forward =
        std::ranges::count_if(edge, [&](const EdgeUse& u) { return u.forward != against[u.triangle]; });
    if (2 * static_cast<std::size_t>(forward) != edge.size()) closed[shell_of[edge[0].triangle]] = false;
  });
  return closed;
}

std::vector<ClosedShell> collect(const TriangleMeshView& mesh, std::span<const std::uint32_t> shell_of,
                                 const std::vector<bool>& closed, const std::vector<bool>& against) {
  std::vector<std::uint32_t> place(closed.size());
  std::uint32_t count = 0;
  for (std::size_t s = 0; s < closed.size(); ++s)
    if (closed[s]) place[s] = count++;
  std::vector<ClosedShell> shells(count);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (shell_of[t] == MeshReport::k_no_shell || !closed[shell_of[t]]) continue;
    ClosedShell& shell = shells[place[shell_of[t]]];
    Index3 index = mesh.triangles[t];
    if (against[t]) std::swap(index[1], index[2]);
    shell.triangles.push_back(t);
    shell.indices.push_back(index);
    for (const Point3& p : mesh.triangle(t).corner) shell.bounds.include(p);
  }
  for (ClosedShell& shell : shells) shell.volume_sign = volume_sign({mesh.vertices, shell.indices}, shell.bounds);
  return shells;
}

/// Is `inner` inside `outer`? By the first corner that does not lie on it; shells that coincide are not.
bool lies_inside(std::span<const Point3> vertices, const ClosedShell& inner, const ClosedShell& outer) {
  for (const Index3& t : inner.indices)
    for (const std::uint32_t v : t) {
      const Side side = locate(vertices[v], {vertices, outer.indices}).side;
      if (side != Side::boundary) return side == Side::inside;
    }
  return false;
}

bool holds(const Aabb& outer, const Aabb& inner) noexcept {
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z && inner.hi.x <= outer.hi.x &&
         inner.hi.y <= outer.hi.y && inner.hi.z <= outer.hi.z;
}

/// Which shells are inside out. Larger boxes come first, so that whatever lies around a shell is settled before it.
std::vector<bool> find_inverted(std::span<const Point3> vertices, std::span<const ClosedShell> shells) {
  std::vector<std::uint32_t> order(shells.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto width = [&](std::uint32_t s) { return shells[s].bounds.hi.x - shells[s].bounds.lo.x; };
  std::ranges::sort(
      order, [&](std::uint32_t s, std::uint32_t t) { return width(s) != width(t) ? width(s) > width(t) : s < t; });
  std::vector<bool> inverted(shells.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ClosedShell& shell = shells[order[i]];
    std::size_t around = 0;
    std::optional<std::uint32_t> nearest;
    for (std::size_t j = 0; j < i; ++j) {
      if (!holds(shells[order[j]].bounds, shell.bounds) || !lies_inside(vertices, shell, shells[order[j]])) continue;
      ++around;
      nearest = order[j];
    }
    SNUG_ASSERT(around % 2 == 0 || nearest.has_value());
    inverted[order[i]] = around % 2 == 0 ? shell.volume_sign < 0 : shell.volume_sign > 0 && inverted[*nearest];
  }
  return inverted;
}

}  // namespace

std::vector<bool> find_flipped(const TriangleMeshView& mesh, std::span<const EdgeUse> sorted_uses,
                               std::span<const std::uint32_t> shell_of, std::uint32_t shells) {
  std::vector<Neighbours> links;
  for_each_edge(sorted_uses, [&](std::span<const EdgeUse> edge) {
    if (edge.size() == 2) links.push_back({edge[0].triangle, edge[1].triangle, edge[0].forward != edge[1].forward});
  });
  std::vector<bool> flipped = wound_against_region(mesh.triangles.size(), links);
  const std::vector<bool> closed = closed_once_turned(sorted_uses, flipped, shell_of, shells);
  const std::vector<ClosedShell> closed_shells = collect(mesh, shell_of, closed, flipped);
  const std::vector<bool> inverted = find_inverted(mesh.vertices, closed_shells);
  SNUG_ASSERT(inverted.size() == closed_shells.size());
  for (std::size_t s = 0; s < closed_shells.size(); ++s)
    if (inverted[s])
      for (const std::uint32_t t : closed_shells[s].triangles) flipped[t] = !flipped[t];
  return flipped;
}

}  // namespace snug::mesh
