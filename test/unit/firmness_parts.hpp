#pragma once

#include <snug/mesh.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

// Parts whose triangles stand for faces that may be elsewhere.

namespace snug::test {

/// What the mesh was built from.
inline MeshInput input_of(const Mesh& mesh) {
  MeshInput in;
  in.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  in.surfaces.assign(mesh.surfaces().begin(), mesh.surfaces().end());
  for (std::uint32_t t = 0; t < in.triangles.size(); ++t) in.surface_of_triangle.push_back(mesh.surface_of(t));
  return in;
}

/// The same mesh with a sag and a tolerance on every surface.
inline Mesh with_sag(const Mesh& mesh, double sag, double tolerance = 0) {
  MeshInput in = input_of(mesh);
  for (Surface& surface : in.surfaces) surface.sag = {sag, false}, surface.tolerance = tolerance;
  return Mesh::build(std::move(in)).value();
}

inline double chord_sag(double radius, std::uint32_t segments) {
  return radius * (1 - std::cos(std::numbers::pi / segments)) * (1 + 1e-9);
}

/// A body of revolution about z from a profile of radius and height, from the axis to the axis, welded as CAD parts are.
/// Every stretch is a surface: a plane or a cylinder.
inline Mesh turned(const std::vector<std::array<double, 2>>& profile, std::uint32_t segments) {
  MeshInput in;
  std::vector<std::uint32_t> first;
  double largest = 0;
  for (const auto& [radius, z] : profile) {
    first.push_back(static_cast<std::uint32_t>(in.vertices.size()));
    largest = std::max(largest, radius);
    for (std::uint32_t j = 0; j < (radius == 0 ? 1 : segments); ++j) {
      const double angle = 2 * std::numbers::pi * j / segments;
      in.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  }
  for (std::uint32_t i = 0; i + 1 < profile.size(); ++i) {
    const auto [r0, z0] = profile[i];
    const auto [r1, z1] = profile[i + 1];
    Surface surface{"", r0 == r1 ? SurfaceKind::cylinder : SurfaceKind::plane, {chord_sag(largest, segments), false}};
    surface.tolerance = 1e-7;
    const bool hollow = r0 == r1 && z1 < z0;
    if (r0 == r1) surface.analytic = AnalyticSurface{.origin = {}, .radius = r0, .hollow = hollow};
    if (r0 != r1) surface.analytic = AnalyticSurface{.origin = {0, 0, z0}, .axis = {0, 0, r1 > r0 ? -1.0 : 1.0}};
    in.surfaces.push_back(surface);
    for (std::uint32_t j = 0; j < segments; ++j) {
      const std::uint32_t k = (j + 1) % segments;
      const std::uint32_t a = first[i] + (r0 == 0 ? 0 : j), b = first[i] + (r0 == 0 ? 0 : k);
      const std::uint32_t c = first[i + 1] + (r1 == 0 ? 0 : k), d = first[i + 1] + (r1 == 0 ? 0 : j);
      for (const Index3& t : {Index3{a, b, c}, Index3{a, c, d}}) {
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        in.triangles.push_back(t);
        in.surface_of_triangle.push_back(i);
      }
    }
  }
  return Mesh::build(std::move(in)).value();
}

}  // namespace snug::test
