#include "contact/regions/regions.hpp"

#include "geometry/unit_normal.hpp"
#include "geometry/vec_ops.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace snug::contact {

int Regions::winding_before(const RegionBodies& bodies, std::span<const CurvePoint> on) {
  const RayTarget &own = *bodies[on[0].side], &other = *bodies[1 - on[0].side];
  bool doubtful = !other.contact_mesh().simple();
  int winding = 0, least = 0;
  for (std::size_t i = 0; i < on.size(); ++i) {
    winding += on[i].enters ? 1 : -1;
    least = std::min(least, winding);
    doubtful |= i > 0 && on[i].enters != on[i - 1].enters && on[i].at - on[i - 1].at <= k_rounding;
  }
  // A body that does not cross itself is entered and left in turn, so the first crossing says where the edge begins. One more entered
  // than left, or left than entered, says so whatever the order.
  if (!doubtful) return -least;
  if (other.contact_mesh().simple() && winding != 0) return winding < 0 ? 1 : 0;
  const Point3 lo = own.pose().apply(own.mesh().vertices()[edge_lo(on[0].edge)]);
  return other.winding(lo).value_or(std::max(1, -least));
}

std::uint32_t Regions::node_of(std::uint8_t side, std::uint32_t vertex) {
  std::uint32_t node = node_[side].get(vertex);
  if (node != Stamps::k_none) return node;
  node = static_cast<std::uint32_t>(parent_.size());
  parent_.push_back(node);
  vertices_.push_back({vertex, side});
  node_[side].set(vertex, node);
  return node;
}

void Regions::join_loops(const Curves& curves) {
  const std::size_t count = curves.points.size();
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), 0U);
  balance_.assign(count, 0);
  for (const CurveSegment& s : curves.segments) {
    join(s.from, s.to);
    ++balance_[s.from], --balance_[s.to];
  }
  loop_.resize(count);
  open_.assign(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    loop_[i] = find_root(i);
    if (balance_[i] != 0) open_[loop_[i]] = 1;
  }
}

void Regions::join_edge(const RegionBodies& bodies, std::span<const CurvePoint> on, std::uint32_t first) {
  for (std::uint32_t i = 0; i < on.size(); ++i)
    if (open_[loop_[first + i]] != 0) return;
  const std::uint8_t side = on[0].side;
  const std::uint32_t lo = edge_lo(on[0].edge), hi = edge_hi(on[0].edge);
  int winding = winding_before(bodies, on);
  if (winding <= 0) outside_[side].set(lo, 1);
  std::uint32_t before = winding > 0 ? node_of(side, lo) : 0;
  for (std::uint32_t i = 0; i < on.size(); ++i) {
    if (winding > 0) join(before, first + i);
    winding += on[i].enters ? 1 : -1;
    before = first + i;
  }
  if (winding > 0)
    join(before, node_of(side, hi));
  else
    outside_[side].set(hi, 1);
}

void Regions::flood(const RegionBodies& bodies, const Curves& curves) {
  leaks_.clear();
  for (std::size_t next = 0; next < vertices_.size(); ++next) {
    const auto [vertex, side] = vertices_[next];
    const RayTarget& body = *bodies[side];
    const MeshLinks& links = body.contact_mesh().links();
    const std::uint32_t node = node_[side].get(vertex);
    if (outside_[side].get(vertex) != Stamps::k_none) leaks_.push_back(node);
    for (const std::uint32_t t : links.around(vertex)) {
      const bool crossed = crossed_[side].get(t) != Stamps::k_none;
      for (const std::uint32_t corner : body.mesh().triangles()[t]) {
        const std::uint32_t to = links.place[corner];
        if (to == vertex) continue;
        if (crossed && !curves.on_edge(side, edge_key(vertex, to)).empty()) continue;
        join(node, node_of(side, to));
      }
    }
  }
}

