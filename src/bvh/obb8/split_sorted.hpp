#pragma once

#include "bvh/obb8/split.hpp"
#include "bvh/obb8/split_box.hpp"
#include "support/rooms.hpp"

#include <array>
#include <span>
#include <vector>

namespace snug::bvh {

/// Triangles of one surface that become a part of the tree.
struct SplitRange {
  std::uint32_t begin = 0, end = 0;  ///< items, in the order they have so far
  std::uint32_t first = 0;           ///< place of the first triangle in the order of the tree
  std::uint32_t triangles = 0;
  std::uint32_t surface = 0;
  int depth = 0;
};

/// A part of the tree that is still to be made: its root is there, nothing below it.
struct SplitTask {
  std::uint32_t node = 0;
  SplitRange range;
};

/// Splits some hundreds of triangles down to blocks. Each axis is sorted once, on the way down the three orders are only
/// divided; and a split is looked for after every eighth triangle of each. To be made once for many ranges, since it holds
/// the memory for it.
class SortedSplit {
 public:
  static constexpr std::uint32_t k_most = 1024;

  /// `halved`: in the middle of the longest side, without looking for better.
  explicit SortedSplit(bool halved) noexcept : halved_(halved) {}

  /// Splits a range of at least one and at most k_most triangles and puts them in order. Appends the nodes to a list, the
  /// root of the range first.
  void split(const SplitItems& items, const SplitRange& range, std::span<std::uint32_t> order,
             std::vector<SplitTree::Node>& nodes);

 private:
  using Local = std::uint16_t;
  /// One item in so many may be a single triangle among pairs.
  static constexpr std::uint32_t k_singles_among = 8;
  /// Of k_most triangles, if as many as may be of the places of a second triangle are empty.
  static constexpr std::uint32_t k_most_blocks =
      k_most * k_singles_among / (2 * k_singles_among - 1) / (k_lanes / 2) + 1;

  struct Cut {
    float cost = std::numeric_limits<float>::infinity();
    int axis = -1;
    std::uint32_t at = 0;  ///< so many items go to the left
  };

  void sort(int axis, std::uint32_t count, const SplitBox& places);
  template <std::uint32_t full>
  std::uint32_t split_node(std::uint32_t first, std::uint32_t count, const SplitBox& box, int along, int depth);
  void make_leaf(std::uint32_t first, std::uint32_t count, int along, SplitTree::Node& leaf);
  template <std::uint32_t full>
  Cut best_cut(std::uint32_t first, std::uint32_t count);
  template <std::uint32_t full>
  Cut middle(std::uint32_t first, std::uint32_t count);
  template <std::uint32_t full>
  void find_boxes(std::uint32_t first, std::uint32_t count, int axis);
  template <std::uint32_t full>
  void refine(std::uint32_t first, std::uint32_t count, Cut& cut) const;
  void divide(std::uint32_t first, std::uint32_t count, int axis, std::uint32_t left);
  template <std::uint32_t full>
  [[nodiscard]] SplitBox box_of(std::uint32_t first, std::uint32_t begin, std::uint32_t end, int axis) const;
  void include(SplitBox& box, Local item) const noexcept { box.include(items_[item].lo, items_[item].hi); }

  [[nodiscard]] float spread_along(std::uint32_t first, std::uint32_t count, int axis) const noexcept {
    return items_[order_[axis][first + count - 1]].place()[axis] - items_[order_[axis][first]].place()[axis];
  }

  bool halved_;
  std::array<SplitItem, k_most> items_;
  std::array<std::array<Local, k_most>, 3> order_;            ///< along each axis, of items_
  std::array<std::array<SplitBox, k_most_blocks>, 3> boxes_;  ///< around each eight of a node, along each axis
  std::array<std::uint32_t, 2 * k_most> keys_;
  std::array<Local, k_most> put_aside_;
  std::array<std::uint8_t, k_most> right_;
  std::uint32_t* order_of_tree_ = nullptr;
  std::uint32_t placed_ = 0, surface_ = 0;
  std::vector<SplitTree::Node>* nodes_ = nullptr;
};

}  // namespace snug::bvh
