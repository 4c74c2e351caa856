#include "page/meeting.hpp"

#include "geometry/vec_ops.hpp"

#include <snug/distance.hpp>
#include <snug/predicates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace snug::page {

namespace {

// A line of this many pieces is as good as any on a screen, and two parts that coincide must not fill the page.
constexpr std::size_t k_most_segments = 100'000;

using Cell = std::array<std::int64_t, 3>;

bool finite(const Point3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

Triangle posed(const Part& part, std::uint32_t triangle) {
  Triangle out = part.mesh.view().triangle(triangle);
  for (Point3& corner : out.corner) corner = part.pose.apply(corner);
  return out;
}

bool coplanar(const Triangle& a, const Triangle& b) {
  return std::ranges::all_of(b.corner, [&](const Point3& p) { return orient3d(a[0], a[1], a[2], p) == 0; });
}

/// Whether one goes over into the other as facets of a curved face do, within the 40 degrees of the page's shading.
bool smooth(const Triangle& a, const Triangle& b) {
  constexpr double k_squared_cosine = 0.58682;
  using query::cross, query::dot;
  const Vec3 n = cross(a[1] - a[0], a[2] - a[0]), m = cross(b[1] - b[0], b[2] - b[0]);
  const double along = dot(n, m);
  return along > 0 && along * along > k_squared_cosine * dot(n, n) * dot(m, m);
}

}  // namespace

CodedCurves code_curves(const Assembly& assembly, const PagePair& pair, ShapeCache& shapes, Scratch& scratch) {
  const Part &a = assembly.parts()[pair.a], &b = assembly.parts()[pair.b];
  CodedCurves out{.grid = {}, .bytes = {}};
  std::vector<std::array<Point3, 2>> segments;
  Aabb box;
  const auto add = [&](const Triangle& s, const Triangle& t) {
    const TriangleIntersection common = intersection(s, t);
    if (common.count != 2 || !finite(common.corner[0]) || !finite(common.corner[1])) return;
    segments.push_back({common.corner[0], common.corner[1]});
    box.include(common.corner[0]);
    box.include(common.corner[1]);
  };
  const auto pairs = triangle_pairs(shapes.get(a.mesh), a.pose, shapes.get(b.mesh), b.pose, scratch);
  for (const TrianglePair& met : pairs) {
    if (met.relation != Relation::crossing) continue;
    ++out.crossing;
    if (segments.size() < k_most_segments) add(posed(a, met.a), posed(b, met.b));
  }
  // Bodies with flush sides overlap without a pair that crosses: their faces meet along the edges of what they share.
  if (out.crossing == 0 && pair.verdict == Verdict::clash)
    for (const TrianglePair& met : pairs) {
      if (segments.size() == k_most_segments) break;
      const Triangle s = posed(a, met.a), t = posed(b, met.b);
      if (!coplanar(s, t) && !smooth(s, t)) add(s, t);
    }

  out.grid = Grid::over(box);
  std::map<Cell, std::uint64_t> number;
  std::string points, ends;
  Cell last{};
  const auto point = [&](const Point3& p) {
    const Cell cell = out.grid.at(p);
    const auto [found, is_new] = number.try_emplace(cell, number.size());
    if (is_new) {
      for (std::size_t axis = 0; axis < 3; ++axis) append_varint(points, zigzag(cell[axis] - last[axis]));
      last = cell;
    }
    return static_cast<std::int64_t>(found->second);
  };
  std::int64_t before = 0;
  for (const auto& [p, q] : segments) {
    const std::int64_t from = point(p), to = point(q);
    if (from == to) continue;  // shorter than the grid's step
    append_varint(ends, zigzag(from - before));
    append_varint(ends, zigzag(to - from));
    before = to;
    ++out.segments;
  }
  append_varint(out.bytes, number.size());
  out.bytes += points + ends;
  return out;
}

std::optional<Witness> closest(const Assembly& assembly, const PagePair& pair, ShapeCache& shapes, Scratch& scratch) {
  const Part &a = assembly.parts()[pair.a], &b = assembly.parts()[pair.b];
  const Distance found = distance(shapes.get(a.mesh), a.pose, shapes.get(b.mesh), b.pose, scratch);
  if (!found.found() || !(found.value > 0) || !finite(found.on_a) || !finite(found.on_b)) return std::nullopt;
  return Witness{found.on_a, found.on_b};
}

}  // namespace snug::page
