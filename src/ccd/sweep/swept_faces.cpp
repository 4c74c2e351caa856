#include "ccd/sweep/swept_faces.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace snug::ccd::sweep {

namespace {

/// Past what one rounding may have cost; monotone.
double below(double value) noexcept { return (value - 0x1p-52 * std::abs(value)) - std::numeric_limits<double>::min(); }
double above(double value) noexcept { return -below(-value); }

Aabb grown(const Aabb& box, double by) noexcept {
  if (by == 0 || box.empty()) return box;
  return {{below(box.lo.x - by), below(box.lo.y - by), below(box.lo.z - by)},
          {above(box.hi.x + by), above(box.hi.y + by), above(box.hi.z + by)}};
}

/// Vertices that no triangle uses make it larger than need be, never too small.
Aabb body_box(const SweepBody& body) noexcept {
  Aabb box;
  if (body.triangles.empty()) return box;
  for (const auto& vertices : {body.t0, body.t1})
    for (const Point3& p : vertices) box.include(p);
  return grown(box, body.deviation);
}

/// Beyond which sides of the box a vertex stays at both ends, hence throughout: faces whose corners share a side stay outside.
std::uint8_t sides_missed(const Point3& t0, const Point3& t1, const Aabb& box) noexcept {
  const auto bit = [](bool outside, unsigned at) { return (outside ? 1U : 0U) << at; };
  return static_cast<std::uint8_t>(bit(std::max(t0.x, t1.x) < box.lo.x, 0) | bit(std::min(t0.x, t1.x) > box.hi.x, 1) |
                                   bit(std::max(t0.y, t1.y) < box.lo.y, 2) | bit(std::min(t0.y, t1.y) > box.hi.y, 3) |
                                   bit(std::max(t0.z, t1.z) < box.lo.z, 4) | bit(std::min(t0.z, t1.z) > box.hi.z, 5));
}

}  // namespace

MovingTriangle moving_triangle(const SweepBody& body, std::uint32_t triangle) noexcept {
  const Index3& i = body.triangles[triangle];
  return {MovingPoint{body.t0[i[0]], body.t1[i[0]]}, MovingPoint{body.t0[i[1]], body.t1[i[1]]},
          MovingPoint{body.t0[i[2]], body.t1[i[2]]}};
}

Aabb swept_box(std::span<const MovingPoint> points, double deviation) noexcept {
  Aabb box;
  for (const MovingPoint& p : points) {
    box.include(p.t0);
    box.include(p.t1);
  }
  return grown(box, deviation);
}

std::vector<std::vector<Aabb>> overlap_regions(std::span<const SweepBody> bodies) {
  std::vector<Aabb> boxes;
  for (const SweepBody& body : bodies) boxes.push_back(body_box(body));
  std::vector<std::uint32_t> order(bodies.size());
  std::iota(order.begin(), order.end(), 0U);
  std::erase_if(order, [&](std::uint32_t i) { return boxes[i].empty(); });
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(boxes[i].lo.x, i); });

  std::vector<std::vector<Aabb>> regions(bodies.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].lo.x <= boxes[order[i]].hi.x; ++j) {
      const Aabb &a = boxes[order[i]], &b = boxes[order[j]];
      if (!a.overlaps(b)) continue;
      regions[order[i]].push_back(common_box(a, b));
      regions[order[j]].push_back(common_box(a, b));
    }
  return regions;
}

std::vector<SweptFace> faces_in_regions(std::span<const SweepBody> bodies, std::span<const std::vector<Aabb>> regions) {
  std::vector<SweptFace> faces;
  std::vector<std::uint8_t> missed;
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    if (regions[b].empty()) continue;
    const SweepBody& body = bodies[b];
    Aabb all;
    for (const Aabb& region : regions[b]) {
      all.include(region.lo);
      all.include(region.hi);
    }
    all = grown(all, body.deviation);
    missed.resize(body.t0.size());
    for (std::size_t i = 0; i < missed.size(); ++i) missed[i] = sides_missed(body.t0[i], body.t1[i], all);
    for (std::uint32_t t = 0; t < body.triangles.size(); ++t) {
      const Index3& i = body.triangles[t];
      if ((missed[i[0]] & missed[i[1]] & missed[i[2]]) != 0) continue;
      const Aabb box = swept_box(moving_triangle(body, t), body.deviation);
      if (std::ranges::any_of(regions[b], [&](const Aabb& r) { return r.overlaps(box); })) faces.push_back({box, b, t});
    }
  }
  return faces;
}

}  // namespace snug::ccd::sweep
