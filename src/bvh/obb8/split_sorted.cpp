#include "bvh/obb8/split_sorted.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <utility>

namespace snug::bvh {

namespace {

// In what follows `full` is the number of items that make a full block: eight triangles or four pairs.

/// Up to so many blocks are only split between full ones, so that all but one are full.
constexpr std::uint32_t k_few_blocks = 8;

/// Axes along which the items spread less than this part of what they do along the longest are not looked at: pieces that
/// are as round as can be have the smaller oriented boxes, whatever their straight ones promise.
constexpr float k_shortest_axis = 0.75F;

/// Work of so many items on one side of a split: where there are more than few, a block that is not full may be worth it
/// for a gap.
template <std::uint32_t full>
float work_of(std::uint32_t items) noexcept {
  constexpr float unless_full = 0.6F;
  const std::uint32_t blocks = (items + full - 1) / full;
  return (1 - unless_full) * static_cast<float>(blocks) + unless_full / full * static_cast<float>(items);
}

constexpr int k_key_bits = 16;

/// Sorts by the upper sixteen bits, two digits one after the other. The result is where the keys were.
void sort_by_key(std::uint32_t* keys, std::uint32_t* other, std::uint32_t count) {
  std::array<std::uint16_t, 256> low{}, high{};
  for (std::uint32_t i = 0; i < count; ++i) ++low[keys[i] >> 16 & 255], ++high[keys[i] >> 24];
  std::uint16_t before_low = 0, before_high = 0;
  for (std::size_t digit = 0; digit < 256; ++digit) {
    before_low += std::exchange(low[digit], before_low);
    before_high += std::exchange(high[digit], before_high);
  }
  SNUG_ASSERT(before_low == count && before_high == count);
  for (std::uint32_t i = 0; i < count; ++i) other[low[keys[i] >> 16 & 255]++] = keys[i];
  for (std::uint32_t i = 0; i < count; ++i) keys[high[other[i] >> 24]++] = other[i];
}

}  // namespace

void SortedSplit::split(const SplitItems& items, const SplitRange& range, std::span<std::uint32_t> order,
                        std::vector<SplitTree::Node>& nodes) {
  std::uint32_t count = range.end - range.begin;
  SNUG_ASSERT(range.begin < range.end && range.triangles >= 1 && range.triangles <= k_most);
  SNUG_ASSERT(range.first + range.triangles <= order.size());
  SplitBox box, places;
  const auto take = [&](std::size_t i, const SplitItem& item) {
    items_[i] = item;
    box.include(item.lo, item.hi);
    places.include(item.place(), item.place());
  };
  // Few single triangles may count as pairs, but many would leave too many blocks half empty.
  const bool pairs = 2 * count - range.triangles <= count / k_singles_among;
  if (pairs) {
    items.for_each(0, count, [&](std::size_t i) { return items.order[range.begin + i]; }, take);
  } else {
    count = 0;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const SplitItem& item = items.items[items.order[i]];
      if (item.triangles() == 1) {
        take(count++, item);
      } else {
        take(count++, items.mesh.item(item.id() - 1));
        take(count++, items.mesh.item(item.id() + 1));
      }
    }
  }
  SNUG_ASSERT(count <= k_most);
  nodes.reserve(nodes.size() + range.triangles / 3 + 2);
  order_of_tree_ = order.data(), placed_ = range.first, surface_ = range.surface, nodes_ = &nodes;
  for (int axis = 0; axis < 3; ++axis) sort(axis, count, places);
  if (pairs)
    split_node<k_lanes / 2>(0, count, box, 0, range.depth);
  else
    split_node<k_lanes>(0, count, box, 0, range.depth);
  SNUG_ASSERT(placed_ == range.first + range.triangles);
}

