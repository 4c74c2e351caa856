#pragma once

#include "bvh/rtree/rtree.hpp"
#include "query/pairs/published/aligned.hpp"
#include "query/pairs/published/frame_change.hpp"
#include "shape/trees.hpp"
#include "support/rooms.hpp"

#include <snug/triangle.hpp>

#include <optional>

namespace snug::query {

/// What to do after two triangles were found to share a point.
enum class Next : std::uint8_t {
  go_on,           ///< look for more
  other_surfaces,  ///< these two surfaces are known to meet: look at others
  stop,            ///< the question is answered
};

/// A hit, as the searches hand it to whoever asked.
struct Meeting {
  SurfacePair surfaces;
  TrianglePair triangles;
};

/// Two bodies while they are searched: their trees, the way from b's frame into a's, and the exact decision.
struct SearchedPair : PosedPair {
  explicit SearchedPair(const PosedPair& bodies)
      : PosedPair(bodies),
        tree_a(Access::data(a.shape).get<RTree>()),
        tree_b(Access::data(b.shape).get<RTree>()),
        b_to_a(tree_b.root().box, b.pose, tree_a.root().box, a.pose) {}

  [[nodiscard]] Triangle posed_a(std::uint32_t t) const noexcept { return posed(a, t); }
  [[nodiscard]] Triangle posed_b(std::uint32_t t) const noexcept { return posed(b, t); }

  const RTree &tree_a, &tree_b;
  FrameChange b_to_a;

 private:
  /// Corner by corner, as often as asked: few triangles get this far.
  static Triangle posed(const Posed& body, std::uint32_t t) noexcept {
    const Triangle local = body.shape.mesh().view().triangle(t);
    return {{body.pose.apply(local[0]), body.pose.apply(local[1]), body.pose.apply(local[2])}};
  }
};

/// What both bodies' boxes have in common, in either frame; nothing if the bodies are apart. This is the first step of every
/// search: one box of a is brought into b's frame, one box of b into a's.
struct OverlapBoxes {
  Aabb in_a, in_b;
};
[[nodiscard]] inline std::optional<OverlapBoxes> overlap_boxes(const SearchedPair& pair, bool both, Stats& stats) {
  const Aabb &box_a = pair.tree_a.root().box, &box_b = pair.tree_b.root().box;
  const FrameChange a_to_b(box_a, pair.a.pose, box_b, pair.b.pose);
  OverlapBoxes common;
  ++stats.box_updates, ++stats.box_tests;
  common.in_b = common_part(a_to_b.take_cover(box_a), box_b);
  if (common.in_b.empty()) return std::nullopt;
  if (!both) return common;
  ++stats.box_updates, ++stats.box_tests;
  common.in_a = common_part(pair.b_to_a.take_cover(box_b), box_a);
  if (common.in_a.empty()) return std::nullopt;
  return common;
}

/// Calls visit(item) for the surfaces or triangles below a node whose boxes overlap `box`, until it returns false. False if
/// stopped. The node's own box is not looked at: whoever led here has done that.
template <class Visit>
bool visit_overlapping(const RTree& tree, const RTree::Entry& node, const Aabb& box, Stats& stats, Visit&& visit) {
  ++stats.node_pairs;
  stats.box_tests += node.count;
  for (std::uint32_t c = node.first; c < node.first + node.count; ++c) {
    const RTree::Entry& child = tree.entries[c];
    if (!child.box.overlaps(box)) continue;
    if (!(child.item() ? visit(child) : visit_overlapping(tree, child, box, stats, visit))) return false;
  }
  return true;
}

/// The same for all items, without a look at any box.
template <class Visit>
bool visit_all(const RTree& tree, const RTree::Entry& node, Stats& stats, Visit&& visit) {
  ++stats.node_pairs;
  for (std::uint32_t c = node.first; c < node.first + node.count; ++c) {
    const RTree::Entry& child = tree.entries[c];
    if (!(child.item() ? visit(child) : visit_all(tree, child, stats, visit))) return false;
  }
  return true;
}

}  // namespace snug::query
