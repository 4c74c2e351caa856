#pragma once

#include "document.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace snug::importer {

/// Which faces of a shape are one surface: those with the same mark (see io/step_patch.hpp); all others stand alone.
struct FaceGroups {
  std::vector<std::uint32_t> surface_of;  ///< per face, as faces_of() has them; numbered as they come first
  std::uint32_t surfaces = 0;
};
[[nodiscard]] FaceGroups group_faces(std::size_t faces, std::span<const FaceLook> looks);

/// Adds a face to the surface it belongs to. Where all faces lie on one form the surface has it; where they do not, it is
/// of the kind that the mark names, without one, and as far from its triangles as the worst of its faces.
void join_face(Surface& surface, const Surface& face, SurfaceKind marked);

}  // namespace snug::importer
