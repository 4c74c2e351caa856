#pragma once

#include "query/posed/posed_mesh.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::query {

/// Do any two triangles share a point? No once a body is stopped.
[[nodiscard]] bool share_point(const PosedMesh& a, const PosedMesh& b);

/// Two triangles and the distance between them.
struct ClosestPair {
  std::uint32_t a = 0, b = 0;
  ClosestPoints points;
};
/// The closest two triangles of bodies that share no point, if they come within `reach`. Of several that are as
/// close, to 12 digits, those that face the gap.
[[nodiscard]] std::optional<ClosestPair> tree_closest(const PosedMesh& a, const PosedMesh& b, double reach);

}  // namespace snug::query