/// By sixteen bits of the place along an axis; those that agree stay as they are.
void SortedSplit::sort(int axis, std::uint32_t count, const SplitBox& places) {
  constexpr float last = (1 << k_key_bits) - 1;
  const float lo = places.lo[axis], size = places.hi[axis] - lo, scale = size > 0 ? last / size : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    // An infinite scale, of a subnormal size, sends everything to one end or the other.
    const float position = (items_[i].place()[axis] - lo) * scale;
    const auto key = static_cast<std::int32_t>(position > 0 ? (position < last ? position : last) : 0.0F);
    keys_[i] = static_cast<std::uint32_t>(key) << k_key_bits | i;
  }
  constexpr std::uint32_t few_to_sort = 32;
  if (count > few_to_sort) {
    sort_by_key(keys_.data(), keys_.data() + k_most, count);
  } else {
    for (std::uint32_t i = 1; i < count; ++i) {
      const std::uint32_t key = keys_[i];
      std::uint32_t at = i;
      for (; at > 0 && keys_[at - 1] > key; --at) keys_[at] = keys_[at - 1];
      keys_[at] = key;
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) order_[axis][i] = static_cast<Local>(keys_[i]);
}

/// `along` is an axis in whose order they are; they are in the order of all three if they are more than a block.
template <std::uint32_t full>
std::uint32_t SortedSplit::split_node(std::uint32_t first, std::uint32_t count, const SplitBox& box, int along,
                                      int depth) {
  const auto node = static_cast<std::uint32_t>(nodes_->size());
  nodes_->push_back({.surface = surface_, .area = box.area()});
  if (count <= full) {
    make_leaf(first, count, along, nodes_->back());
    return node;
  }
  const Cut cut = halved_ || depth >= k_deepest_choice ? middle<full>(first, count) : best_cut<full>(first, count);
  SNUG_ASSERT(cut.axis >= 0 && cut.at > 0 && cut.at < count);
  const SplitBox left_box = box_of<full>(first, 0, cut.at, cut.axis),
                 right_box = box_of<full>(first, cut.at, count, cut.axis);
  if (cut.at > full || count - cut.at > full) divide(first, count, cut.axis, cut.at);
  const std::uint32_t left = split_node<full>(first, cut.at, left_box, cut.axis, depth + 1);
  const std::uint32_t right = split_node<full>(first + cut.at, count - cut.at, right_box, cut.axis, depth + 1);
  (*nodes_)[node].left = left, (*nodes_)[node].right = right;
  return node;
}

/// Ids of a block rise. Those of a pair follow one another, so it is enough to sort the units.
void SortedSplit::make_leaf(std::uint32_t first, std::uint32_t count, int along, SplitTree::Node& leaf) {
  std::array<SplitUnit, k_lanes> units;
  for (std::uint32_t i = 0; i < count; ++i) {
    const SplitUnit unit = items_[order_[along][first + i]].id();
    std::uint32_t at = i;
    for (; at > 0 && units[at - 1] > unit; --at) units[at] = units[at - 1];
    units[at] = unit;
  }
  leaf.first = placed_;
  for (std::uint32_t i = 0; i < count; ++i) {
    order_of_tree_[placed_++] = units[i] / 2;
    if (units[i] % 2 != 0) order_of_tree_[placed_++] = units[i] / 2 + 1;
  }
  leaf.count = placed_ - leaf.first;
  SNUG_ASSERT(leaf.count >= 1 && leaf.count <= k_lanes);
}

/// From one place to another in the order of an axis, with the help of the boxes that find_boxes() left.
template <std::uint32_t full>
SplitBox SortedSplit::box_of(std::uint32_t first, std::uint32_t begin, std::uint32_t end, int axis) const {
  SplitBox box;
  std::uint32_t i = begin;
  for (; i < end && i % full != 0; ++i) include(box, order_[axis][first + i]);
  for (; i + full <= end; i += full) box.include(boxes_[axis][i / full]);
  for (; i < end; ++i) include(box, order_[axis][first + i]);
  return box;
}

