#include "penetration/overlap_volume.hpp"

#include "geometry/vec_ops.hpp"
#include "penetration/places.hpp"
#include "query/posed/descend.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

// A closed mesh is a sum of upright columns: below each triangle the space down to a floor, added where the triangle faces
// up and taken away where it faces down. The product of two such sums is the sum over all pairs of triangles of what two
// columns share: over the overlap of their shadows the lower one of two planes. No decision about inside or outside is
// made, so coplanar faces, shared edges and touching corners need no care, and small errors stay small.

namespace snug::penetration {

namespace {

/// A triangle seen from above: its shadow, counter-clockwise, and the height of its plane over it.
struct Column {
  std::array<Point3, 3> corner;  ///< z is the height over the floor
  double sign = 0;               ///< +1 if the triangle faces up, -1 if down, 0 if it has no shadow
};

constexpr std::size_t k_max_corners = 9;  // a triangle cut by three sides, then by a line and a floor

/// A convex polygon with the heights of two planes at its corners.
struct Polygon {
  struct Corner {
    double x = 0, y = 0, a = 0, b = 0;
  };
  std::array<Corner, k_max_corners + 3> corner;
  std::size_t count = 0;

  void add(const Corner& c) noexcept {
    SNUG_ASSERT(count < corner.size());
    corner[count++] = c;
  }
};

/// The part where `value`, linear over the polygon, is not negative.
template <class Value>
Polygon cut(const Polygon& in, Value&& value) {
  Polygon out;
  for (std::size_t i = 0; i < in.count; ++i) {
    const Polygon::Corner &from = in.corner[i], &to = in.corner[(i + 1) % in.count];
    const double v0 = value(from), v1 = value(to);
    if (v0 >= 0) out.add(from);
    if ((v0 > 0 && v1 < 0) || (v0 < 0 && v1 > 0)) {
      const double t = v0 / (v0 - v1);
      SNUG_ASSERT(t >= 0 && t <= 1);
      const auto mix = [t](double p, double q) { return p + t * (q - p); };
      out.add({mix(from.x, to.x), mix(from.y, to.y), mix(from.a, to.a), mix(from.b, to.b)});
    }
  }
  return out;
}

/// Integral of a linear function, given at the corners, over the polygon.
template <class Value>
double integral(const Polygon& p, Value&& value) {
  double sum = 0;
  for (std::size_t i = 2; i < p.count; ++i) {
    const Polygon::Corner &o = p.corner[0], &q = p.corner[i - 1], &r = p.corner[i];
    const double area2 = (q.x - o.x) * (r.y - o.y) - (q.y - o.y) * (r.x - o.x);
    sum += area2 * ((value(o) + value(q)) + value(r));
  }
  return sum / 6;
}

/// Height of the column's plane over (x, y). Its corners span a shadow of non-zero area.
double height_at(const Column& c, double x, double y) noexcept {
  const Point3 &o = c.corner[0], &p = c.corner[1], &q = c.corner[2];
  const double px = p.x - o.x, py = p.y - o.y, qx = q.x - o.x, qy = q.y - o.y;
  const double det = px * qy - py * qx;
  const double u = ((x - o.x) * qy - (y - o.y) * qx) / det, v = (px * (y - o.y) - py * (x - o.x)) / det;
  // Inside the triangle the height lies between those of its corners, whatever rounding says of steep ones.
  const auto [lo, hi] = std::minmax({o.z, p.z, q.z});
  return std::clamp(o.z + (u * (p.z - o.z) + v * (q.z - o.z)), lo, hi);
}

/// Integral of the lower of both heights over a triangle, as far as it is above the floor.
double below_both(const Polygon& triangle) {
  SNUG_ASSERT(triangle.count == 3);
  const auto height_a = [](const Polygon::Corner& c) { return c.a; };
  const auto height_b = [](const Polygon::Corner& c) { return c.b; };
  const Polygon a_lower = cut(triangle, [](const Polygon::Corner& c) { return c.b - c.a; });
  double volume = integral(cut(a_lower, height_a), height_a);
  // Where the planes coincide that was all of it already.
  if (std::any_of(triangle.corner.begin(), triangle.corner.begin() + 3,
                  [](const Polygon::Corner& c) { return c.a != c.b; })) {
    const Polygon b_lower = cut(triangle, [](const Polygon::Corner& c) { return c.a - c.b; });
    volume += integral(cut(b_lower, height_b), height_b);
  }
  return volume;
}

/// Volume shared by two columns above the floor.
double shared_by(const Column& a, const Column& b) {
  SNUG_ASSERT(a.sign != 0 && b.sign != 0);
  Polygon shadow;
  for (const Point3& p : a.corner) shadow.add({p.x, p.y, p.z, 0});
  for (std::size_t i = 0; i < 3 && shadow.count >= 3; ++i) {
    const Point3 &from = b.corner[i], &to = b.corner[(i + 1) % 3];
    shadow = cut(shadow, [&](const Polygon::Corner& c) {
      return (to.x - from.x) * (c.y - from.y) - (to.y - from.y) * (c.x - from.x);
    });
  }
  if (shadow.count < 3) return 0;
  for (std::size_t i = 0; i < shadow.count; ++i)
    shadow.corner[i].b = height_at(b, shadow.corner[i].x, shadow.corner[i].y);
  // Triangle by triangle: over three corners any heights make a plane, while those of more corners, where two planes
  // coincide but for rounding, would not divide the polygon into two parts.
  double volume = 0;
  for (std::size_t i = 2; i < shadow.count; ++i) {
    Polygon part;
    for (const std::size_t k : {std::size_t{0}, i - 1, i}) part.add(shadow.corner[k]);
    volume += below_both(part);
  }
  return volume;
}

/// Which coordinates are the shadow's, and where floor and origin are.
struct View {
  std::array<std::size_t, 3> axis;  ///< x, y of the shadow, then up; right-handed
  Point3 origin;

