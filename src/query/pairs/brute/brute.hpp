#pragma once

#include "shape/shape_data.hpp"

#include <snug/distance.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::detail {

struct PosedPair {
  const Mesh& mesh_a;
  const Pose& pose_a;
  const Mesh& mesh_b;
  const Pose& pose_b;
};

/// Every pair of triangles that share a point, in the order of (a, b): each triangle of a against each of b, by boxes of
/// the posed corners (which lose nothing) and then by relation().
/// Once cancelled, it ends soon with some of them.
[[nodiscard]] std::vector<TrianglePair> brute_pairs(const PosedPair& bodies, ScratchData& scratch, unsigned threads,
                                                    const CancelToken* cancel = nullptr, Stats* stats = nullptr);

/// The smallest of them.
[[nodiscard]] std::optional<TrianglePair> brute_first(const PosedPair& bodies, ScratchData& scratch, unsigned threads,
                                                      Stats* stats = nullptr);

/// The closest two triangles no further apart than limits.ignore_beyond; of several as close, the smallest ids.
/// A little beyond what is to be ignored, too.
[[nodiscard]] Distance brute_distance(const PosedPair& bodies, ScratchData& scratch, const DistanceLimits& limits,
                                      Stats* stats = nullptr);

}  // namespace snug::detail
