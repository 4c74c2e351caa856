#pragma once

#include "query/pairs/obb/oriented.hpp"
#include "shape/trees.hpp"

namespace snug::detail {

/// Two bodies for the searches by oriented boxes. Their trees are built if they are not there yet.
[[nodiscard]] inline OrientedPair oriented_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                                const QueryOptions& options) {
  return {a.mesh(), Access::data(a).get<ObbTree>(),   pose_a, b.mesh(), Access::data(b).get<ObbTree>(),
          pose_b,   kernels_for(options.instructions)};
}

}  // namespace snug::detail
