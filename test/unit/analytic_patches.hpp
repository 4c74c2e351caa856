#pragma once

#include "geometry/vec_ops.hpp"
#include "scenes/random.hpp"

#include <snug/snug.hpp>

#include <cmath>
#include <numbers>
#include <vector>

namespace snug::test {

/// Points of a face with the normals there, out of the material.
struct Patch {
  std::vector<Point3> points;
  std::vector<Vec3> normals;
};

/// Orthonormal directions, the last one a given axis.
struct Triad {
  Vec3 x, y, z;
  explicit Triad(Vec3 axis) : z(axis) {
    const Vec3 other = std::abs(axis.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 side = geometry::cross(axis, other);
    x = (1 / std::sqrt(geometry::dot(side, side))) * side;
    y = geometry::cross(z, x);
  }
};

/// Parameters of points: u around the axis, v along it (plane, cylinder: a length; cone: a length above the origin;
/// sphere: latitude; torus: around the tube, from the outside).
inline Point3 place_on(SurfaceKind kind, const AnalyticSurface& s, double u, double v, Vec3& normal) {
  const Triad triad(s.axis);
  const Vec3 outward = std::cos(u) * triad.x + std::sin(u) * triad.y;
  const double sign = s.hollow ? -1 : 1;
  switch (kind) {
    case SurfaceKind::plane:
      normal = s.axis;
      return s.origin + u * triad.x + v * triad.y;
    case SurfaceKind::cylinder:
      normal = sign * outward;
      return s.origin + s.radius * outward + v * s.axis;
    case SurfaceKind::cone:
      normal = sign * (std::cos(s.half_angle) * outward - std::sin(s.half_angle) * s.axis);
      return s.origin + (s.radius + v * std::tan(s.half_angle)) * outward + v * s.axis;
    case SurfaceKind::sphere:
      normal = sign * (std::cos(v) * outward + std::sin(v) * s.axis);
      return s.origin + s.radius * (std::cos(v) * outward + std::sin(v) * s.axis);
    default:
      normal = sign * (std::cos(v) * outward + std::sin(v) * s.axis);
      return s.origin + (s.radius + s.minor_radius * std::cos(v)) * outward + (s.minor_radius * std::sin(v)) * s.axis;
  }
}

inline Vec3 random_direction(scenes::Random& random) {
  while (true) {
    const Vec3 v = random.point(-1, 1);
    const double length2 = geometry::dot(v, v);
    if (length2 > 0.01 && length2 < 1) return (1 / std::sqrt(length2)) * v;
  }
}

/// A random surface of the kind; lengths about `size`, at most `offset` from the origin.
inline AnalyticSurface random_surface(scenes::Random& random, SurfaceKind kind, double size, double offset) {
  AnalyticSurface s;
  s.origin = random.point(-offset, offset);
  s.axis = random_direction(random);
  if (kind == SurfaceKind::plane) return s;
  s.hollow = random.below(2) == 0;
  s.radius = size * random.uniform(0.5, 2);
  if (kind == SurfaceKind::cone) s.half_angle = random.uniform(0.05, 1.45);
  if (kind == SurfaceKind::torus) s.minor_radius = s.radius * random.uniform(0.1, 0.9);
  return s;
}

/// A grid of points on the surface: `arc` radians around the axis (sphere, torus: also the other way).
inline Patch patch_of(scenes::Random& random, SurfaceKind kind, const AnalyticSurface& s, double arc) {
  constexpr int k_rows = 9;
  const double pi = std::numbers::pi;
  double u0 = random.uniform(0, 2 * pi), u1 = u0 + arc, v0 = 0, v1 = 0;
  const double length = s.radius * random.uniform(0.3, 2);
  switch (kind) {
    case SurfaceKind::plane:
      u0 = v0 = 0, u1 = random.uniform(1, 3), v1 = random.uniform(1, 3);
      break;
    case SurfaceKind::cylinder:
      v0 = random.uniform(-3, 3) * s.radius, v1 = v0 + length;
      break;
    case SurfaceKind::cone:
      v0 = random.uniform(0, 2) * s.radius, v1 = v0 + length;
      break;
    case SurfaceKind::sphere: {
      const double half = std::min(arc, 0.98 * pi) / 2,
                   middle = random.uniform(-0.97 * pi / 2 + half, 0.97 * pi / 2 - half);
      v0 = middle - half, v1 = middle + half;
      break;
    }
    default:
      v0 = random.uniform(0, 2 * pi), v1 = v0 + arc;
  }
  Patch patch;
  for (int i = 0; i < k_rows; ++i)
    for (int j = 0; j < k_rows; ++j) {
      Vec3 normal;
      const double u = u0 + (u1 - u0) * i / (k_rows - 1), v = v0 + (v1 - v0) * j / (k_rows - 1);
      patch.points.push_back(place_on(kind, s, u, v, normal));
      patch.normals.push_back(normal);
    }
  return patch;
}

inline double diagonal_of(const std::vector<Point3>& points) {
  Aabb box;
  for (const Point3& p : points) box.include(p);
  const Vec3 d = box.hi - box.lo;
  return std::sqrt(geometry::dot(d, d));
}

/// Moves every point by up to `amount` in a random direction.
inline void shake(scenes::Random& random, Patch& patch, double amount) {
  for (Point3& p : patch.points) p = p + (amount * random.uniform(0, 1)) * random_direction(random);
}

}  // namespace snug::test
