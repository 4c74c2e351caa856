#include "bvh/rtree/rtree.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace snug::bvh {

namespace {

using Entry = RTree::Entry;

struct RTreeItem {
  Aabb box;
  Point3 centre;
  std::uint32_t id = 0;
};

RTreeItem item_of(const Aabb& box, std::uint32_t id) noexcept { return {box, middle_of(box), id}; }

void include(Aabb& box, const Aabb& other) noexcept {
  box.include(other.lo);
  box.include(other.hi);
}

/// Half the surface area, scaled so that it neither overflows nor vanishes for the sizes meshes may have.
double half_area(const Aabb& box, double scale) noexcept {
  const Vec3 size = scale * (box.hi - box.lo);
  return size.x * size.y + size.y * size.z + size.z * size.x;
}

/// Items that a subtree of some height can hold: whole subtrees are filled evenly, so no node ends up less than half full.
std::uint64_t capacity(unsigned height) noexcept {
  std::uint64_t items = 1;
  for (unsigned i = 0; i < height; ++i) items *= RTree::k_fan_out;
  return items;
}

unsigned height_for(std::size_t items) noexcept {
  unsigned height = 1;
  while (capacity(height) < items) ++height;
  return height;
}

/// Loads from the top, as in the greedy splitting of García, López and Leutenegger (1998): of the three axes, the one whose
/// halves have the least area in sum.
class RTreeBuilder {
 public:
  RTreeBuilder(const Mesh& mesh, RTree& tree) : mesh_(mesh), view_(mesh.view()), entries_(tree.entries), tree_(tree) {}

  void build() {
    const std::size_t surfaces = mesh_.surfaces().size();
    entries_.reserve(surfaces + view_.triangles.size() * 3 / 2 + 1);
    entries_.emplace_back();
    tree_.root_of_surface.assign(surfaces, 0);
    std::vector<RTreeItem> of_surfaces;
    for (std::uint32_t s = 0; s < surfaces; ++s) {
      std::vector<RTreeItem> items;
      for (const std::uint32_t t : mesh_.triangles_of(s)) items.push_back(item_of(box_of(view_.triangle(t)), t));
      if (items.empty()) continue;
      const auto root = static_cast<std::uint32_t>(entries_.size());
      tree_.root_of_surface[s] = root;
      entries_.emplace_back();
      fill(root, items, height_for(items.size()));
      of_surfaces.push_back(item_of(entries_[root].box, s));
    }
    if (!of_surfaces.empty()) fill(0, of_surfaces, height_for(of_surfaces.size()));
    entries_.shrink_to_fit();
  }

 private:
  /// Makes `entry` a node of this height over the items.
  void fill(std::uint32_t entry, std::span<RTreeItem> items, unsigned height) {
    const std::uint64_t below = capacity(height - 1);
    const auto children = static_cast<std::uint32_t>((items.size() + below - 1) / below);
    SNUG_ASSERT(children >= 1 && children <= RTree::k_fan_out);
    const auto first = static_cast<std::uint32_t>(entries_.size());
    entries_.resize(first + children);
    entries_[entry].first = first;
    entries_[entry].count = children;
    share_out(first, children, items, height - 1);
    Aabb box;
    for (std::uint32_t c = first; c < first + children; ++c) include(box, entries_[c].box);
    entries_[entry].box = box;
  }

  void share_out(std::uint32_t first, std::uint32_t children, std::span<RTreeItem> items, unsigned height) {
    SNUG_ASSERT(children >= 1 && items.size() >= children);
    if (children > 1) {
      const std::uint32_t left = children / 2;
      const std::size_t cut = items.size() * left / children;
      halve(items, cut);
      share_out(first, left, items.first(cut), height);
      share_out(first + left, children - left, items.subspan(cut), height);
    } else if (height == 0) {
      SNUG_ASSERT(items.size() == 1);
      entries_[first] = {items[0].box, items[0].id, 0};
    } else {
      fill(first, items, height);
    }
  }

  /// Puts the items that lie lower along the best axis into the first `cut` places.
  static void halve(std::span<RTreeItem> items, std::size_t cut) {
    SNUG_ASSERT(cut > 0 && cut < items.size());
    Aabb all;
    for (const RTreeItem& item : items) include(all, item.box);
    const double scale = scale_to_one(std::max(max_abs(all.lo), max_abs(all.hi)));
    std::size_t best_axis = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      order_along(axis, items, cut);
      std::array<Aabb, 2> half;
      for (std::size_t i = 0; i < items.size(); ++i) include(half[i < cut ? 0 : 1], items[i].box);
      const double area = half_area(half[0], scale) + half_area(half[1], scale);
      if (area < least) least = area, best_axis = axis;
    }
    if (best_axis != 2) order_along(best_axis, items, cut);
  }

  /// Ties are broken by id, so that which items make a half, and with them the tree, is the same on every machine.
  static void order_along(std::size_t axis, std::span<RTreeItem> items, std::size_t cut) {
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(cut);
    std::nth_element(items.begin(), middle, items.end(), [axis](const RTreeItem& a, const RTreeItem& b) {
      return a.centre[axis] != b.centre[axis] ? a.centre[axis] < b.centre[axis] : a.id < b.id;
    });
  }

  const Mesh& mesh_;
  TriangleMeshView view_;
  std::vector<Entry>& entries_;
  RTree& tree_;
};

}  // namespace

RTree build_rtree(const Mesh& mesh) {
  RTree tree;
  RTreeBuilder(mesh, tree).build();
  SNUG_ASSERT(valid(tree, mesh));
  return tree;
}

}  // namespace snug::bvh
