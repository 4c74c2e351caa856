#include "contact/regions/touching.hpp"

#include "contact/connected_pairs.hpp"
#include "contact/pair_contact.hpp"
#include "contact/regions/creases.hpp"
#include "contact/regions/furthest.hpp"
#include "geometry/vec_ops.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace snug::contact {

namespace {

void add_points(const RegionBodies& bodies, const TrianglePair& pair, TouchPatch& patch) {
  const TriangleIntersection shared = intersection(bodies[0]->posed(pair.a), bodies[1]->posed(pair.b));
  for (std::uint32_t k = 0; k < shared.count; ++k)
    patch.points.push_back({0, shared.corner[k], shared.corner[k], pair.a, pair.b, patch.normal});
}

/// The direction that separates corners and edges which touch: of the normals of the faces and the directions across two edges, the one
/// along which they overlap least, then the one nearest to the mean.
Vec3 separating(const RegionBodies& bodies, std::span<const TrianglePair> pairs, std::span<const std::uint32_t> members,
                FacingDepth& depth, std::pmr::memory_resource* memory) {
  Patch a(memory), b(memory);
  Vec3 mean;
  std::pmr::vector<Vec3> offered(memory);
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
  // The nearest to the mean first: once one has no overlap, none that follows is better.
  std::ranges::sort(offered, {}, [&](const Vec3& n) { return std::pair(-dot(n, mean), n); });
  offered.erase(std::unique(offered.begin(), offered.end()), offered.end());
  Vec3 best = mean != Vec3{} ? mean : Vec3{0, 0, 1};
  depth.take(a, b);
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& n : offered) {
    if (n == Vec3{}) continue;
    const double overlap = depth.find(n, false) ? std::max(0.0, depth.deepest().depth) : 0;
    if (overlap < least) least = overlap, best = n;
    if (overlap < k_rounding * size) return n;
  }
  return best;
}

/// Leaves those that reach furthest in eight directions across the normal.
void keep_furthest(std::pmr::vector<FacingPoint>& points, const Vec3& normal) {
  const Vec3 x = any_across(normal), y = cross(normal, x);
  const auto across = [&](const FacingPoint& p) { return Point2{dot(x, p.on_a), dot(y, p.on_a)}; };
  std::array<std::size_t, 8> furthest{};
  const auto look = [&](const EightDirections& directions) {
    for (std::size_t k = 0; k < 8; ++k)
      for (std::size_t i = 0; i < points.size(); ++i)
        if (directions.reach(k, across(points[i]), 0) > directions.reach(k, across(points[furthest[k]]), 0))
          furthest[k] = i;
  };
  look(EightDirections());
  std::array<Point2, 8> known;
  std::ranges::transform(furthest, known.begin(), [&](std::size_t i) { return across(points[i]); });
  look(EightDirections(known, 0));
  std::pmr::vector<FacingPoint> kept(points.get_allocator());
  for (const std::size_t i : furthest) kept.push_back(points[i]);
  drop_neighbours(kept, normal);
  points.swap(kept);
}

}  // namespace

std::pmr::vector<TouchPatch> find_touching(const RegionBodies& bodies, std::span<const TrianglePair> pairs,
                                           std::span<const char> crosses, FacingDepth& depth,
                                           std::pmr::memory_resource* memory) {
  std::pmr::vector<TouchPatch> patches(memory);
  DisjointSets sets =
      connected_pairs(bodies[0]->contact_mesh().links(), bodies[1]->contact_mesh().links(), pairs, false, memory);
  const auto number = sets.numbered();
  // Pairs set by set, each set in the order of its pairs.
  std::pmr::vector<std::uint32_t> members(pairs.size(), memory);
  std::iota(members.begin(), members.end(), 0U);
  std::ranges::sort(members, {}, [&](std::uint32_t i) { return std::pair(number[i], i); });
  for (std::size_t begin = 0; begin < members.size();) {
    std::size_t end = begin;
    bool crossed = false;
    for (; end < members.size() && number[members[end]] == number[members[begin]]; ++end)
      crossed = crossed || crosses[members[end]] != 0;
    const auto set = std::span(members).subspan(begin, end - begin);
    begin = end;
    const std::size_t first = patches.size();
    for (const std::uint32_t i : set) {
      const TrianglePair& pair = pairs[i];
      if (pair.relation != Relation::touching || crosses[i] != 0) continue;
      const Vec3 out_a = bodies[0]->outward(pair.a), out_b = bodies[1]->outward(pair.b);
      if (!(dot(out_a, out_b) < 0)) continue;
      // Only coplanar triangles that touch share an area.
      if (intersection(bodies[0]->posed(pair.a), bodies[1]->posed(pair.b)).count < 3) continue;
      auto patch = std::find_if(patches.begin() + static_cast<std::ptrdiff_t>(first), patches.end(),
                                [&](const TouchPatch& p) { return dot(p.normal, out_b) > k_same_direction; });
      if (patch == patches.end()) patches.emplace_back(memory).normal = out_b, patch = patches.end() - 1;
      add_points(bodies, pair, *patch);
    }
    if (patches.size() > first || crossed) continue;
    TouchPatch& patch = patches.emplace_back(memory);
    patch.normal = separating(bodies, pairs, set, depth, memory);
    for (const std::uint32_t i : set) add_points(bodies, pairs[i], patch);
  }
  for (TouchPatch& patch : patches) keep_furthest(patch.points, patch.normal);
  return patches;
}

}  // namespace snug::contact
