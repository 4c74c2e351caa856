#pragma once

#include "geometry/analytic/deviation.hpp"

#include <snug/snug.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

// Solids of revolution with coarse triangles, analytic faces and the sags they really have.

namespace snug::test {

/// One face: a line in the half plane (rho, z) of the z axis.
struct Edge {
  std::string name;
  SurfaceKind kind;
  AnalyticSurface analytic;
  std::vector<std::array<double, 2>> line;
};

/// A straight edge: a flat face, a cylinder or a cone. Seen in the half plane the material is on its left.
inline Edge straight(std::string name, std::array<double, 2> from, std::array<double, 2> to) {
  Edge edge{std::move(name), SurfaceKind::plane, {}, {from, to}};
  const double out = to[0] - from[0], up = to[1] - from[1];
  if (up == 0) {
    edge.analytic.origin = {0, 0, from[1]};
    edge.analytic.axis = {0, 0, out > 0 ? -1.0 : 1.0};
    return edge;
  }
  edge.kind = out == 0 ? SurfaceKind::cylinder : SurfaceKind::cone;
  edge.analytic.origin = {0, 0, from[1]};
  edge.analytic.radius = from[0];
  edge.analytic.hollow = up < 0;
  if (out / up < 0) edge.analytic.axis = {0, 0, -1};
  if (out != 0) edge.analytic.half_angle = std::atan(std::abs(out / up));
  return edge;
}

/// Part of a circle around (rho, z), from one angle to another; falling angles are a hollow face.
inline Edge arc(std::string name, std::array<double, 2> centre, double radius, double from, double to, int steps) {
  const bool sphere = centre[0] == 0;
  Edge edge{std::move(name), sphere ? SurfaceKind::sphere : SurfaceKind::torus, {}, {}};
  edge.analytic.origin = {0, 0, centre[1]};
  edge.analytic.radius = sphere ? radius : centre[0];
  edge.analytic.minor_radius = sphere ? 0 : radius;
  edge.analytic.hollow = to < from;
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps, rho = centre[0] + radius * std::cos(angle);
    edge.line.push_back({std::abs(rho) < 1e-12 * radius ? 0 : rho, centre[1] + radius * std::sin(angle)});
  }
  return edge;
}

inline MeshInput revolved(const std::vector<Edge>& edges, std::uint32_t segments) {
  MeshInput in;
  for (const Edge& edge : edges) {
    const auto id = static_cast<std::uint32_t>(in.surfaces.size());
    Surface surface;
    surface.name = edge.name, surface.kind = edge.kind, surface.analytic = edge.analytic;
    const auto at = [&](std::size_t k, std::uint32_t i) -> Point3 {
      const double angle = 2 * std::numbers::pi * (i % segments) / segments;
      return {edge.line[k][0] * std::cos(angle), edge.line[k][0] * std::sin(angle), edge.line[k][1]};
    };
    const auto add = [&](const Point3& p, const Point3& q, const Point3& r) {
      if (p == q || q == r || r == p) return;
      const auto first = static_cast<std::uint32_t>(in.vertices.size());
      in.vertices.insert(in.vertices.end(), {p, q, r});
      in.triangles.push_back({first, first + 1, first + 2});
      in.surface_of_triangle.push_back(id);
      surface.sag.value = std::max(surface.sag.value, geometry::deviation(edge.kind, edge.analytic, {{p, q, r}}));
    };
    for (std::size_t k = 0; k + 1 < edge.line.size(); ++k)
      for (std::uint32_t i = 0; i < segments; ++i) {
        add(at(k, i), at(k, i + 1), at(k + 1, i + 1));
        add(at(k, i), at(k + 1, i + 1), at(k + 1, i));
      }
    in.surfaces.push_back(surface);
  }
  return in;
}

