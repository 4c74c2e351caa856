#include "io/step/write_recognise.hpp"

#include "geometry/analytic/deviation.hpp"
#include "geometry/analytic/first_guess.hpp"
#include "geometry/analytic/refine.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::io {

namespace {

using model::dot;

constexpr std::size_t k_most_points = 4096;  // more do not make a fit better

Vec3 doubled_area_vector(const Triangle& t) { return geometry::cross(t[1] - t[0], t[2] - t[0]); }

Vec3 unit_or_zero(const Vec3& v) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 && std::isfinite(length) ? (1 / length) * v : Vec3{};
}

/// Vertices of a surface and the mean normals of its triangles there, centred and brought to about size one.
struct Cloud {
  std::vector<Point3> points;
  std::vector<Vec3> normals;
  Point3 centre;
  double scale = 1;
};

Cloud cloud_of(const Mesh& mesh, std::uint32_t surface) {
  Cloud cloud;
  std::vector<std::pair<Point3, Vec3>> corners;
  for (const std::uint32_t t : mesh.triangles_of(surface)) {
    const Triangle triangle = mesh.view().triangle(t);
    const Vec3 normal = unit_or_zero(doubled_area_vector(triangle));
    for (const Point3& p : triangle.corner) corners.emplace_back(p, normal);
  }
  std::ranges::stable_sort(corners, {}, &std::pair<Point3, Vec3>::first);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const bool same = i > 0 && corners[i].first == corners[i - 1].first;
    if (!same) cloud.points.push_back(corners[i].first), cloud.normals.emplace_back();
    cloud.normals.back() = cloud.normals.back() + corners[i].second;
  }
  const std::size_t stride = cloud.points.size() / k_most_points + 1;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cloud.points.size(); i += stride, ++kept) {
    cloud.points[kept] = cloud.points[i];
    cloud.normals[kept] = unit_or_zero(cloud.normals[i]);
  }
  cloud.points.resize(kept), cloud.normals.resize(kept);

  Aabb box;
  for (const Point3& p : cloud.points) box.include(p);
  cloud.scale = geometry::scale_to_one(geometry::max_abs(box.hi - box.lo));
  cloud.centre = geometry::middle_of(box);
  for (Point3& p : cloud.points) p = cloud.scale * (p - cloud.centre);
  return cloud;
}

/// How many different ways the triangles face, as far as `enough`.
std::size_t facings(const Mesh& mesh, std::uint32_t surface, std::size_t enough) {
  std::vector<Vec3> known;
  for (const std::uint32_t t : mesh.triangles_of(surface)) {
    const Vec3 normal = unit_or_zero(doubled_area_vector(mesh.view().triangle(t)));
    const auto same = [&](const Vec3& other) { return geometry::max_abs(normal - other) < 1e-3; };
    if (normal == Vec3{} || std::ranges::any_of(known, same)) continue;
    known.push_back(normal);
    if (known.size() == enough) break;
  }
  return known.size();
}

struct Need {
  SurfaceKind kind;
  std::size_t points, facings;  ///< to be told by the vertices alone: more than its parameters
};
// Two circles lie on a cylinder or cone and on a sphere as well; triangles between them follow the former.
constexpr std::array<Need, 4> k_needs{{{SurfaceKind::cylinder, 8, 3},
                                       {SurfaceKind::cone, 8, 3},
                                       {SurfaceKind::sphere, 8, 4},
                                       {SurfaceKind::torus, 14, 6}}};

}  // namespace

std::vector<std::pair<SurfaceKind, AnalyticSurface>> round_guesses(const Mesh& mesh, std::uint32_t surface) {
  std::vector<std::pair<SurfaceKind, AnalyticSurface>> out;
  const SurfaceKind told = mesh.surfaces()[surface].kind;
  if (told == SurfaceKind::spline || told == SurfaceKind::plane) return out;
  const std::size_t facets = facings(mesh, surface, k_needs.back().facings);
  if (facets < 2) return out;
  const Cloud cloud = cloud_of(mesh, surface);
  for (const Need& need : k_needs) {
    const bool is_told = told == need.kind;
    if (told != SurfaceKind::unknown && !is_told) continue;
    if (!is_told && (facets < need.facings || cloud.points.size() < need.points)) continue;
    auto guess = geometry::first_guess(need.kind, {cloud.points, cloud.normals});
    if (!guess) continue;
    AnalyticSurface form = geometry::refined(need.kind, *guess, cloud.points);
    form.origin = cloud.centre + (1 / cloud.scale) * form.origin;
    form.radius = std::abs(form.radius) / cloud.scale;
    form.minor_radius /= cloud.scale;
    out.emplace_back(need.kind, form);
  }
  return out;
}

bool is_believable(const Mesh& mesh, std::uint32_t surface, SurfaceKind kind, const AnalyticSurface& form) {
  // A facet of a cylinder bends one way, so its corners lean by half its angle; others bend two ways.
  const bool one_way = kind == SurfaceKind::cylinder || kind == SurfaceKind::cone;
  const double least_cos = one_way ? 0.8704 : 0.7431;  // 29.5 and 42 degrees
  for (const std::uint32_t t : mesh.triangles_of(surface)) {
    const Triangle triangle = mesh.view().triangle(t);
    const Vec3 normal = unit_or_zero(doubled_area_vector(triangle));
    if (normal == Vec3{}) continue;
    for (const Point3& p : triangle.corner) {
      const Vec3 there = geometry::normal_at(kind, form, p);
      // The tip of a cone has no normal of its own.
      if (kind == SurfaceKind::cone && std::abs(dot(normal, there)) < least_cos &&
          geometry::max_abs(p - form.origin) < 1e-9 * form.radius)
        continue;
      if (!(std::abs(dot(normal, there)) >= least_cos)) return false;
    }
  }
  return true;
}

}  // namespace snug::io
