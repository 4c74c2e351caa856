#include "bvh/obb8/split_cells.hpp"

#include "bvh/obb8/split_binned.hpp"
#include "support/assert.hpp"
#include "support/radix_sort.hpp"

#include <algorithm>
#include <cmath>

namespace snug::bvh {

namespace {

template <class Body>
void for_each_part(std::size_t count, std::size_t size, Team& team, Body&& body) {
  team.for_each_chunk((count + size - 1) / size,
                      [&](std::size_t c) { body(c, c * size, std::min((c + 1) * size, count)); });
}
constexpr std::size_t k_part_items = 4096;

/// A node that is no more cells wide than this gets a grid of its own: planes would be too coarse for it.
constexpr float k_fewest_cells = 6;
/// Square of the cells along one side of the grid: few enough that they are fewer than the items by far, many enough that
/// a node which is left to sorting is still many cells wide.
constexpr float k_cells_per_triangle = 0.045F;

}  // namespace

void CellSplit::split(const SplitTask& task, const SplitBox& bounds, std::vector<SplitTree::Node>& nodes,
                      std::vector<SplitTask>& tasks) {
  nodes_ = &nodes, tasks_ = &tasks;
  SplitBox places = bounds;
  places.lo = 2 * places.lo, places.hi = 2 * places.hi;
  split_below(task, places);
  while (!again_.empty()) {
    const SplitTask next = again_.back();
    again_.pop_back();
    split_below(next, places_of(next.range));
  }
}

void CellSplit::split_below(const SplitTask& task, const SplitBox& places) {
  if (task.range.triangles <= SortedSplit::k_most) return tasks_->push_back(task);
  sort_into_cells(task.range, places);
  const Float4 size = places.hi - places.lo;
  if (size[0] > 0 || size[1] > 0 || size[2] > 0)
    split_all_cells(task);
  else
    halve(task);
}

SplitBox CellSplit::places_of(const SplitRange& range) const {
  const std::size_t count = range.end - range.begin;
  if (range.triangles <= SortedSplit::k_most) return {};
  std::vector<SplitBox> parts((count + k_part_items - 1) / k_part_items);
  for_each_part(count, k_part_items, team_, [&](std::size_t part, std::size_t begin, std::size_t end) {
    SplitBox all;
    const auto at = [&](std::size_t i) { return items_.order[range.begin + i]; };
    items_.for_each(begin, end, at,
                    [&](std::size_t, const SplitItem& item) { all.include(item.place(), item.place()); });
    parts[part] = all;
  });
  for (const SplitBox& part : parts) parts[0].include(part);
  return parts[0];
}

/// Fills sorted_ and cells_.
void CellSplit::sort_into_cells(const SplitRange& range, const SplitBox& places) {
  const std::size_t count = range.end - range.begin;
  SNUG_ASSERT(range.begin < range.end && range.end <= items_.order.size());
  // A surface meets about the square of the number of cells along one side.
  const float cells =
      std::clamp(std::floor(std::sqrt(static_cast<float>(range.triangles) * k_cells_per_triangle)), 8.0F, 1024.0F);
  const int bits = std::bit_width(static_cast<unsigned>(cells) - 1);
  SNUG_ASSERT(3 * bits <= 32);  // a key is the upper half of a number
  const Float4 size = places.hi - places.lo;
  const float longest = longest_of(size);
  const float scale = longest > 0 ? cells / longest : 0;
  if (room_ < count) {
    sorted_ = std::make_unique_for_overwrite<std::uint64_t[]>(count);
    other_ = std::make_unique_for_overwrite<std::uint64_t[]>(count);
    room_ = count;
  }
  for_each_part(count, k_part_items, team_, [&](std::size_t, std::size_t begin, std::size_t end) {
    const auto at = [&](std::size_t i) { return items_.order[range.begin + i]; };
    items_.for_each(begin, end, at, [&](std::size_t i, const SplitItem& item) {
      const Float4 position = (item.place() - places.lo) * scale;
      std::uint64_t key = 0;
      for (int axis = 3; axis-- > 0;) {
        const float p = position[axis];
        key = key << bits | static_cast<std::uint32_t>(p > 0 ? (p < cells - 1 ? p : cells - 1) : 0.0F);
      }
      sorted_[i] = key << 32 | items_.order[range.begin + i];
    });
  });
  radix_sort(sorted_, other_, count, 3 * bits);

  starts_.clear();
  for (std::size_t i = 0; i < count; ++i)
    if (i == 0 || sorted_[i] >> 32 != sorted_[i - 1] >> 32) starts_.push_back(static_cast<std::uint32_t>(i));
  cells_.resize(starts_.size());
  SNUG_ASSERT(!cells_.empty() && cells_.size() <= count);
  starts_.push_back(static_cast<std::uint32_t>(count));
  for_each_part(cells_.size(), 1024, team_,
                [&](std::size_t, std::size_t begin, std::size_t end) { fill_cells(begin, end, bits); });
}

void CellSplit::fill_cells(std::size_t begin, std::size_t end, int bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::size_t c = begin;
  SplitBox box;
  std::uint32_t triangles = 0;
  items_.for_each(
      starts_[begin], starts_[end], [&](std::size_t i) { return static_cast<std::uint32_t>(sorted_[i]); },
      [&](std::size_t i, const SplitItem& item) {
        box.include(item.lo, item.hi);
        triangles += item.triangles();
        if (i + 1 != starts_[c + 1]) return;
        Cell& cell = cells_[c];
        cell.lo = box.lo, cell.hi = box.hi;
        cell.lo[3] = std::bit_cast<float>(starts_[c]);
        cell.hi[3] = std::bit_cast<float>(triangles);
        for (int axis = 0; axis < 3; ++axis)
          cell.at[axis] = static_cast<float>(sorted_[i] >> (32 + axis * bits) & mask);
        cell.at[3] = std::bit_cast<float>(starts_[c + 1] - starts_[c]);
        box = {}, triangles = 0, ++c;
      });
  SNUG_ASSERT(c == end);
}

struct CellSplit::CellTask {
  std::span<Cell> cells;
  SplitTask task;
};

/// What comes of some cells: nodes, and what is to be split by a finer grid or by sorting.
struct CellSplit::Found {
  std::vector<SplitTree::Node>& nodes;
  std::vector<SplitTask>& rest;

