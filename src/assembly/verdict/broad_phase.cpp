#include "assembly/verdict/broad_phase.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace snug::detail {

namespace {

/// The axis along which the boxes spread most in comparison with their size: sorted along it, few are open at once.
std::size_t sorting_axis(std::span<const Aabb> boxes) {
  SNUG_ASSERT(!boxes.empty());
  std::array<double, 3> measure{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double lo = boxes[0].lo[axis], hi = boxes[0].hi[axis], sizes = 0;
    for (const Aabb& box : boxes) {
      lo = std::min(lo, box.lo[axis]), hi = std::max(hi, box.hi[axis]);
      sizes += box.hi[axis] - box.lo[axis];
    }
    measure[axis] = sizes > 0 ? (hi - lo) / sizes : 0;
  }
  return static_cast<std::size_t>(std::ranges::max_element(measure) - measure.begin());
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> overlapping_boxes(std::span<const Aabb> boxes) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (boxes.empty()) return pairs;
  const std::size_t axis = sorting_axis(boxes);
  std::vector<std::uint32_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return boxes[i].lo[axis]; });

  std::vector<std::uint32_t> open;  // boxes that the sweep has entered and not left
  for (const std::uint32_t i : order) {
    std::erase_if(open, [&](std::uint32_t j) { return boxes[j].hi[axis] < boxes[i].lo[axis]; });
    for (const std::uint32_t j : open)
      if (boxes[i].overlaps(boxes[j])) pairs.emplace_back(std::min(i, j), std::max(i, j));
    open.push_back(i);
  }
  std::ranges::sort(pairs);
  SNUG_ASSERT(std::ranges::adjacent_find(pairs) == pairs.end());
  return pairs;
}

}  // namespace snug::detail
