#pragma once

#include "mesh/mesh_links.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <vector>

namespace snug::mesh {

/// Per shell: its triangles face into the body. Solid is what closed shells wind around a number of times other than zero, so a
/// triangle of a closed shell faces out if the mesh winds no fewer than zero times around what lies before it, and in if fewer: a lone
/// shell turned inside out is a solid all the same, a cavity is one turned inward within another, and a whole body with
/// cavities may be inside out. Asked before one corner of a shell, which speaks for all of it unless shells cross. Triangles
/// of open shells are taken as they turn.
[[nodiscard]] std::vector<bool> find_inward(const Mesh& mesh, const MeshLinks& links);

}  // namespace snug::mesh
