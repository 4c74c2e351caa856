#pragma once

#include "bvh/descent.hpp"
#include "geometry/box_gap.hpp"
#include "query/posed/posed_mesh.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstdint>

namespace snug::query {

struct NodePair {
  std::uint32_t a = 0, b = 0;
};

/// The two pairs into which a node pair with overlapping boxes falls: the larger node is opened. Precondition: not both
/// are leaves.
inline std::array<NodePair, 2> opened(const AabbTree& tree_a, const AabbTree& tree_b, NodePair pair) noexcept {
  const AabbTree::Node &a = tree_a.nodes[pair.a], &b = tree_b.nodes[pair.b];
  if (opens_first(a.leaf(), a.size(), b.leaf(), b.size())) return {{{pair.a + 1, pair.b}, {a.right, pair.b}}};
  return {{{pair.a, pair.b + 1}, {pair.a, b.right}}};
}

/// The box with `margin` added on every side.
inline Aabb grown(const Aabb& box, double margin) noexcept {
  return {box.lo - Vec3{margin, margin, margin}, box.hi + Vec3{margin, margin, margin}};
}

template <class Body, class Visit>
bool descend_from(const Body& a, const Body& b, NodePair pair, const Aabb& box_a, const Aabb& box_b, double margin,
                  Visit&& visit);

/// Calls visit(ta, tb) for all triangles below a node pair whose boxes overlap, or come within `margin` (give or take its
/// rounding), until it returns false or the bodies are stopped (PosedMesh::watch). False if stopped.
template <class Body, class Visit>
bool descend(const Body& a, const Body& b, NodePair pair, double margin, Visit&& visit) {
  return descend_from(a, b, pair, grown(a.box(pair.a), margin), b.box(pair.b), margin, visit);
}

/// The same where the boxes of both nodes, a's with the margin, are known: each is turned into the world once.
template <class Body, class Visit>
bool descend_from(const Body& a, const Body& b, NodePair pair, const Aabb& box_a, const Aabb& box_b, double margin,
                  Visit&& visit) {
  if (!box_a.overlaps(box_b)) return true;
  const AabbTree::Node &node_a = a.tree().nodes[pair.a], &node_b = b.tree().nodes[pair.b];
  if (!node_a.leaf() || !node_b.leaf()) {
    for (const NodePair child : opened(a.tree(), b.tree(), pair)) {
      const bool on = child.a == pair.a
                          ? descend_from(a, b, child, box_a, b.box(child.b), margin, visit)
                          : descend_from(a, b, child, grown(a.box(child.a), margin), box_b, margin, visit);
      if (!on) return false;
    }
    return true;
  }
  if (a.stopped() || b.stopped()) return false;
  std::array<Aabb, AabbTree::k_leaf_triangles> of_b;
  SNUG_ASSERT(node_b.size() <= of_b.size());
  for (std::uint32_t j = 0; j < node_b.size(); ++j) of_b[j] = b.box_of_triangle(b.tree().order[node_b.begin + j]);
  for (std::uint32_t i = node_a.begin; i < node_a.end; ++i) {
    const std::uint32_t ta = a.tree().order[i];
    const Aabb of_a = grown(a.box_of_triangle(ta), margin);
    for (std::uint32_t j = 0; j < node_b.size(); ++j)
      if (of_a.overlaps(of_b[j]) && !visit(ta, b.tree().order[node_b.begin + j])) return false;
  }
  return true;
}

/// Calls visit(t) for the triangles in nodes for which enter(node) holds, in the order of the tree, until the body is
/// stopped.
template <class Body, class Enter, class Visit>
void descend_nodes(const Body& body, Enter&& enter, Visit&& visit, std::uint32_t node = 0) {
  if (body.empty() || body.stopped() || !enter(node)) return;
  const AabbTree::Node& n = body.tree().nodes[node];
  if (n.leaf()) {
    for (std::uint32_t i = n.begin; i < n.end; ++i) visit(body.tree().order[i]);
    return;
  }
  descend_nodes(body, enter, visit, node + 1);
  descend_nodes(body, enter, visit, n.right);
}

/// The same by the nodes' boxes in the world: enter(box).
template <class Body, class Enter, class Visit>
void descend_one(const Body& body, Enter&& enter, Visit&& visit) {
  descend_nodes(body, [&](std::uint32_t node) { return enter(body.box(node)); }, visit);
}

}  // namespace snug::query
