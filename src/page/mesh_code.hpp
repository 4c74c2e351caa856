#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/motion.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace snug::page {

/// Seven bits to a byte, the low ones first; the high bit says that more follow.
void append_varint(std::string& out, std::uint64_t value);
/// Small magnitudes, of either sign, become small codes.
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

/// Whole steps of a grid that spans a box: 16 bits along its longest side. For pictures; measurements come from elsewhere.
struct Grid {
  Point3 origin;
  double step = 1;

  [[nodiscard]] static Grid over(const Aabb& box) noexcept;
  [[nodiscard]] std::array<std::int64_t, 3> at(const Point3& p) const noexcept;
};

/// A mesh in a few bytes per triangle, as docs/page/format.md tells: triangles in the order of their surfaces, each
/// mostly told by an edge it has in common with one of those before, corners predicted by parallelograms on the grid.
struct CodedMesh {
  Grid grid;
  std::vector<std::uint32_t> told;  ///< vertices in the order of the code: those that triangles use, one for each place
  std::string bytes;
};
/// On a grid that also spans `room`.
[[nodiscard]] CodedMesh code_mesh(const Mesh& mesh, const Aabb& room = {});
/// Where the vertices of a coded mesh are at the keys of a motion: differences from key to key.
[[nodiscard]] std::string code_keys(const CodedMesh& coded, const Mesh& mesh, std::span<const VertexKey> keys);

}  // namespace snug::page
