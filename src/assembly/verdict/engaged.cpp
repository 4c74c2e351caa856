#include "assembly/verdict/engaged.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/mating_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace snug::assembly {

namespace {

/// Heights that both faces have along an axis; empty where it ends before it begins.
struct Common {
  Vec3 axis;
  double low = 0, high = 0;
};

Common common_heights(const PosedSolid& a, std::uint32_t surface_a, const PosedSolid& b, std::uint32_t surface_b) {
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  const Surface& surface = a.mesh().surfaces()[surface_a];
  if (surface.kind != SurfaceKind::cylinder && surface.kind != SurfaceKind::cone) return {{}, -k_infinity, k_infinity};
  Common common{posed(*surface.analytic, a.pose()).axis, -k_infinity, k_infinity};
  for (const auto& [of, id] : {std::pair{&a, surface_a}, {&b, surface_b}}) {
    double low = k_infinity, high = -k_infinity;
    for (const std::uint32_t t : of->mesh().triangles_of(id))
      for (const Point3& p : of->body().triangle(t).corner) {
        low = std::min(low, dot(common.axis, p));
        high = std::max(high, dot(common.axis, p));
      }
    common.low = std::max(common.low, low), common.high = std::min(common.high, high);
  }
  return common;
}

/// A point of a triangle whose height both faces have: between its lowest and its highest such point. A face as long as its
/// shaft has its middles far from the end that is in the bore.
std::optional<Point3> point_in_common(const Triangle& t, const Common& common) {
  if (common.axis == Vec3{}) return middle_of(t);
  std::array corner = t.corner;
  std::ranges::sort(corner, {}, [&](const Point3& p) { return dot(common.axis, p); });
  const double bottom = dot(common.axis, corner[0]), top = dot(common.axis, corner[2]);
  const double low = std::max(bottom, common.low), high = std::min(top, common.high);
  if (!(low < high)) return std::nullopt;
  // At this height, halfway between the long side and the other two.
  const double height = low + 0.5 * (high - low);
  const auto at_height = [&](const Point3& p, const Point3& q) {
    const double from = dot(common.axis, p), to = dot(common.axis, q);
    return to > from ? p + ((height - from) / (to - from)) * (q - p) : p;
  };
  const Point3 on_long = at_height(corner[0], corner[2]);
  const Point3 on_short =
      height < dot(common.axis, corner[1]) ? at_height(corner[0], corner[1]) : at_height(corner[1], corner[2]);
  return on_long + 0.5 * (on_short - on_long);
}

/// Points of a face at heights that it has in common with the other, spread over it.
std::vector<Point3> some_points(const PosedSolid& of, std::uint32_t surface, const Common& common) {
  constexpr std::size_t k_most = 24;
  std::vector<Point3> all, out;
  for (const std::uint32_t t : of.mesh().triangles_of(surface))
    if (const auto p = point_in_common(of.body().triangle(t), common)) all.push_back(*p);
  const std::size_t step = std::max<std::size_t>(1, all.size() / k_most);
  for (std::size_t i = 0; i < all.size(); i += step) out.push_back(all[i]);
  return out;
}

double distance_from_face(const Point3& p, const PosedSolid& of, std::uint32_t surface) {
  double best = std::numeric_limits<double>::infinity();
  for (const std::uint32_t t : of.mesh().triangles_of(surface)) {
    const Vec3 d = closest_point(p, of.body().triangle(t)) - p;
    best = std::min(best, dot(d, d));
  }
  return std::sqrt(best);
}

}  // namespace

bool engaged(const PosedSolid& a, std::uint32_t surface_a, const PosedSolid& b, std::uint32_t surface_b, double play) {
  const double reach = std::abs(play) + a.sag().of(surface_a) + b.sag().of(surface_b);
  const Common common = common_heights(a, surface_a, b, surface_b);
  const auto over = [&](const PosedSolid& one, std::uint32_t face, const PosedSolid& other, std::uint32_t opposite) {
    return std::ranges::any_of(some_points(one, face, common), [&](const Point3& p) {
      return one.body().stopped() || distance_from_face(p, other, opposite) <= reach;
    });
  };
  return over(a, surface_a, b, surface_b) || over(b, surface_b, a, surface_a);
}

}  // namespace snug::assembly
