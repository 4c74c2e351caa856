#include "tree/split.hpp"

#include "support/parallel.hpp"
#include "tree/obb_tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>

namespace snug::detail {

namespace {

/// x, y, z and one lane for something else. A compiler's own vector type: four lanes exist on every machine we know.
using Float4 = float __attribute__((vector_size(16)));

Float4 lower(Float4 a, Float4 b) noexcept { return a < b ? a : b; }
Float4 upper(Float4 a, Float4 b) noexcept { return a > b ? a : b; }

/// A triangle or a surface, by its box. The spare lanes hold id and weight as bits.
struct Item {
  Float4 lo, hi;

  [[nodiscard]] std::uint32_t id() const noexcept { return std::bit_cast<std::uint32_t>(float{lo[3]}); }
  [[nodiscard]] std::uint32_t weight() const noexcept { return std::bit_cast<std::uint32_t>(float{hi[3]}); }
  /// Twice the middle.
  [[nodiscard]] Float4 centre() const noexcept { return lo + hi; }
};

struct Box {
  Float4 lo, hi;

  Box() noexcept {
    const float inf = std::numeric_limits<float>::infinity();
    lo = Float4{inf, inf, inf, inf}, hi = -lo;
  }
  void include(Float4 low, Float4 high) noexcept { lo = lower(lo, low), hi = upper(hi, high); }
  [[nodiscard]] float area() const noexcept {
    const Float4 size = hi - lo;
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
  }
};

Item make_item(const Box& box, std::uint32_t id, std::uint32_t weight) noexcept {
  Item item{box.lo, box.hi};
  item.lo[3] = std::bit_cast<float>(id);
  item.hi[3] = std::bit_cast<float>(weight);
  return item;
}

Box box_of(std::span<const Item> items) noexcept {
  Box box;
  for (const Item& item : items) box.include(item.lo, item.hi);
  return box;
}

/// Work of so many triangles: blocks are compared as wholes.
float blocks(std::uint32_t triangles) noexcept { return static_cast<float>((triangles + k_lanes - 1) / k_lanes); }

constexpr int k_bins = 16;
struct Bin {
  Box box;
  std::uint32_t weight = 0;
};

struct Plane {
  float cost = std::numeric_limits<float>::infinity();
  int axis = -1, bin = 0;
};

/// Maps the middle of an item to a bin, the same way whenever it is asked.
struct Binning {
  Float4 lo, scale;
  int count;

