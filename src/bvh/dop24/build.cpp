#include "bvh/dop24/dop_tree.hpp"
#include "bvh/dop24/moved.hpp"
#include "bvh/dop24/quads.hpp"
#include "support/assert.hpp"
#include "support/each_once.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace snug::bvh {

namespace {

constexpr unsigned k_bins = 16;
/// Deeper than any tree of useful splits: from there on groups are halved, which bounds the depth.
constexpr std::uint32_t k_searched_depth = 64;

class DopBuilder {
 public:
  DopBuilder(std::vector<Dop24> dops, DopSplit split, DopTree& tree)
      : split_(split), tree_(tree), dop_of_(std::move(dops)) {
    const std::size_t count = dop_of_.size();
    SNUG_ASSERT(count > 0);
    middle_of_.resize(count), order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0U);
    for (std::size_t t = 0; t < count; ++t)
      for (std::size_t i = 0; i < 3; ++i) middle_of_[t][i] = dop_of_[t].d[i] - dop_of_[t].d[i + 12];
    tree.links.reserve(2 * count - 1), tree.dops.reserve(2 * count - 1);
  }

  void build() {
    build_node(order_, 1);
    SNUG_ASSERT(tree_.links.size() == 2 * dop_of_.size() - 1 && tree_.dops.size() == tree_.links.size());
    SNUG_ASSERT(tree_.depth <= k_searched_depth + 32);  // below the searched depth, halving
    SNUG_ASSERT(holds_each_once(order_, dop_of_.size()));
  }

 private:
  using Middle = std::array<double, 3>;  ///< twice the middle of a triangle's box

  std::uint32_t build_node(std::span<std::uint32_t> triangles, std::uint32_t depth) {
    const auto node = static_cast<std::uint32_t>(tree_.links.size());
    tree_.depth = std::max(tree_.depth, depth);
    tree_.links.emplace_back();
    tree_.dops.emplace_back();
    if (triangles.size() == 1) {
      tree_.links[node] = {triangles[0], 0};
      tree_.dops[node] = dop_of_[triangles[0]];
      return node;
    }
    const std::size_t half = divide(triangles, depth);
    SNUG_ASSERT(half > 0 && half < triangles.size());
    const std::uint32_t left = build_node(triangles.first(half), depth + 1);
    const std::uint32_t right = build_node(triangles.subspan(half), depth + 1);
    tree_.links[node] = {left, right};
    tree_.dops[node] = Dop24::merged(tree_.dops[left], tree_.dops[right]);
    return node;
  }

  [[nodiscard]] double measure(const Dop24& dop) const noexcept {
    return split_ == DopSplit::area ? dop.box_area() : dop.width();
  }

  std::size_t divide(std::span<std::uint32_t> triangles, std::uint32_t depth) {
    Middle lo, hi;
    lo.fill(std::numeric_limits<double>::infinity()), hi.fill(-std::numeric_limits<double>::infinity());
    for (const std::uint32_t t : triangles)
      for (std::size_t i = 0; i < 3; ++i)
        lo[i] = std::min(lo[i], middle_of_[t][i]), hi[i] = std::max(hi[i], middle_of_[t][i]);
    if (split_ != DopSplit::median && triangles.size() > 2 && depth < k_searched_depth)
      if (const std::size_t half = divide_by_bins(triangles, lo, hi); half != 0) return half;
    return halve(triangles, lo, hi);
  }

  std::size_t halve(std::span<std::uint32_t> triangles, const Middle& lo, const Middle& hi) {
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (hi[i] - lo[i] > hi[axis] - lo[axis]) axis = i;
    const std::size_t half = triangles.size() / 2;
    std::nth_element(triangles.begin(), triangles.begin() + static_cast<std::ptrdiff_t>(half), triangles.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return middle_of_[a][axis] != middle_of_[b][axis] ? middle_of_[a][axis] < middle_of_[b][axis]
                                                                         : a < b;
                     });
    return half;
  }

  struct Bin {
    Dop24 dop;
    std::size_t count = 0;
  };

  /// 0 if all middles fall into one bin, whatever the axis.
  std::size_t divide_by_bins(std::span<std::uint32_t> triangles, const Middle& lo, const Middle& hi) {
    double best = std::numeric_limits<double>::infinity();
    std::size_t best_axis = 0;
    unsigned best_bin = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!(hi[axis] > lo[axis])) continue;
      std::array<Bin, k_bins> bins;
      for (const std::uint32_t t : triangles) {
        Bin& bin = bins[bin_of(t, axis, lo, hi)];
        bin.dop.include(dop_of_[t]);
        ++bin.count;
      }
      std::array<double, k_bins> cost_behind{};
      Bin behind;
      for (unsigned i = k_bins - 1; i > 0; --i) {
        behind.dop.include(bins[i].dop), behind.count += bins[i].count;
        cost_behind[i] = behind.count == 0 ? 0 : measure(behind.dop) * static_cast<double>(behind.count);
      }
      Bin before;
      for (unsigned i = 1; i < k_bins; ++i) {
        before.dop.include(bins[i - 1].dop), before.count += bins[i - 1].count;
        if (before.count == 0 || before.count == triangles.size()) continue;
        const double cost = measure(before.dop) * static_cast<double>(before.count) + cost_behind[i];
        if (cost < best) best = cost, best_axis = axis, best_bin = i;
      }
    }
    if (best_bin == 0) return 0;
    // Not std::partition, whose order is the implementation's own.
    spare_.clear();
    std::size_t half = 0;
    for (const std::uint32_t t : triangles)
      if (bin_of(t, best_axis, lo, hi) < best_bin)
        triangles[half++] = t;
      else
        spare_.push_back(t);
    std::ranges::copy(spare_, triangles.begin() + static_cast<std::ptrdiff_t>(half));
    return half;
  }

  [[nodiscard]] unsigned bin_of(std::uint32_t t, std::size_t axis, const Middle& lo, const Middle& hi) const noexcept {
    const double part = (middle_of_[t][axis] - lo[axis]) / (hi[axis] - lo[axis]);
    SNUG_ASSERT(part >= 0 && part <= 1);
    return std::min(static_cast<unsigned>(part * k_bins), k_bins - 1);
  }

  DopSplit split_;
  DopTree& tree_;
  std::vector<Dop24> dop_of_;
  std::vector<Middle> middle_of_;
  std::vector<std::uint32_t> order_, spare_;
};

