#include "contact/regions/touching.hpp"

#include "contact/pair_contact.hpp"
#include "contact/regions/creases.hpp"
#include "geometry/vec_ops.hpp"
#include "support/disjoint_sets.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace snug::contact {

namespace {

DisjointSets connected(const RegionBodies& bodies, std::span<const TrianglePair> pairs) {
  DisjointSets sets(pairs.size());
  const auto join = [&](std::uint32_t i, std::uint32_t a, std::uint32_t b) {
    if (a == MeshLinks::k_none || b == MeshLinks::k_none) return;
    const auto found =
        std::ranges::lower_bound(pairs, std::pair(a, b), {}, [](const TrianglePair& p) { return std::pair(p.a, p.b); });
    if (found != pairs.end() && found->a == a && found->b == b)
      sets.join(i, static_cast<std::uint32_t>(found - pairs.begin()));
  };
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    for (const std::uint32_t n : bodies[0]->contact_mesh().links().neighbour[pairs[i].a]) join(i, n, pairs[i].b);
    for (const std::uint32_t n : bodies[1]->contact_mesh().links().neighbour[pairs[i].b]) join(i, pairs[i].a, n);
  }
  return sets;
}

void add_points(const RegionBodies& bodies, const TrianglePair& pair, TouchPatch& patch) {
  const TriangleIntersection shared = intersection(bodies[0]->posed(pair.a), bodies[1]->posed(pair.b));
  for (std::uint32_t k = 0; k < shared.count; ++k)
    patch.points.push_back({0, shared.corner[k], shared.corner[k], pair.a, pair.b, patch.normal});
}

/// The direction that separates corners and edges which touch: of the normals of the faces and the directions across two edges, the one
/// along which they overlap least, then the one nearest to the mean.
Vec3 separating(const RegionBodies& bodies, std::span<const TrianglePair> pairs, std::span<const std::uint32_t> members,
                FacingDepth& depth) {
  Patch a, b;
  Vec3 mean;
  std::vector<Vec3> offered;
  for (const std::uint32_t i : members) {
    const TrianglePair& pair = pairs[i];
    a.push_back(pair.a), b.push_back(pair.b);
    const Vec3 out_a = bodies[0]->outward(pair.a), out_b = bodies[1]->outward(pair.b);
    mean = mean + (out_b - out_a);
    offered.push_back(out_b), offered.push_back(-out_a);
    const ContactMesh &mesh_a = bodies[0]->contact_mesh(), &mesh_b = bodies[1]->contact_mesh();
    const PairSide side_a{bodies[0]->posed(pair.a), mesh_a.facing(pair.a), mesh_a.flat_sides(pair.a)};
    const PairSide side_b{bodies[1]->posed(pair.b), mesh_b.facing(pair.b), mesh_b.flat_sides(pair.b)};
    if (const PairWay way = way_apart(side_a, side_b, Relation::touching); !way.none) offered.push_back(way.normal);
  }
  for (Patch* const patch : {&a, &b}) {
    std::ranges::sort(*patch);
    patch->erase(std::unique(patch->begin(), patch->end()), patch->end());
  }
  mean = to_unit(mean);
  double size = 0;
  for (const Point3& p : bodies[0]->posed(a[0]).corner) size = std::max(size, max_abs(p - bodies[0]->posed(a[0])[0]));
  Vec3 best = mean != Vec3{} ? mean : Vec3{0, 0, 1};
  std::pair<double, double> least(std::numeric_limits<double>::infinity(), 0);
  for (const Vec3& n : offered) {
    if (n == Vec3{}) continue;
    double overlap = depth.find(a, b, n, false) ? std::max(0.0, depth.deepest().depth) : 0;
    if (overlap < k_rounding * size) overlap = 0;
    if (const std::pair worth(overlap, -dot(n, mean)); worth < least) least = worth, best = n;
  }
  return best;
}

}  // namespace

void keep_four(std::vector<FacingPoint>& points, const Vec3& normal, std::size_t deepest) {
  if (points.size() < 2) return;
  const Vec3 x = any_across(normal), y = cross(normal, x);
  const auto across = [&](const FacingPoint& p) { return Vec3{dot(x, p.on_a), dot(y, p.on_a), 0}; };
  const auto turned = [](const Vec3& a, const Vec3& b, const Vec3& p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
  };
  std::vector<FacingPoint> kept;
  const auto take = [&](auto&& worth) {
    const FacingPoint* best = nullptr;
    double most = 0;
    for (const FacingPoint& p : points)
      if (const double w = worth(across(p)); w > most) most = w, best = &p;
    if (best != nullptr) kept.push_back(*best);
    return best != nullptr;
  };
  Vec3 mean;
  for (const FacingPoint& p : points) mean = mean + (1.0 / static_cast<double>(points.size())) * across(p);
  if (take([&](const Vec3& p) { return length_of(p - mean); })) {
    const Vec3 first = across(kept[0]);
    if (take([&](const Vec3& p) { return length_of(p - first); })) {
      const Vec3 second = across(kept[1]);
      take([&](const Vec3& p) { return turned(first, second, p); });
      take([&](const Vec3& p) { return -turned(first, second, p); });
    }
  }
  // The deepest replaces the nearest to it, or joins the others.
  const FacingPoint& deep = points[deepest];
  std::size_t nearest = 0;
  const auto distance = [&](std::size_t i) { return length_of(across(kept[i]) - across(deep)); };
  for (std::size_t i = 1; i < kept.size(); ++i)
    if (distance(i) < distance(nearest)) nearest = i;
  if (kept.empty() || (kept.size() < 4 && distance(nearest) > 0))
    kept.push_back(deep);
  else
    kept[nearest] = deep;
  points = std::move(kept);
}

std::vector<TouchPatch> find_touching(const RegionBodies& bodies, std::span<const TrianglePair> pairs,
                                      std::span<const bool> crosses, FacingDepth& depth) {
  std::vector<TouchPatch> patches;
  DisjointSets sets = connected(bodies, pairs);
  const auto number = sets.numbered();
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<bool> settled;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (number[i] == members.size()) members.emplace_back(), settled.push_back(false);
    members[number[i]].push_back(i);
    if (crosses[i]) settled[number[i]] = true;
  }
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::size_t first = patches.size();
    for (const std::uint32_t i : members[m]) {
      const TrianglePair& pair = pairs[i];
      if (pair.relation != Relation::touching || crosses[i]) continue;
      const Vec3 out_a = bodies[0]->outward(pair.a), out_b = bodies[1]->outward(pair.b);
      if (!(dot(out_a, out_b) < 0)) continue;
      // Only coplanar triangles that touch share an area.
      if (intersection(bodies[0]->posed(pair.a), bodies[1]->posed(pair.b)).count < 3) continue;
      auto patch = std::find_if(patches.begin() + static_cast<std::ptrdiff_t>(first), patches.end(),
                                [&](const TouchPatch& p) { return dot(p.normal, out_b) > k_same_direction; });
      if (patch == patches.end()) patch = patches.insert(patch, {out_b, {}});
      add_points(bodies, pair, *patch);
    }
    if (patches.size() > first || settled[m]) continue;
    TouchPatch& patch = patches.emplace_back();
    patch.normal = separating(bodies, pairs, members[m], depth);
    for (const std::uint32_t i : members[m]) add_points(bodies, pairs[i], patch);
  }
  for (TouchPatch& patch : patches) keep_four(patch.points, patch.normal, 0);
  return patches;
}

}  // namespace snug::contact
