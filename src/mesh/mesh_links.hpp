#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace snug::mesh {

/// Which triangles meet at sides and corners. Corners are the same where their coordinates are equal; a body that is deformed
/// keeps the links it was built with.
struct MeshLinks {
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  std::vector<std::array<std::uint32_t, 3>>
      neighbour;                         ///< across the side from corner i to the next; none if not just one
  std::vector<std::uint32_t> place;      ///< per vertex: the first with its coordinates
  std::vector<std::uint32_t> first_use;  ///< into `uses`, one more than there are vertices; nothing for repeated places
  std::vector<std::uint32_t> uses;       ///< triangles with a corner there, ascending
  std::vector<bool> closed;              ///< per triangle: its shell is, every side being used equally often both ways
  std::vector<std::uint32_t> shell;      ///< per triangle
  std::vector<std::uint32_t> shell_corner;  ///< per shell a vertex of it
  std::vector<std::uint32_t> order;         ///< vertices that triangles use, one for each place: see order_by_place()

  /// Triangles that have a corner where vertex `place` is.
  [[nodiscard]] std::span<const std::uint32_t> around(std::uint32_t at) const noexcept {
    return std::span(uses).subspan(first_use[at], first_use[at + 1] - first_use[at]);
  }
};
[[nodiscard]] MeshLinks find_links(const Mesh& mesh);

/// The links of a mesh, found when first asked for, by whoever that is: all deformations of a body share one of these.
class LazyLinks {
 public:
  explicit LazyLinks(Mesh mesh) : mesh_(std::move(mesh)) {}

  [[nodiscard]] const Mesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] const std::shared_ptr<const MeshLinks>& get() const {
    std::call_once(once_, [this] { found_ = std::make_shared<const MeshLinks>(find_links(mesh_)); });
    return found_;
  }

 private:
  Mesh mesh_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const MeshLinks> found_;
};

}  // namespace snug::mesh
