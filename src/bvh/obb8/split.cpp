#include "bvh/obb8/split.hpp"

#include "bvh/obb8/split_binned.hpp"
#include "bvh/obb8/split_cells.hpp"
#include "bvh/obb8/split_sorted.hpp"
#include "support/assert.hpp"
#include "support/each_once.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace snug::bvh {

namespace {

class Splitter {
 public:
  Splitter(const Mesh& mesh, std::span<const float> vertices, ShapeOptions::Quality quality, Team& team)
      : mesh_(mesh),
        triangles_{vertices.data(), mesh.triangles().data()},
        team_(team),
        halved_(quality == ShapeOptions::Quality::halved) {}

  SplitTree split() {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles().size());
    tree_.order.resize(count);
    order_.reserve(count);
    if (mesh_.surfaces().size() == 1) {
      add_surface(0, count, [](std::uint32_t i) { return i; });
    } else {
      std::vector<std::uint32_t> first;
      const std::vector<std::uint32_t> ids = by_surface(first);
      for (std::uint32_t s = 0; s + 1 < first.size(); ++s)
        add_surface(s, first[s + 1] - first[s], [&](std::uint32_t i) { return ids[first[s] + i]; });
    }
    const auto items = make_items();
    const SplitItems all{triangles_, {items.get(), order_.size()}, order_};
    std::vector<SplitItem> surfaces;
    surfaces.reserve(surfaces_.size());
    for (std::uint32_t s = 0; s < surfaces_.size(); ++s) surfaces.push_back(surface_item(all, s));
    if (!surfaces.empty()) split_surfaces(surfaces, 0);
    SNUG_ASSERT(placed_ == count && ranges_.size() == surfaces_.size());
    split_into_tasks(all);
    run_tasks(all);
    SNUG_ASSERT(holds_each_once(tree_.order, count));
    return std::move(tree_);
  }