void note_largest(DopTree& tree) {
  tree.largest = 0;
  for (const Dop24& dop : tree.dops)
    for (const double c : dop.d) tree.largest = std::max(tree.largest, std::abs(c));
}

/// Origin and unit of a mesh's coordinates.
void choose_coordinates(const Mesh& mesh, DopTree& tree) {
  const Aabb& bounds = mesh.bounds();
  SNUG_ASSERT(!bounds.empty());
  tree.centre = middle_of(bounds);
  const double reach = std::max(max_abs(bounds.hi - tree.centre), max_abs(bounds.lo - tree.centre));
  tree.exponent = reach > 0 ? std::clamp(std::ilogb(reach) + 1, -1000, 1000) : -1000;
}

/// Of each triangle, in the tree's coordinates.
std::vector<Dop24> dops_of(const Mesh& mesh, const DopTree& tree) {
  const TriangleMeshView view = mesh.view();
  const double scale = std::ldexp(1.0, -tree.exponent);
  std::vector<Dop24> dops(view.triangles.size());
  for (std::size_t t = 0; t < dops.size(); ++t) {
    std::array<Point3, 3> corner;
    for (std::size_t i = 0; i < 3; ++i) corner[i] = scale * (view.vertices[view.triangles[t][i]] - tree.centre);
    dops[t] = Dop24::tight(corner);
  }
  return dops;
}

}  // namespace

DopTree build_dop_tree(const Mesh& mesh, DopSplit split) {
  DopTree tree;
  if (mesh.triangles().empty()) return tree;
  choose_coordinates(mesh, tree);
  DopBuilder(dops_of(mesh, tree), split, tree).build();
  note_largest(tree);
  SNUG_ASSERT(!validate(tree, mesh));
  return tree;
}

QuadTree build_quad_tree(const Mesh& mesh) {
  QuadTree quads;
  if (mesh.triangles().empty()) return quads;
  choose_coordinates(mesh, quads.tree);
  const std::vector<Dop24> dops = dops_of(mesh, quads.tree);
  quads.leaves = quads_of(mesh, dops);
  SNUG_ASSERT(!quads.leaves.empty() && quads.leaves.size() <= dops.size());
  std::vector<Dop24> of_leaves;
  for (const Quad& quad : quads.leaves)
    of_leaves.push_back(quad.alone() ? dops[quad.triangle[0]]
                                     : Dop24::merged(dops[quad.triangle[0]], dops[quad.triangle[1]]));
  DopBuilder(std::move(of_leaves), DopSplit::width, quads.tree).build();
  note_largest(quads.tree);
  return quads;
}

DopTree moved_dop_tree(const DopTree& tree, const Mesh& mesh) {
  DopTree moved;
  if (tree.empty()) return moved;
  moved.depth = tree.depth;
  moved.links = tree.links;
  choose_coordinates(mesh, moved);
  const double scale = std::ldexp(1.0, -moved.exponent);
  // Directions are of length 1, but for roundings.
  for (const Point3& v : mesh.vertices())
    moved.largest = std::max(moved.largest, length_of(scale * (v - moved.centre)) * (1 + 0x1p-40));
  Dop24 origin;
  origin.d.fill(0);
  moved.dops.assign(moved.links.size(), origin);
  return moved;
}

DopTree refit_dop_tree(const DopTree& tree, const Mesh& mesh) {
  DopTree fitted = tree;
  if (fitted.empty()) return fitted;
  choose_coordinates(mesh, fitted);
  SNUG_ASSERT(fitted.links.size() == 2 * mesh.triangles().size() - 1);
  const double scale = std::ldexp(1.0, -fitted.exponent);
  const TriangleMeshView view = mesh.view();
  for (std::size_t node = fitted.links.size(); node-- > 0;) {
    const DopTree::Links& links = fitted.links[node];
    if (links.leaf()) {
      SNUG_ASSERT(links.left < view.triangles.size());
      std::array<Point3, 3> corner;
      for (std::size_t i = 0; i < 3; ++i)
        corner[i] = scale * (view.vertices[view.triangles[links.left][i]] - fitted.centre);
      fitted.dops[node] = Dop24::tight(corner);
    } else {
      SNUG_ASSERT(links.left > node && links.left < fitted.links.size());
      SNUG_ASSERT(links.right > node && links.right < fitted.links.size());
      fitted.dops[node] = Dop24::merged(fitted.dops[links.left], fitted.dops[links.right]);
    }
  }
  note_largest(fitted);
  return fitted;
}

}  // namespace snug::bvh
