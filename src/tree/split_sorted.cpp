#include "tree/split_sorted.hpp"

#include <algorithm>

namespace snug::detail {

namespace {

constexpr std::uint32_t k_few = 64;
constexpr float k_w = 0.6F;
float cost_of(std::uint32_t n) { return (1 - k_w) * blocks_of(n) + k_w * (float(n) / 8 + .5F); }
constexpr int k_key_bits = 16;

/// Sorts keys of 16 bits, the lower bits of each number left as they are. Both arrays hold `count`.
void sort_by_key(std::uint64_t* keys, std::uint64_t* other, std::uint32_t count) {
  constexpr int digit_bits = 8;
  for (int shift = 64 - k_key_bits; shift < 64; shift += digit_bits) {
    std::array<std::uint32_t, std::size_t{1} << digit_bits> place{};
    for (std::uint32_t i = 0; i < count; ++i) ++place[keys[i] >> shift & ((1U << digit_bits) - 1)];
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) sum += std::exchange(p, sum);
    for (std::uint32_t i = 0; i < count; ++i) other[place[keys[i] >> shift & ((1U << digit_bits) - 1)]++] = keys[i];
    std::swap(keys, other);
  }
}

}  // namespace

void SortedSplit::split(std::span<const SplitItem> items, std::span<std::uint32_t> ids, const SplitRange& range,
                        std::vector<SplitTree::Node>& nodes) {
  const std::uint32_t count = range.end - range.begin;
  SplitBox box, places;
  for (std::uint32_t i = 0; i < count; ++i) {
    const SplitItem& item = items[ids[range.begin + i]];
    items_[i] = item;
    box.include(item.lo, item.hi);
    places.include(item.place(), item.place());
  }
  range_ = range, ids_ = ids.subspan(range.begin), nodes_ = &nodes;
  if (count > k_lanes)
    for (int axis = 0; axis < 3; ++axis) sort(axis, count, places);
  else
    for (std::uint32_t i = 0; i < count; ++i) order_[0][i] = static_cast<Local>(i);
  split_node(0, count, box, range.depth);
}

/// By sixteen bits of the place along an axis; those that agree stay as they are.
void SortedSplit::sort(int axis, std::uint32_t count, const SplitBox& places) {
  constexpr float last = (1 << k_key_bits) - 1;
  const float lo = places.lo[axis], size = places.hi[axis] - lo, scale = size > 0 ? last / size : 0;
  const auto key = [&](std::uint32_t i) {
    const float position = (items_[i].place()[axis] - lo) * scale;
    return static_cast<std::uint64_t>(position > 0 ? (position < last ? position : last) : 0.0F);
  };
  if (count <= 24) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t entry = key(i) << 32 | i;
      std::uint32_t at = i;
      for (; at > 0 && keys_[at - 1] > entry; --at) keys_[at] = keys_[at - 1];
      keys_[at] = entry;
    }
  } else {
    for (std::uint32_t i = 0; i < count; ++i) keys_[i] = key(i) << (64 - k_key_bits) | i;
    sort_by_key(keys_.data(), keys_.data() + k_most, count);
  }
  for (std::uint32_t i = 0; i < count; ++i) order_[axis][i] = static_cast<Local>(keys_[i]);
}

std::uint32_t SortedSplit::split_node(std::uint32_t first, std::uint32_t count, const SplitBox& box, int depth) {
  const auto node = static_cast<std::uint32_t>(nodes_->size());
  nodes_->push_back({range_.begin + first, range_.begin + first + count, 0, 0, range_.surface, box.area()});
  if (count <= k_lanes) {
    make_leaf(first, count);
    return node;
  }
  const std::uint32_t blocks = (count + k_lanes - 1) / k_lanes;
  Cut cut = best_cut(first, count);
  if (cut.axis < 0 || depth >= k_deepest_choice) cut.axis = std::max(cut.axis, 0), cut.block = blocks / 2 * k_lanes;
  SplitBox left_box, right_box;
  const std::uint32_t in_left = cut.block;
  for (std::uint32_t i = 0; i < count; ++i) {
    const SplitItem& it = items_[order_[cut.axis][first + i]];
    (i < in_left ? left_box : right_box).include(it.lo, it.hi);
  }
  divide(first, count, cut.axis, in_left);
  const std::uint32_t left = split_node(first, in_left, left_box, depth + 1);
  const std::uint32_t right = split_node(first + in_left, count - in_left, right_box, depth + 1);
  (*nodes_)[node].left = left, (*nodes_)[node].right = right;
  return node;
}

