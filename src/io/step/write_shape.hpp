#pragma once

#include "io/step/write_brep.hpp"
#include "io/step/write_text.hpp"
#include "support/rooms.hpp"

#include <snug/analytic.hpp>

#include <utility>
#include <vector>

namespace snug::io {

/// The geometry of one mesh in the file.
struct StepShape {
  std::vector<StepId> solids;  ///< one per closed shell that is no cavity
  std::vector<StepId> sheets;  ///< one per open shell
  std::vector<std::pair<StepId, Rgba>> face_colors;
  std::uint64_t turned = 0;  ///< shells that were inside out and are no longer
};
/// Surfaces that become several faces, or whose names look like a mark, are marked as patches, numbered by their place in the mesh and `first_patch`.
[[nodiscard]] StepShape write_shape(StepText& step, const Mesh& mesh, const Brep& brep, std::uint64_t first_patch,
                                    Steps& steps);

}  // namespace snug::io
