#include "bvh/obb8/fit.hpp"
#include "geometry/vec_ops.hpp"
#include "simd/kernels.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace snug::bvh {

namespace {

/// The moments of several groups taken together.
Moments combined(const Spread* groups, std::uint32_t count) noexcept {
  Moments all;
  double mean[3] = {};
  for (std::uint32_t g = 0; g < count; ++g) {
    const Moments& of = groups[g].moments;
    if (!(of.area > 0)) continue;
    all.area += of.area;
    for (int i = 0; i < 3; ++i) mean[i] += of.area * of.mean[i];
  }
  if (!(all.area > 0)) return all;
  for (int i = 0; i < 3; ++i) all.mean[i] = mean[i] / all.area;
  std::fill(std::begin(all.second), std::end(all.second), 0.0);
  for (std::uint32_t g = 0; g < count; ++g) {
    const Moments& of = groups[g].moments;
    if (!(of.area > 0)) continue;
    double away[3];
    for (int i = 0; i < 3; ++i) away[i] = of.mean[i] - all.mean[i];
    int at = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++at) all.second[at] += of.second[at] + 12 * of.area * away[i] * away[j];
  }
  return all;
}

Spread united(const Spread* groups, std::uint32_t count) noexcept {
  SNUG_ASSERT(count > 0);
  Spread all = groups[0];
  for (std::uint32_t g = 1; g < count; ++g) {
    for (int i = 0; i < 3; ++i)
      all.lo[i] = std::min(all.lo[i], groups[g].lo[i]), all.hi[i] = std::max(all.hi[i], groups[g].hi[i]);
    all.coarsest_step = std::max(all.coarsest_step, groups[g].coarsest_step);
  }
  all.moments = combined(groups, count);
  return all;
}

/// Parts of the tree with at most so many blocks are one unit of parallel work.
constexpr std::uint32_t k_task_blocks = 128;

class Fitter {
 public:
  Fitter(const Mesh& mesh, ObbTree& tree, Team& team, const Kernels& kernels)
      : mesh_{mesh.vertices().data(), mesh.triangles().data(), tree.centre, std::ldexp(1.0, -tree.exponent)},
        tree_(tree),
        team_(team),
        kernels_(kernels) {}

