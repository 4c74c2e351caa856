#pragma once

#include "aligned_support.hpp"
#include "scenes/solids.hpp"

#include <cmath>
#include <string>
#include <vector>

// Meshes that meet themselves in every way we can think of, and some that do not.

namespace snug::test {

struct SelfCase {
  std::string name;
  Mesh mesh;
  bool clean = false;  ///< known to have no pairs
};

/// One surface, vertices as they come.
inline Mesh plain_mesh(std::vector<Point3> vertices, std::vector<Index3> triangles) {
  MeshInput in;
  in.surfaces.resize(1);
  in.surface_of_triangle.assign(triangles.size(), 0);
  in.vertices = std::move(vertices), in.triangles = std::move(triangles);
  return Mesh::build(std::move(in)).value();
}

/// The mesh with its vertices moved.
template <class Move>
Mesh moved_mesh(const Mesh& mesh, Move&& move) {
  std::vector<Point3> vertices;
  for (const Point3& p : mesh.vertices()) vertices.push_back(move(p));
  return plain_mesh(std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()});
}

/// What lies below a height is mirrored to above it, and so runs through what is there.
inline Mesh folded(const Mesh& mesh, double height) {
  return moved_mesh(mesh, [=](Point3 p) { return Point3{p.x, p.y, std::abs(p.z - height)}; });
}

/// Triangles of a lattice of few places: corners and sides in common, flat folds, duplicates and degenerate ones abound.
inline Mesh lattice_soup(scenes::Random& random, std::uint32_t count, std::uint64_t places) {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Point3 at{double(random.below(6)), double(random.below(6)), double(random.below(3))};
    for (int k = 0; k < 3; ++k)
      vertices.push_back(
          at + Vec3{double(random.below(places)), double(random.below(places)), double(random.below(places))});
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return plain_mesh(std::move(vertices), std::move(triangles));
}

inline std::vector<SelfCase> self_cases(std::uint64_t seed) {
  scenes::Random random(seed);
  std::vector<SelfCase> cases;
  cases.push_back({"box", scenes::box({-1, -1, -1}, {1, 2, 1}), true});
  cases.push_back({"pipe", scenes::pipe(1, 0.5, 2, 40), true});
  cases.push_back({"sphere", scenes::sphere(1, 14, 20), true});
  const Mesh knot = scenes::bumpy_knot(100, 8);
  cases.push_back({"knot", knot, true});
  const double flat = random.uniform(0.01, 0.5);
  cases.push_back(
      {"knot pressed flat", moved_mesh(knot, [&](Point3 p) { return Point3{p.x, p.y, flat * p.z}; }), true});
  cases.push_back({"knot pushed through itself", folded(knot, random.uniform(-0.2, 0.2))});
  cases.push_back(
      {"knot in a plane", moved_mesh(scenes::bumpy_knot(40, 6), [](Point3 p) { return Point3{p.x, p.y, 0}; })});
  std::vector<Point3> sheet;
  std::vector<Index3> cells;
  for (std::uint32_t i = 0; i < 144; ++i) {
    sheet.push_back({std::abs(i % 12 - 4.3), double(i / 12), 0});
    if (i % 12 != 11 && i < 132) cells.push_back({i, i + 1, i + 13}), cells.push_back({i, i + 13, i + 12});
  }
  cases.push_back({"sheet folded flat", plain_mesh(sheet, cells)});
  // Corners pulled about: neighbours fold over one another.
  cases.push_back({"crumpled sphere",
                   moved_mesh(scenes::sphere(1, 12, 16), [&](Point3 p) { return p + random.point(-0.25, 0.25); })});
  cases.push_back({"soup", soup(random, 400)});
  cases.push_back({"lattice of two", lattice_soup(random, 220, 2)});
  cases.push_back({"lattice of three", lattice_soup(random, 220, 3)});
  // A fan around one corner, the last blade of which lies across others.
  std::vector<Point3> fan{{0, 0, 0}};
  std::vector<Index3> blades;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const double x = 1 - 0.05 * i;
    fan.push_back({x, 1 - x * x, 0.1 * x});
    if (i > 0) blades.push_back({0, i, i + 1});
  }
  blades.push_back({0, 1, 30});
  cases.push_back({"fan", plain_mesh(fan, blades)});
  // Every triangle of a solid twice, with corners of its own.
  const Mesh torus = scenes::torus(1, 0.4, 16, 8);
  std::vector<Point3> twice;
  std::vector<Index3> both;
  for (std::size_t t = 0; t < torus.triangles().size(); ++t)
    for (int copy = 0; copy < 2; ++copy) {
      const auto k = static_cast<std::uint32_t>(twice.size());
      for (const Point3& p : torus.view().triangle(t).corner) twice.push_back(p);
      both.push_back({k, k + 1, k + 2});
    }
  cases.push_back({"torus twice", plain_mesh(twice, both)});
  cases.push_back({"a point many times", plain_mesh({{3, 4, 5}}, std::vector<Index3>(50, Index3{0, 0, 0})), true});
  cases.push_back({"one triangle", plain_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}), true});
  return cases;
}

}  // namespace snug::test
