#pragma once

#include <snug/export.hpp>
#include <snug/mesh.hpp>
#include <snug/pose.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug {

/// Why no mesh was made.
struct MakeError {
  enum class Code : std::uint8_t {
    too_few,          ///< a grid of fewer than two columns or rows, a compound of nothing
    too_many,         ///< more vertices or triangles than 32-bit ids can name
    count_differs,    ///< not as many heights as columns times rows
    bad_height,       ///< NaN, infinite or beyond k_max_coordinate
    bad_step,         ///< not above zero, or the grid reaches beyond k_max_coordinate
    base_not_below,   ///< a height is at the base or below it
    bad_pose,         ///< of a piece
    piece_too_large,  ///< a piece reaches beyond k_max_coordinate
  } code;
  std::uint64_t element = 0;  ///< the height or piece to blame
  [[nodiscard]] SNUG_API std::string message() const;
  friend bool operator==(const MakeError&, const MakeError&) = default;
};

/// Ground over a grid: the first height stands at the origin, columns follow along x, rows along y.
struct HeightField {
  std::span<const double> heights;  ///< row after row
  std::uint32_t columns = 0, rows = 0;
  double step_x = 1, step_y = 1;
  /// Without it a sheet of one surface, "top". With it a closed body down to this z, with surfaces "top", "side" and "base": what is
  /// deep in the ground is then known to be.
  std::optional<double> base = {};
};
/// Each cell is two triangles, which share the edge from its first corner to the one across.
[[nodiscard]] SNUG_API Result<Mesh, MakeError> make_height_field(const HeightField& field);

/// A mesh and where it is in a whole.
struct Piece {
  Mesh mesh;
  Pose pose;
};
/// Several meshes as one, triangles piece after piece. Pieces may overlap: of closed ones, what is inside any is inside the whole.
struct Compound {
  Mesh mesh;
  std::vector<std::uint32_t> first_triangle;  ///< of each piece, and one more: the number of all

  /// Which piece a triangle of the whole is of; the number of pieces if there is no such triangle.
  [[nodiscard]] SNUG_API std::uint32_t piece_of(std::uint32_t triangle) const noexcept;
};
/// The vertices are the posed ones of the pieces, bit for bit. Surfaces keep their names, and pieces that stay where they are their
/// analytic forms, too. Primitives have no triangles: bodies of which some are primitives belong into a Scene.
[[nodiscard]] SNUG_API Result<Compound, MakeError> make_compound(std::span<const Piece> pieces);

}  // namespace snug
