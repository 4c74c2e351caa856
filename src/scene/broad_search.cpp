#include "scene/broad_phase.hpp"

#include "geometry/vec_ops.hpp"
#include "query/convex/cast_checks.hpp"
#include "shape/posed_bounds.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::scene {

namespace {

constexpr std::size_t k_parts_per_chunk = 8;
constexpr float k_beyond_frame = 0x1p60F;  // no box of a tree reaches so far

/// Pairs in any order, each once, to ordered ones. By a into buckets, which are then small.
void sort_slots(std::vector<SlotsMet>& pairs, std::size_t slots, BroadMemory& memory) {
  if (8 * pairs.size() < slots) {
    std::ranges::sort(pairs);
    return;
  }
  memory.counts.assign(slots + 1, 0);
  for (const SlotsMet& pair : pairs) ++memory.counts[pair.a + 1];
  for (std::size_t i = 0; i < slots; ++i) memory.counts[i + 1] += memory.counts[i];
  memory.sorting.resize(pairs.size());
  for (const SlotsMet& pair : pairs) memory.sorting[memory.counts[pair.a]++] = pair;
  pairs.swap(memory.sorting);
  // Each count has moved on to the end of its bucket.
  for (std::size_t i = 0; i < slots; ++i) {
    const std::size_t begin = i == 0 ? 0 : memory.counts[i - 1], end = memory.counts[i];
    if (end - begin > 1) std::ranges::sort(pairs.begin() + std::ptrdiff_t(begin), pairs.begin() + std::ptrdiff_t(end));
  }
}

template <class Walk>
void set_out(Walk& walk, const BoxTree& tree) {
  for (std::size_t l = 0; l < tree.height(); ++l) walk.levels[l] = tree.level(l).data();
  walk.height = tree.height();
}

}  // namespace

/// Takes what the walk finds in floats, and keeps what holds in doubles and by the rules.
struct PairCollector {
  const BroadPhase& phase;
  double gap;
  std::vector<SlotsMet>& out;

  static void take(BoxPairWalk& walk, std::uint32_t count) {
    const auto& self = *static_cast<const PairCollector*>(walk.context);
    const BroadPhase& phase = self.phase;
    for (std::uint32_t i = 0; i < count; ++i) {
      const BoxRecord &a = phase.records_[walk.found[i].a], &b = phase.records_[walk.found[i].b];
      if (apart(a.box, b.box, self.gap) || !phase.allows(a, b)) continue;
      self.out.push_back({std::min(a.slot, b.slot), std::max(a.slot, b.slot)});
    }
  }
};

/// Keeps pairs of nodes, to be shared out among threads.
static void take_parts(BoxPairWalk& walk, std::uint32_t count) {
  auto& parts = *static_cast<std::vector<BoxPair>*>(walk.context);
  parts.insert(parts.end(), walk.found, walk.found + count);
}

bool BroadPhase::pairs_within(double gap, const BroadRun& run, BroadMemory& memory, std::vector<SlotsMet>& out) const {
  SNUG_ASSERT(up_to_date());
  out.clear();
  if (tree_.size() == 0) return true;
  BoxPairWalk walk;
  set_out(walk, tree_);
  walk.margin = gap > 0 ? tree_.frame().length(gap) : 0;
  const BoxPair root{0, 0};
  walk.start = &root, walk.start_count = 1, walk.start_level = walk.height - 1;

  // Two levels below the root there are up to 64 nodes, and as many pairs of them as meet.
  const bool share_out = walk.height >= 3 && (run.threads > 1 || run.cancel != nullptr);
  if (!share_out) {
    PairCollector collector{*this, gap, out};
    walk.context = &collector, walk.take = PairCollector::take;
    run.kernels.walk_box_pairs(walk);
    sort_slots(out, position_.size(), memory);
    return true;
  }
  memory.parts.clear();
  walk.stop_level = static_cast<std::int32_t>(walk.height) - 3;
  walk.context = &memory.parts, walk.take = take_parts;
  run.kernels.walk_box_pairs(walk);
  const std::size_t chunks = (memory.parts.size() + k_parts_per_chunk - 1) / k_parts_per_chunk;
  if (memory.by_chunk.size() < chunks) memory.by_chunk.resize(chunks);
  const auto search_chunk = [&](std::size_t chunk) {
    memory.by_chunk[chunk].clear();
    if (run.cancelled()) return;
    BoxPairWalk part;
    set_out(part, tree_);
    part.margin = walk.margin;
    PairCollector collector{*this, gap, memory.by_chunk[chunk]};
    part.start = memory.parts.data() + chunk * k_parts_per_chunk;
    part.start_count =
        static_cast<std::uint32_t>(std::min(k_parts_per_chunk, memory.parts.size() - chunk * k_parts_per_chunk));
    part.start_level = walk.height - 3, part.stop_level = -1;
    part.context = &collector, part.take = PairCollector::take;
    run.kernels.walk_box_pairs(part);
  };
  if (run.threads > 1)
    for_each_chunk(chunks, run.threads, search_chunk);
  else
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) search_chunk(chunk);
  if (run.cancelled()) return false;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    out.insert(out.end(), memory.by_chunk[chunk].begin(), memory.by_chunk[chunk].end());
  sort_slots(out, position_.size(), memory);
  return true;
}

