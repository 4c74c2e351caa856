#pragma once

#include "scenes/random.hpp"
#include "support.hpp"

#include <string>
#include <vector>

namespace snug::test {

/// Every way to search by aligned boxes.
inline std::vector<SurfaceSearch> aligned_searches() {
  std::vector<SurfaceSearch> all;
  for (unsigned bits = 0; bits < 8; ++bits)
    all.push_back({SurfaceSearch::Bounds::aligned, (bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0});
  return all;
}

inline std::string words(const SurfaceSearch& how) {
  return std::string(how.overlap_box ? "overlap box" : "no overlap box") + (how.tight_boxes ? ", tight" : ", cover") +
         (how.one_sided ? ", one-sided" : ", simultaneous");
}

/// The mesh with every coordinate multiplied, and its surfaces kept.
inline Mesh scaled(const Mesh& mesh, double factor) {
  MeshInput in;
  for (const Point3& p : mesh.vertices()) in.vertices.push_back(factor * p);
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  in.surfaces.assign(mesh.surfaces().begin(), mesh.surfaces().end());
  for (Surface& surface : in.surfaces) surface.kind = SurfaceKind::unknown, surface.analytic.reset();
  for (std::uint32_t t = 0; t < in.triangles.size(); ++t) in.surface_of_triangle.push_back(mesh.surface_of(t));
  return Mesh::build(std::move(in)).value();
}

/// Triangles strewn about, a few of them degenerate, in surfaces of five; the last surface is empty.
inline Mesh soup(scenes::Random& random, std::size_t count) {
  MeshInput in;
  for (std::size_t t = 0; t < count; ++t) {
    const Point3 at = random.point(-1, 1);
    const auto k = static_cast<std::uint32_t>(in.vertices.size());
    for (int i = 0; i < 3; ++i) in.vertices.push_back(at + random.point(-0.3, 0.3));
    if (random.below(10) == 0) in.vertices.back() = in.vertices[k];
    in.triangles.push_back({k, k + 1, k + 2});
    in.surface_of_triangle.push_back(static_cast<std::uint32_t>(t / 5));
  }
  in.surfaces.resize((count + 4) / 5 + 1);
  return Mesh::build(std::move(in)).value();
}

}  // namespace snug::test
