#include "io/step/write_forms.hpp"

#include "geometry/analytic/deviation.hpp"
#include "geometry/vec_ops.hpp"
#include "io/step/write_recognise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace snug::io {

namespace {

using geometry::cross;
using model::dot;

/// Twice the area vector.
Vec3 area_vector(const Triangle& t) { return cross(t[1] - t[0], t[2] - t[0]); }

/// Turns the form so that it looks out of the material, as the triangles do; none if its vertices are farther from it
/// than `tolerance`, or its triangles look both ways.
std::optional<FaceForm> checked(const Mesh& mesh, std::uint32_t surface, SurfaceKind kind, AnalyticSurface form,
                                double tolerance) {
  if (!is_valid(kind, form)) return std::nullopt;
  if (kind == SurfaceKind::torus && form.minor_radius > (1 + 1e-9) * form.radius)
    return std::nullopt;  // crosses itself
  FaceForm out{kind, form, false, 0};
  out.surface.hollow = false;
  double outward = 0, inward = 0;
  for (const std::uint32_t t : mesh.triangles_of(surface)) {
    const Triangle triangle = mesh.view().triangle(t);
    for (const Point3& p : triangle.corner)
      out.off = std::max(out.off, std::abs(geometry::distance_to(kind, out.surface, p)));
    if (!(out.off <= tolerance)) return std::nullopt;  // also when lengths overflow
    const Vec3 area = area_vector(triangle);
    const double along = dot(area, geometry::normal_at(kind, out.surface, geometry::middle_of(triangle)));
    (along > 0 ? outward : inward) += std::abs(along);
  }
  constexpr double k_stray = 1e-3;  // of the area: slivers have normals of their own
  if (!(std::min(outward, inward) <= k_stray * std::max(outward, inward))) return std::nullopt;
  if (kind == SurfaceKind::plane) {
    if (inward > outward) out.surface.axis = -out.surface.axis;
  } else {
    out.surface.hollow = inward > outward;
  }
  return out;
}

/// The plane of the whole, if there is one.
std::optional<FaceForm> as_plane(const Mesh& mesh, std::uint32_t surface, double tolerance) {
  const auto triangles = mesh.triangles_of(surface);
  if (triangles.empty()) return std::nullopt;
  const Point3 near = mesh.view().triangle(triangles[0])[0];  // sums stay small
  Vec3 normal, middle;
  for (const std::uint32_t t : triangles) {
    const Triangle triangle = mesh.view().triangle(t);
    normal = normal + area_vector(triangle);
    for (const Point3& p : triangle.corner) middle = middle + (p - near);
  }
  const double length = std::sqrt(dot(normal, normal));
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  AnalyticSurface plane;
  plane.axis = (1 / length) * normal;
  plane.origin = near + (1 / (3 * static_cast<double>(triangles.size()))) * middle;
  return checked(mesh, surface, SurfaceKind::plane, plane, tolerance);
}

FaceForm form_of(const Mesh& mesh, std::uint32_t id, double tolerance) {
  const Surface& surface = mesh.surfaces()[id];
  if (surface.analytic)
    if (const auto form = checked(mesh, id, surface.kind, *surface.analytic, std::max(tolerance, surface.tolerance)))
      return *form;
  if (auto form = as_plane(mesh, id, tolerance)) {
    form->recognised = surface.kind != SurfaceKind::plane;
    return *form;
  }
  for (const auto& [kind, guess] : round_guesses(mesh, id)) {
    auto form = checked(mesh, id, kind, guess, tolerance);
    if (!form || !is_believable(mesh, id, kind, form->surface)) continue;
    form->recognised = surface.kind != kind;
    return *form;
  }
  return {};
}

}  // namespace

double form_tolerance(const Mesh& mesh) noexcept {
  constexpr double k_of_extent = 1e-6, k_of_coordinates = 2e-7;
  const Aabb& box = mesh.bounds();
  return std::max(k_of_extent * geometry::max_abs(box.hi - box.lo),
                  k_of_coordinates * std::max(geometry::max_abs(box.lo), geometry::max_abs(box.hi)));
}

std::vector<FaceForm> face_forms(const Mesh& mesh) {
  const double tolerance = form_tolerance(mesh);
  std::vector<FaceForm> forms;
  for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) forms.push_back(form_of(mesh, s, tolerance));
  return forms;
}

}  // namespace snug::io