void SortedSplit::make_leaf(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t id = items_[order_[0][first + i]].id();
    std::uint32_t at = first + i;
    for (; at > first && ids_[at - 1] > id; --at) ids_[at] = ids_[at - 1];
    ids_[at] = id;
  }
}

/// Least area times blocks on both sides, after a multiple of eight.
SortedSplit::Cut SortedSplit::best_cut(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t blocks = (count + k_lanes - 1) / k_lanes;
  Cut best;
  for (int axis = 0; axis < 3; ++axis) {
    const Local* order = &order_[axis][first];
    std::array<SplitBox, k_most_blocks>& boxes = boxes_[axis];
    std::array<float, k_most_blocks> right_cost;
    SplitBox right;
    for (std::uint32_t b = blocks; b-- > 0;) {
      SplitBox box;
      const std::uint32_t end = std::min((b + 1) * k_lanes, count);
      for (std::uint32_t i = b * k_lanes; i < end; ++i) box.include(items_[order[i]].lo, items_[order[i]].hi);
      boxes[b] = box;
      right.include(box);
      right_cost[b] = right.area() * static_cast<float>(blocks - b);
    }
    SplitBox left;
    Cut cut;
    for (std::uint32_t b = 1; b < blocks; ++b) {
      left.include(boxes[b - 1]);
      const float cost = left.area() * static_cast<float>(b) + right_cost[b];
      if (cost < cut.cost) cut = {cost, axis, b * k_lanes};
    }
    if (cut.cost < best.cost) best = cut;
  }
  if (count > k_few && best.axis >= 0) refine(first, count, best);
  return best;
}

void SortedSplit::refine(std::uint32_t first, std::uint32_t count, Cut& cut) {
  const std::uint32_t blocks = (count + k_lanes - 1) / k_lanes;
  const Local* order = &order_[cut.axis][first];
  const std::array<SplitBox, k_most_blocks>& boxes = boxes_[cut.axis];
  const std::uint32_t block = cut.block / k_lanes, begin = (block - 1) * k_lanes,
                      end = std::min((block + 1) * k_lanes, count);
  SplitBox left, right;
  for (std::uint32_t b = 0; b + 1 < block; ++b) left.include(boxes[b]);
  for (std::uint32_t b = block + 1; b < blocks; ++b) right.include(boxes[b]);
  std::array<float, 2 * k_lanes> right_cost;
  for (std::uint32_t i = end; i-- > begin;) {
    right.include(items_[order[i]].lo, items_[order[i]].hi);
    right_cost[i - begin] = right.area() * cost_of(count - i);
  }
  cut.cost = std::numeric_limits<float>::infinity();
  for (std::uint32_t i = begin + 1; i < end; ++i) {
    left.include(items_[order[i - 1]].lo, items_[order[i - 1]].hi);
    const float cost = left.area() * cost_of(i) + right_cost[i - begin];
    if (cost < cut.cost) cut.cost = cost, cut.block = i;
  }
}

/// Moves what is not among the first of one axis to the end of the others, otherwise in order.
void SortedSplit::divide(std::uint32_t first, std::uint32_t count, int axis, std::uint32_t left) {
  const Local* order = &order_[axis][first];
  for (std::uint32_t i = 0; i < count; ++i) right_[order[i]] = i >= left;
  for (int other = 0; other < 3; ++other) {
    if (other == axis) continue;
    Local* from = &order_[other][first];
    Local *to = from, *aside = put_aside_.data();
    for (std::uint32_t i = 0; i < count; ++i) {
      const Local item = from[i];
      *to = *aside = item;
      to += !right_[item], aside += right_[item];
    }
    std::copy(put_aside_.data(), aside, to);
  }
}

}  // namespace snug::detail
