#include "mesh/vertex_groups.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <bit>

namespace snug::mesh {

namespace {

/// Cuts at a multiple of the largest power of two that leaves something on both sides, so that groups are never torn.
void order_range(std::span<const Point3> points, std::span<std::uint32_t> range) {
  if (range.size() <= VertexGroups::k_size) return;
  Aabb box;
  for (const std::uint32_t v : range) box.include(points[v]);
  const Vec3 size = box.hi - box.lo;
  const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const std::size_t half = std::max<std::size_t>(std::bit_floor(range.size() - 1), VertexGroups::k_size);
  SNUG_ASSERT(half % VertexGroups::k_size == 0 && half < range.size());
  std::ranges::nth_element(range, range.begin() + static_cast<std::ptrdiff_t>(half),
                           [&](std::uint32_t v, std::uint32_t w) {
                             const double x = points[v][axis], y = points[w][axis];
                             return x != y ? x < y : v < w;
                           });
  order_range(points, range.first(half));
  order_range(points, range.subspan(half));
}

VertexGroups::Group around(const Aabb& box) noexcept {
  const Vec3 half = 0.5 * box.hi - 0.5 * box.lo;
  // Enlarged by more than rounding takes away.
  constexpr double k_more = 1 + 0x1p-40;
  return {middle_of(box), k_more * half, k_more * length_of(half)};
}

}  // namespace

std::vector<std::uint32_t> order_by_place(std::span<const Point3> points, const std::vector<bool>& wanted) {
  SNUG_ASSERT(wanted.size() == points.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < points.size(); ++v)
    if (wanted[v]) order.push_back(v);
  order_range(points, order);
  return order;
}

VertexGroups::VertexGroups(std::span<const Point3> points, std::span<const std::uint32_t> order)
    : count_(static_cast<std::uint32_t>(order.size())) {
  Aabb cluster;
  for (std::size_t first = 0; first < order.size(); first += k_size) {
    Aabb box;
    for (std::size_t i = first; i < order.size() && i < first + k_size; ++i) box.include(points[order[i]]);
    groups_.push_back(around(box));
    cluster.include(box.lo), cluster.include(box.hi);
    if (groups_.size() % k_size == 0 || first + k_size >= order.size()) {
      clusters_.push_back(around(cluster));
      cluster = {};
    }
  }
}

}  // namespace snug::mesh
