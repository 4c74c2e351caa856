#pragma once

#include "mesh/mesh_links.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace snug::mesh {

/// Tells of most points outside a closed body that they are, and how far from it at least, by a look at one byte: so that no
/// rays are cast from them. Cubes over the body's box, in its own frame; those that can be reached from outside without
/// passing one that the surface meets are outside as a whole.
class OutsideGrid {
 public:
  OutsideGrid() = default;
  /// Empty for bodies that are not one closed shell: where shells face either way, being outside tells nothing about which
  /// side of a triangle is seen.
  OutsideGrid(const Mesh& mesh, const MeshLinks& links);

  /// No further from the surface than this, points known to `slack` can be told. Negative if the point may be inside or on it.
  /// Points beyond the body's box are outside and at least as far away as that.
  [[nodiscard]] double clearance(const Point3& p, double slack) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return cells_.empty(); }

 private:
  /// Of a cube's side: what the surface is taken thicker by, and points may be off by.
  static constexpr double k_slack = 1e-6;

  [[nodiscard]] std::size_t index(std::uint32_t x, std::uint32_t y, std::uint32_t z) const noexcept {
    return (std::size_t{z} * count_[1] + y) * count_[0] + x;
  }
  void mark_surface(const Mesh& mesh);
  void flood();
  void measure();

  Point3 lo_;  ///< the grid's, a cube and a half beyond the body's box
  double side_ = 0, per_side_ = 0;
  std::uint32_t count_[3] = {};
  /// 0: the surface may be there, or the inside. Else outside, and so many cubes, counted along the longest axis, from one that is
  /// not.
  std::vector<std::uint8_t> cells_;
};

inline double OutsideGrid::clearance(const Point3& p, double slack) const noexcept {
  if (empty() || !(slack < k_slack * side_)) return -1;
  double beyond = 0;
  std::uint32_t at[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = (p[i] - lo_[i]) * per_side_;
    const double most = static_cast<double>(count_[i]);
    beyond = std::max({beyond, -x, x - most});
    at[i] = static_cast<std::uint32_t>(std::clamp(x, 0.0, most - 1));
  }
  if (!(beyond >= 0)) return -1;                            // not a number
  if (beyond > 0) return (beyond * (1 - k_slack)) * side_;  // out of the grid, which is larger than the body
  const std::uint8_t cubes = cells_[index(at[0], at[1], at[2])];
  return cubes == 0 ? -1 : (cubes - 1) * (1 - k_slack) * side_;
}

}  // namespace snug::mesh
