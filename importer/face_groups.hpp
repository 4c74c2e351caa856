#pragma once

#include "document.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace snug::importer {

/// Which faces of a shape are one surface: those with the same mark (see io/step/patch.hpp); all others stand alone.
struct FaceGroups {
  std::vector<std::uint32_t> surface_of;  ///< per face, as faces_of() has them; numbered as they come first
  std::uint32_t surfaces = 0;
};
[[nodiscard]] FaceGroups group_faces(std::size_t faces, std::span<const FaceLook> looks);

/// Adds a face to the surface it belongs to. Where all faces lie on one form the surface has it, with what they differ by
/// inside `box`, which holds them, in its tolerance. Where they do not, it has
/// none, is as far from its triangles as the worst of its faces, and of the kind that the mark names if that is no analytic
/// one or the kind of each face; else its kind is unknown, and false is returned.
[[nodiscard]] bool join_face(Surface& surface, const Surface& face, SurfaceKind marked, const Aabb& box);

}  // namespace snug::importer