void Regions::list(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves) {
  std::pmr::vector<Region>& regions = *regions_;
  std::vector<std::uint32_t>& number = number_;
  number.assign(parent_.size(), Stamps::k_none);
  for (std::uint32_t s = 0; s < curves.segments.size(); ++s) {
    std::uint32_t& region = number[find_root(curves.segments[s].from)];
    if (region == Stamps::k_none)
      region = static_cast<std::uint32_t>(regions.size()), regions.emplace_back(regions.get_allocator().resource());
    regions[region].segments.push_back(s);
    regions[region].open = regions[region].open || open_[loop_[curves.segments[s].from]] != 0;
  }
  for (const std::uint32_t node : leaks_)
    if (const std::uint32_t region = number[find_root(node)]; region != Stamps::k_none) regions[region].open = true;
  loop_area_.assign(curves.points.size(), {});
  for (std::uint32_t r = 0; r < regions.size(); ++r) {
    Region& region = regions[r];
    const auto take = [&](std::size_t side, std::uint32_t triangle) {
      if (taken_[side].get(triangle) == r) return;
      taken_[side].set(triangle, r);
      region.patch[side].push_back(triangle);
    };
    const Point3 origin = curves.points[curves.segments[region.segments[0]].from].point;
    for (const std::uint32_t s : region.segments) {
      const CurveSegment& segment = curves.segments[s];
      take(0, pairs[segment.pair].a), take(1, pairs[segment.pair].b);
      const Vec3 twice = cross(curves.points[segment.from].point - origin, curves.points[segment.to].point - origin);
      Vec3& sum = loop_area_[loop_[segment.from]];
      sum = sum + 0.5 * twice;
    }
    for (const std::uint32_t s : region.segments) {
      Vec3& sum = loop_area_[loop_[curves.segments[s].from]];
      region.area = region.area + sum;
      region.loops += length_in_range(sum);
      sum = {};
    }
  }
  const auto first = static_cast<std::uint32_t>(curves.points.size());
  for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
    const std::uint32_t r = number[find_root(first + i)];
    if (r == Stamps::k_none || regions[r].open) continue;
    const auto [vertex, side] = vertices_[i];
    for (const std::uint32_t t : bodies[side]->contact_mesh().links().around(vertex)) {
      if (taken_[side].get(t) == r) continue;
      // A triangle of several regions may come here again; its patch is made unique below.
      taken_[side].set(t, r);
      regions[r].patch[side].push_back(t);
    }
  }
  for (Region& region : regions)
    for (Patch& patch : region.patch) {
      std::ranges::sort(patch);
      patch.erase(std::unique(patch.begin(), patch.end()), patch.end());
    }
}

void Regions::share_flush_faces(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves) {
  flush_.clear();
  if (regions_->empty()) return;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const TrianglePair& pair = pairs[i];
    if (pair.relation != Relation::touching) continue;
    const Vec3 out_a = bodies[0]->outward(pair.a);
    if (!(dot(out_a, bodies[1]->outward(pair.b)) > 0)) continue;
    std::uint32_t region = region_of(0, pair.a);
    if (region == Stamps::k_none) region = region_of(1, pair.b);
    if (region == Stamps::k_none || (*regions_)[region].open) continue;
    const Triangle ta = bodies[0]->posed(pair.a), tb = bodies[1]->posed(pair.b);
    const TriangleIntersection shared = intersection(ta, tb);
    if (shared.count < 3) continue;
    Vec3 twice;
    for (std::uint32_t k = 2; k < shared.count; ++k)
      twice = twice + cross(shared.corner[k - 1] - shared.corner[0], shared.corner[k] - shared.corner[0]);
    const Vec3 half = (0.25 * length_in_range(twice)) * out_a;
    const bool a_outside = curves.signs().side_of_plane_moved(tb) * bodies[1]->contact_mesh().facing(pair.b) > 0;
    flush_.push_back({region, i, a_outside ? half : -half, a_outside ? -half : half});
    Vec3& area = (*regions_)[region].area;
    area = area + flush_.back().area_a;
  }
  std::ranges::sort(flush_, {}, [](const FlushFace& f) { return std::pair(f.region, f.pair); });
}

void Regions::find(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves,
                   std::pmr::memory_resource* memory) {
  regions_.emplace(memory);
  vertices_.clear();
  for (std::size_t side = 0; side < 2; ++side) {
    const Mesh& mesh = bodies[side]->mesh();
    node_[side].begin(mesh.vertices().size()), outside_[side].begin(mesh.vertices().size());
    crossed_[side].begin(mesh.triangles().size()), taken_[side].begin(mesh.triangles().size());
  }
  for (const TrianglePair& pair : pairs) crossed_[0].set(pair.a, 1), crossed_[1].set(pair.b, 1);
  join_loops(curves);
  const std::span<const CurvePoint> points = curves.points;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin + 1;
    while (end < points.size() && points[end].same_edge(points[begin])) ++end;
    join_edge(bodies, points.subspan(begin, end - begin), static_cast<std::uint32_t>(begin));
    begin = end;
  }
  flood(bodies, curves);
  list(bodies, pairs, curves);
  share_flush_faces(bodies, pairs, curves);
}

}  // namespace snug::contact
