#include "contact/regions/region_reach.hpp"

#include "contact/regions/creases.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace snug::contact {

bool RegionReach::find(const RegionBodies& bodies, const Curves& curves, const Regions& regions, std::uint32_t number,
                       double depth) {
  list_points(bodies, curves, regions, number);
  Aabb within;
  for (const Point3& p : points_) within.include(p);
  const Vec3 margin{depth, depth, depth};
  within = {within.lo - margin, within.hi + margin};
  faces_.clear(), directions_.clear();
  for (std::size_t side = 0; side < 2; ++side) {
    enlarge(bodies, regions, side, regions.all()[number].patch[side], within);
    list_faces(bodies, side, depth);
  }
  std::ranges::sort(faces_, {}, [](const Face& f) { return std::pair(f.need, f.out); });
  for (const Face& face : faces_)
    if (std::ranges::none_of(directions_, [&](const Vec3& d) { return dot(face.out, d) > k_same_direction; }))
      directions_.push_back(face.out);
  return !directions_.empty();
}

void RegionReach::list_points(const RegionBodies& bodies, const Curves& curves, const Regions& regions,
                              std::uint32_t number) {
  const Region& region = regions.all()[number];
  points_.clear();
  for (const std::uint32_t s : region.segments) points_.push_back(curves.points[curves.segments[s].from].point);
  for (std::uint8_t side = 0; side < 2; ++side) {
    const RayTarget& body = *bodies[side];
    const MeshLinks& links = body.contact_mesh().links();
    known_[side].begin(body.mesh().vertices().size());
    for (const std::uint32_t t : region.patch[side])
      for (const std::uint32_t corner : body.mesh().triangles()[t]) {
        const std::uint32_t place = links.place[corner];
        if (known_[side].get(place) != Stamps::k_none || !regions.holds(number, side, place)) continue;
        known_[side].set(place, 1);
        points_.push_back(body.pose().apply(body.mesh().vertices()[place]));
      }
  }
  SNUG_ASSERT(!points_.empty());
  // One of the first six shows of most faces that a part of the region is before them, or that they need too much.
  for (std::size_t k = 0; k < 6 && k < points_.size(); ++k) {
    const auto rest = points_.begin() + static_cast<std::ptrdiff_t>(k);
    const double sign = k % 2 == 0 ? 1 : -1;
    std::iter_swap(rest, std::max_element(rest, points_.end(), [&](const Point3& p, const Point3& q) {
                     return sign * p[k / 2] < sign * q[k / 2];
                   }));
  }
}

void RegionReach::enlarge(const RegionBodies& bodies, const Regions& regions, std::size_t side,
                          std::span<const std::uint32_t> patch, const Aabb& within) {
  const RayTarget& body = *bodies[side];
  const MeshLinks& links = body.contact_mesh().links();
  std::vector<std::uint32_t>& out = patch_[side];
  out.assign(patch.begin(), patch.end());
  known_[side].begin(body.mesh().triangles().size());
  for (const std::uint32_t t : patch) known_[side].set(t, 1);
  for (std::size_t next = 0; next < out.size(); ++next)
    for (const std::uint32_t n : links.neighbour[out[next]]) {
      if (n == MeshLinks::k_none || known_[side].get(n) != Stamps::k_none) continue;
      known_[side].set(n, 1);
      if (box_of(body.posed(n)).overlaps(within) && regions.region_of(side, n) == Stamps::k_none) out.push_back(n);
    }
}

void RegionReach::list_faces(const RegionBodies& bodies, std::size_t side, double depth) {
  for (const std::uint32_t t : patch_[side]) {
    const Vec3 out = bodies[side]->outward(t);
    const double height = dot(out, bodies[side]->posed(t)[0]);
    const double tolerance = k_rounding * (std::abs(height) + depth);
    double need = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double below = height - dot(out, points_[i]);
      need = std::max(need, below);
      if (below >= -tolerance && need < (1 - k_rounding) * depth) continue;
      need = depth;
      // What rules out one face rules out those beside it, so they look at it early.
      std::swap(points_[i / 2], points_[i]);
      break;
    }
    if (need < (1 - k_rounding) * depth) faces_.push_back({need, side == 0 ? -out : out});
  }
}

}  // namespace snug::contact
