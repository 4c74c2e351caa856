#pragma once

#include "io/dae/document.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <string>
#include <vector>

namespace snug::io {

/// A <geometry> as triangles.
struct DaeMesh {
  MeshInput mesh;                     ///< vertices as in the file; no triangles if there are none
  std::vector<std::string> problems;  ///< what is odd about it
};

/// Reads triangles, polylist, polygons, tristrips and trifans. Lines are passed over. Splines, polygons with holes and
/// indices out of range are errors, and so are arrays that are named so often that more than `most_numbers` would be read.
[[nodiscard]] Result<DaeMesh, IoError> read_dae_mesh(const DaeDocument& document, const XmlElement& geometry,
                                                     std::uint64_t most_numbers);

}  // namespace snug::io
