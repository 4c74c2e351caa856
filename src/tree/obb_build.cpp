#include "geometry/vec_ops.hpp"
#include "simd/kernels.hpp"
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

class Builder {
 public:
  Builder(const Mesh& mesh, ObbTree& tree, const SplitTree& split) : mesh_(mesh), tree_(tree), split_(split) {
    unit_ = std::ldexp(1.0, -tree.exponent);
  }

  void build(unsigned threads) {
    // Slot 0 is a box around everything, in a node of its own.
    tree_.nodes.resize(1);
    describe(0, 0);
    ranges_.push_back({});
    tree_.nodes[0].count = 1;
    if (split_.nodes[0].leaf()) {
      tree_.nodes[0].inner = 0;
      tree_.nodes[0].first_node = 0, tree_.nodes[0].first_block = add_block(0);
      tree_.depth = 1;
    } else {
      tree_.nodes[0].inner = 1;
      tree_.nodes[0].first_node = 1, tree_.nodes[0].first_block = 0;
      tree_.nodes.emplace_back();
      ranges_.push_back({});
      add_node(1, 0, 2);
    }
    ranges_[0] = {0, static_cast<std::uint32_t>(leaf_.size())};
    tree_.nodes.shrink_to_fit();
    fill_blocks(threads);
    fit_nodes(threads);
  }

 private:
  void describe(std::uint32_t node, std::uint32_t from) {
    for (int i = 0; i < 3; ++i) tree_.nodes[node].origin[i] = split_.nodes[from].centre[i];
    tree_.nodes[node].surface = split_.nodes[from].surface;
    tree_.nodes[node].unused = 0;
  }

  std::uint32_t add_block(std::uint32_t leaf) {
    leaf_.push_back(leaf);
    return static_cast<std::uint32_t>(leaf_.size() - 1);
  }

  /// Lays out the children of a node and all below; blocks below one node come one after the other.
  void add_node(std::uint32_t node, std::uint32_t from, std::uint32_t depth) {
    tree_.depth = std::max(tree_.depth, depth);
    const Children children(split_, from);
    describe(node, from);
    const auto first_node = static_cast<std::uint32_t>(tree_.nodes.size());
    const auto first_block = static_cast<std::uint32_t>(leaf_.size());
    tree_.nodes[node].first_node = first_node, tree_.nodes[node].first_block = first_block;
    tree_.nodes[node].inner = static_cast<std::uint8_t>(children.inner);
    tree_.nodes[node].count = static_cast<std::uint8_t>(children.count);
    for (std::uint32_t i = children.inner; i < children.count; ++i) (void)add_block(children.node[i]);
    tree_.nodes.resize(first_node + children.inner);
    ranges_.resize(tree_.nodes.size());
    for (std::uint32_t i = 0; i < children.inner; ++i) add_node(first_node + i, children.node[i], depth + 1);
    ranges_[node] = {first_block, static_cast<std::uint32_t>(leaf_.size())};
  }

  void fill_blocks(unsigned threads) {
    tree_.blocks.resize(leaf_.size());
    in_chunks(static_cast<std::uint32_t>(leaf_.size()), 1024, threads, [&](std::uint32_t block) { fill_block(block); });
  }