  Binning(std::span<const Item> items) noexcept : count(items.size() > 64 ? k_bins : k_bins / 2) {
    Box middles;
    for (const Item& item : items) middles.include(item.centre(), item.centre());
    lo = middles.lo;
    const Float4 size = middles.hi - middles.lo;
    for (int axis = 0; axis < 3; ++axis) scale[axis] = size[axis] > 0 ? static_cast<float>(count) / size[axis] : 0.0F;
    scale[3] = 0;
  }
  [[nodiscard]] int bin(const Item& item, int axis) const noexcept {
    // A subnormal size makes the scale infinite; the comparison then sends everything to one bin or the other.
    const float position = (item.centre()[axis] - lo[axis]) * scale[axis];
    return position > 0 ? (position < static_cast<float>(count - 1) ? static_cast<int>(position) : count - 1) : 0;
  }
};

Plane best_plane(std::span<const Item> items, const Binning& binning) noexcept {
  std::array<std::array<Bin, k_bins>, 3> bins;
  for (const Item& item : items) {
    const Float4 position = (item.centre() - binning.lo) * binning.scale;
    const std::uint32_t weight = item.weight();
    for (int axis = 0; axis < 3; ++axis) {
      const float p = position[axis];
      const int last = binning.count - 1;
      const int b = p > 0 ? (p < static_cast<float>(last) ? static_cast<int>(p) : last) : 0;
      Bin& bin = bins[axis][b];
      bin.box.include(item.lo, item.hi);
      bin.weight += weight;
    }
  }
  Plane best;
  for (int axis = 0; axis < 3; ++axis) {
    if (binning.scale[axis] == 0) continue;
    std::array<float, k_bins> right_cost{};
    Box right;
    std::uint32_t weight = 0;
    for (int b = binning.count - 1; b > 0; --b) {
      right.include(bins[axis][b].box.lo, bins[axis][b].box.hi);
      weight += bins[axis][b].weight;
      right_cost[b] = weight == 0 ? std::numeric_limits<float>::infinity() : right.area() * blocks(weight);
    }
    Box left;
    weight = 0;
    for (int b = 1; b < binning.count; ++b) {
      left.include(bins[axis][b - 1].box.lo, bins[axis][b - 1].box.hi);
      weight += bins[axis][b - 1].weight;
      if (weight == 0) continue;
      const float cost = left.area() * blocks(weight) + right_cost[b];
      if (cost < best.cost) best = {cost, axis, b};
    }
  }
  return best;
}

/// Orders along an axis, ties by id, so that the tree is the same on every machine.
struct Along {
  int axis;
  bool operator()(const Item& a, const Item& b) const noexcept {
    const float ca = a.centre()[axis], cb = b.centre()[axis];
    return ca != cb ? ca < cb : a.id() < b.id();
  }
};

/// Along the longest side of the middles.
std::size_t halve(std::span<Item> items, std::size_t half) {
  Box middles;
  for (const Item& item : items) middles.include(item.centre(), item.centre());
  const Float4 size = middles.hi - middles.lo;
  const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(), Along{axis});
  return half;
}
/// The same for triangles: the first part is a multiple of a block.
std::size_t halve_blocks(std::span<Item> items) {
  return halve(items, std::max<std::size_t>(k_lanes, items.size() / (2 * k_lanes) * k_lanes));
}

/// Up to this many triangles are divided so that all blocks but one are full.
constexpr std::size_t k_few = 64;

/// The same as divide() for few triangles: the first part is a multiple of a block.
std::size_t divide_few(std::span<Item> items) {
  std::array<Item, k_few> best_order;
  float best_cost = std::numeric_limits<float>::infinity();
  std::size_t best = 0;
  int best_axis = -1, sorted_axis = -1;
  for (int axis = 0; axis < 3; ++axis) {
    std::sort(items.begin(), items.end(), Along{axis});
    sorted_axis = axis;
    std::array<float, k_few> left_area{};
    Box left;
    for (std::size_t i = 0; i < items.size(); ++i) {
      left.include(items[i].lo, items[i].hi);
      left_area[i] = left.area();
    }
    Box right;
    for (std::size_t i = items.size(); i-- > k_lanes;) {
      right.include(items[i].lo, items[i].hi);
      if (i % k_lanes != 0) continue;
      const float cost = left_area[i - 1] * blocks(static_cast<std::uint32_t>(i)) +
                         right.area() * blocks(static_cast<std::uint32_t>(items.size() - i));
      if (cost < best_cost) best_cost = cost, best = i, best_axis = axis;
    }
    if (best_axis == axis && axis < 2) std::copy(items.begin(), items.end(), best_order.begin());
  }
  if (best_axis < 0) return halve(items, items.size() / 2);
  if (best_axis != sorted_axis) std::copy_n(best_order.begin(), items.size(), items.begin());
  return best;
}

/// Reorders the items and says how many come first. Both sides get at least one.
std::size_t divide(std::span<Item> items, int depth) {
  const Binning binning(items);
  // Unbalanced splits may be worth it, but not for ever: depth bounds the memory of a search.
  const Plane plane = depth < 48 ? best_plane(items, binning) : Plane{};
  if (plane.axis >= 0) {
    const auto middle = std::partition(items.begin(), items.end(),
                                       [&](const Item& item) { return binning.bin(item, plane.axis) < plane.bin; });
    const auto first = static_cast<std::size_t>(middle - items.begin());
    if (first > 0 && first < items.size()) return first;
  }
  return halve(items, items.size() / 2);
}

/// Splits below this size are one unit of parallel work.
constexpr std::size_t k_task_triangles = 4096;

class Splitter {
 public:
  Splitter(const Mesh& mesh, const std::vector<float>& vertices, ShapeOptions::Quality quality)
      : mesh_(mesh), vertices_(vertices), halve_(quality == ShapeOptions::Quality::halved) {}

  SplitTree split(unsigned threads) {
    const auto surfaces = static_cast<std::uint32_t>(mesh_.surfaces().size());
    items_.resize(mesh_.triangles().size());
    std::vector<Item> wholes;
    std::vector<std::uint32_t> first(surfaces + 1);
    const std::vector<std::uint32_t> ids = by_surface(first);
    // Surfaces differ widely in size, so work is cut by triangles.
    const std::size_t chunks = (items_.size() + k_task_triangles - 1) / k_task_triangles;
    for_each_chunk(chunks, threads, [&](std::size_t chunk) {
      const std::size_t end = std::min((chunk + 1) * k_task_triangles, items_.size());
      for (std::size_t i = chunk * k_task_triangles; i < end; ++i) items_[i] = triangle_item(ids[i]);
    });
    for (std::uint32_t s = 0; s < surfaces; ++s) {
      const std::uint32_t count = first[s + 1] - first[s];
      if (count == 0) continue;
      const Box box = box_of(std::span(items_).subspan(first[s], count));
      wholes.push_back(make_item(box, s, (count + k_lanes - 1) / k_lanes * k_lanes));
    }
    first_ = std::move(first);
    tree_.order.resize(items_.size());
    if (!wholes.empty()) split_surfaces(wholes, 0);
    run_tasks(threads);
    return std::move(tree_);
  }

 private:
  struct Task {
    std::uint32_t node = 0, surface = 0, order = 0;
    std::span<Item> items;
    int depth = 0;
  };