  [[nodiscard]] Column column(const Triangle& t, int orientation) const noexcept {
    Column c;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 d = t[i] - origin;
      c.corner[i] = {d[axis[0]], d[axis[1]], d[axis[2]]};
    }
    const Point3 &o = c.corner[0], &p = c.corner[1], &q = c.corner[2];
    const double area2 = (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
    c.sign = area2 > 0 ? orientation : area2 < 0 ? -orientation : 0;
    if (area2 < 0) std::swap(c.corner[1], c.corner[2]);
    return c;
  }
};

/// Looking along the longest side of the common box, shadows are small and few.
View view_of(const Aabb& common) noexcept {
  const Vec3 size = common.hi - common.lo;
  const std::size_t up = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  return {{(up + 1) % 3, (up + 2) % 3, up}, common.lo};
}

/// Sums many terms without losing the small ones (Neumaier), and their magnitude for the error bound.
class Sum {
 public:
  void add(double term, double magnitude) noexcept {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
    magnitude_ += magnitude;
  }
  /// Each term is the outcome of some forty roundings of numbers no larger than its magnitude.
  [[nodiscard]] OverlapVolume result() const noexcept { return {std::max(0.0, sum_ + lost_), 0x1p-47 * magnitude_}; }

 private:
  double sum_ = 0, lost_ = 0, magnitude_ = 0;
};

/// What the rounding of a pair of columns is measured by.
struct Size {
  double top = 0;        ///< highest corner over the floor
  double height = 0;     ///< largest height of a corner, over or under the floor
  double extent = 0;     ///< how far the shadow's corners lie from the origin, in x and y
  double side = 0;       ///< longer side of the shadow's box
  double area = 0;       ///< of the shadow
  double steepness = 0;  ///< by how much the height at a point amplifies an error of the point

  explicit Size(const Column& c) noexcept {
    top = std::max({c.corner[0].z, c.corner[1].z, c.corner[2].z});
    for (const Point3& p : c.corner) {
      height = std::max(height, std::abs(p.z));
      extent = std::max({extent, std::abs(p.x), std::abs(p.y)});
    }
    const auto [x0, x1] = std::minmax({c.corner[0].x, c.corner[1].x, c.corner[2].x});
    const auto [y0, y1] = std::minmax({c.corner[0].y, c.corner[1].y, c.corner[2].y});
    side = std::max(x1 - x0, y1 - y0);
    const Point3 &o = c.corner[0], &p = c.corner[1], &q = c.corner[2];
    const double area2 = (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
    area = std::max(0.0, area2) / 2;
    steepness = area2 > 0 ? 1 + extent * extent / area2 : 0;
  }
};

/// Bounds, up to a factor, how far rounding can move the volume that two columns share: by wrong heights over the smaller
/// shadow, and by corners of the common shadow that are in the wrong place.
double magnitude_of(const Size& a, const Size& b) noexcept {
  const double top = std::min(a.top, b.top);
  if (top <= 0) return 0;
  const double steepness = std::min(std::max(a.steepness, b.steepness), 0x1p47);
  return std::min(a.area, b.area) * std::max(a.height, b.height) * steepness +
         4 * std::max(a.extent, b.extent) * std::min(a.side, b.side) * top;
}

/// Area of what a box leaves of a triangle.
double area_within(const Triangle& t, const Aabb& box) {
  std::vector<Point3> polygon(t.corner.begin(), t.corner.end()), cut;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      const double limit = sign > 0 ? box.hi[axis] : box.lo[axis];
      cut.clear();
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point3 &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
        const double v0 = sign * (limit - from[axis]), v1 = sign * (limit - to[axis]);
        if (v0 >= 0) cut.push_back(from);
        if ((v0 > 0 && v1 < 0) || (v0 < 0 && v1 > 0)) cut.push_back(lerp(from, to, v0 / (v0 - v1)));
      }
      std::swap(polygon, cut);
    }
  Vec3 twice;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    twice = twice + cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * length_of(twice);
}

}  // namespace

