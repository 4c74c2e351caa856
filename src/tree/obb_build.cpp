#include "support/parallel.hpp"
#include "tree/fit.hpp"
#include "tree/obb_tree.hpp"
#include "tree/split.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

namespace {

/// The children of a wide node: the two of a binary one, of which the largest is opened again and again until there are
/// eight or only blocks are left. Nodes first, then blocks, each in the order of the binary tree.
struct Children {
  std::uint32_t node[k_lanes];
  std::uint32_t count = 0, inner = 0;

  Children(const SplitTree& split, std::uint32_t parent) {
    node[count++] = parent;
    while (count < k_lanes) {
      std::uint32_t widest = count;
      for (std::uint32_t i = 0; i < count; ++i) {
        const SplitTree::Node& candidate = split.nodes[node[i]];
        if (!candidate.leaf() && (widest == count || candidate.area > split.nodes[node[widest]].area)) widest = i;
      }
      if (widest == count) break;
      const SplitTree::Node& open = split.nodes[node[widest]];
      std::copy_backward(node + widest + 1, node + count, node + count + 1);
      node[widest] = open.left, node[widest + 1] = open.right;
      ++count;
    }
    inner = static_cast<std::uint32_t>(
        std::stable_partition(node, node + count, [&](std::uint32_t n) { return !split.nodes[n].leaf(); }) - node);
  }
};

/// Lays out nodes and blocks: which holds which, and which triangles. No boxes yet.
class Layout {
 public:
  Layout(ObbTree& tree, const SplitTree& split) : tree_(tree), split_(split) {}

  void make() {
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
    tree_.nodes.shrink_to_fit();
    tree_.blocks.shrink_to_fit();
  }

 private:
  void add_block(std::uint32_t leaf) {
    const SplitTree::Node& from = split_.nodes[leaf];
    TriangleBlock& block = tree_.blocks.emplace_back();
    block.surface = from.surface, block.count = from.end - from.begin;
    for (std::uint32_t l = 0; l < k_lanes; ++l) block.id[l] = split_.order[from.begin + std::min(l, block.count - 1)];
  }

  /// Children of a node and all below; blocks below one node come one after the other.
  void add_node(std::uint32_t node, std::uint32_t from, std::uint32_t depth) {
    tree_.depth = std::max(tree_.depth, depth);
    const Children children(split_, from);
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
};

}  // namespace

ObbTree build_obb_tree(const Mesh& mesh, const ShapeOptions& options) {
  const unsigned threads = std::max(options.threads, 1U);
  ObbTree tree;
  choose_frame(mesh, tree);
  const std::span<const Point3> vertices = mesh.vertices();
  const double unit = std::ldexp(1.0, -tree.exponent);
  std::vector<float> scaled(4 * vertices.size());
  constexpr std::size_t chunk = 8192;
  for_each_chunk((vertices.size() + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t v = c * chunk; v < std::min((c + 1) * chunk, vertices.size()); ++v)
      for (std::size_t i = 0; i < 3; ++i)
        scaled[4 * v + i] = static_cast<float>((vertices[v][i] - tree.centre[i]) * unit);
  });
  const SplitTree split = split_mesh(mesh, scaled, options);
  Layout(tree, split).make();
  fit_obb_tree(mesh, tree, threads);
  return tree;
}

}  // namespace snug::detail
