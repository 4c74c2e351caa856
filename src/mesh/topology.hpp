#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/progress.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::mesh {

/// Which triangles bound something, and what would be needed to close the rest. Of a mesh, for every pose of it.
struct Topology {
  std::vector<std::uint32_t> shell_of;        ///< per triangle, as in MeshReport
  std::vector<std::uint32_t> by_shell;        ///< triangle ids, shell after shell
  std::vector<std::uint32_t> first_of_shell;  ///< into by_shell; one more than there are shells
  /// Per shell: it encloses a volume. A closed shell as thin as rounding, such as a sheet with two sides, does not.
  std::vector<bool> shell_closed;
  std::vector<double> shell_volume;          ///< per shell, signed, rounded
  bool closed = false;                       ///< every shell is, and there is one
  bool manifold = false;                     ///< no edge belongs to more than two triangles
  std::vector<std::uint32_t> used_vertices;  ///< those that belong to triangles, ascending

  /// Rims of open shells. Coned to one point each, they close the mesh: each directed edge stands for the triangle
  /// (from, to, apex).
  struct Rim {
    std::vector<std::array<std::uint32_t, 2>> edges;
    Point3 apex;  ///< the mean of the vertices where edges begin
    Aabb box;     ///< of the cone

    /// Sets apex and box for these vertices, in their frame.
    void measure(std::span<const Point3> vertices) noexcept;
  };
  std::vector<Rim> rims;

  [[nodiscard]] std::uint32_t shells() const noexcept { return static_cast<std::uint32_t>(shell_closed.size()); }
  [[nodiscard]] std::span<const std::uint32_t> triangles_of(std::uint32_t shell) const noexcept {
    return std::span(by_shell).subspan(first_of_shell[shell], first_of_shell[shell + 1] - first_of_shell[shell]);
  }
  [[nodiscard]] bool in_closed_shell(std::uint32_t triangle) const noexcept;
};
/// Throws LoopCancelled once `cancel` is, between its passes over the mesh.
[[nodiscard]] Topology find_topology(const Mesh& mesh, const CancelToken* cancel = nullptr);

}  // namespace snug::mesh
