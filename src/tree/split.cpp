#include "tree/split.hpp"

#include "support/parallel.hpp"
#include "tree/split_binned.hpp"
#include "tree/split_cells.hpp"
#include "tree/split_sorted.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace snug::detail {

namespace {

class Splitter {
 public:
  Splitter(const Mesh& mesh, std::span<const float> vertices, const ShapeOptions& options)
      : mesh_(mesh), triangles_{vertices.data(), mesh.triangles().data()}, threads_(std::max(options.threads, 1U)) {}

  SplitTree split() {
    group_by_surface();
    std::vector<SplitItem> surfaces;
    for (std::uint32_t s = 0; s + 1 < first_.size(); ++s)
      if (first_[s] < first_[s + 1]) surfaces.push_back(surface_item(s));
    // Surfaces are put one after the other in the order in which the tree meets them.
    const std::vector<std::uint32_t> by_surface = surfaces.size() > 1 ? tree_.order : std::vector<std::uint32_t>();
    if (!surfaces.empty()) split_surfaces(surfaces, 0, by_surface);
    split_ranges();
    run_tasks();
    return std::move(tree_);
  }

 private:
  /// Triangle ids, surface after surface. The mesh can tell the same, but would have to keep it.
  void group_by_surface() {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles().size());
    const auto surfaces = mesh_.surfaces().size();
    first_.assign(surfaces + 1, 0);
    tree_.order.resize(count);
    if (surfaces == 1) {
      first_[1] = count;
      for (std::uint32_t t = 0; t < count; ++t) tree_.order[t] = t;
      return;
    }
    std::vector<std::uint32_t> surface(count);
    for (std::uint32_t t = 0; t < count; ++t) ++first_[(surface[t] = mesh_.surface_of(t)) + 1];
    for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < count; ++t) tree_.order[next[surface[t]]++] = t;
  }

  [[nodiscard]] SplitItem surface_item(std::uint32_t s) const noexcept {
    SplitBox box;
    if (first_.size() == 2)
      box.lo = Float4{-1, -1, -1, -1}, box.hi = -box.lo;
    else
      triangles_.for_each(first_[s], first_[s + 1], [&](std::size_t i) { return tree_.order[i]; },
                          [&](std::size_t, const SplitItem& item) { box.include(item.lo, item.hi); });
    // No block has triangles of two surfaces.
    return {box, s, (first_[s + 1] - first_[s] + k_lanes - 1) / k_lanes * k_lanes};
  }

  std::uint32_t split_surfaces(std::span<SplitItem> surfaces, int depth, std::span<const std::uint32_t> by_surface) {
    const auto node = static_cast<std::uint32_t>(tree_.nodes.size());
    const std::uint32_t begin = placed_;
    if (surfaces.size() == 1) {
      const std::uint32_t s = surfaces[0].id(), count = first_[s + 1] - first_[s];
      if (!by_surface.empty()) std::copy_n(&by_surface[first_[s]], count, &tree_.order[begin]);
      placed_ += count;
      tree_.nodes.push_back({begin, placed_, 0, 0, s, 0});
      SplitBox box;
      box.include(surfaces[0].lo, surfaces[0].hi);
      ranges_.push_back({{node, {begin, placed_, s, depth}}, box});
      return node;
    }
    SplitBox box;
    for (const SplitItem& surface : surfaces) box.include(surface.lo, surface.hi);
    tree_.nodes.push_back({begin, begin, 0, 0, k_mixed_surfaces, box.area()});
    const std::size_t half = BinnedSplit<SplitItem>::divide(surfaces, depth);
    const std::uint32_t left = split_surfaces(surfaces.first(half), depth + 1, by_surface);
    const std::uint32_t right = split_surfaces(surfaces.subspan(half), depth + 1, by_surface);
    SplitTree::Node& made = tree_.nodes[node];
    made.end = placed_, made.left = left, made.right = right;
    return node;
  }

  void split_ranges() {
    CellSplit cells(triangles_, tree_.order, threads_);
    for (const auto& [task, bounds] : ranges_) cells.split(task, bounds, tree_.nodes, tasks_);
  }

  /// Each makes a list of its own, which are joined in order.
  void run_tasks() {
    std::vector<std::vector<SplitTree::Node>> of_task(tasks_.size());
    // Many tiny surfaces make many tiny tasks: hand them out by the dozen.
    const std::size_t batch = std::max<std::size_t>(1, tasks_.size() / (16 * std::size_t{threads_}));
    for_each_chunk((tasks_.size() + batch - 1) / batch, threads_, [&](std::size_t chunk) {
      const auto sorted = std::make_unique<SortedSplit>();
      for (std::size_t i = chunk * batch; i < std::min((chunk + 1) * batch, tasks_.size()); ++i)
        sorted->split(triangles_, tree_.order, tasks_[i].range, of_task[i]);
    });
    std::size_t nodes_in_all = tree_.nodes.size();
    for (const auto& nodes : of_task) nodes_in_all += nodes.size();
    tree_.nodes.reserve(nodes_in_all);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      // The task's root is in the tree already; the rest goes to the end, its links moved along.
      const std::vector<SplitTree::Node>& nodes = of_task[i];
      const auto base = static_cast<std::uint32_t>(tree_.nodes.size()) - 1;
      const auto moved = [base](SplitTree::Node node) {
        if (!node.leaf()) node.left += base, node.right += base;
        return node;
      };
      tree_.nodes[tasks_[i].node] = moved(nodes[0]);
      for (std::size_t n = 1; n < nodes.size(); ++n) tree_.nodes.push_back(moved(nodes[n]));
    }
  }

  const Mesh& mesh_;
  unsigned threads_;
  SplitMesh triangles_;
  std::vector<std::uint32_t> first_;  ///< of a surface's triangles
  std::uint32_t placed_ = 0;
  std::vector<std::pair<SplitTask, SplitBox>> ranges_;  ///< the surfaces
  std::vector<SplitTask> tasks_;
  SplitTree tree_;
};

}  // namespace

SplitTree split_mesh(const Mesh& mesh, std::span<const float> vertices, const ShapeOptions& options) {
  return Splitter(mesh, vertices, options).split();
}

}  // namespace snug::detail