  /// Triangle ids, surface after surface. The mesh can tell the same, but would have to keep it.
  [[nodiscard]] std::vector<std::uint32_t> by_surface(std::vector<std::uint32_t>& first) const {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles().size());
    std::vector<std::uint32_t> surface(count);
    for (std::uint32_t t = 0; t < count; ++t) ++first[(surface[t] = mesh_.surface_of(t)) + 1];
    for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1), ids(count);
    for (std::uint32_t t = 0; t < count; ++t) ids[next[surface[t]]++] = t;
    return ids;
  }

  [[nodiscard]] Item triangle_item(std::uint32_t t) const noexcept {
    Box box;
    for (const std::uint32_t v : mesh_.triangles()[t]) {
      Float4 p;
      std::memcpy(&p, &vertices_[4 * std::size_t{v}], sizeof p);
      box.include(p, p);
    }
    return make_item(box, t, 1);
  }

  std::uint32_t add(std::vector<SplitTree::Node>& nodes, std::span<const Item> items, std::uint32_t order,
                    std::uint32_t count, std::uint32_t surface) {
    const auto node = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({order, order + count, 0, 0, surface, box_of(items).area()});
    return node;
  }

  [[nodiscard]] std::uint32_t count_of(std::uint32_t surface) const noexcept {
    return first_[surface + 1] - first_[surface];
  }

  std::uint32_t split_surfaces(std::span<Item> surfaces, int depth) {
    if (surfaces.size() == 1) {
      const std::uint32_t s = surfaces[0].id();
      const std::uint32_t begin = placed_, count = count_of(s);
      placed_ += count;
      return split_or_defer({0, s, begin, std::span(items_).subspan(first_[s], count), depth});
    }
    std::uint32_t count = 0;
    for (const Item& surface : surfaces) count += count_of(surface.id());
    const std::uint32_t node = add(tree_.nodes, surfaces, placed_, count, k_mixed_surfaces);
    const std::size_t half = halve_ ? halve(surfaces, surfaces.size() / 2) : divide(surfaces, depth);
    const std::uint32_t left = split_surfaces(surfaces.first(half), depth + 1);
    const std::uint32_t right = split_surfaces(surfaces.subspan(half), depth + 1);
    tree_.nodes[node].left = left, tree_.nodes[node].right = right;
    return node;
  }

  /// Large ranges are divided here, small ones later, several at a time.
  std::uint32_t split_or_defer(Task task) {
    const auto count = static_cast<std::uint32_t>(task.items.size());
    task.node = add(tree_.nodes, task.items, task.order, count, task.surface);
    if (count <= k_task_triangles) {
      tasks_.push_back(task);
      return task.node;
    }
    const std::size_t half = halve_ ? halve_blocks(task.items) : divide(task.items, task.depth);
    const std::uint32_t left = split_or_defer({0, task.surface, task.order, task.items.first(half), task.depth + 1});
    const std::uint32_t right = split_or_defer(
        {0, task.surface, task.order + static_cast<std::uint32_t>(half), task.items.subspan(half), task.depth + 1});
    tree_.nodes[task.node].left = left, tree_.nodes[task.node].right = right;
    return task.node;
  }

  /// The nodes of a task go into a list of its own, the root of the task first.
  std::uint32_t split_triangles(std::vector<SplitTree::Node>& nodes, const Task& task) {
    const auto count = static_cast<std::uint32_t>(task.items.size());
    const std::uint32_t node = add(nodes, task.items, task.order, count, task.surface);
    if (count <= k_lanes) {
      std::uint32_t* ids = &tree_.order[task.order];
      for (std::uint32_t i = 0; i < count; ++i) ids[i] = task.items[i].id();
      std::sort(ids, ids + count);
      return node;
    }
    const std::size_t half = halve_           ? halve_blocks(task.items)
                             : count <= k_few ? divide_few(task.items)
                                              : divide(task.items, task.depth);
    const std::uint32_t left =
        split_triangles(nodes, {0, task.surface, task.order, task.items.first(half), task.depth + 1});
    const std::uint32_t right = split_triangles(nodes, {0, task.surface, task.order + static_cast<std::uint32_t>(half),
                                                        task.items.subspan(half), task.depth + 1});
    nodes[node].left = left, nodes[node].right = right;
    return node;
  }

  void run_tasks(unsigned threads) {
    std::vector<std::vector<SplitTree::Node>> of_task(tasks_.size());
    // Many tiny surfaces make many tiny tasks: hand them out by the dozen.
    const std::size_t batch = std::max<std::size_t>(1, tasks_.size() / (16 * std::size_t{threads}));
    for_each_chunk((tasks_.size() + batch - 1) / batch, threads, [&](std::size_t chunk) {
      for (std::size_t i = chunk * batch; i < std::min((chunk + 1) * batch, tasks_.size()); ++i)
        split_triangles(of_task[i], tasks_[i]);
    });
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
  const std::vector<float>& vertices_;
  bool halve_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> first_;  ///< of a surface's triangles
  std::uint32_t placed_ = 0;
  std::vector<Task> tasks_;
  SplitTree tree_;
};

}  // namespace

SplitTree split_mesh(const Mesh& mesh, const std::vector<float>& vertices, const ShapeOptions& options) {
  return Splitter(mesh, vertices, options.quality).split(std::max(options.threads, 1U));
}

}  // namespace snug::detail
