#include "scene/box_order.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace snug::scene {

namespace {

constexpr std::uint32_t k_bits = 10;     // of the curve, per axis
constexpr std::size_t k_short_run = 32;  // boxes with one key that are left as they are
constexpr int k_frame_bits = 37;         // of what is farthest, above what is amid
constexpr int k_far_bits = 100;          // what is farther above what is amid is cut off: floats would lose the rest
constexpr std::size_t k_worth_radix = 1024, k_records_ahead = 16;
constexpr std::size_t k_radix_bits = 11, k_passes = 3;  // 33 bits

/// Place along the curve of Hilbert through 2^k_bits cells per axis, after Skilling (2004): the coordinates become the
/// curve's index with its bits spread over the three of them.
std::uint32_t hilbert(std::array<std::uint32_t, 3> x) noexcept {
  for (std::uint32_t q = 1U << (k_bits - 1); q > 1; q >>= 1) {
    const std::uint32_t p = q - 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t set = 0U - static_cast<std::uint32_t>((x[i] & q) != 0);
      const std::uint32_t t = (x[0] ^ x[i]) & p & ~set;
      x[0] ^= (p & set) ^ t;
      x[i] ^= t;
    }
  }
  x[1] ^= x[0], x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1U << (k_bits - 1); q > 1; q >>= 1)
    t ^= (q - 1) & (0U - static_cast<std::uint32_t>((x[2] & q) != 0));
  const auto spread = [](std::uint32_t v) {
    v = (v | v << 16) & 0x030000ffU;
    v = (v | v << 8) & 0x0300f00fU;
    v = (v | v << 4) & 0x030c30c3U;
    return (v | v << 2) & 0x09249249U;
  };
  return spread(x[0] ^ t) << 2 | spread(x[1] ^ t) << 1 | spread(x[2] ^ t);
}

/// 0 for boxes that fill much of the scene, 3 for small ones: they would widen the nodes of others beside which they lie.
std::uint32_t size_class(const Aabb& box, double scene_edge) noexcept {
  const Vec3 edge = box.hi - box.lo;
  const double longest = std::max({edge.x, edge.y, edge.z});
  return static_cast<std::uint32_t>(longest <= scene_edge / 4) +
         static_cast<std::uint32_t>(longest <= scene_edge / 16) +
         static_cast<std::uint32_t>(longest <= scene_edge / 64);
}

/// Boxes of the whole world say nothing about where the others are.
bool bounded(const Aabb& box) noexcept { return !box.empty() && !is_world(box); }

}  // namespace

BoxFrame frame_of(std::span<const BoxRecord> records) noexcept {
  constexpr std::size_t most = 255;
  const std::size_t stride = records.size() / most + 1;
  std::array<double, most> values;
  std::size_t count = 0;
  /// The value below which `share` of the boxes lie, as far as every so-manyth of them tells.
  const auto quantile = [&](double share, auto&& value_of) {
    count = 0;
    for (std::size_t i = 0; i < records.size(); i += stride)
      if (bounded(records[i].box)) values[count++] = value_of(records[i].box);
    if (count == 0) return 0.0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(count - 1));
    std::nth_element(values.begin(), at, values.begin() + static_cast<std::ptrdiff_t>(count));
    return *at;
  };
  const Vec3 origin{quantile(0.5, [](const Aabb& box) { return finite_middle(box).x; }),
                    quantile(0.5, [](const Aabb& box) { return finite_middle(box).y; }),
                    quantile(0.5, [](const Aabb& box) { return finite_middle(box).z; })};
  // Sides without end are as far as it goes, and no place that others should be scaled to.
  const auto reach = [&](const Aabb& box) {
    double longest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const double side : {box.lo[axis], box.hi[axis]})
        if (std::abs(side) < k_max_coordinate) longest = std::max(longest, std::abs(side - origin[axis]));
    return longest;
  };
  const double amid_reach = std::max(quantile(0.75, reach), 0x1p-1000);
  double farthest = 0, farthest_kept = 0;
  for (const BoxRecord& record : records) {
    if (!bounded(record.box)) continue;
    const double here = reach(record.box);
    farthest = std::max(farthest, here);
    if (here <= std::ldexp(amid_reach, k_far_bits)) farthest_kept = std::max(farthest_kept, here);
  }
  if (!(farthest_kept > 0)) return {origin, 1, farthest};
  const int out = std::ilogb(farthest_kept), amid = std::ilogb(amid_reach);
  // Below the smallest normal float there is nothing left to tell apart by scaling.
  return {origin, std::ldexp(1.0, -std::clamp(std::clamp(amid, out - k_frame_bits, out), -900, 1000)), farthest};
}

