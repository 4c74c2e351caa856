#include "verdict/engaged.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace snug::detail {

namespace {

/// Some triangles of a face, spread over it.
std::vector<Triangle> some_triangles(const PosedSolid& of, std::uint32_t surface) {
  constexpr std::size_t k_most = 24;
  const auto ids = of.mesh().triangles_of(surface);
  std::vector<Triangle> out;
  const std::size_t step = std::max<std::size_t>(1, ids.size() / k_most);
  for (std::size_t i = 0; i < ids.size(); i += step) out.push_back(of.body().triangle(ids[i]));
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
  const auto over = [reach](const PosedSolid& one, std::uint32_t face, const PosedSolid& other,
                            std::uint32_t opposite) {
    return std::ranges::any_of(some_triangles(one, face), [&](const Triangle& t) {
      return one.body().stopped() || distance_from_face(middle_of(t), other, opposite) <= reach;
    });
  };
  return over(a, surface_a, b, surface_b) || over(b, surface_b, a, surface_a);
}

}  // namespace snug::detail
