#include "penetration/interference.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// The ball lies between two cylinders, each of which bounds its part here. No face of the pin reaches into the ball: its wall
// is beyond it, by its form, and all others are further away than their sags. So the ball is wholly inside the pin or wholly
// outside of it; and since the wall beside it has the pin's material on this side, it is inside. Likewise for the bore.

namespace snug::penetration {

namespace {

constexpr std::size_t k_most_places = 24;
constexpr std::size_t k_most_spokes = 16384;  ///< of one pair of parts

/// A ray from the axis of a fit, straight away from it.
struct Spoke {
  Point3 from;
  Vec3 direction;
};

/// Where a spoke meets a triangle, if it does. In plain doubles: what is near an edge may go either way.
std::optional<Point3> hit(const Spoke& spoke, const Triangle& t) {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], p = cross(spoke.direction, v);
  SNUG_ASSERT(std::abs(dot(spoke.direction, spoke.direction) - 1) < 1e-9);
  const double determinant = dot(u, p);
  if (determinant == 0) return std::nullopt;
  const Vec3 w = spoke.from - t[0], q = cross(w, u);
  const double along_u = dot(w, p) / determinant, along_v = dot(spoke.direction, q) / determinant;
  const double distance = dot(v, q) / determinant;
  if (!(along_u >= 0 && along_v >= 0 && along_u + along_v <= 1 && distance > 0)) return std::nullopt;
  return spoke.from + distance * spoke.direction;
}

/// One of the two walls, and the part it belongs to.
struct Wall {
  const PosedSolid& of;
  std::uint32_t surface;
  double outward;  ///< 1 where the material is towards the axis

  /// Does the true face cross the spoke, with its material on the side where it should be? Its border may be off by the
  /// sag, and it bulges over its triangles by as much; three times that keeps clear of both. Its axis may be
  /// off the spokes' by the slack of the fit.
  [[nodiscard]] bool covers(const Spoke& spoke, double slack) const {
    for (const std::uint32_t t : of.mesh().triangles_of(surface)) {
      const Triangle c = of.body().triangle(t);
      const auto place = hit(spoke, c);
      if (!place) continue;
      const Vec3 normal = cross(c[1] - c[0], c[2] - c[0]);
      if (!(outward * of.orientation() * dot(normal, spoke.direction) > 0)) return false;
      const double sag = of.sag().of(surface), border = std::max(3 * sag, slack + sag);
      return others_keep(*place, border, [&](std::uint32_t other) {
        return length_of(closest_point(*place, of.body().triangle(other)) - *place) > border;
      });
    }
    return false;
  }

  /// Are all other faces of the part further from p, wherever they are within their sags?
  [[nodiscard]] bool alone_within(const Point3& p, double radius) const {
    return others_keep(p, radius + of.sag().largest(),
                       [&](std::uint32_t other) { return of.face_distance(p, other) > (1 + 1e-9) * radius; });
  }

 private:
  /// Does keeps(t) hold for all triangles of other faces? It is taken to beyond `reach` of p.
  template <class Keeps>
  [[nodiscard]] bool others_keep(const Point3& p, double reach, Keeps&& keeps) const {
    const Aabb around = grown({p, p}, (1 + 1e-6) * reach + of.error());
    bool all = true;
    descend_one(
        of.body(), [&](const Aabb& box) { return all && box.overlaps(around); },
        [&](std::uint32_t t) { all = all && (of.mesh().surface_of(t) == surface || keeps(t)); });
    return all;
  }
};

/// Towards the triangles of both walls: half way along what they have in common of the axis, and at the triangles' height.
std::vector<Spoke> spokes(const Fit& fit, const Wall& a, const Wall& b) {
  const auto height = [&](const Point3& p) { return dot(p - fit.origin, fit.axis); };
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  for (const Wall* wall : {&a, &b}) {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const std::uint32_t t : wall->of.mesh().triangles_of(wall->surface))
      for (const Point3& p : wall->of.body().triangle(t).corner)
        lowest = std::min(lowest, height(p)), highest = std::max(highest, height(p));
    from = std::max(from, lowest), to = std::min(to, highest);
  }
  std::vector<Spoke> out;
  if (!(from < to)) return out;
  for (const Wall* wall : {&a, &b}) {
    const auto triangles = wall->of.mesh().triangles_of(wall->surface);
    const std::size_t step = std::max<std::size_t>(1, triangles.size() / k_most_places);
    for (std::size_t i = 0; i < triangles.size(); i += step) {
      const Triangle c = wall->of.body().triangle(triangles[i]);
      const Point3 middle = c[0] + (1.0 / 3) * ((c[1] - c[0]) + (c[2] - c[0]));
      const Vec3 away = (middle - fit.origin) - height(middle) * fit.axis;
      const double length = length_of(away);
      if (!(length > 0)) continue;
      for (const double z : {from + 0.5 * (to - from), std::clamp(height(middle), from, to)})
        out.push_back({fit.origin + z * fit.axis, (1 / length) * away});
    }
  }
  return out;
}

bool is_exact(const Surface& surface) { return surface.analytic && !surface.analytic->recognised; }

}  // namespace

std::optional<CommonBall> ball_of_interference(const PosedSolid& a, const PosedSolid& b, const Fits& fits,
                                               const CancelToken* cancel) {
  if (!a.closed() || !b.closed() || !a.winds_once() || !b.winds_once()) return std::nullopt;
  std::optional<CommonBall> best;
  std::size_t tried = 0;
  for (const Fit& fit : fits.all()) {
    if (cancel != nullptr && cancel->cancelled()) return std::nullopt;
    const double radius = 0.5 * (fit.shaft - fit.bore) - fit.slack;
    if (!(radius > (best ? best->radius : 0))) continue;
    if (!is_exact(a.mesh().surfaces()[fit.surface_a]) || !is_exact(b.mesh().surfaces()[fit.surface_b])) continue;
    const Wall of_a{a, fit.surface_a, fit.shaft_is_a ? 1.0 : -1.0}, of_b{b, fit.surface_b, fit.shaft_is_a ? -1.0 : 1.0};
    for (const Spoke& spoke : spokes(fit, of_a, of_b)) {
      if (++tried > k_most_spokes) return best;
      const Point3 centre = spoke.from + 0.5 * (fit.shaft + fit.bore) * spoke.direction;
      if (!of_a.covers(spoke, fit.slack) || !of_b.covers(spoke, fit.slack)) continue;
      if (!of_a.alone_within(centre, radius) || !of_b.alone_within(centre, radius)) continue;
      best = CommonBall{centre, radius};
      break;
    }
  }
  return best;
}

}  // namespace snug::penetration
