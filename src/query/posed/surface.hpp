#pragma once

#include "query/posed/posed_body.hpp"

#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::detail {

/// Every pair of triangles that share a point, ordered by (a, b).
[[nodiscard]] std::vector<TrianglePair> tree_pairs(const PosedBody& a, const PosedBody& b, unsigned threads);

/// The first that a fixed walk through both trees meets.
[[nodiscard]] std::optional<TrianglePair> tree_first(const PosedBody& a, const PosedBody& b);

/// Two triangles and the distance between them.
struct ClosestPair {
  std::uint32_t a = 0, b = 0;
  ClosestPoints points;
};
/// The closest two triangles of bodies that share no point, if they come within `reach`. Of several that are as
/// close, to 12 digits, those that face the gap.
[[nodiscard]] std::optional<ClosestPair> tree_closest(const PosedBody& a, const PosedBody& b, double reach);

}  // namespace snug::detail
