#pragma once

#include <snug/mesh.hpp>

#include <cstdint>
#include <vector>

namespace snug::detail {

/// Which triangles bound something, and what would be needed to close the rest. Of a mesh, for every pose of it.
struct Topology {
  std::vector<std::uint32_t> shell_of;        ///< per triangle, as in MeshReport
  std::vector<bool> shell_closed;             ///< per shell
  std::vector<std::uint32_t> first_of_shell;  ///< per shell: its first triangle
  bool closed = false;                        ///< every shell is, and there is one

  std::vector<std::uint32_t> used_vertices;  ///< those that belong to triangles, ascending

  /// Rims of open shells. Coned to one point each, they close the mesh: each directed edge stands for the triangle
  /// (from, to, apex).
  struct Rim {
    std::vector<std::array<std::uint32_t, 2>> edges;
  };
  std::vector<Rim> rims;

  [[nodiscard]] std::uint32_t shells() const noexcept { return static_cast<std::uint32_t>(shell_closed.size()); }
  [[nodiscard]] bool in_closed_shell(std::uint32_t triangle) const noexcept;
};
[[nodiscard]] Topology find_topology(const Mesh& mesh);

}  // namespace snug::detail
