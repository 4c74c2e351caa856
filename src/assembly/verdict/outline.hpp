#pragma once

#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/vec.hpp>

#include <vector>

namespace snug::assembly {

using Loop = std::vector<Point3>;

/// The outline of pieces that lie edge to edge: edges that two pieces run through in opposite directions vanish, the rest
/// is joined to loops and corners on straight lines are dropped. Corners closer than `tolerance` are one. Should the
/// pieces not fit together, they are returned as they are. Once cancelled, what comes out is worth nothing.
[[nodiscard]] std::vector<Loop> outline(const std::vector<Loop>& pieces, double tolerance,
                                        const CancelToken* cancel = nullptr);

}  // namespace snug::assembly
