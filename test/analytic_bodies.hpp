#pragma once

#include "scenes/random.hpp"
#include "scenes/rubbing.hpp"
#include "scenes/solids.hpp"

#include <snug/snug.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

// Meshes of analytic bodies, with how far and by which angle they are from them.

namespace snug::test {

inline constexpr double k_pi = 3.14159265358979323846;

/// How far a circle of radius 1 is from the middle of a chord over one of so many equal parts.
inline double chord_sag(double parts) { return 1 - std::cos(k_pi / parts); }

/// An analytic body around the origin, and its mesh, whose vertices are on it.
struct AnalyticBody {
  const char* name;
  Mesh mesh;
  /// The furthest that a point of the body is from the mesh, or of the mesh from the body.
  double sag = 0;
  /// The largest angle between the normals of the body and of its mesh at the same place.
  double angle = 0;
  double ball = 0;  ///< the body is a smaller one with a ball of this radius swept over it; 0 if its edges are sharp
  /// The furthest that it reaches in the direction of a unit vector.
  std::function<double(const Vec3&)> reach;
};

inline AnalyticBody analytic_sphere(double radius, std::uint32_t rings, std::uint32_t segments) {
  // A quad of the two angles: the sags of its sides add up, and so do the squares of the angles to its middle.
  return {"sphere",
          scenes::sphere(radius, rings, segments),
          radius * (chord_sag(2.0 * rings) + chord_sag(segments)),
          std::hypot(k_pi / (2.0 * rings), k_pi / segments) * 2,
          radius,
          [radius](const Vec3&) { return radius; }};
}
inline AnalyticBody analytic_box(const Vec3& half) {
  return {"box",
          scenes::box(-half, half),
          0,
          0,
          0,
          [half](const Vec3& u) {
            return std::abs(u.x) * half.x + std::abs(u.y) * half.y + std::abs(u.z) * half.z; }};
}
inline AnalyticBody analytic_capsule(double radius, double half_length, std::uint32_t rings, std::uint32_t segments) {
  const double parts = rings | 1U;
  return {"capsule",
          scenes::capsule(radius, half_length, rings, segments),
          radius * (chord_sag(2 * parts) + chord_sag(segments)),
          std::hypot(k_pi / (2 * parts), k_pi / segments) * 2,
          radius,
          [=](const Vec3& u) { return radius + half_length * std::abs(u.z); }};
}
inline AnalyticBody analytic_cylinder(double radius, double half_height, std::uint32_t segments) {
  const Mesh standing = scenes::cylinder(radius, 2 * half_height, segments);
  MeshInput input;
  for (const Point3& p : standing.vertices()) input.vertices.push_back({p.x, p.y, p.z - half_height});
  input.triangles.assign(standing.triangles().begin(), standing.triangles().end());
  return {"cylinder",
          Mesh::build(std::move(input)).value(),
          radius * chord_sag(segments),
          k_pi / segments,
          0,
          [=](const Vec3& u) { return radius * std::hypot(u.x, u.y) + half_height * std::abs(u.z); }};
}
inline AnalyticBody analytic_torus(double radius, double tube, std::uint32_t along, std::uint32_t around) {
  return {"torus",
          scenes::torus(radius, tube, along, around),
          (radius + tube) * chord_sag(along) + tube * chord_sag(around),
          std::hypot(k_pi / along, k_pi / around) * 2,
          tube,
          [=](const Vec3& u) { return radius * std::hypot(u.x, u.y) + tube; }};
}

/// A direction evenly distributed over all.
inline Vec3 some_direction(scenes::Random& random) {
  while (true)
    if (const Vec3 v = random.point(-1, 1); v.length() > 0.1 && v.length() <= 1) return v.normalized();
}
inline Vec3 turned(const Pose& pose, const Vec3& v) { return pose.apply(v) - pose.translation(); }
inline Vec3 turned_back(const Pose& pose, const Vec3& v) {
  const auto& m = pose.matrix();
  return {m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
          m[2] * v.x + m[5] * v.y + m[8] * v.z};
}
inline double angle_between(const Vec3& u, const Vec3& v) { return std::atan2(u.cross(v).length(), u.dot(v)); }

}  // namespace snug::test
