#pragma once

#include "query/shape_data.hpp"
#include "simd/kernels.hpp"

#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::detail {

/// Two bodies, their trees and what to run on.
struct OrientedPair {
  const Mesh& mesh_a;
  const ObbTree& tree_a;
  const Pose& pose_a;
  const Mesh& mesh_b;
  const ObbTree& tree_b;
  const Pose& pose_b;
  const Kernels& kernels;
};

/// Every pair of triangles that share a point, ordered by (a, b).
[[nodiscard]] std::vector<TrianglePair> oriented_pairs(const OrientedPair& bodies, SearchMemory& memory, unsigned threads);
/// One of them.
[[nodiscard]] std::optional<TrianglePair> oriented_first(const OrientedPair& bodies, SearchMemory& memory);

}  // namespace snug::detail