  void fill_block(std::uint32_t index) {
    TriangleBlock& block = tree_.blocks[index];
    const SplitTree::Node& leaf = split_.nodes[leaf_[index]];
    const std::uint32_t count = leaf.end - leaf.begin;
    block.surface = leaf.surface, block.count = count;
    for (std::uint32_t l = 0; l < k_lanes; ++l) block.id[l] = split_.order[leaf.begin + std::min(l, count - 1)];
    const TriangleMeshView view = mesh_.view();
    double p[k_lanes][3][3];
    double lo[3], hi[3];
    for (int i = 0; i < 3; ++i) lo[i] = HUGE_VAL, hi[i] = -HUGE_VAL;
    for (std::uint32_t l = 0; l < count; ++l) {
      const Triangle t = view.triangle(block.id[l]);
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
          // The difference first: it is exact or nearly so where the mesh lies far from its origin.
          const double x = (t.corner[k][i] - tree_.centre[i]) * unit_;
          p[l][k][i] = x;
          lo[i] = std::min(lo[i], x), hi[i] = std::max(hi[i], x);
        }
    }
    double reach = 0;
    for (int i = 0; i < 3; ++i) {
      block.origin[i] = static_cast<float>(0.5 * (lo[i] + hi[i]));
      reach = std::max({reach, hi[i] - double{block.origin[i]}, double{block.origin[i]} - lo[i]});
    }
    // A tree coordinate is at most 1 and its rounding to a float well above the smallest float: steps below 2^-80 hold
    // differences that are nothing.
    block.step = static_cast<float>(std::max(reach * (1.0001 / 32767), 0x1p-80));
    const double per_step = 1 / double{block.step};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i)
        for (std::uint32_t l = 0; l < k_lanes; ++l) {
          const double x = l < count ? p[l][k][i] : p[0][0][i];
          block.corner[k][i][l] = static_cast<std::int16_t>(std::lrint((x - double{block.origin[i]}) * per_step));
        }
  }

  void fit_nodes(unsigned threads) {
    const Kernels& kernels = kernels_for(Instructions::best);
    in_chunks(static_cast<std::uint32_t>(tree_.nodes.size()), 128, threads, [&](std::uint32_t n) {
      ObbNode& node = tree_.nodes[n];
      BlockRange ranges[k_lanes];
      for (std::uint32_t i = 0; i < node.inner; ++i) ranges[i] = ranges_[node.first_node + i];
      for (std::uint32_t i = node.inner; i < node.count; ++i)
        ranges[i] = {node.first_block + i - node.inner, node.first_block + i - node.inner + 1};
      kernels.fit_children(tree_.blocks.data(), ranges, node.count, node);
    });
  }

  template <class Body>
  static void in_chunks(std::uint32_t count, std::uint32_t size, unsigned threads, Body&& body) {
    for_each_chunk((count + size - 1) / size, threads, [&](std::size_t chunk) {
      const auto begin = static_cast<std::uint32_t>(chunk) * size;
      for (std::uint32_t i = begin; i < std::min(begin + size, count); ++i) body(i);
    });
  }

  const Mesh& mesh_;
  ObbTree& tree_;
  const SplitTree& split_;
  double unit_ = 1;
  std::vector<std::uint32_t> leaf_;  ///< of the binary tree, for each block
  std::vector<BlockRange> ranges_;   ///< blocks below each node
};

}  // namespace

ObbTree build_obb_tree(const Mesh& mesh, unsigned threads) {
  ObbTree tree;
  const std::span<const Point3> vertices = mesh.vertices();
  const Aabb& bounds = mesh.bounds();
  tree.centre = middle_of(bounds);
  double reach = 0;
  for (std::size_t i = 0; i < 3; ++i)
    reach = std::max({reach, bounds.hi[i] - tree.centre[i], tree.centre[i] - bounds.lo[i]});
  // Below 2^-900 the inverse of the scale would overflow; such a mesh is a point to its tree.
  tree.exponent = reach > 0x1p-900 ? std::ilogb(reach) + 1 : -900;
  const double unit = std::ldexp(1.0, -tree.exponent);
  std::vector<float> scaled(4 * vertices.size());
  constexpr std::size_t chunk = 8192;
  for_each_chunk((vertices.size() + chunk - 1) / chunk, threads, [&](std::size_t c) {
    for (std::size_t v = c * chunk; v < std::min((c + 1) * chunk, vertices.size()); ++v)
      for (std::size_t i = 0; i < 3; ++i)
        scaled[4 * v + i] = static_cast<float>((vertices[v][i] - tree.centre[i]) * unit);
  });
  const SplitTree split = split_mesh(mesh, scaled, threads);
  Builder(mesh, tree, split).build(threads);
  return tree;
}

}  // namespace snug::detail