struct QueryCollector {
  const BroadPhase& phase;
  const Aabb& box;
  std::vector<std::uint32_t>& out;

  static void take(BoxQueryWalk& walk, std::uint32_t count) {
    const auto& self = *static_cast<const QueryCollector*>(walk.context);
    for (std::uint32_t i = 0; i < count; ++i) {
      const BoxRecord& record = self.phase.records_[walk.found[i]];
      if (record.box.overlaps(self.box)) self.out.push_back(record.slot);
    }
  }
};

void BroadPhase::query(const Aabb& box, const Kernels& kernels, std::vector<std::uint32_t>& out) const {
  SNUG_ASSERT(tree_valid_);
  out.clear();
  if (tree_.size() == 0) return;
  BoxQueryWalk walk;
  set_out(walk, tree_);
  walk.box = in_frame(box, tree_.frame());
  for (int axis = 0; axis < 3; ++axis) {
    walk.box.lo[axis] = std::clamp(walk.box.lo[axis], -k_beyond_frame, k_beyond_frame);
    walk.box.hi[axis] = std::clamp(walk.box.hi[axis], -k_beyond_frame, k_beyond_frame);
  }
  QueryCollector collector{*this, box, out};
  walk.context = &collector, walk.take = QueryCollector::take;
  kernels.walk_box_query(walk);
  std::ranges::sort(out);
}

namespace {

/// A moving box in the frame of a tree, held against lanes.
struct SweptFrameBox {
  Vec3 lo, hi, way;
  double margin, limit;
  bool still;

  SweptFrameBox(const Aabb& box, const Vec3& motion, double end, const BoxFrame& frame) noexcept
      : lo(frame.scale * (box.lo - frame.origin)),
        hi(frame.scale * (box.hi - frame.origin)),
        way(frame.scale * motion),
        margin(0x1p-48 * std::max(max_abs(lo), max_abs(hi))),
        limit(end),
        still(max_abs(motion) == 0) {}
  /// Far out of a small frame numbers may overflow, and a short way in a large one vanishes: nothing could be left out.
  [[nodiscard]] bool usable() const noexcept {
    return std::isfinite(margin) && std::isfinite(max_abs(way)) && (still || max_abs(way) > 0x1p-900);
  }
  [[nodiscard]] bool reaches(const BoxNode& node, std::uint32_t lane) const noexcept {
    double enter = 0, leave = limit;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (node.lo[axis][lane] > node.hi[axis][lane]) return false;  // nothing there
      const double from = double{node.lo[axis][lane]} - hi[axis] - margin;
      if (!narrow(from, double{node.hi[axis][lane]} - lo[axis] + margin, way[axis], enter, leave)) return false;
    }
    return true;
  }
};

}  // namespace

void BroadPhase::sweep(const Aabb& box, const Vec3& way, double limit, std::vector<SweptSlot>& out) const {
  SNUG_ASSERT(tree_valid_);
  out.clear();
  const auto offer = [&](const BoxRecord& record) {
    if (record.box.empty()) return;
    if (const auto enter = boxes_meet(box, way, record.box, limit)) out.push_back({*enter, record.slot});
  };
  const SweptFrameBox swept(box, way, limit, tree_.frame());
  if (tree_.size() == 0) return;
  if (!swept.usable()) {
    for (const BoxRecord& record : records_) offer(record);
  } else {
    struct Node {
      std::uint32_t index, level;
    };
    std::array<Node, 8 * BoxTree::k_most_levels> stack;
    std::size_t size = 0;
    stack[size++] = {0, tree_.height() - 1};
    while (size > 0) {
      const Node node = stack[--size];
      for (std::uint32_t lane = 0; lane < 8; ++lane) {
        if (!swept.reaches(tree_.level(node.level)[node.index], lane)) continue;
        const std::uint32_t child = 8 * node.index + lane;
        if (node.level == 0)
          offer(records_[child]);
        else
          stack[size++] = {child, node.level - 1};
      }
    }
  }
  std::ranges::sort(out, {}, &SweptSlot::slot);
}

}  // namespace snug::scene