  /// First the parts, each from its blocks up; then the nodes above them.
  void fit() {
    if (tree_.empty()) return;
    ends_.resize(tree_.nodes.size());
    place_.resize(tree_.nodes.size());
    find_parts(0);
    SNUG_ASSERT(ends_[0] == tree_.blocks.size());
    // The root comes last of those above the parts, or is the only part.
    SNUG_ASSERT(above_.empty() ? parts_.size() == 1 && parts_[0] == 0 : above_.back() == 0);
    spreads_.resize(parts_.size() + above_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) place_[parts_[i]] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < above_.size(); ++i) place_[above_[i]] = static_cast<std::uint32_t>(parts_.size() + i);
    team_.for_each_chunk(parts_.size(), [this](std::size_t i) {
      Spread blocks[k_task_blocks];
      const std::uint32_t first = tree_.nodes[parts_[i]].first_block;
      SNUG_ASSERT(first < ends_[parts_[i]] && ends_[parts_[i]] - first <= k_task_blocks);
      kernels_.fill_blocks(mesh_, &tree_.blocks[first], ends_[parts_[i]] - first, blocks);
      spreads_[i] = fit_part(parts_[i], blocks);
    });
    std::vector<Children> children(above_.size());
    for (std::size_t i = 0; i < above_.size(); ++i) {
      const ObbNode& node = tree_.nodes[above_[i]];
      for (std::uint32_t c = 0; c < node.count; ++c)
        if (c < node.inner) children[i].spread[c] = spreads_[place_[node.first_node + c]];
      kernels_.fill_blocks(mesh_, tree_.blocks.data() + node.first_block, node.count - node.inner,
                           children[i].spread + node.inner);
      spreads_[parts_.size() + i] = united(children[i].spread, node.count);
    }
    for (const std::vector<std::size_t>& some : by_height())
      team_.for_each_chunk(some.size(), [&](std::size_t i) { fit_node(above_[some[i]], children[some[i]]); });
    tree_.cost = cost_of(tree_, 0.5 * spreads_.back().moments.area);
  }

 private:
  struct Children {
    Spread spread[k_lanes];
  };

  /// The nodes above the parts, by their places in above_: boxes are fitted around those of the nodes below, which come first.
  [[nodiscard]] std::vector<std::vector<std::size_t>> by_height() const {
    std::vector<std::vector<std::size_t>> grouped;
    std::vector<std::size_t> height(above_.size(), 0);
    for (std::size_t i = 0; i < above_.size(); ++i) {
      const ObbNode& node = tree_.nodes[above_[i]];
      for (std::uint32_t c = 0; c < node.inner; ++c)
        if (const std::size_t place = place_[node.first_node + c]; place >= parts_.size()) {
          SNUG_ASSERT(place - parts_.size() < i);
          height[i] = std::max(height[i], height[place - parts_.size()] + 1);
        }
      grouped.resize(std::max(grouped.size(), height[i] + 1));
      grouped[height[i]].push_back(i);
    }
    return grouped;
  }

  /// Blocks below one node lie one after the other: its own, then those of its first child, and so on. Returns their end.
  /// A node comes behind those below it in its list.
  std::uint32_t find_parts(std::uint32_t index) {
    const ObbNode& node = tree_.nodes[index];
    const std::size_t parts = parts_.size();
    std::uint32_t end = node.first_block + (node.count - node.inner);
    for (std::uint32_t i = 0; i < node.inner; ++i) {
      SNUG_ASSERT(node.first_node > index && tree_.nodes[node.first_node + i].first_block == end);
      end = find_parts(node.first_node + i);
    }
    SNUG_ASSERT(end > node.first_block && end <= tree_.blocks.size());
    ends_[index] = end;
    if (end - node.first_block <= k_task_blocks) {
      parts_.resize(parts);
      parts_.push_back(index);
    } else {
      above_.push_back(index);
    }
    return end;
  }

  /// `blocks` are the spreads of the blocks below.
  Spread fit_part(std::uint32_t index, const Spread* blocks) const {
    const ObbNode& node = tree_.nodes[index];
    Children children;
    for (std::uint32_t c = 0; c < node.inner; ++c) {
      const std::uint32_t child = node.first_node + c;
      SNUG_ASSERT(tree_.nodes[child].first_block >= node.first_block);
      children.spread[c] = fit_part(child, blocks + (tree_.nodes[child].first_block - node.first_block));
    }
    for (std::uint32_t c = node.inner; c < node.count; ++c) children.spread[c] = blocks[c - node.inner];
    fit_node(index, children);
    return united(children.spread, node.count);
  }

  void fit_node(std::uint32_t index, const Children& children) const {
    ObbNode& node = tree_.nodes[index];
    BlockRange ranges[k_lanes];
    for (std::uint32_t i = 0; i < node.inner; ++i)
      ranges[i] = {tree_.nodes[node.first_node + i].first_block, ends_[node.first_node + i]};
    for (std::uint32_t i = node.inner; i < node.count; ++i)
      ranges[i] = {node.first_block + i - node.inner, node.first_block + i - node.inner + 1};
    kernels_.fit_children(tree_.blocks.data(), tree_.nodes.data(), ranges, children.spread, node);
  }

  MeshInTree mesh_;
  ObbTree& tree_;
  Team& team_;
  const Kernels& kernels_;
  std::vector<std::uint32_t> ends_;           ///< of the blocks below each node
  std::vector<std::uint32_t> parts_, above_;  ///< nodes
  std::vector<std::uint32_t> place_;          ///< of a part's or higher node's spread
  std::vector<Spread> spreads_;
};

}  // namespace

void choose_frame(const Mesh& mesh, ObbTree& tree) {
  const Aabb& bounds = mesh.bounds();
  SNUG_ASSERT(!bounds.empty());
  tree.bounds = bounds;
  tree.centre = middle_of(bounds);
  double reach = 0;
  for (std::size_t i = 0; i < 3; ++i)
    reach = std::max({reach, bounds.hi[i] - tree.centre[i], tree.centre[i] - bounds.lo[i]});
  // Below 2^-900 the inverse of the scale would overflow; such a mesh is a point to its tree.
  tree.exponent = reach > 0x1p-900 ? std::ilogb(reach) + 1 : -900;
  SNUG_ASSERT(std::ldexp(reach, -tree.exponent) <= 1);
}

void fit_obb_tree(const Mesh& mesh, ObbTree& tree, Team& team, Instructions instructions) {
  Fitter(mesh, tree, team, kernels_for(instructions)).fit();
}

std::optional<ObbTree> refit_obb_tree(const ObbTree& tree, const Mesh& mesh, const ShapeOptions& options,
                                      const CancelToken* cancel) try {
  ObbTree refitted = tree;
  choose_frame(mesh, refitted);
  Team team(threads_for(mesh, options), cancel);
  fit_obb_tree(mesh, refitted, team);
  return refitted;
} catch (const LoopCancelled&) {
  return {};
}

}  // namespace snug::bvh
