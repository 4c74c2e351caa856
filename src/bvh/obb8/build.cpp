#include "bvh/obb8/fit.hpp"
#include "bvh/obb8/obb_tree.hpp"
#include "bvh/obb8/split.hpp"
#include "support/assert.hpp"
#include "support/watched.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace snug::bvh {

namespace {

/// Chooses which nodes of the binary tree become wide ones: those for which the expected work is least, counting a visit of a
/// node by the area of its box, whatever the number of its children (after Ylitie, Karras and Laine 2017).
class Collapse {
 public:
  explicit Collapse(SplitTree& split)
      : split_(split), best_(std::make_unique_for_overwrite<Best[]>(split.nodes.size() / 2 + 1)) {
    // Children lie behind their parents, so a walk from the back meets them first.
    std::uint32_t inner = 0;
    for (std::size_t n = split.nodes.size(); n-- > 0;)
      if (SplitTree::Node& node = split.nodes[n]; !node.leaf()) node.first = inner++, choose(node);
    SNUG_ASSERT(inner == split.nodes.size() / 2);
  }

  /// Calls take(node) for each child of a wide node, in the order of the binary tree.
  template <class Take>
  void for_each_child(std::uint32_t node, Take&& take) const {
    const std::uint32_t left = best_of(node).left[k_lanes];
    SNUG_ASSERT(left >= 1 && left < k_lanes);
    gather(split_.nodes[node].left, left, take);
    gather(split_.nodes[node].right, k_lanes - left, take);
  }

  /// Wide nodes below an inner node that becomes one, and itself.
  [[nodiscard]] std::size_t count_wide(std::uint32_t node) const {
    std::size_t count = 1;
    for_each_child(node, [&](std::uint32_t child) { count += split_.nodes[child].leaf() ? 0 : count_wide(child); });
    return count;
  }

 private:
  /// What it costs to give an inner node at most so many places among the children of a wide node, and how they are shared.
  struct Best {
    float cost[k_lanes + 1];
    std::uint8_t places[k_lanes + 1];  ///< of those allowed, how many to use; 1: as a block or wide node of its own
    std::uint8_t left[k_lanes + 1];    ///< how many go to the left child if so many are used
  };

  [[nodiscard]] const Best& best_of(std::uint32_t node) const noexcept {
    SNUG_ASSERT(!split_.nodes[node].leaf());
    return best_[split_.nodes[node].first];
  }

  void choose(const SplitTree::Node& node) {
    Best& best = best_[node.first];
    best.places[1] = 1;
    const SplitTree::Node &left = split_.nodes[node.left], &right = split_.nodes[node.right];
    float shared[k_lanes + 1];
    if (left.leaf() && right.leaf())
      for (std::uint32_t k = 2; k <= k_lanes; ++k) shared[k] = left.area + right.area, best.left[k] = 1;
    else if (left.leaf())
      for (std::uint32_t k = 2; k <= k_lanes; ++k)
        shared[k] = left.area + best_of(node.right).cost[k - 1], best.left[k] = 1;
    else if (right.leaf())
      for (std::uint32_t k = 2; k <= k_lanes; ++k)
        shared[k] = best_of(node.left).cost[k - 1] + right.area, best.left[k] = static_cast<std::uint8_t>(k - 1);
    else
      share(best_of(node.left), best_of(node.right), shared, best.left);
    best.cost[1] = node.area + shared[k_lanes];
    for (std::uint32_t k = 2; k <= k_lanes; ++k) {
      const bool open = shared[k] < best.cost[k - 1];
      best.cost[k] = open ? shared[k] : best.cost[k - 1];
      best.places[k] = open ? static_cast<std::uint8_t>(k) : best.places[k - 1];
    }
  }

  static void share(const Best& left, const Best& right, float shared[], std::uint8_t to_left[]) noexcept {
    for (std::uint32_t k = 2; k <= k_lanes; ++k) {
      shared[k] = left.cost[1] + right.cost[k - 1], to_left[k] = 1;
      for (std::uint32_t i = 2; i < k; ++i)
        if (const float cost = left.cost[i] + right.cost[k - i]; cost < shared[k])
          shared[k] = cost, to_left[k] = static_cast<std::uint8_t>(i);
    }
  }

  template <class Take>
  void gather(std::uint32_t node, std::uint32_t allowed, Take& take) const {
    SNUG_ASSERT(allowed >= 1 && allowed <= k_lanes);
    if (split_.nodes[node].leaf()) return take(node);
    const std::uint32_t places = best_of(node).places[allowed];
    SNUG_ASSERT(places >= 1 && places <= allowed);
    if (places == 1) return take(node);
    const std::uint32_t left = best_of(node).left[places];
    SNUG_ASSERT(left >= 1 && left < places);
    gather(split_.nodes[node].left, left, take);
    gather(split_.nodes[node].right, places - left, take);
  }

  const SplitTree& split_;
  std::unique_ptr<Best[]> best_;
};

/// The children of a wide node: nodes first, then blocks, each in the order of the binary tree.
struct Children {
  std::uint32_t node[k_lanes];
  std::uint32_t count = 0, inner = 0;

