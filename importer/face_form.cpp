#include "face_form.hpp"

#include "geometry/analytic/fit.hpp"
#include "geometry/vec_ops.hpp"

#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

#include <algorithm>
#include <cmath>

namespace snug::importer {

namespace {

using geometry::cross, geometry::dot;

constexpr double k_recognition = 1e-6;  // of a face's size
constexpr std::size_t k_enough_samples = 600;

Vec3 to_vec(const gp_XYZ& v) { return {v.X(), v.Y(), v.Z()}; }
Vec3 to_vec(const gp_Dir& v) { return to_vec(v.XYZ()); }

struct Sample {
  Point3 point;
  Vec3 normal;  ///< out of the material; zero at a pole
};

Sample sample_at(const FaceMesh& face, const BRepAdaptor_Surface& surface, const gp_XY& uv) {
  gp_Pnt point;
  gp_Vec along_u, along_v;
  surface.D1(uv.X(), uv.Y(), point, along_u, along_v);
  const Vec3 normal = cross(to_vec(along_u.XYZ()), to_vec(along_v.XYZ()));
  const double length = std::sqrt(dot(normal, normal));
  const double sign = is_turned(face.face) ? -1 : 1;
  return {to_vec(point.XYZ()), length > 0 && std::isfinite(length) ? (sign / length) * normal : Vec3{}};
}

gp_XY mixed_uv(const FaceMesh& face, const std::array<int, 3>& corners, double a, double b, double c) {
  const auto uv = [&](std::size_t i) { return face.nodes->UVNode(corners[i]).XY(); };
  return uv(0) * a + uv(1) * b + uv(2) * c;
}

/// One in the midst of the face with a normal; that of the largest triangle that has one.
std::optional<Sample> middle_of(const FaceMesh& face, const BRepAdaptor_Surface& surface) {
  double largest = -1;
  std::optional<Sample> found;
  for (const std::array<int, 3>& t : face.corners) {
    const gp_XY a = face.nodes->UVNode(t[0]).XY(), b = face.nodes->UVNode(t[1]).XY(), c = face.nodes->UVNode(t[2]).XY();
    const double area = std::abs((b - a) ^ (c - a));
    if (!(area > largest)) continue;
    const Sample sample = sample_at(face, surface, mixed_uv(face, t, 1.0 / 3, 1.0 / 3, 1.0 / 3));
    if (sample.normal == Vec3{}) continue;
    largest = area, found = sample;
  }
  return found;
}

/// Over all of the face: nodes, and within its triangles as many points as make enough.
std::vector<Sample> samples_of(const FaceMesh& face, const BRepAdaptor_Surface& surface) {
  std::vector<Sample> samples;
  const auto nodes = static_cast<std::size_t>(face.nodes->NbNodes());
  const std::size_t node_step = 1 + nodes / k_enough_samples, step = 1 + face.corners.size() / k_enough_samples;
  for (std::size_t i = 0; i < nodes; i += node_step)
    samples.push_back(sample_at(face, surface, face.nodes->UVNode(static_cast<int>(i) + 1).XY()));
  const std::size_t grid = face.corners.size() < 20 ? 8 : face.corners.size() < 100 ? 4 : 2;
  const double n = static_cast<double>(grid);
  for (std::size_t t = 0; t < face.corners.size(); t += step)
    for (std::size_t i = 0; i < grid; ++i)
      for (std::size_t j = 0; i + j < grid; ++j) {
        const double a = (static_cast<double>(i) + 1.0 / 3) / n, b = (static_cast<double>(j) + 1.0 / 3) / n;
        samples.push_back(sample_at(face, surface, mixed_uv(face, face.corners[t], a, b, 1 - a - b)));
      }
  return samples;
}

/// The distance vector from an axis.
Vec3 off_axis(const Point3& p, const Point3& origin, const Vec3& axis) {
  const Vec3 d = p - origin;
  return d - dot(d, axis) * axis;
}

std::optional<AnalyticSurface> plane_of(const gp_Pln& plane, const Sample& at) {
  const Vec3 normal = to_vec(plane.Axis().Direction());
  return AnalyticSurface{.origin = to_vec(plane.Location().XYZ()),
                         .axis = dot(normal, at.normal) < 0 ? -normal : normal};
}

std::optional<AnalyticSurface> cylinder_of(const gp_Cylinder& cylinder, const Sample& at) {
  AnalyticSurface s{.origin = to_vec(cylinder.Location().XYZ()),
                    .axis = to_vec(cylinder.Axis().Direction()),
                    .radius = cylinder.Radius()};
  s.hollow = dot(at.normal, off_axis(at.point, s.origin, s.axis)) < 0;
  return s;
}

/// The nappe that the face lies on, turned so that it widens along its axis.
std::optional<AnalyticSurface> cone_of(const gp_Cone& cone, const Sample& at) {
  AnalyticSurface s{.origin = to_vec(cone.Location().XYZ()),
                    .axis = to_vec(cone.Axis().Direction()),
                    .radius = cone.RefRadius(),
                    .half_angle = std::abs(cone.SemiAngle())};
  if (cone.SemiAngle() < 0) s.axis = -s.axis;
  const Point3 apex = to_vec(cone.Apex().XYZ());
  if (dot(at.point - apex, s.axis) < 0) s.origin = apex, s.radius = 0, s.axis = -s.axis;
  s.hollow = dot(at.normal, off_axis(at.point, s.origin, s.axis)) < 0;
  return s;
}

std::optional<AnalyticSurface> sphere_of(const gp_Sphere& sphere, const Sample& at) {
  AnalyticSurface s{.origin = to_vec(sphere.Location().XYZ()),
                    .axis = to_vec(sphere.Position().Direction()),
                    .radius = sphere.Radius()};
  s.hollow = dot(at.normal, at.point - s.origin) < 0;
  return s;
}

std::optional<AnalyticSurface> torus_of(const gp_Torus& torus, const Sample& at) {
  AnalyticSurface s{.origin = to_vec(torus.Location().XYZ()),
                    .axis = to_vec(torus.Axis().Direction()),
                    .radius = torus.MajorRadius(),
                    .minor_radius = torus.MinorRadius()};
  const Vec3 outward = off_axis(at.point, s.origin, s.axis);
  const double length = std::sqrt(dot(outward, outward));
  if (!(length > 0)) return std::nullopt;
  // A tube wider than its circle reaches across the axis: the tube's centre is then the farther of the two.
  const Point3 near_centre = s.origin + (s.radius / length) * outward,
               far_centre = s.origin - (s.radius / length) * outward;
  const auto misses = [&](const Point3& centre) {
    const Vec3 d = at.point - centre;
    return std::abs(std::sqrt(dot(d, d)) - s.minor_radius);
  };
  s.hollow = dot(at.normal, at.point - (misses(near_centre) <= misses(far_centre) ? near_centre : far_centre)) < 0;
  return s;
}

SurfaceKind kind_of(GeomAbs_SurfaceType type) {
  switch (type) {
    case GeomAbs_Plane:
      return SurfaceKind::plane;
    case GeomAbs_Cylinder:
      return SurfaceKind::cylinder;
    case GeomAbs_Cone:
      return SurfaceKind::cone;
    case GeomAbs_Sphere:
      return SurfaceKind::sphere;
    case GeomAbs_Torus:
      return SurfaceKind::torus;
    default:
      return SurfaceKind::spline;
  }
}

std::optional<AnalyticSurface> analytic_of(SurfaceKind kind, const BRepAdaptor_Surface& surface, const Sample& at) {
  switch (kind) {
    case SurfaceKind::plane:
      return plane_of(surface.Plane(), at);
    case SurfaceKind::cylinder:
      return cylinder_of(surface.Cylinder(), at);
    case SurfaceKind::cone:
      return cone_of(surface.Cone(), at);
    case SurfaceKind::sphere:
      return sphere_of(surface.Sphere(), at);
    case SurfaceKind::torus:
      return torus_of(surface.Torus(), at);
    case SurfaceKind::unknown:
    case SurfaceKind::spline:
      break;
  }
  return std::nullopt;
}

FaceForm recognised_form(const FaceMesh& face, const BRepAdaptor_Surface& surface) {
  const std::vector<Sample> samples = samples_of(face, surface);
  std::vector<Point3> points;
  std::vector<Vec3> normals;
  for (const Sample& sample : samples) points.push_back(sample.point), normals.push_back(sample.normal);
  FaceForm form;
  const auto fitted = geometry::fit_analytic(points, normals, k_recognition);
  if (!fitted || !is_valid(fitted->kind, fitted->surface)) return form;
  form.kind = fitted->kind, form.analytic = fitted->surface, form.residual = fitted->residual;
  form.analytic->recognised = true;
  return form;
}

}  // namespace

FaceForm form_of(const FaceMesh& face, const BRepAdaptor_Surface& surface) {
  FaceForm form{.kind = kind_of(surface.GetType()), .analytic = std::nullopt};
  if (face.corners.empty()) return form;
  if (form.kind == SurfaceKind::spline) return recognised_form(face, surface);
  if (const std::optional<Sample> at = middle_of(face, surface)) form.analytic = analytic_of(form.kind, surface, *at);
  if (form.analytic && !is_valid(form.kind, *form.analytic)) form.analytic.reset();
  return form;
}

}  // namespace snug::importer
