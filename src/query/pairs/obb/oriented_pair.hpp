#pragma once

#include "query/pairs/obb/oriented.hpp"
#include "shape/trees.hpp"
#include "support/rooms.hpp"

namespace snug::query {

/// Two bodies for the searches by oriented boxes. Their trees are built if they are not there yet.
[[nodiscard]] inline OrientedPair oriented_pair(const PosedPair& bodies, const QueryOptions& options) {
  return {bodies, Access::data(bodies.a.shape).get<ObbTree>(), Access::data(bodies.b.shape).get<ObbTree>(),
          kernels_for(options.instructions)};
}
[[nodiscard]] inline OrientedPair oriented_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                                const QueryOptions& options) {
  return oriented_pair({{a, pose_a}, {b, pose_b}}, options);
}

}  // namespace snug::query
