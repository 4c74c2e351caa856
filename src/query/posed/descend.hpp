#pragma once

#include "geometry/box_gap.hpp"
#include "query/posed/posed_body.hpp"

#include <array>
#include <cstdint>

namespace snug::detail {

struct NodePair {
  std::uint32_t a = 0, b = 0;
};

/// The two pairs into which a node pair with overlapping boxes falls: the larger node is opened. Precondition: not both
/// are leaves.
inline std::array<NodePair, 2> opened(const SurfaceTree& tree_a, const SurfaceTree& tree_b, NodePair pair) noexcept {
  const SurfaceTree::Node &a = tree_a.nodes[pair.a], &b = tree_b.nodes[pair.b];
  if (b.leaf() || (!a.leaf() && a.size() >= b.size())) return {{{pair.a + 1, pair.b}, {a.right, pair.b}}};
  return {{{pair.a, pair.b + 1}, {pair.a, b.right}}};
}

/// The box with `margin` added on every side.
inline Aabb grown(const Aabb& box, double margin) noexcept {
  return {box.lo - Vec3{margin, margin, margin}, box.hi + Vec3{margin, margin, margin}};
}

/// Calls visit(ta, tb) for all triangles below a node pair whose boxes overlap, or come within `margin` (give or take its
/// rounding), until it returns false or the bodies are stopped (PosedBody::watch). False if stopped.
template <class Visit>
bool descend(const PosedBody& a, const PosedBody& b, NodePair pair, double margin, Visit&& visit) {
  if (!grown(a.box(pair.a), margin).overlaps(b.box(pair.b))) return true;
  const SurfaceTree::Node &node_a = a.tree().nodes[pair.a], &node_b = b.tree().nodes[pair.b];
  if (!node_a.leaf() || !node_b.leaf()) {
    for (const NodePair child : opened(a.tree(), b.tree(), pair))
      if (!descend(a, b, child, margin, visit)) return false;
    return true;
  }
  if (a.stopped() || b.stopped()) return false;
  for (std::uint32_t i = node_a.begin; i < node_a.end; ++i) {
    const std::uint32_t ta = a.tree().order[i];
    const Aabb box_a = grown(a.box_of_triangle(ta), margin);
    if (!box_a.overlaps(b.box(pair.b))) continue;
    for (std::uint32_t j = node_b.begin; j < node_b.end; ++j) {
      const std::uint32_t tb = b.tree().order[j];
      if (box_a.overlaps(b.box_of_triangle(tb)) && !visit(ta, tb)) return false;
    }
  }
  return true;
}

/// Calls visit(t) for the triangles in nodes for which enter(box) holds, in the order of the tree, until the body is
/// stopped.
template <class Enter, class Visit>
void descend_one(const PosedBody& body, Enter&& enter, Visit&& visit, std::uint32_t node = 0) {
  if (body.empty() || body.stopped() || !enter(body.box(node))) return;
  const SurfaceTree::Node& n = body.tree().nodes[node];
  if (n.leaf()) {
    for (std::uint32_t i = n.begin; i < n.end; ++i) visit(body.tree().order[i]);
    return;
  }
  descend_one(body, enter, visit, node + 1);
  descend_one(body, enter, visit, n.right);
}

}  // namespace snug::detail