/// Of each full block along an axis, and of what remains.
template <std::uint32_t full>
void SortedSplit::find_boxes(std::uint32_t first, std::uint32_t count, int axis) {
  const Local* order = &order_[axis][first];
  const std::uint32_t whole = count / full;
  SNUG_ASSERT((count + full - 1) / full <= k_most_blocks);
  for (std::uint32_t b = 0; b < whole; ++b) {
    SplitBox box;
    for (std::uint32_t i = 0; i < full; ++i) include(box, order[b * full + i]);
    boxes_[axis][b] = box;
  }
  if (count == whole * full) return;
  SplitBox box;
  for (std::uint32_t i = whole * full; i < count; ++i) include(box, order[i]);
  boxes_[axis][whole] = box;
}

/// Half of the blocks along the longest side.
template <std::uint32_t full>
SortedSplit::Cut SortedSplit::middle(std::uint32_t first, std::uint32_t count) {
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (spread_along(first, count, axis) > spread_along(first, count, longest)) longest = axis;
  find_boxes<full>(first, count, longest);
  return {0, longest, std::max(full, count / (2 * full) * full)};
}

/// Least area times work on both sides. Leaves boxes along its axis behind.
template <std::uint32_t full>
SortedSplit::Cut SortedSplit::best_cut(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t blocks = (count + full - 1) / full;
  Cut best;
  float size[3], longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    size[axis] = spread_along(first, count, axis);
    longest = std::max(longest, size[axis]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] < k_shortest_axis * longest) continue;
    find_boxes<full>(first, count, axis);
    const std::array<SplitBox, k_most_blocks>& boxes = boxes_[axis];
    std::array<float, k_most_blocks> right_cost;
    SplitBox right;
    for (std::uint32_t b = blocks; b-- > 1;) {
      right.include(boxes[b]);
      right_cost[b] = right.area() * static_cast<float>(blocks - b);
    }
    SplitBox left;
    for (std::uint32_t b = 1; b < blocks; ++b) {
      left.include(boxes[b - 1]);
      const float cost = left.area() * static_cast<float>(b) + right_cost[b];
      if (cost < best.cost) best = {cost, axis, b * full};
    }
  }
  if (best.axis < 0) return middle<full>(first, count);
  if (blocks > k_few_blocks) refine<full>(first, count, best);
  return best;
}

/// Looks for a better place nearby, at any item.
template <std::uint32_t full>
void SortedSplit::refine(std::uint32_t first, std::uint32_t count, Cut& cut) const {
  const std::uint32_t begin = cut.at - full, end = std::min(cut.at + full, count);
  SNUG_ASSERT(cut.at >= full && begin < end && end <= count);
  const Local* order = &order_[cut.axis][first];
  SplitBox left = box_of<full>(first, 0, begin, cut.axis), right = box_of<full>(first, end, count, cut.axis);
  std::array<float, 2 * full> right_cost;
  for (std::uint32_t i = end; i-- > begin;) {
    include(right, order[i]);
    right_cost[i - begin] = right.area() * work_of<full>(count - i);
  }
  cut.cost = std::numeric_limits<float>::infinity();
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    include(left, order[i - 1]);
    const float cost = left.area() * work_of<full>(i) + right_cost[i - begin];
    if (cost < cut.cost) cut.cost = cost, cut.at = i;
  }
}

/// Moves what is not among the first of one axis to the end of the others, otherwise in order.
void SortedSplit::divide(std::uint32_t first, std::uint32_t count, int axis, std::uint32_t left) {
  const Local* order = &order_[axis][first];
  for (std::uint32_t i = 0; i < left; ++i) right_[order[i]] = 0;
  for (std::uint32_t i = left; i < count; ++i) right_[order[i]] = 1;
  for (int other = 0; other < 3; ++other) {
    if (other == axis) continue;
    Local* from = &order_[other][first];
    Local *to = from, *aside = put_aside_.data();
    for (std::uint32_t i = 0; i < count; ++i) {
      const Local item = from[i];
      const std::size_t right = right_[item];
      *to = *aside = item;
      to += 1 - right, aside += right;
    }
    std::copy(put_aside_.data(), aside, to);
    SNUG_ASSERT(to == from + left);
  }
}

}  // namespace snug::bvh
