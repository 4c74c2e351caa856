#include "closed_meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

namespace snug::judge {
namespace {

ClosedMesh cube(std::string_view name, const Point3& lo, double size) {
  ClosedMesh mesh{name, {}, {}};
  for (std::uint32_t i = 0; i != 8; ++i)
    mesh.vertices.push_back(lo + Vec3{(i & 1U) != 0 ? size : 0, (i & 2U) != 0 ? size : 0, (i & 4U) != 0 ? size : 0});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

void append(ClosedMesh& mesh, const ClosedMesh& other, bool inside_out) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (Index3 t : other.triangles) {
    if (inside_out) std::swap(t[1], t[2]);
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
}

ClosedMesh octahedron(std::string_view name) {
  return {name,
          {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

/// Each triangle in four; the new corners are pushed out to the unit sphere.
void subdivide(ClosedMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto [it, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) {
      const Vec3 v = mesh.vertices[a] + mesh.vertices[b];
      mesh.vertices.push_back((1 / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z)) * v);
    }
    return it->second;
  };
  std::vector<Index3> finer;
  for (const Index3& t : mesh.triangles) {
    const std::uint32_t ab = middle(t[0], t[1]);
    const std::uint32_t bc = middle(t[1], t[2]);
    const std::uint32_t ca = middle(t[2], t[0]);
    finer.insert(finer.end(), {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(finer);
}

ClosedMesh torus(std::uint32_t around, std::uint32_t across) {
  ClosedMesh mesh{"torus", {}, {}};
  for (std::uint32_t i = 0; i != around; ++i)
    for (std::uint32_t j = 0; j != across; ++j) {
      const double u = 2 * std::numbers::pi * i / around;
      const double v = 2 * std::numbers::pi * j / across;
      const double radius = 2 + std::cos(v);
      mesh.vertices.push_back({radius * std::cos(u), radius * std::sin(u), std::sin(v)});
    }
  const auto id = [&](std::uint32_t i, std::uint32_t j) { return (i % around) * across + j % across; };
  for (std::uint32_t i = 0; i != around; ++i)
    for (std::uint32_t j = 0; j != across; ++j) {
      mesh.triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
      mesh.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  return mesh;
}

/// Vertices at the middle of an edge, tied in by a triangle of no area: such meshes come out of CAD programs.
ClosedMesh cube_with_degenerate_triangles() {
  ClosedMesh mesh = cube("cube with degenerate triangles", {-1, -1, -1}, 2);
  mesh.vertices.push_back({0, -1, -1});  // 8, on edge 0–1
  mesh.triangles[1] = {0, 3, 8};         // the lower side uses it …
  mesh.triangles.push_back({8, 3, 1});
  mesh.triangles.push_back({0, 8, 1});  // … the front does not
  mesh.triangles.push_back({7, 7, 7});
  return mesh;
}

}  // namespace

std::vector<ClosedMesh> closed_meshes() {
  std::vector<ClosedMesh> meshes{cube("cube", {-1, -1, -1}, 2), octahedron("octahedron"), octahedron("sphere"),
                                 torus(16, 8)};
  for (int level = 0; level != 3; ++level) subdivide(meshes[2]);
  ClosedMesh hollow = cube("cube with cavity", {-2, -2, -2}, 4);
  append(hollow, cube("", {-1, -1, -1}, 2), true);
  meshes.push_back(std::move(hollow));
  ClosedMesh overlapping = cube("overlapping cubes", {-2, -2, -2}, 3);
  append(overlapping, cube("", {-1, -1, -1}, 3), false);
  meshes.push_back(std::move(overlapping));
  meshes.push_back(cube_with_degenerate_triangles());
  return meshes;
}

std::vector<AxisRotation> axis_rotations() {
  std::vector<AxisRotation> rotations;
  for (std::size_t first = 0; first != 3; ++first)
    for (std::size_t step = 1; step != 3; ++step)
      for (int signs = 0; signs != 4; ++signs) {
        AxisRotation r;
        r.from = {first, (first + step) % 3, (first + 2 * step) % 3};
        const double x = (signs & 1) != 0 ? -1 : 1;
        const double y = (signs & 2) != 0 ? -1 : 1;
        // Odd orders of the axes mirror; the last sign makes up for it.
        r.sign = {x, y, (step == 1 ? 1 : -1) * x * y};
        rotations.push_back(r);
      }
  return rotations;
}

}  // namespace snug::judge