  Children(const SplitTree& split, const Collapse& collapse, std::uint32_t parent) {
    collapse.for_each_child(parent, [this](std::uint32_t child) {
      SNUG_ASSERT(count < k_lanes);
      node[count++] = child;
    });
    SNUG_ASSERT(count >= 2);
    inner = static_cast<std::uint32_t>(
        std::stable_partition(node, node + count, [&](std::uint32_t n) { return !split.nodes[n].leaf(); }) - node);
  }
};

/// Lays out nodes and blocks: which holds which, and which triangles. No boxes yet.
class Layout {
 public:
  Layout(ObbTree& tree, SplitTree& split) : tree_(tree), split_(split), collapse_(split) {}

  void make() {
    const std::size_t leaves = split_.nodes.size() / 2 + 1;
    tree_.blocks.reserve(leaves);
    const std::size_t inner = split_.nodes[0].leaf() ? 0 : collapse_.count_wide(0);
    if (inner >= k_most_nodes) detail::stop("a tree of more than 2^28 nodes");
    tree_.nodes.reserve(1 + inner);
    // Slot 0 is a box around everything, in a node of its own.
    tree_.nodes.resize(1);
    tree_.nodes[0] = {};
    tree_.nodes[0].count = 1;
    tree_.nodes[0].surface = split_.nodes[0].surface;
    if (split_.nodes[0].leaf()) {
      add_block(0);
      tree_.depth = 1;
    } else {
      tree_.nodes[0].inner = 1;
      tree_.nodes[0].first_node = 1;
      tree_.nodes.emplace_back();
      add_node(1, 0, 2);
    }
    SNUG_ASSERT(tree_.blocks.size() == leaves && tree_.nodes.size() == 1 + inner);
  }

 private:
  void add_block(std::uint32_t leaf) {
    const SplitTree::Node& from = split_.nodes[leaf];
    SNUG_ASSERT(from.leaf() && from.count >= 1 && from.count <= k_lanes);
    SNUG_ASSERT(from.first + from.count <= split_.order.size());
    TriangleBlock& block = tree_.blocks.emplace_back();
    block.surface = from.surface, block.count = from.count;
    for (std::uint32_t l = 0; l < k_lanes; ++l) block.id[l] = split_.order[from.first + std::min(l, block.count - 1)];
    SNUG_ASSERT(std::ranges::is_sorted(block.id));
  }

  /// Children of a node and all below; blocks below one node come one after the other.
  void add_node(std::uint32_t node, std::uint32_t from, std::uint32_t depth) {
    tree_.depth = std::max(tree_.depth, depth);
    const Children children(split_, collapse_, from);
    SNUG_ASSERT(node < tree_.nodes.size());
    const auto first_node = static_cast<std::uint32_t>(tree_.nodes.size());
    ObbNode& made = tree_.nodes[node];
    made = {};
    made.first_node = first_node, made.first_block = static_cast<std::uint32_t>(tree_.blocks.size());
    made.surface = split_.nodes[from].surface;
    made.inner = static_cast<std::uint8_t>(children.inner), made.count = static_cast<std::uint8_t>(children.count);
    for (std::uint32_t i = children.inner; i < children.count; ++i) add_block(children.node[i]);
    tree_.nodes.resize(first_node + children.inner);
    for (std::uint32_t i = 0; i < children.inner; ++i) add_node(first_node + i, children.node[i], depth + 1);
  }

  ObbTree& tree_;
  const SplitTree& split_;
  Collapse collapse_;
};

/// The vertices as floats in coordinates of the tree are needed for splitting alone.
SplitTree split(const Mesh& mesh, const ObbTree& tree, ShapeOptions::Quality quality, Team& team) {
  const std::span<const Point3> vertices = mesh.vertices();
  const double unit = std::ldexp(1.0, -tree.exponent);
  const auto scaled = std::make_unique_for_overwrite<float[]>(4 * vertices.size());
  constexpr std::size_t chunk = 8192;
  team.for_each_chunk((vertices.size() + chunk - 1) / chunk, [&](std::size_t c) {
    for (std::size_t v = c * chunk; v < std::min((c + 1) * chunk, vertices.size()); ++v) {
      for (std::size_t i = 0; i < 3; ++i)
        scaled[4 * v + i] = static_cast<float>((vertices[v][i] - tree.centre[i]) * unit);
      scaled[4 * v + 3] = 0;
    }
  });
  return split_mesh(mesh, {scaled.get(), 4 * vertices.size()}, quality, team);
}

}  // namespace

std::optional<ObbTree> build_obb_tree(const Mesh& mesh, const ShapeOptions& options, const Watch& watch) try {
  const auto tell = [&](double fraction) {
    if (!go_on(watch, fraction)) throw LoopCancelled{};
  };
  tell(0);
  Team team(threads_for(mesh, options), watch.cancel);
  ObbTree tree;
  choose_frame(mesh, tree);
  {
    SplitTree binary = split(mesh, tree, options.quality, team);
    tell(0.6);
    Layout(tree, binary).make();
    SNUG_ASSERT(binary.order.size() == mesh.triangles().size());
  }
  tell(0.7);
  fit_obb_tree(mesh, tree, team);
  SNUG_ASSERT(tree.cost >= 0);
  tree.built_cost = tree.cost;
  tell(1);
  return tree;
} catch (const LoopCancelled&) {
  return {};
}

ObbTree build_obb_tree(const Mesh& mesh, const ShapeOptions& options) {
  return std::move(*build_obb_tree(mesh, options, Watch{}));
}

}  // namespace snug::bvh
