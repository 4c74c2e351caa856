#pragma once

#include <snug/export.hpp>
#include <snug/mesh.hpp>
#include <snug/progress.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <vector>

namespace snug {

/// The edge from corner `edge` of `triangle` to the next corner.
struct EdgeId {
  std::uint32_t triangle = 0;
  std::uint32_t edge = 0;
  friend auto operator<=>(const EdgeId&, const EdgeId&) = default;
};

/// What is odd about a mesh, by ids of the input, each list ascending. Corners are the same when their coordinates are
/// equal, so a mesh with split vertices is not open for that. Triangles two of whose corners fall together belong to no
/// edge and no shell; needles (distinct but collinear corners) do, since they may fill the gap between their neighbours.
struct MeshReport {
  std::vector<std::uint32_t> degenerate;  ///< corners on one line, or falling together
  std::vector<std::uint32_t> duplicate;   ///< same three corners as an earlier triangle, in any order
  std::vector<EdgeId> open;               ///< edges with no partner
  std::vector<EdgeId> non_manifold;       ///< edges shared by more than two triangles
  /// Triangles to turn around so that every shell is wound one way and, where it is closed then, faces outward. Stray
  /// triangles follow the larger part of their shell; a shell that is inside out as a whole (negative volume without being
  /// a cavity, or positive volume as the cavity of a body that is inside out) is turned, strays then being the right ones.
  std::vector<std::uint32_t> flipped;
  std::vector<std::uint32_t> shell_of;  ///< per triangle: which edge-connected shell, or k_no_shell
  std::uint32_t shells = 0;
  std::vector<bool> shell_closed;  ///< per shell: every edge is used equally often in both directions
  bool closed = false;             ///< is_closed(): every edge is used equally often in both directions

  static constexpr std::uint32_t k_no_shell = 0xffffffffU;
  [[nodiscard]] bool clean() const noexcept {
    return degenerate.empty() && duplicate.empty() && open.empty() && non_manifold.empty() && flipped.empty();
  }
};
[[nodiscard]] SNUG_API MeshReport inspect(const Mesh& mesh);
/// The same for those who want to watch it or be able to end it: between its passes over the mesh.
[[nodiscard]] SNUG_API Result<MeshReport, Cancelled> inspect(const Mesh& mesh, const Watch& watch);

}  // namespace snug
