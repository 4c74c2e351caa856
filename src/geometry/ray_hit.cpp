#include "geometry/double_double.hpp"
#include "geometry/flat.hpp"
#include "geometry/orient.hpp"
#include "geometry/power_of_two.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// A ray hits a triangle when its line passes all three edges on the same side and the plane lies ahead. The side of an
// edge depends on the ray and the edge's two ends alone and is exact, so two triangles that share the edge agree.

namespace snug {

namespace {

using namespace geometry;

/// Sign of det(direction, from-origin, to-origin).
int edge_side(const Ray& ray, const Point3& from, const Point3& to) noexcept {
  const int sign = PlaneFilter(from - ray.origin, to - ray.origin).side(ray.direction);
  if (sign != 0) return sign;
  return exact_sign_det3({&ray.direction, &k_origin}, {&from, &ray.origin}, {&to, &ray.origin});
}

// Parameters are computed in double-double and with every vector scaled to size one, because rays may come in flat, from afar, or at
// tiny triangles.

double scale_of(const Point3& to, const Point3& from) noexcept {
  return 0.5 * power_to_one(max_abs(0.5 * to - 0.5 * from));
}
std::array<DoubleDouble, 3> difference(const Point3& to, const Point3& from, double scale) noexcept {
  return {scaled_difference(to.x, from.x, scale), scaled_difference(to.y, from.y, scale),
          scaled_difference(to.z, from.z, scale)};
}

/// The quotient of what was scaled by `scale_above` and what was by `scale_below`.
double unscaled(const DoubleDouble& above, double scale_above, const DoubleDouble& below, double scale_below) noexcept {
  const double quotient = static_cast<double>(above / below);
  // Both are powers of two. Unless their ratio leaves the range of doubles, a product is what ldexp() gives.
  SNUG_ASSERT(scale_above > 0 && scale_below > 0);
  const double ratio = scale_below / scale_above;
  if (ratio >= 0x1p-900 && ratio <= 0x1p900 && std::abs(quotient) >= 0x1p-100 && std::abs(quotient) <= 0x1p100)
    return std::max(0.0, quotient * ratio);
  return std::max(0.0, std::ldexp(quotient, std::ilogb(scale_below) - std::ilogb(scale_above)));
}

/// Parameter of the point where the line meets the triangle's plane. Precondition: it does.
double plane_parameter(const Ray& ray, const Triangle& t) noexcept {
  using Vector = std::array<DoubleDouble, 3>;
  const auto inner = [](const Vector& p, const Vector& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
  const Vector u = difference(t[1], t[0], scale_of(t[1], t[0])), v = difference(t[2], t[0], scale_of(t[2], t[0]));
  const Vector normal{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double scale_w = scale_of(t[0], ray.origin), scale_d = scale_of(ray.direction, k_origin);
  const DoubleDouble height = inner(normal, difference(t[0], ray.origin, scale_w));
  const DoubleDouble along = inner(normal, difference(ray.direction, k_origin, scale_d));
  if (along.hi == 0) return 0;  // flatter than double-double can tell
  return unscaled(height, scale_w, along, scale_d);
}

/// Rounded parameter of a point known to lie on the ray's line.
double point_parameter(const Ray& ray, const Point3& p) noexcept {
  const Vec3 d = ray.direction;
  SNUG_ASSERT(d != Vec3{});
  const std::size_t axis =
      std::abs(d.x) > std::abs(d.y) ? (std::abs(d.x) > std::abs(d.z) ? 0 : 2) : (std::abs(d.y) > std::abs(d.z) ? 1 : 2);
  return (p[axis] - ray.origin[axis]) / d[axis];
}

/// Parameter of the point where the line crosses an edge, both in a plane that keeps its shape when `axis` is dropped. Precondition:
/// the ends lie on either side of it.
double edge_parameter(const Ray& ray, const Point3& from, const Point3& to, int axis) noexcept {
  const std::size_t x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
  const double scale_w = scale_of(from, ray.origin), scale_d = scale_of(ray.direction, k_origin);
  const auto w = difference(from, ray.origin, scale_w), d = difference(ray.direction, k_origin, scale_d),
             edge = difference(to, from, scale_of(to, from));
  const DoubleDouble along = d[x] * edge[y] - d[y] * edge[x];
  if (along.hi == 0) return point_parameter(ray, lerp(from, to, 0.5));  // flatter than double-double can tell
  return unscaled(w[x] * edge[y] - w[y] * edge[x], scale_w, along, scale_d);
}

/// Is p, on the ray's line, ahead of the origin or at it? Exact: a comparison along an axis in which the ray moves.
bool is_ahead(const Ray& ray, const Point3& p) noexcept {
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    const double d = ray.direction[axis];
    if (d > 0) return p[axis] >= ray.origin[axis];
    if (d < 0) return p[axis] <= ray.origin[axis];
  }
  return false;
}

/// Sign of direction x (p - origin), with `axis` dropped; exact.
int line_side(const Ray& ray, const Point3& p, int axis) noexcept {
  const Point2 d = drop_axis(ray.direction, axis), o = drop_axis(ray.origin, axis), q = drop_axis(p, axis);
  const double left = d.x * (q.y - o.y), right = d.y * (q.x - o.x);
  const int sign = filtered_sign(left - right, k_det2_error * (std::abs(left) + std::abs(right)) + k_underflow);
  if (sign != 0) return sign;
  // The third row makes the 3x3 determinant equal to the wanted 2x2 one.
  const Vec3 direction{d.x, d.y, 0}, from{o.x, o.y, 0}, to{q.x, q.y, 0}, up{0, 0, 1};
  return exact_sign_det3({&direction, &k_origin}, {&to, &from}, {&up, &k_origin});
}

/// Ray and triangle in one plane that keeps its shape when `axis` is dropped.
std::optional<RayHit> grazing_hit(const Ray& ray, const Triangle& t, int axis) noexcept {
  std::array<int, 3> side{};
  for (std::size_t i = 0; i < 3; ++i) side[i] = line_side(ray, t[i], axis);
  std::optional<double> first;
  const auto offer = [&](double parameter) {
    const double ahead = std::max(parameter, 0.0);
    if (!first || ahead < *first) first = ahead;
  };
  bool before = false;  // the line meets the triangle behind the origin, too: the origin may lie in it
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (side[i] == 0) {
      if (is_ahead(ray, t[i]))
        offer(point_parameter(ray, t[i]));
      else
        before = true;
    }
    if (side[i] * side[j] < 0) {
      // Crossing point of edge i–j: ahead when the origin sees the edge turn the way the line crosses it.
      const int turn = orient2d(drop_axis(ray.origin, axis), drop_axis(t[i], axis), drop_axis(t[j], axis));
      if (turn * side[j] >= 0) {
        offer(edge_parameter(ray, t[i], t[j], axis));
      } else {
        before = true;
      }
    }
  }
  if (!first) return std::nullopt;
  return RayHit{before ? 0.0 : *first, RayHitKind::grazing, false};
}

/// Every side is zero: the line lies in the triangle's plane, or the triangle is a segment or point coplanar with it.
[[gnu::noinline]] std::optional<RayHit> flat_hit(const Ray& ray, const Triangle& t) noexcept {
  if (const int axis = projection_axis(t); axis != k_no_axis) return grazing_hit(ray, t, axis);
  for (int axis = 0; axis < 3; ++axis) {
    for (const Point3& p : t.corner)
      if (line_side(ray, p, axis) != 0) return grazing_hit(ray, t, axis);
  }
  // All on one line: hit if any corner is ahead.
  const Segment s = covered_segment(t);
  const bool lo_ahead = is_ahead(ray, s.lo), hi_ahead = is_ahead(ray, s.hi);
  if (!lo_ahead && !hi_ahead) return std::nullopt;
  if (lo_ahead != hi_ahead) return RayHit{0, RayHitKind::grazing, false};
  return RayHit{std::max(0.0, std::min(point_parameter(ray, s.lo), point_parameter(ray, s.hi))), RayHitKind::grazing,
                false};
}

}  // namespace

std::optional<RayHit> ray_hit(const Ray& ray, const Triangle& t) noexcept {
  if (!ray.origin.is_finite() || !ray.direction.is_finite() || ray.direction == Vec3{} || !t.is_finite()) [[unlikely]]
    return RayHit{-std::numeric_limits<double>::infinity(), RayHitKind::invalid, false};
  const std::array<int, 3> side{edge_side(ray, t[0], t[1]), edge_side(ray, t[1], t[2]), edge_side(ray, t[2], t[0])};
  const auto [lowest, highest] = std::minmax({side[0], side[1], side[2]});
  if (lowest < 0 && highest > 0) return std::nullopt;
  if (lowest == 0 && highest == 0) return flat_hit(ray, t);

  // The three determinants add up to direction . normal, so their common sign tells which face the ray meets, and the
  // origin must lie on the side the ray comes from.
  const bool from_inside = highest > 0;
  const int origin_side = side_of_plane(t[0], t[1], t[2], ray.origin);
  if (origin_side != 0 && (origin_side > 0) == from_inside) return std::nullopt;
  const bool on_border = side[0] == 0 || side[1] == 0 || side[2] == 0;
  return RayHit{origin_side == 0 ? 0.0 : plane_parameter(ray, t), on_border ? RayHitKind::border : RayHitKind::inner,
                from_inside};
}

}  // namespace snug