void BoxOrder::radix_sort(std::span<Entry> entries) {
  constexpr std::size_t buckets = std::size_t{1} << k_radix_bits;
  std::array<std::array<std::uint32_t, buckets>, k_passes> counts{};
  for (const Entry& e : entries)
    for (std::size_t pass = 0; pass < k_passes; ++pass)
      ++counts[pass][(e.key >> (k_radix_bits * pass)) & (buckets - 1)];
  spare_.resize(entries.size());
  std::span<Entry> from = entries, to = spare_;
  for (std::size_t pass = 0; pass < k_passes; ++pass, std::swap(from, to)) {
    auto& count = counts[pass];
    std::uint32_t sum = 0;
    for (std::uint32_t& c : count) sum += std::exchange(c, sum);
    for (const Entry& e : from) to[count[(e.key >> (k_radix_bits * pass)) & (buckets - 1)]++] = e;
  }
  std::ranges::copy(from, entries.begin());  // after an odd number of passes
  SNUG_ASSERT(std::ranges::is_sorted(entries, {}, &Entry::key));
}

void BoxOrder::sort_run(std::span<Entry> entries, std::span<const BoxRecord> records) {
  Aabb around;
  for (const Entry& e : entries)
    if (bounded(records[e.index].box)) around.include(finite_middle(records[e.index].box));
  if (around.empty()) around.include({0, 0, 0});
  const Vec3 edge = around.hi - around.lo;
  const double longest = std::max({edge.x, edge.y, edge.z});
  constexpr double cells = double{1U << k_bits};
  const double per_cell = longest > 0 && std::isfinite(cells / longest) ? cells / longest : 0;
  const auto cell = [&](double x) { return static_cast<std::uint32_t>(std::clamp(x * per_cell, 0.0, cells - 1)); };
  for (Entry& e : entries) {
    const Aabb& box = records[e.index].box;
    const Vec3 from_lo = finite_middle(box) - around.lo;
    e.key = hilbert({cell(from_lo.x), cell(from_lo.y), cell(from_lo.z)}) | size_class(box, longest) << (3 * k_bits);
  }
  if (entries.size() < k_worth_radix)
    std::ranges::sort(
        entries, [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.index < b.index; });
  else
    radix_sort(entries);
}

void BoxOrder::sort(std::vector<BoxRecord>& records) {
  entries_.clear();
  for (std::uint32_t i = 0; i < records.size(); ++i)
    if (!records[i].box.empty()) entries_.push_back({0, i});
  runs_.clear();
  runs_.push_back({0, static_cast<std::uint32_t>(entries_.size())});
  while (!runs_.empty()) {
    const Run run = runs_.back();
    runs_.pop_back();
    const auto part = std::span(entries_).subspan(run.begin, run.end - run.begin);
    sort_run(part, records);
    for (std::uint32_t i = 0, j = 0; i < part.size(); i = j) {
      for (j = i; j < part.size() && part[j].key == part[i].key;) ++j;
      // A run as long as what it came from has centres that are all but one: it would come back for ever.
      if (j - i > k_short_run && j - i < part.size()) runs_.push_back({run.begin + i, run.begin + j});
    }
  }
  sorted_.resize(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i + k_records_ahead < entries_.size()) __builtin_prefetch(&records[entries_[i + k_records_ahead].index]);
    sorted_[i] = records[entries_[i].index];
  }
  records.swap(sorted_);
}

}  // namespace snug::scene
