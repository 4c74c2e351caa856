#pragma once

#include "bvh/dop24/dop_tree.hpp"
#include "support/rooms.hpp"

namespace snug::bvh {

/// A tree's links in the coordinates of a mesh with the same triangles and its vertices elsewhere, its DOPs still to be made: each is the
/// origin alone, and `largest` bounds those to come.
[[nodiscard]] DopTree moved_dop_tree(const DopTree& tree, const Mesh& mesh);

}  // namespace snug::bvh
