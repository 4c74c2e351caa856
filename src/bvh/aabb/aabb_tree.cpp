#include "bvh/aabb/aabb_tree.hpp"

#include "geometry/vec_ops.hpp"
#include "mesh/mesh_data.hpp"
#include "support/assert.hpp"
#include "support/each_once.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <span>

namespace snug::bvh {

namespace {

/// Something to be put into a tree: a surface or a triangle.
struct TreeItem {
  Point3 centre;
  std::uint32_t id = 0;
};

/// Orders the items so that the lower half along the longest side of their centres comes first. Ties are broken by id,
/// so the tree is the same on every machine.
std::size_t halve(std::span<TreeItem> items) {
  SNUG_ASSERT(items.size() >= 2);
  Aabb box;
  for (const TreeItem& item : items) box.include(item.centre);
  const Vec3 size = box.hi - box.lo;
  const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const std::size_t half = items.size() / 2;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(),
                   [axis](const TreeItem& a, const TreeItem& b) {
                     return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis] : a.id < b.id;
                   });
  return half;
}

class AabbTreeBuilder {
 public:
  AabbTreeBuilder(const Mesh& mesh, const CancelToken* cancel) : mesh_(mesh), view_(mesh.view()), cancel_(cancel) {}

  AabbTree build() {
    MeshAccess::find_surfaces(mesh_, cancel_);
    std::vector<TreeItem> surfaces;
    for (std::uint32_t s = 0; s < mesh_.surfaces().size(); ++s) {
      Aabb box;
      for (const std::uint32_t t : mesh_.triangles_of(s)) include(box, t);
      if (!box.empty()) surfaces.push_back({middle_of(box), s});
    }
    tree_.order.reserve(view_.triangles.size());
    if (!surfaces.empty()) build_surfaces(surfaces);
    SNUG_ASSERT(holds_each_once(tree_.order, view_.triangles.size()));
    return std::move(tree_);
  }

 private:
  void include(Aabb& box, std::uint32_t t) const noexcept {
    for (const std::uint32_t v : view_.triangles[t]) box.include(view_.vertices[v]);
  }

  /// Halving bounds the depth by the logarithm of the count, so recursion cannot run deep.
  template <class Leaf>
  void build_node(std::span<TreeItem> items, std::size_t leaf_size, Leaf&& leaf) {
    if (items.size() <= leaf_size) return leaf(items);
    if (cancel_ != nullptr && cancel_->cancelled()) throw LoopCancelled{};
    const std::size_t node = tree_.nodes.size();
    tree_.nodes.emplace_back();
    tree_.nodes[node].begin = static_cast<std::uint32_t>(tree_.order.size());
    const std::size_t half = halve(items);
    build_node(items.first(half), leaf_size, leaf);
    tree_.nodes[node].right = static_cast<std::uint32_t>(tree_.nodes.size());
    build_node(items.subspan(half), leaf_size, leaf);
    tree_.nodes[node].end = static_cast<std::uint32_t>(tree_.order.size());
    SNUG_ASSERT(tree_.nodes[node].right > node + 1 && tree_.nodes[node].size() >= items.size());
  }

  void build_surfaces(std::span<TreeItem> surfaces) {
    build_node(surfaces, 1, [this](std::span<TreeItem> one) { build_triangles(one[0].id); });
  }

  void build_triangles(std::uint32_t surface) {
    std::vector<TreeItem> triangles;
    for (const std::uint32_t t : mesh_.triangles_of(surface)) {
      Aabb box;
      include(box, t);
      triangles.push_back({middle_of(box), t});
    }
    SNUG_ASSERT(!triangles.empty());
    build_node(triangles, AabbTree::k_leaf_triangles, [this](std::span<TreeItem> few) {
      const auto begin = static_cast<std::uint32_t>(tree_.order.size());
      for (const TreeItem& item : few) tree_.order.push_back(item.id);
      std::ranges::sort(tree_.order.begin() + begin, tree_.order.end());
      tree_.nodes.push_back({begin, static_cast<std::uint32_t>(tree_.order.size()), 0});
    });
  }

  const Mesh& mesh_;
  TriangleMeshView view_;
  const CancelToken* cancel_;
  AabbTree tree_;
};

}  // namespace

AabbTree build_aabb_tree(const Mesh& mesh, const CancelToken* cancel) { return AabbTreeBuilder(mesh, cancel).build(); }

}  // namespace snug::bvh
