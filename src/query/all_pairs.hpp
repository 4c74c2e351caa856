#pragma once

#include "shape/posed.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <vector>

namespace snug::query {

/// triangle_pairs() by any method, of two meshes at valid poses. Searches that may take long end soon once cancelled, with some of the
/// pairs; the model of the chip gives way to the processor.
void find_triangle_pairs(const PosedPair& bodies, Scratch& scratch, std::vector<TrianglePair>& pairs,
                         const QueryOptions& options, const CancelToken* cancel = nullptr);

}  // namespace snug::query
