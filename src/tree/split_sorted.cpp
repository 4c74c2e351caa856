#include "tree/split_sorted.hpp"

#include <algorithm>
#include <utility>

namespace snug::detail {

namespace {

/// Up to so many triangles are only split after a multiple of eight, so that all blocks but one are full.
constexpr std::uint32_t k_few = 64;

/// Work of so many triangles on one side of a split: more than few need not be a multiple of eight, since a block that is
/// not full may be worth it where there is a gap.
float work_of(std::uint32_t triangles) noexcept {
  constexpr float unless_full = 0.6F;
  return (1 - unless_full) * blocks_of(triangles) + unless_full / k_lanes * static_cast<float>(triangles);
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
  for (std::uint32_t i = 0; i < count; ++i) other[low[keys[i] >> 16 & 255]++] = keys[i];
  for (std::uint32_t i = 0; i < count; ++i) keys[high[other[i] >> 24]++] = other[i];
}

}  // namespace

void SortedSplit::split(const SplitMesh& mesh, std::span<std::uint32_t> ids, const SplitRange& range,
                        std::vector<SplitTree::Node>& nodes) {
  const std::uint32_t count = range.end - range.begin;
  SplitBox box, places;
  mesh.for_each(
      0, count, [&](std::size_t i) { return ids[range.begin + i]; },
      [&](std::size_t i, const SplitItem& item) {
        items_[i] = item;
        box.include(item.lo, item.hi);
        places.include(item.place(), item.place());
      });
  nodes.reserve(nodes.size() + count / 3 + 2);
  range_ = range, ids_ = ids.subspan(range.begin), nodes_ = &nodes;
  for (int axis = 0; axis < (count > k_lanes ? 3 : 1); ++axis) sort(axis, count, places);
  split_node(0, count, box, 0, range.depth);
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

/// `along` is an axis in whose order they are, of all three if they are more than a block.
std::uint32_t SortedSplit::split_node(std::uint32_t first, std::uint32_t count, const SplitBox& box, int along,
                                      int depth) {
  const auto node = static_cast<std::uint32_t>(nodes_->size());
  nodes_->push_back({range_.begin + first, range_.begin + first + count, 0, 0, range_.surface, box.area()});
  if (count <= k_lanes) {
    make_leaf(first, count, along);
    return node;
  }
  Cut cut = best_cut(first, count);
  if (cut.axis < 0 || depth >= k_deepest_choice) cut = {0, std::max(cut.axis, 0), count / (2 * k_lanes) * k_lanes};
  if (cut.at == 0) cut.at = k_lanes;
  const SplitBox left_box = box_of(first, 0, cut.at, cut.axis), right_box = box_of(first, cut.at, count, cut.axis);
  if (cut.at > k_lanes || count - cut.at > k_lanes) divide(first, count, cut.axis, cut.at);
  const std::uint32_t left = split_node(first, cut.at, left_box, cut.axis, depth + 1);
  const std::uint32_t right = split_node(first + cut.at, count - cut.at, right_box, cut.axis, depth + 1);
  (*nodes_)[node].left = left, (*nodes_)[node].right = right;
  return node;
}

/// Ids of a block rise.
void SortedSplit::make_leaf(std::uint32_t first, std::uint32_t count, int along) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t id = items_[order_[along][first + i]].id();
    std::uint32_t at = first + i;
    for (; at > first && ids_[at - 1] > id; --at) ids_[at] = ids_[at - 1];
    ids_[at] = id;
  }
}

/// From one place to another in the order of an axis, with the help of the boxes that best_cut() left.
SplitBox SortedSplit::box_of(std::uint32_t first, std::uint32_t begin, std::uint32_t end, int axis) const {
  SplitBox box;
  std::uint32_t i = begin;
  for (; i < end && i % k_lanes != 0; ++i) include(box, order_[axis][first + i]);
  for (; i + k_lanes <= end; i += k_lanes) box.include(boxes_[axis][i / k_lanes]);
  for (; i < end; ++i) include(box, order_[axis][first + i]);
  return box;
}

/// Least area times work on both sides. Leaves the boxes of each eight behind.
SortedSplit::Cut SortedSplit::best_cut(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t blocks = (count + k_lanes - 1) / k_lanes;
  Cut best;
  float size[3], longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    size[axis] = items_[order_[axis][first + count - 1]].place()[axis] - items_[order_[axis][first]].place()[axis];
    longest = std::max(longest, size[axis]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] < 0.3F * longest) continue;
    const Local* order = &order_[axis][first];
    std::array<SplitBox, k_most_blocks>& boxes = boxes_[axis];
    for (std::uint32_t b = 0; b < count / k_lanes; ++b) {
      SplitBox box;
      for (std::uint32_t i = 0; i < k_lanes; ++i) include(box, order[b * k_lanes + i]);
      boxes[b] = box;
    }
    if (count % k_lanes != 0) {
      SplitBox box;
      for (std::uint32_t i = count - count % k_lanes; i < count; ++i) include(box, order[i]);
      boxes[blocks - 1] = box;
    }
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
      if (cost < best.cost) best = {cost, axis, b * k_lanes};
    }
  }
  if (count > k_few && best.axis >= 0) refine(first, count, best);
  return best;
}

/// Looks for a better place nearby, at any triangle.
void SortedSplit::refine(std::uint32_t first, std::uint32_t count, Cut& cut) const {
  const std::uint32_t begin = cut.at - k_lanes, end = std::min(cut.at + k_lanes, count);
  const Local* order = &order_[cut.axis][first];
  SplitBox left = box_of(first, 0, begin, cut.axis), right = box_of(first, end, count, cut.axis);
  std::array<float, 2 * k_lanes> right_cost;
  for (std::uint32_t i = end; i-- > begin;) {
    include(right, order[i]);
    right_cost[i - begin] = right.area() * work_of(count - i);
  }
  cut.cost = std::numeric_limits<float>::infinity();
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    include(left, order[i - 1]);
    const float cost = left.area() * work_of(i) + right_cost[i - begin];
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
  }
}

}  // namespace snug::detail
