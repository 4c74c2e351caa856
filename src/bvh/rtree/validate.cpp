#include "bvh/rtree/rtree.hpp"
#include "geometry/vec_ops.hpp"

#include <optional>

namespace snug::bvh {

namespace {

/// Walks one tree; tells the depth of its leaves, or nothing if something is wrong.
class Walk {
 public:
  Walk(const RTree& tree, std::size_t ids) : tree_(tree), seen_(ids, false) {}

  template <class BoxOf>
  std::optional<unsigned> depth(const RTree::Entry& entry, bool root, BoxOf&& box_of) {
    if (entry.item()) {
      if (entry.first >= seen_.size() || seen_[entry.first] || !(entry.box == box_of(entry.first))) return std::nullopt;
      seen_[entry.first] = true;
      return 0;
    }
    if (entry.count > RTree::k_fan_out || (!root && 2 * entry.count < RTree::k_fan_out)) return std::nullopt;
    if (std::size_t{entry.first} + entry.count > tree_.entries.size()) return std::nullopt;
    Aabb box;
    std::optional<unsigned> below;
    for (std::uint32_t c = entry.first; c < entry.first + entry.count; ++c) {
      const auto of_child = depth(tree_.entries[c], false, box_of);
      if (!of_child || (below && *below != *of_child)) return std::nullopt;
      below = of_child;
      box.include(tree_.entries[c].box.lo);
      box.include(tree_.entries[c].box.hi);
    }
    if (!(box == entry.box)) return std::nullopt;
    return *below + 1;
  }

  [[nodiscard]] bool seen(std::uint32_t id) const { return seen_[id]; }

 private:
  const RTree& tree_;
  std::vector<bool> seen_;
};

}  // namespace

bool valid(const RTree& tree, const Mesh& mesh) {
  const std::size_t surfaces = mesh.surfaces().size();
  if (tree.entries.empty() || tree.root_of_surface.size() != surfaces) return false;
  Walk triangles(tree, mesh.triangles().size());
  for (std::uint32_t s = 0; s < surfaces; ++s) {
    const auto of_surface = mesh.triangles_of(s);
    if (of_surface.empty() != (tree.root_of_surface[s] == 0)) return false;
    if (of_surface.empty()) continue;
    const auto depth = triangles.depth(tree.triangles_of(s), true, [&](std::uint32_t t) {
      return mesh.surface_of(t) == s ? geometry::box_of(mesh.view().triangle(t)) : Aabb{};
    });
    if (!depth) return false;
    for (const std::uint32_t t : of_surface)
      if (!triangles.seen(t)) return false;
  }
  Walk upper(tree, surfaces);
  if (!upper.depth(tree.root(), true, [&](std::uint32_t s) { return tree.triangles_of(s).box; })) return false;
  for (std::uint32_t s = 0; s < surfaces; ++s)
    if (!mesh.triangles_of(s).empty() && !upper.seen(s)) return false;
  return true;
}

}  // namespace snug::bvh
