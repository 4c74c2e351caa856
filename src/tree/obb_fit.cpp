#include "geometry/vec_ops.hpp"
#include "simd/kernels.hpp"
#include "support/parallel.hpp"
#include "tree/fit.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

namespace {

class Fitter {
 public:
  Fitter(const Mesh& mesh, ObbTree& tree, unsigned threads)
      : view_(mesh.view()), tree_(tree), threads_(threads), unit_(std::ldexp(1.0, -tree.exponent)) {}

  void fit() {
    ranges_.resize(tree_.nodes.size());
    find_range(0);
    for_each(tree_.blocks.size(), 1024, [this](std::size_t block) { fill_block(tree_.blocks[block]); });
    for_each(tree_.nodes.size(), 128, [this](std::size_t node) { fit_node(static_cast<std::uint32_t>(node)); });
  }

 private:
  /// Blocks below one node lie one after the other: its own, then those of its first child, and so on.
  std::uint32_t find_range(std::uint32_t index) {
    const ObbNode& node = tree_.nodes[index];
    std::uint32_t end = node.first_block + (node.count - node.inner);
    for (std::uint32_t i = 0; i < node.inner; ++i) end = find_range(node.first_node + i);
    ranges_[index] = {node.first_block, end};
    return end;
  }

  void fill_block(TriangleBlock& block) const {
    double p[k_lanes][3][3];
    double lo[3], hi[3];
    for (int i = 0; i < 3; ++i) lo[i] = HUGE_VAL, hi[i] = -HUGE_VAL;
    for (std::uint32_t l = 0; l < block.count; ++l) {
      const Triangle t = view_.triangle(block.id[l]);
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) {
          // The difference first: it is exact or nearly so where the mesh lies far from its origin.
          const double x = (t[k][i] - tree_.centre[i]) * unit_;
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
          const double x = l < block.count ? p[l][k][i] : p[0][0][i];
          block.corner[k][i][l] = static_cast<std::int16_t>(std::lrint((x - double{block.origin[i]}) * per_step));
        }
  }

  void fit_node(std::uint32_t index) const {
    ObbNode& node = tree_.nodes[index];
    // Anywhere in the middle will do for an origin.
    float lo[3], hi[3];
    for (int i = 0; i < 3; ++i) lo[i] = HUGE_VALF, hi[i] = -HUGE_VALF;
    for (std::uint32_t b = ranges_[index].begin; b < ranges_[index].end; ++b)
      for (int i = 0; i < 3; ++i) {
        lo[i] = std::min(lo[i], tree_.blocks[b].origin[i]);
        hi[i] = std::max(hi[i], tree_.blocks[b].origin[i]);
      }
    for (int i = 0; i < 3; ++i) node.origin[i] = 0.5F * (lo[i] + hi[i]);
    BlockRange ranges[k_lanes];
    for (std::uint32_t i = 0; i < node.inner; ++i) ranges[i] = ranges_[node.first_node + i];
    for (std::uint32_t i = node.inner; i < node.count; ++i)
      ranges[i] = {node.first_block + i - node.inner, node.first_block + i - node.inner + 1};
    kernels_.fit_children(tree_.blocks.data(), ranges, node.count, node);
  }

  template <class Body>
  void for_each(std::size_t count, std::size_t chunk, Body&& body) {
    for_each_chunk((count + chunk - 1) / chunk, threads_, [&](std::size_t c) {
      for (std::size_t i = c * chunk; i < std::min((c + 1) * chunk, count); ++i) body(i);
    });
  }

  TriangleMeshView view_;
  ObbTree& tree_;
  unsigned threads_;
  double unit_;
  const Kernels& kernels_ = kernels_for(Instructions::best);
  std::vector<BlockRange> ranges_;  ///< blocks below each node
};

}  // namespace

void choose_frame(const Mesh& mesh, ObbTree& tree) {
  const Aabb& bounds = mesh.bounds();
  tree.centre = middle_of(bounds);
  double reach = 0;
  for (std::size_t i = 0; i < 3; ++i)
    reach = std::max({reach, bounds.hi[i] - tree.centre[i], tree.centre[i] - bounds.lo[i]});
  // Below 2^-900 the inverse of the scale would overflow; such a mesh is a point to its tree.
  tree.exponent = reach > 0x1p-900 ? std::ilogb(reach) + 1 : -900;
}

void fit_obb_tree(const Mesh& mesh, ObbTree& tree, unsigned threads) { Fitter(mesh, tree, threads).fit(); }

ObbTree refit_obb_tree(const ObbTree& tree, const Mesh& mesh, const ShapeOptions& options) {
  ObbTree refitted = tree;
  choose_frame(mesh, refitted);
  fit_obb_tree(mesh, refitted, std::max(options.threads, 1U));
  return refitted;
}

}  // namespace snug::detail