  std::pair<SplitTask, SplitTask> add_children(const SplitTask& task, std::uint32_t left_items,
                                               std::uint32_t left_triangles) {
    SplitRange left = task.range, right = task.range;
    left.depth = right.depth = task.range.depth + 1;
    left.end = right.begin = left.begin + left_items;
    left.triangles = left_triangles;
    right.first += left_triangles, right.triangles -= left_triangles;
    SNUG_ASSERT(left.begin < left.end && right.begin < right.end);
    SNUG_ASSERT(left_triangles > 0 && left_triangles < task.range.triangles);
    const auto node = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({.surface = left.surface});
    nodes.push_back({.surface = left.surface});
    nodes[task.node].left = node, nodes[task.node].right = node + 1;
    return {{node, left}, {node + 1, right}};
  }
};

/// For items of which all have the same place: by their places in the list.
void CellSplit::halve(const SplitTask& task) {
  SplitBox box;
  for (const Cell& cell : cells_) box.include(cell.lo, cell.hi);
  (*nodes_)[task.node].area = box.area();
  const std::uint32_t left_items = (task.range.end - task.range.begin) / (2 * k_lanes) * k_lanes;
  std::uint32_t left_triangles = 0;
  for (std::uint32_t i = 0; i < left_items; ++i)
    left_triangles += items_.items[items_.order[task.range.begin + i]].triangles();
  Found found{*nodes_, again_};
  const auto [left, right] = found.add_children(task, left_items, left_triangles);
  again_.push_back(right);
  again_.push_back(left);
}

/// False if the cells are not to be split.
bool CellSplit::split_once(std::span<Cell> cells, const SplitTask& task, Found& found, CellTask children[2]) {
  SplitBox box, places;
  for (const Cell& cell : cells) box.include(cell.lo, cell.hi), places.include(cell.at, cell.at);
  const SplitRange& range = task.range;
  found.nodes[task.node].area = box.area();
  const Float4 wide = places.hi - places.lo;
  const bool coarse = !(wide[0] >= k_fewest_cells || wide[1] >= k_fewest_cells || wide[2] >= k_fewest_cells);
  if (range.triangles <= SortedSplit::k_most || coarse) {
    std::uint32_t* to = &items_.order[range.begin];
    for (const Cell& cell : cells)
      for (std::uint32_t i = 0; i < cell.items(); ++i) *to++ = static_cast<std::uint32_t>(sorted_[cell.first() + i]);
    SNUG_ASSERT(to == items_.order.data() + range.end);
    found.rest.push_back(task);
    return false;
  }
  const std::size_t half = BinnedSplit<Cell>::divide(cells, range.depth);
  std::uint32_t count = 0, triangles = 0;
  for (const Cell& cell : cells.first(half)) count += cell.items(), triangles += cell.triangles();
  const auto [left, right] = found.add_children(task, count, triangles);
  children[0] = {cells.first(half), left}, children[1] = {cells.subspan(half), right};
  return true;
}

void CellSplit::split_cells(std::span<Cell> cells, const SplitTask& task, Found& found) {
  CellTask children[2];
  if (!split_once(cells, task, found, children)) return;
  for (const CellTask& child : children) split_cells(child.cells, child.task, found);
}

/// The first splits one after the other, what is below them by several threads. That only changes in which order nodes
/// are listed, not the tree.
void CellSplit::split_all_cells(const SplitTask& task) {
  Found found{*nodes_, again_};
  std::vector<CellTask> parts{{cells_, task}};
  const std::size_t enough = team_.threads() > 1 && cells_.size() > 1000 ? 2 * std::size_t{team_.threads()} : 1;
  for (std::size_t next = 0; next < parts.size() && parts.size() - next < enough; ++next) {
    CellTask children[2];
    if (split_once(parts[next].cells, parts[next].task, found, children))
      parts.insert(parts.end(), children, children + 2);
    parts[next].cells = {};
  }
  std::erase_if(parts, [](const CellTask& part) { return part.cells.empty(); });
  if (parts.size() < 2) {
    for (const CellTask& part : parts) split_cells(part.cells, part.task, found);
    return;
  }
  std::vector<std::vector<SplitTree::Node>> nodes(parts.size());
  std::vector<std::vector<SplitTask>> rest(parts.size());
  team_.for_each_chunk(parts.size(), [&](std::size_t i) {
    nodes[i].push_back({.surface = task.range.surface});
    Found of_part{nodes[i], rest[i]};
    split_cells(parts[i].cells, {0, parts[i].task.range}, of_part);
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t base = join_nodes(nodes[i], parts[i].task.node, *nodes_);
    for (SplitTask& of_part : rest[i]) {
      of_part.node = of_part.node == 0 ? parts[i].task.node : of_part.node + base;
      again_.push_back(of_part);
    }
  }
}

}  // namespace snug::bvh
