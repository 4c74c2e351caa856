#include "bvh/dop24/quads.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <tuple>

namespace snug::bvh {

namespace {

/// A side of a triangle, its ends in ascending order.
struct Side {
  std::uint32_t low, high, triangle;
  friend auto operator<=>(const Side&, const Side&) = default;
};

struct Neighbours {
  double width;  ///< of their common DOP beside the sum of their own
  std::uint32_t a, b;
  friend bool operator<(const Neighbours& x, const Neighbours& y) noexcept {
    return std::tie(x.width, x.a, x.b) < std::tie(y.width, y.a, y.b);
  }
};

std::vector<Neighbours> neighbours_of(const Mesh& mesh, std::span<const Dop24> dops) {
  std::vector<Side> sides;
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(mesh.triangles()[t][i], mesh.triangles()[t][(i + 1) % 3]);
      if (low != high) sides.push_back({low, high, t});
    }
  std::ranges::sort(sides);
  std::vector<Neighbours> found;
  for (std::size_t i = 0; i + 1 < sides.size(); ++i)
    for (std::size_t k = i + 1; k < sides.size() && sides[k].low == sides[i].low && sides[k].high == sides[i].high;
         ++k) {
      const std::uint32_t a = sides[i].triangle, b = sides[k].triangle;
      if (a == b) continue;
      const double own = dops[a].width() + dops[b].width();
      found.push_back({own > 0 ? Dop24::merged(dops[a], dops[b]).width() / own : 1, a, b});
      // Where more than two triangles meet in an edge, those next to each other in the list are enough to choose from.
      break;
    }
  std::ranges::sort(found, std::less<>{});
  return found;
}

Quad quad_of(const Mesh& mesh, std::uint32_t a, std::uint32_t b) {
  SNUG_ASSERT(a < b);
  const Index3 &of_a = mesh.triangles()[a], &of_b = mesh.triangles()[b];
  const auto has = [](const Index3& corners, std::uint32_t v) {
    return std::ranges::find(corners, v) != corners.end();
  };
  Quad quad{{a, b}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    // The corner behind an edge of a that b has too; coincident triangles have all three.
    const std::uint32_t v0 = of_a[i], v1 = of_a[(i + 1) % 3];
    if (v0 == v1 || !has(of_b, v0) || !has(of_b, v1)) continue;
    quad.corner = {v0, v1, of_a[(i + 2) % 3], v0};
    for (std::size_t k = 0; k < 3; ++k)
      if (of_b[k] != v0 && of_b[k] != v1) quad.corner[3] = of_b[k];
    break;
  }
  SNUG_ASSERT(quad.corner[0] != quad.corner[1]);  // partners have an edge in common
  return quad;
}

}  // namespace

std::vector<Quad> quads_of(const Mesh& mesh, std::span<const Dop24> dops) {
  const std::size_t count = mesh.triangles().size();
  SNUG_ASSERT(dops.size() == count);
  std::vector<std::uint32_t> partner(count, k_no_triangle);
  for (const Neighbours& n : neighbours_of(mesh, dops))
    if (partner[n.a] == k_no_triangle && partner[n.b] == k_no_triangle) partner[n.a] = n.b, partner[n.b] = n.a;
  std::vector<Quad> quads;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Index3& corners = mesh.triangles()[t];
    SNUG_ASSERT(partner[t] == k_no_triangle || partner[partner[t]] == t);
    if (partner[t] == k_no_triangle)
      quads.push_back({{t, k_no_triangle}, {corners[0], corners[1], corners[2], corners[2]}});
    else if (t < partner[t])
      quads.push_back(quad_of(mesh, t, partner[t]));
  }
  return quads;
}

}  // namespace snug::bvh
