#pragma once

#include "penetration/face_sag.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace snug::penetration {

/// Where the faces of a mesh end, and which of these borders their triangles show exactly. The triangles of a flat face are
/// off it at its curved borders alone: elsewhere they are the face.
class Borders {
 public:
  static constexpr std::uint32_t k_inner = 0xffffffff;    ///< the same face lies on both sides
  static constexpr std::uint32_t k_unknown = 0xfffffffe;  ///< no triangle lies across, or several do

  Borders(const Mesh& mesh, const FaceSag& sag);

  /// The surface across a side of a triangle (side i runs from corner i to the next), or k_inner, or k_unknown.
  [[nodiscard]] std::uint32_t across(std::uint32_t triangle, std::size_t side) const noexcept {
    SNUG_ASSERT(triangle < across_.size() && side < 3);
    return across_[triangle][side];
  }
  /// The triangle across a side, where across() is another surface.
  [[nodiscard]] std::uint32_t triangle_across(std::uint32_t triangle, std::size_t side) const noexcept {
    return triangle_across_[triangle][side];
  }
  /// Does the surface end at the place of this vertex?
  [[nodiscard]] bool ends_at(std::uint32_t vertex, std::uint32_t surface) const noexcept;
  /// May the border of a flat face that this side stands for run elsewhere? Not where two planes cross, or where a plane
  /// meets a cylinder along a line of it: these borders are straight.
  [[nodiscard]] bool may_curve(std::uint32_t triangle, std::size_t side) const noexcept {
    SNUG_ASSERT(triangle < curved_.size() && side < 3);
    return (curved_[triangle] >> side & 1U) != 0;
  }

 private:
  std::vector<std::array<std::uint32_t, 3>> across_, triangle_across_;
  std::vector<std::uint32_t> place_;                   ///< of vertices: the same for those in one place
  std::vector<std::array<std::uint32_t, 2>> ends_at_;  ///< places and the surfaces that end there; ordered
  std::vector<std::uint8_t> curved_;                   ///< one bit per side
};

/// Of a shape, found once.
[[nodiscard]] Borders build(StructureOf<Borders>, const ShapeData& shape, const CancelToken* cancel);

}  // namespace snug::penetration