OverlapVolume overlap_volume(const PosedSolid& a, const PosedSolid& b) {
  SNUG_ASSERT(a.closed() && b.closed());
  const Aabb common = common_box(a.body().bounds(), b.body().bounds());
  if (common.empty()) return {};
  const View view = view_of(common);
  const std::size_t x = view.axis[0], y = view.axis[1], up = view.axis[2];
  const auto shadows_meet = [&](const Aabb& p, const Aabb& q) {
    return p.lo[x] <= q.hi[x] && q.lo[x] <= p.hi[x] && p.lo[y] <= q.hi[y] && q.lo[y] <= p.hi[y];
  };
  const auto above_floor = [&](const Aabb& p) { return p.hi[up] > common.lo[up] && shadows_meet(p, common); };

  Sum sum;
  descend_one(a.body(), above_floor, [&](std::uint32_t ta) {
    const Aabb box_a = a.body().box_of_triangle(ta);
    const Column column_a = view.column(a.body().triangle(ta), a.orientation());
    if (column_a.sign == 0 || !above_floor(box_a)) return;
    const Size size_a(column_a);
    descend_one(
        b.body(), [&](const Aabb& box) { return above_floor(box) && shadows_meet(box, box_a); },
        [&](std::uint32_t tb) {
          const Aabb box_b = b.body().box_of_triangle(tb);
          if (!above_floor(box_b) || !shadows_meet(box_a, box_b)) return;
          const Column column_b = view.column(b.body().triangle(tb), b.orientation());
          if (column_b.sign == 0) return;
          sum.add(column_a.sign * column_b.sign * shared_by(column_a, column_b), magnitude_of(size_a, Size(column_b)));
        });
  });
  return sum.result();
}

double volume_of_sags(const PosedSolid& a, const PosedSolid& b) {
  const Aabb common = common_box(a.body().bounds(), b.body().bounds());
  if (common.empty()) return 0;
  double sum = 0;
  for (const PosedSolid* solid : {&a, &b}) {
    if (solid->sag().none()) continue;
    const Aabb box = grown(common, a.sag().largest() + b.sag().largest());
    // In the order of the triangles, so that the sum does not depend on the tree.
    for (std::uint32_t t = 0; t < solid->mesh().triangles().size(); ++t)
      if (solid->body().box_of_triangle(t).overlaps(box))
        sum += area_within(solid->body().triangle(t), box) * solid->sag().off_plane(solid->mesh().surface_of(t));
  }
  return sum;
}

double area_of(const PosedSolid& solid) {
  double sum = 0;
  for (std::uint32_t t = 0; t < solid.body().triangle_count(); ++t) {
    const Triangle c = solid.body().triangle(t);
    const Vec3 twice = cross(c[1] - c[0], c[2] - c[0]);
    sum += std::sqrt(dot(twice, twice)) / 2;
  }
  return sum;
}

OverlapVolume volume_of(const PosedSolid& solid) {
  SNUG_ASSERT(solid.closed());
  const Point3 origin = middle_of(solid.body().bounds());
  Sum sum;
  for (std::uint32_t t = 0; t < solid.body().triangle_count(); ++t) {
    const Triangle c = solid.body().triangle(t);
    const Vec3 u = c[0] - origin, v = c[1] - origin, w = c[2] - origin;
    sum.add(solid.orientation() * dot(u, cross(v, w)) / 6, max_abs(u) * max_abs(v) * max_abs(w));
  }
  return sum.result();
}

}  // namespace snug::penetration
