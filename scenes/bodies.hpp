#pragma once

#include <snug/mesh.hpp>

namespace snug::scenes {

/// The mesh of a falling body: moved so that its centre of mass is the origin (of even density; the mesh must be closed),
/// and scaled so that it fits into a ball of this radius around it, touching it.
[[nodiscard]] Mesh falling_body(const Mesh& mesh, double radius);

}  // namespace snug::scenes
