#include "assembly/verdict/sure_contact.hpp"

#include "assembly/verdict/firmness.hpp"
#include "geometry/analytic/deviation.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/mating_rules.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace snug::assembly {

namespace {

double distance(const Point3& p, const Triangle& t) { return length_of(closest_point(p, t) - p); }

/// Is p, which lies on the endless form of a face, on the face: close to its triangles, and further than the sag from its
/// borders?
bool on_face(const PosedSolid& of, std::uint32_t surface, const Point3& p, double slack) {
  const double sag = of.sag().of(surface) + slack;
  bool close = false;
  for (const std::uint32_t t : of.mesh().triangles_of(surface)) {
    const Triangle c = of.body().triangle(t);
    if (distance(p, c) > sag) continue;
    close = true;
    for (std::size_t i = 0; i < 3; ++i)
      if (of.borders().across(t, i) != Borders::k_inner && distance(p, {{c[i], c[(i + 1) % 3], c[i]}}) <= sag)
        return false;
  }
  return close;
}

bool exact_form(const Surface& surface) { return surface.analytic && !surface.analytic->recognised; }

/// Signed distance on the free side of a face.
double free_distance(SurfaceKind kind, const AnalyticSurface& s, const Point3& p) {
  return s.hollow ? -distance_to(kind, s, p) : distance_to(kind, s, p);
}

bool ball_touches(const PosedSolid& a, std::uint32_t id_a, const PosedSolid& b, std::uint32_t id_b, double slack) {
  const Surface &face_a = a.mesh().surfaces()[id_a], &face_b = b.mesh().surfaces()[id_b];
  if (face_a.kind != SurfaceKind::sphere || face_a.analytic->hollow) return false;
  const AnalyticSurface ball = posed(*face_a.analytic, a.pose(), a.scale()),
                        other = posed(*face_b.analytic, b.pose(), b.scale());
  const double height = free_distance(face_b.kind, other, ball.origin);
  if (!(std::abs(height - ball.radius) <= slack)) return false;
  const Point3 p = ball.origin - height * normal_at(face_b.kind, other, ball.origin);
  return on_face(a, id_a, p, slack) && on_face(b, id_b, p, slack);
}

bool cylinder_lies_on(const PosedSolid& a, std::uint32_t id_a, const PosedSolid& b, std::uint32_t id_b, double slack) {
  const Surface &face_a = a.mesh().surfaces()[id_a], &face_b = b.mesh().surfaces()[id_b];
  if (face_a.kind != SurfaceKind::cylinder || face_a.analytic->hollow || face_b.kind != SurfaceKind::plane)
    return false;
  const AnalyticSurface rod = posed(*face_a.analytic, a.pose(), a.scale()),
                        floor = posed(*face_b.analytic, b.pose(), b.scale());
  if (std::abs(dot(rod.axis, floor.axis)) > 1e-9) return false;
  const auto triangles = a.mesh().triangles_of(id_a);
  constexpr std::size_t k_most = 24;
  const std::size_t step = std::max<std::size_t>(1, triangles.size() / k_most);
  for (std::size_t i = 0; i < triangles.size(); i += step) {
    const Point3 middle = middle_of(a.body().triangle(triangles[i]));
    const Point3 on_axis = rod.origin + dot(middle - rod.origin, rod.axis) * rod.axis;
    if (!(std::abs(dot(on_axis - floor.origin, floor.axis) - rod.radius) <= slack)) return false;
    const Point3 p = on_axis - rod.radius * floor.axis;
    if (on_face(a, id_a, p, slack) && on_face(b, id_b, p, slack)) return true;
  }
  return false;
}

/// Are the triangles of a face the face itself around p? Flat faces are off at their curved borders alone.
bool is_exact_at(const PosedSolid& of, std::uint32_t t, const Point3& p) {
  const std::uint32_t surface = of.mesh().surface_of(t);
  if (!of.sag().refinable(surface)) return true;
  if (!of.sag().flat(surface)) return false;
  return std::ranges::all_of(of.mesh().triangles_of(surface), [&](std::uint32_t u) {
    const Triangle c = of.body().triangle(u);
    for (std::size_t i = 0; i < 3; ++i)
      if (of.borders().may_curve(u, i) && distance(p, {{c[i], c[(i + 1) % 3], c[i]}}) <= of.sag().of(surface))
        return false;
    return true;
  });
}

}  // namespace

bool survives(const ContactPatch& patch, double sag) {
  double around = 0;
  for (const auto& loop : patch.loops)
    for (std::size_t i = 0; i < loop.size(); ++i) around += length_of(loop[(i + 1) % loop.size()] - loop[i]);
  return patch.area > around * sag;
}

bool tangent_inside_borders(const PosedSolid& a, std::uint32_t surface_a, const PosedSolid& b,
                            std::uint32_t surface_b) {
  const Surface &face_a = a.mesh().surfaces()[surface_a], &face_b = b.mesh().surfaces()[surface_b];
  if (!exact_form(face_a) || !exact_form(face_b)) return false;
  const Aabb box = a.body().bounds();
  const double slack = 4 * (a.error() + b.error()) + a.sag().tolerance(surface_a) + b.sag().tolerance(surface_b) +
                       1e-12 * std::max(max_abs(box.lo), max_abs(box.hi));
  return ball_touches(a, surface_a, b, surface_b, slack) || ball_touches(b, surface_b, a, surface_a, slack) ||
         cylinder_lies_on(a, surface_a, b, surface_b, slack) || cylinder_lies_on(b, surface_b, a, surface_a, slack);
}

bool touches_surely(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                    std::span<const ContactPatch> patches, const Fits& fits) {
  const auto flat = [](const PosedSolid& of, std::uint32_t surface) {
    return of.sag().none() || of.sag().flat(surface);
  };
  const auto wide = [&](const ContactPatch& patch) {
    return flat(a, patch.surface_a) && flat(b, patch.surface_b) &&
           survives(patch, sag_between(a, b, {patch.surface_a, patch.surface_b}));
  };
  // Equal radii meet, and so does a pin that is wider than its bore.
  const auto tight = [](const Fit& fit) { return fit.meant || fit.most <= 0; };
  if (std::ranges::any_of(patches, wide) || std::ranges::any_of(fits.all(), tight)) return true;
  std::set<std::array<std::uint32_t, 2>> tried;
  return std::ranges::any_of(pairs, [&](const TrianglePair& pair) {
    const std::array surfaces{a.mesh().surface_of(pair.a), b.mesh().surface_of(pair.b)};
    const Point3 p = intersection(a.body().triangle(pair.a), b.body().triangle(pair.b)).corner[0];
    if (is_exact_at(a, pair.a, p) && is_exact_at(b, pair.b, p)) return true;
    return tried.insert(surfaces).second && tangent_inside_borders(a, surfaces[0], b, surfaces[1]);
  });
}

}  // namespace snug::assembly