 private:
  /// Triangle ids, surface after surface. The mesh can tell the same, but would have to keep it.
  [[nodiscard]] std::vector<std::uint32_t> by_surface(std::vector<std::uint32_t>& first) const {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles().size());
    std::vector<std::uint32_t> surface(count), ids(count);
    first.assign(mesh_.surfaces().size() + 1, 0);
    for (std::uint32_t t = 0; t < count; ++t) ++first[(surface[t] = mesh_.surface_of(t)) + 1];
    for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    SNUG_ASSERT(first.back() == count);
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t t = 0; t < count; ++t) ids[next[surface[t]]++] = t;
    return ids;
  }

  /// Puts the triangles id(0), id(1) and so on into units, which are left in order_ for make_items().
  template <class Id>
  void add_surface(std::uint32_t surface, std::uint32_t count, Id&& id) {
    if (count == 0) return;
    const std::span<const Index3> triangles = mesh_.triangles();
    const auto begin = static_cast<std::uint32_t>(order_.size());
    for (std::uint32_t i = 0; i < count;) {
      const std::uint32_t t = id(i);
      const bool pair = i + 1 < count && id(i + 1) == t + 1 && share_an_edge(triangles[t], triangles[t + 1]);
      order_.push_back(2 * t + (pair ? 1 : 0));
      i += pair ? 2 : 1;
    }
    SNUG_ASSERT(order_.size() - begin <= count && 2 * (order_.size() - begin) >= count);  // a unit has one or two
    surfaces_.push_back({begin, static_cast<std::uint32_t>(order_.size()), 0, count, surface, 0});
  }

  /// The items of all units; order_ now says which stands where.
  [[nodiscard]] std::unique_ptr<SplitItem[]> make_items() {
    auto items = std::make_unique_for_overwrite<SplitItem[]>(order_.size());
    constexpr std::size_t part = 4096;
    team_.for_each_chunk((order_.size() + part - 1) / part, [&](std::size_t c) {
      for (std::size_t i = c * part; i < std::min((c + 1) * part, order_.size()); ++i) {
        items[i] = triangles_.item(order_[i]);
        order_[i] = static_cast<std::uint32_t>(i);
      }
    });
    return items;
  }

  [[nodiscard]] SplitItem surface_item(const SplitItems& all, std::uint32_t s) const noexcept {
    const SplitRange& range = surfaces_[s];
    SplitBox box;
    if (surfaces_.size() == 1)
      box.lo = Float4{-1, -1, -1, -1}, box.hi = -box.lo;  // the coordinates of the tree are made so
    else
      for (const SplitItem& item : all.items.subspan(range.begin, range.end - range.begin))
        box.include(item.lo, item.hi);
    // No block has triangles of two surfaces.
    return {box, s, (range.triangles + k_lanes - 1) / k_lanes * k_lanes};
  }

  static bool share_an_edge(const Index3& a, const Index3& b) noexcept {
    int same = 0;
    for (const std::uint32_t v : a) same += (v == b[0] ? 1 : 0) + (v == b[1] ? 1 : 0) + (v == b[2] ? 1 : 0);
    return same >= 2;
  }

  std::uint32_t split_surfaces(std::span<SplitItem> surfaces, int depth) {
    const auto node = static_cast<std::uint32_t>(tree_.nodes.size());
    SplitBox box;
    for (const SplitItem& surface : surfaces) box.include(surface.lo, surface.hi);
    if (surfaces.size() == 1) {
      SplitRange range = surfaces_[surfaces[0].id()];
      range.first = placed_, range.depth = depth;
      placed_ += range.triangles;
      tree_.nodes.push_back({.surface = range.surface});
      ranges_.push_back({{node, range}, box});
      return node;
    }
    tree_.nodes.push_back({.surface = k_mixed_surfaces, .area = box.area()});
    const std::size_t half = BinnedSplit<SplitItem>::divide(surfaces, depth);
    SNUG_ASSERT(half > 0 && half < surfaces.size());
    const std::uint32_t left = split_surfaces(surfaces.first(half), depth + 1);
    const std::uint32_t right = split_surfaces(surfaces.subspan(half), depth + 1);
    tree_.nodes[node].left = left, tree_.nodes[node].right = right;
    return node;
  }

  void split_into_tasks(const SplitItems& all) {
    CellSplit cells(all, team_);
    for (const auto& [task, bounds] : ranges_) cells.split(task, bounds, tree_.nodes, tasks_);
  }

  /// Each makes a list of its own, which are joined in order.
  void run_tasks(const SplitItems& all) {
    std::vector<std::vector<SplitTree::Node>> of_task(tasks_.size());
    // Many tiny surfaces make many tiny tasks: hand them out by the dozen.
    const std::size_t batch = std::max<std::size_t>(1, tasks_.size() / (16 * std::size_t{team_.threads()}));
    team_.for_each_chunk((tasks_.size() + batch - 1) / batch, [&](std::size_t chunk) {
      const auto sorted = std::make_unique<SortedSplit>(halved_);
      for (std::size_t i = chunk * batch; i < std::min((chunk + 1) * batch, tasks_.size()); ++i)
        sorted->split(all, tasks_[i].range, tree_.order, of_task[i]);
    });
    std::size_t nodes_in_all = tree_.nodes.size();
    for (const auto& nodes : of_task) nodes_in_all += nodes.size();
    tree_.nodes.reserve(nodes_in_all);
    for (std::size_t i = 0; i < tasks_.size(); ++i) join_nodes(of_task[i], tasks_[i].node, tree_.nodes);
    SNUG_ASSERT(tree_.nodes.size() == nodes_in_all - tasks_.size());
  }

  const Mesh& mesh_;
  SplitMesh triangles_;
  Team& team_;
  bool halved_;
  std::vector<std::uint32_t> order_;  ///< of the items, surface after surface
  std::vector<SplitRange> surfaces_;
  std::uint32_t placed_ = 0;                            ///< triangles of the surfaces met so far
  std::vector<std::pair<SplitTask, SplitBox>> ranges_;  ///< the surfaces in the order of the tree, and their boxes
  std::vector<SplitTask> tasks_;
  SplitTree tree_;
};

}  // namespace

std::uint32_t join_nodes(const std::vector<SplitTree::Node>& part, std::uint32_t root,
                         std::vector<SplitTree::Node>& nodes) {
  SNUG_ASSERT(!part.empty() && root < nodes.size());
  const auto base = static_cast<std::uint32_t>(nodes.size()) - 1;
  const auto moved = [base](SplitTree::Node node) {
    if (!node.leaf()) node.left += base, node.right += base;
    return node;
  };
  nodes[root] = moved(part[0]);
  for (std::size_t n = 1; n < part.size(); ++n) nodes.push_back(moved(part[n]));
  return base;
}

SplitTree split_mesh(const Mesh& mesh, std::span<const float> vertices, ShapeOptions::Quality quality, Team& team) {
  SNUG_ASSERT(mesh.triangles().size() < std::uint64_t{1} << 31);  // twice an id is one number
  return Splitter(mesh, vertices, quality, team).split();
}

}  // namespace snug::bvh
