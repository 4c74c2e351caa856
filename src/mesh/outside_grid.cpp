#include "mesh/outside_grid.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace snug::mesh {

namespace {

constexpr std::uint8_t k_unknown = 255;
/// Half the diagonal of a cube, in sides.
constexpr double k_half_diagonal = 0.86603;

}  // namespace

OutsideGrid::OutsideGrid(const Mesh& mesh, const MeshLinks& links) {
  if (links.shell_corner.size() != 1 || !std::ranges::all_of(links.closed, [](bool closed) { return closed; })) return;
  const Aabb& box = mesh.bounds();
  const Vec3 size = box.hi - box.lo;
  const double largest = max_abs(size);
  if (!(largest > 0x1p-200) || !(largest < 0x1p200)) return;  // so that squares of areas do not underflow
  // Cubes about as large as triangles are.
  const double along = std::clamp(4 * std::cbrt(static_cast<double>(mesh.triangles().size())), 8.0, 64.0);
  side_ = largest / std::floor(along);
  if (!(max_abs(box.lo) * 0x1p-40 < k_slack * side_)) return;  // far from its own origin: too few digits
  per_side_ = 1 / side_;
  // Half a cube more than the one that stays free: faces in the box's own planes then lie within cubes and not between two.
  lo_ = box.lo - 1.5 * Vec3{side_, side_, side_};
  for (std::size_t i = 0; i < 3; ++i) count_[i] = 3 + static_cast<std::uint32_t>(size[i] * per_side_ + 0.5);
  cells_.assign(std::size_t{count_[0]} * count_[1] * count_[2], k_unknown);
  mark_surface(mesh);
  flood();
  measure();
}

void OutsideGrid::mark_surface(const Mesh& mesh) {
  const TriangleMeshView view = mesh.view();
  const auto cell = [&](double x, std::size_t i, double more) {
    const double at = (x - lo_[i]) * per_side_ + more;
    return static_cast<std::uint32_t>(std::clamp(at, 0.0, static_cast<double>(count_[i] - 1)));
  };
  for (std::uint32_t t = 0; t < view.triangles.size(); ++t) {
    const Triangle triangle = view.triangle(t);
    Aabb box;
    for (std::size_t k = 0; k < 3; ++k) box.include(triangle[k]);
    std::uint32_t from[3], to[3];
    for (std::size_t i = 0; i < 3; ++i)
      from[i] = cell(box.lo[i], i, -2 * k_slack), to[i] = cell(box.hi[i], i, 2 * k_slack);
    SNUG_ASSERT(from[0] <= to[0] && from[1] <= to[1] && from[2] <= to[2]);
    // Not of unit length, and off by no more than `error` per coordinate: that of a sliver may point anywhere.
    const Vec3 edge_1 = triangle[1] - triangle[0], edge_2 = triangle[2] - triangle[0], normal = cross(edge_1, edge_2);
    const double error = 0x1p-48 * max_abs(edge_1) * max_abs(edge_2);
    const double reach = (k_half_diagonal + 4 * k_slack) * side_ * std::sqrt(dot(normal, normal)) * (1 + 0x1p-48);
    for (std::uint32_t z = from[2]; z <= to[2]; ++z)
      for (std::uint32_t y = from[1]; y <= to[1]; ++y)
        for (std::uint32_t x = from[0]; x <= to[0]; ++x) {
          const Vec3 way = lo_ + side_ * Vec3{x + 0.5, y + 0.5, z + 0.5} - triangle[0];
          const double off = error * (std::abs(way.x) + std::abs(way.y) + std::abs(way.z) + 2 * side_);
          if (std::abs(dot(normal, way)) > reach + off) continue;
          cells_[index(x, y, z)] = 0;
        }
  }
}

void OutsideGrid::flood() {
  // From a corner: the outermost cubes hold nothing.
  std::vector<std::uint32_t> stack{0};
  SNUG_ASSERT(cells_[0] == k_unknown);
  cells_[0] = 1;
  const std::size_t step[3] = {1, count_[0], std::size_t{count_[0]} * count_[1]};
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    const std::uint32_t position[3] = {at % count_[0], at / count_[0] % count_[1],
                                       static_cast<std::uint32_t>(at / step[2])};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto visit = [&](std::size_t next) {
        if (cells_[next] != k_unknown) return;
        cells_[next] = 1;
        stack.push_back(static_cast<std::uint32_t>(next));
      };
      if (position[i] > 0) visit(at - step[i]);
      if (position[i] + 1 < count_[i]) visit(at + step[i]);
    }
  }
  for (std::uint8_t& cell : cells_)
    if (cell == k_unknown) cell = 0;  // inside
}

void OutsideGrid::measure() {
  // Along one axis after the other: the largest of three differences, minimised, is what it takes along each.
  std::vector<std::uint8_t> line;
  const auto pass = [&](std::size_t axis) {
    const std::size_t step = axis == 0 ? 1 : axis == 1 ? count_[0] : std::size_t{count_[0]} * count_[1];
    const std::uint32_t n = count_[axis];
    line.resize(n);
    for (std::size_t start = 0; start < cells_.size(); ++start) {
      if (start / step % n != 0) continue;
      for (std::uint32_t i = 0; i < n; ++i) line[i] = cells_[start + i * step];
      for (std::uint32_t i = 0; i < n; ++i) {
        // max(distance along the axis, distance found across it) of the best other cube.
        std::uint8_t best = line[i];
        for (std::uint32_t away = 1; away < best; ++away) {
          if (i >= away) best = std::min(best, std::max<std::uint8_t>(line[i - away], static_cast<std::uint8_t>(away)));
          if (i + away < n)
            best = std::min(best, std::max<std::uint8_t>(line[i + away], static_cast<std::uint8_t>(away)));
        }
        cells_[start + i * step] = best;
      }
    }
  };
  for (std::uint8_t& cell : cells_)
    if (cell != 0) cell = 64;  // further than any
  for (std::size_t axis = 0; axis < 3; ++axis) pass(axis);
}

}  // namespace snug::mesh