inline MeshInput pin(double radius, double height, std::uint32_t segments) {
  return revolved({straight("bottom", {0, 0}, {radius, 0}), straight("side", {radius, 0}, {radius, height}),
                   straight("top", {radius, height}, {0, height})},
                  segments);
}
inline MeshInput bush(double bore, double outer, double height, std::uint32_t segments) {
  return revolved({straight("bottom", {bore, 0}, {outer, 0}), straight("outside", {outer, 0}, {outer, height}),
                   straight("top", {outer, height}, {bore, height}), straight("bore", {bore, height}, {bore, 0})},
                  segments);
}
/// Widens upwards, from z = 0.
inline MeshInput plug(double bottom, double top, double height, std::uint32_t segments) {
  return revolved({straight("bottom", {0, 0}, {bottom, 0}), straight("taper", {bottom, 0}, {top, height}),
                   straight("top", {top, height}, {0, height})},
                  segments);
}
inline MeshInput socket(double bottom, double top, double outer, double height, std::uint32_t segments) {
  return revolved({straight("bottom", {bottom, 0}, {outer, 0}), straight("outside", {outer, 0}, {outer, height}),
                   straight("top", {outer, height}, {top, height}), straight("taper", {top, height}, {bottom, 0})},
                  segments);
}
inline MeshInput ball(double radius, std::uint32_t segments) {
  return revolved(
      {arc("ball", {0, 0}, radius, -std::numbers::pi / 2, std::numbers::pi / 2, static_cast<int>(segments) / 2)},
      segments);
}
/// A block below z = 0 with half a sphere taken out.
inline MeshInput cup(double radius, double outer, std::uint32_t segments) {
  return revolved({straight("bottom", {0, -outer}, {outer, -outer}), straight("outside", {outer, -outer}, {outer, 0}),
                   straight("rim", {outer, 0}, {radius, 0}),
                   arc("cup", {0, 0}, radius, 0, -std::numbers::pi / 2, static_cast<int>(segments) / 4)},
                  segments);
}
inline MeshInput ring(double radius, double tube, std::uint32_t segments) {
  return revolved({arc("ring", {radius, 0}, tube, 0, 2 * std::numbers::pi, static_cast<int>(segments) / 2)}, segments);
}

inline MeshInput plate(const Point3& lo, const Point3& hi) {
  MeshInput in;
  constexpr std::array k_names{"x-", "x+", "y-", "y+", "z-", "z+"};
  for (std::uint32_t side = 0; side < 6; ++side) {
    const std::size_t axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool upper = side % 2 == 1;
    std::array<std::array<double, 3>, 4> corner;
    for (std::size_t k = 0; k < 4; ++k) {
      corner[k][axis] = upper ? hi[axis] : lo[axis];
      corner[k][u] = k == 1 || k == 2 ? hi[u] : lo[u];
      corner[k][v] = k >= 2 ? hi[v] : lo[v];
      in.vertices.push_back({corner[k][0], corner[k][1], corner[k][2]});
    }
    const std::uint32_t f = 4 * side;
    if (upper)
      in.triangles.insert(in.triangles.end(), {{f, f + 1, f + 2}, {f, f + 2, f + 3}});
    else
      in.triangles.insert(in.triangles.end(), {{f, f + 2, f + 1}, {f, f + 3, f + 2}});
    Surface surface;
    surface.name = k_names.at(side), surface.kind = SurfaceKind::plane;
    const double sign = upper ? 1 : -1;
    surface.analytic = AnalyticSurface{.origin = in.vertices[f],
                                       .axis = axis == 0   ? Vec3{sign, 0, 0}
                                               : axis == 1 ? Vec3{0, sign, 0}
                                                           : Vec3{0, 0, sign}};
    in.surfaces.push_back(surface);
    in.surface_of_triangle.insert(in.surface_of_triangle.end(), {side, side});
  }
  return in;
}

/// Everything multiplied.
inline MeshInput scaled(MeshInput in, double factor) {
  for (Point3& p : in.vertices) p = factor * p;
  for (Surface& s : in.surfaces) {
    s.sag.value *= factor, s.tolerance *= factor;
    if (!s.analytic) continue;
    s.analytic->origin = factor * s.analytic->origin;
    s.analytic->radius *= factor, s.analytic->minor_radius *= factor;
  }
  return in;
}

/// Both in one mesh, the second one moved.
inline void append(MeshInput& to, const MeshInput& more, const Vec3& by) {
  const auto vertices = static_cast<std::uint32_t>(to.vertices.size()),
             surfaces = static_cast<std::uint32_t>(to.surfaces.size());
  for (const Point3& p : more.vertices) to.vertices.push_back(p + by);
  for (const Index3& t : more.triangles) to.triangles.push_back({t[0] + vertices, t[1] + vertices, t[2] + vertices});
  for (const std::uint32_t s : more.surface_of_triangle) to.surface_of_triangle.push_back(s + surfaces);
  for (Surface s : more.surfaces) {
    if (s.analytic) s.analytic->origin = s.analytic->origin + by;
    to.surfaces.push_back(s);
  }
}

}  // namespace snug::test
