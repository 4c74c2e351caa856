#include "contact/vertex_rays.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>

// Which vertices rays are cast from. Most are left out by a look at their group, or at a grid, so that what is done to the others counts.

namespace snug::contact {

namespace {

/// Points of a group, axis by axis: what is done to all of them is done to several at a time.
using GroupPoints = std::array<std::array<double, VertexGroups::k_size>, 3>;

GroupPoints points_of(std::span<const std::uint32_t> vertices, std::span<const Point3> all) noexcept {
  SNUG_ASSERT(vertices.size() <= VertexGroups::k_size);
  GroupPoints points{};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Point3& p = all[vertices[i]];
    points[0][i] = p.x, points[1][i] = p.y, points[2][i] = p.z;
  }
  return points;
}

}  // namespace

void VertexRays::add(std::uint32_t vertex, const Point3& at, double culling, std::vector<RayStart>& starts) const {
  const double clearance = target_.contact_mesh().outside().clearance(at, margin_);
  if (clearance < 0)
    starts.push_back({vertex, false});
  else if (clearance <= culling)
    starts.push_back({vertex, true});
}

void VertexRays::add_group(std::span<const std::uint32_t> vertices, const Aabb& grown, double culling,
                           std::vector<RayStart>& starts) const {
  const GroupPoints own = points_of(vertices, source_.mesh().vertices());
  GroupPoints seen, beyond;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double *const m = &to_target_[3 * axis], offset = offset_[axis], lo = grown.lo[axis], hi = grown.hi[axis];
    for (std::size_t i = 0; i < VertexGroups::k_size; ++i) {
      const double x = ((m[0] * own[0][i] + m[1] * own[1][i]) + m[2] * own[2][i]) + offset;
      seen[axis][i] = x;
      beyond[axis][i] = std::max(lo - x, x - hi);
    }
  }
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (beyond[0][i] <= 0 && beyond[1][i] <= 0 && beyond[2][i] <= 0 && from_.has_ray(vertices[i]))
      add(vertices[i], {seen[0][i], seen[1][i], seen[2][i]}, culling, starts);
}

void VertexRays::list(double extension, double culling, std::vector<RayStart>& starts) const {
  starts.clear();
  const double more = extension + margin_;
  const Aabb& box = target_.shape().bounds();
  const Aabb grown{box.lo - Vec3{more, more, more}, box.hi + Vec3{more, more, more}};
  if (options_.traversal == RayContactOptions::Traversal::basic) {
    // The judge of the other does without groups and grids, vertex by vertex.
    const std::span<const Point3> vertices = source_.mesh().vertices();
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      const Point3 at = in_target(vertices[v]);
      if (from_.has_ray(v) && grown.overlaps({at, at})) starts.push_back({v, false});
    }
    return;
  }
  const std::span<const std::uint32_t> order = from_.links().order;
  const OutsideGrid& outside = target_.contact_mesh().outside();
  std::array<double, 9> reach;
  for (std::size_t i = 0; i < 9; ++i) reach[i] = std::abs(to_target_[i]);
  const double least = std::max(culling, 0.0) + margin_;
  const auto may_matter = [&](const VertexGroups::Group& group) {
    const Point3 middle = in_target(group.middle);
    const Vec3 half = turn(reach, group.half);
    for (std::size_t i = 0; i < 3; ++i)
      if (middle[i] - half[i] > grown.hi[i] || middle[i] + half[i] < grown.lo[i]) return false;
    // Where the surface is further from the middle than all vertices are, they are outside with it.
    return !(outside.clearance(middle, margin_) - group.radius > least);
  };
  from_.groups().visit(may_matter, [&](std::uint32_t begin, std::uint32_t end) {
    add_group(order.subspan(begin, end - begin), grown, culling, starts);
  });
}

}  // namespace snug::contact
