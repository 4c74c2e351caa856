#pragma once

#include "bvh/obb8/split_sorted.hpp"
#include "support/rooms.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace snug::bvh {

/// Splits many triangles of one surface. They are put into the cells of a grid, some eight to a cell, and the cells are
/// split instead, along planes of the grid: a fraction of the work for the same planes, as long as a node is many cells
/// wide. Where it is not, there will be a finer grid.
class CellSplit {
 public:
  CellSplit(const SplitItems& items, Team& team) : items_(items), team_(team) {}

  /// Appends the nodes below a task's root to a list, down to parts that are few enough for SortedSplit; these become
  /// tasks. `bounds` is a box around all triangles.
  void split(const SplitTask& task, const SplitBox& bounds, std::vector<SplitTree::Node>& nodes,
             std::vector<SplitTask>& tasks);

 private:
  /// The triangles of one cell: those of sorted_ from first() on.
  struct Cell {
    Float4 lo, hi;  ///< around the triangles; the spare lanes hold where the items begin and the number of triangles
    Float4 at;      ///< place of the cell in the grid; the spare lane holds the number of items

    [[nodiscard]] std::uint32_t first() const noexcept { return std::bit_cast<std::uint32_t>(float{lo[3]}); }
    [[nodiscard]] std::uint32_t items() const noexcept { return std::bit_cast<std::uint32_t>(float{at[3]}); }
    [[nodiscard]] std::uint32_t id() const noexcept { return first(); }
    [[nodiscard]] std::uint32_t triangles() const noexcept { return std::bit_cast<std::uint32_t>(float{hi[3]}); }
    [[nodiscard]] Float4 place() const noexcept { return at; }
  };

  void split_below(const SplitTask& task, const SplitBox& places);
  [[nodiscard]] SplitBox places_of(const SplitRange& range) const;
  void fill_cells(std::size_t begin, std::size_t end, int bits);
  void sort_into_cells(const SplitRange& range, const SplitBox& places);
  struct CellTask;
  struct Found;
  bool split_once(std::span<Cell> cells, const SplitTask& task, Found& found, CellTask children[2]);
  void split_cells(std::span<Cell> cells, const SplitTask& task, Found& found);
  void split_all_cells(const SplitTask& task);
  void halve(const SplitTask& task);

  SplitItems items_;
  Team& team_;
  std::unique_ptr<std::uint64_t[]> sorted_, other_;  ///< number of an item's cell, and of the item
  std::size_t room_ = 0;                             ///< for so many
  std::vector<std::uint32_t> starts_;                ///< of the cells in sorted_, and the end of the last
  std::vector<Cell> cells_;
  std::vector<SplitTask> again_;
  std::vector<SplitTree::Node>* nodes_ = nullptr;
  std::vector<SplitTask>* tasks_ = nullptr;
};

}  // namespace snug::bvh
