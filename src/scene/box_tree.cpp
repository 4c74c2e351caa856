#include "scene/box_tree.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::scene {

namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();
constexpr float k_frame_ends = 0x1p40F;
constexpr double k_cut = 0x1p60;
constexpr float k_most_growth = 64;  // of one leaf node; beyond that it meets everything anyway

constexpr BoxNode empty_node() noexcept {
  BoxNode node{};
  for (int axis = 0; axis < 3; ++axis)
    for (int lane = 0; lane < 8; ++lane) node.lo[axis][lane] = k_infinity, node.hi[axis][lane] = -k_infinity;
  return node;
}

/// Wider than the subtraction of the origin (2^-53) and the rounding to float (2^-24) together can be off. What lies so far
/// out that it is cut off has outgrown the frame.
float widened_down(double x) noexcept {
  const float f = static_cast<float>(std::max(std::min(x, k_cut), -k_cut));
  return (f - std::abs(f) * 0x1p-22F) - std::numeric_limits<float>::min();
}

FloatBox box_of(const BoxNode& node) noexcept {
  FloatBox box;
  for (int axis = 0; axis < 3; ++axis) {
    float lo = node.lo[axis][0], hi = node.hi[axis][0];
    for (int lane = 1; lane < 8; ++lane) {
      lo = node.lo[axis][lane] < lo ? node.lo[axis][lane] : lo;
      hi = node.hi[axis][lane] > hi ? node.hi[axis][lane] : hi;
    }
    box.lo[axis] = lo, box.hi[axis] = hi;
  }
  return box;
}

void write(BoxNode& node, std::uint32_t lane, const FloatBox& box) noexcept {
  for (int axis = 0; axis < 3; ++axis) node.lo[axis][lane] = box.lo[axis], node.hi[axis][lane] = box.hi[axis];
}

FloatBox read(const BoxNode& node, std::uint32_t lane) noexcept {
  FloatBox box;
  for (int axis = 0; axis < 3; ++axis) box.lo[axis] = node.lo[axis][lane], box.hi[axis] = node.hi[axis][lane];
  return box;
}

bool same(const FloatBox& a, const FloatBox& b) noexcept {
  return std::ranges::equal(a.lo, b.lo) && std::ranges::equal(a.hi, b.hi);
}

/// Of all three axes together; nothing for an empty box.
float edges(const FloatBox& box) noexcept {
  float sum = 0;
  for (int axis = 0; axis < 3; ++axis) sum += box.hi[axis] > box.lo[axis] ? box.hi[axis] - box.lo[axis] : 0.0F;
  return sum;
}

/// in_frame(), where it can be expanded in place.
inline FloatBox framed(const Aabb& box, const BoxFrame& frame) noexcept {
  if (box.empty()) return {{k_infinity, k_infinity, k_infinity}, {-k_infinity, -k_infinity, -k_infinity}};
  const Vec3 lo = frame.scale * (box.lo - frame.origin), hi = frame.scale * (frame.origin - box.hi);
  return {{widened_down(lo.x), widened_down(lo.y), widened_down(lo.z)},
          {-widened_down(hi.x), -widened_down(hi.y), -widened_down(hi.z)}};
}

}  // namespace

float BoxFrame::length(double value) const noexcept { return -widened_down(-value * scale); }

FloatBox in_frame(const Aabb& box, const BoxFrame& frame) noexcept { return framed(box, frame); }

void BoxTree::shape_levels() {
  std::size_t nodes = size_;
  height_ = 0;
  do {
    nodes = (nodes + 7) / 8;
    levels_[height_++].resize(nodes, empty_node());
  } while (nodes > 1);
  SNUG_ASSERT(height_ <= k_most_levels && levels_[height_ - 1].size() <= 1);
  for (std::size_t l = height_; l < k_most_levels; ++l) levels_[l].clear();
}

void BoxTree::build(std::span<const BoxRecord> records, const BoxFrame& frame) {
  size_ = static_cast<std::uint32_t>(records.size());
  frame_ = frame;
  shape_levels();
  // Lanes beyond the last box are never written by refit().
  for (std::size_t l = 0; l < height_; ++l)
    if (!levels_[l].empty()) levels_[l].back() = empty_node();
  leaf_edges_.clear();
  refit(records);
  leaf_edges_.resize(levels_[0].size());
  for (std::size_t k = 0; k < leaf_edges_.size(); ++k) leaf_edges_[k] = edges(box_of(levels_[0][k]));
  grown_ = static_cast<double>(leaf_edges_.size());
  outgrown_ = false;  // what is cut off is so because no frame would do for it and the others
}

double BoxTree::grown(std::size_t leaf) const noexcept {
  const float now = edges(box_of(levels_[0][leaf])), then = leaf < leaf_edges_.size() ? leaf_edges_[leaf] : 0.0F;
  if (now <= then) return then > 0 ? now / then : 1;
  return now < k_most_growth * then ? now / then : k_most_growth;
}

void BoxTree::refit(std::span<const BoxRecord> records) {
  SNUG_ASSERT(records.size() == size_);
  for (std::uint32_t i = 0; i < size_; ++i) write_leaf(i, records[i].box);
  fit_levels();
}

void BoxTree::write_leaf(std::uint32_t position, const Aabb& box) noexcept {
  SNUG_ASSERT(position / 8 < levels_[0].size());
  const FloatBox b = framed(box, frame_);
  float most = 0;
  for (int axis = 0; axis < 3; ++axis) most = std::max({most, -b.lo[axis], b.hi[axis]});
  outgrown_ = outgrown_ || (most > k_frame_ends && !is_world(box));
  write(levels_[0][position / 8], position % 8, b);
}

void BoxTree::fit_levels() {
  grown_ = 0;
  for (std::size_t k = 0; k < levels_[0].size(); ++k) grown_ += grown(k);
  for (std::size_t l = 0; l < height_; ++l)
    for (std::uint32_t k = 0; k < levels_[l].size(); ++k) {
      const FloatBox box = box_of(levels_[l][k]);
      if (l + 1 < height_) write(levels_[l + 1][k / 8], k % 8, box);
    }
}

void BoxTree::append() {
  const std::uint32_t position = size_++;
  if (position % 8 != 0) return;
  const std::uint32_t old_height = height_;
  shape_levels();
  grown_ += grown(position / 8);
  // A level that is new above a full one has to take over what is there already.
  for (std::size_t l = std::max(old_height, 1U); l < height_; ++l)
    for (std::uint32_t k = 0; k < levels_[l - 1].size(); ++k)
      write(levels_[l][k / 8], k % 8, box_of(levels_[l - 1][k]));
}

void BoxTree::set(std::uint32_t position, const Aabb& box) {
  SNUG_ASSERT(position < size_);
  grown_ -= grown(position / 8);
  write_leaf(position, box);
  grown_ += grown(position / 8);
}

void BoxTree::repair(std::vector<std::uint32_t>& leaf_nodes) {
  for (std::size_t l = 0; l + 1 < height_ && !leaf_nodes.empty(); ++l) {
    std::size_t kept = 0;
    for (const std::uint32_t k : leaf_nodes) {
      SNUG_ASSERT(k < levels_[l].size());
      const FloatBox box = box_of(levels_[l][k]);
      BoxNode& parent = levels_[l + 1][k / 8];
      if (same(read(parent, k % 8), box)) continue;
      write(parent, k % 8, box);
      if (kept == 0 || leaf_nodes[kept - 1] != k / 8) leaf_nodes[kept++] = k / 8;
    }
    leaf_nodes.resize(kept);
  }
}

double BoxTree::largest_coordinate() const noexcept {
  double largest = 0;
  if (size_ == 0) return largest;
  constexpr float cut = 0.5F * static_cast<float>(k_cut);
  const auto include = [&](const FloatBox& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.lo[axis] > box.hi[axis]) continue;
      for (const float side : {box.lo[axis], box.hi[axis]})
        if (std::abs(side) < cut)
          largest = std::max(largest, std::abs(frame_.origin[axis]) + std::abs(double{side}) / frame_.scale);
    }
  };
  const FloatBox all = box_of(levels_[height_ - 1][0]);
  if (std::max({-all.lo[0], all.hi[0], -all.lo[1], all.hi[1], -all.lo[2], all.hi[2]}) < cut) {
    include(all);
    return largest;
  }
  // One of the world is among them, or others that are cut off: how far those reach the frame knows, for one that has come to
  // lie so far out after it was chosen has outgrown it.
  for (std::uint32_t i = 0; i < size_; ++i) include(read(levels_[0][i / 8], i % 8));
  return std::max(largest, max_abs(frame_.origin) + frame_.farthest);
}

std::optional<std::string> BoxTree::validate(std::span<const BoxRecord> records) const {
  const auto at = [](const char* what, std::size_t l, std::size_t k) {
    return std::string(what) + " on level " + std::to_string(l) + ", node " + std::to_string(k);
  };
  if (records.size() != size_) return "there is another number of boxes than the tree has";
  for (std::size_t l = 0; l < height_; ++l) {
    const std::size_t below = l == 0 ? size_ : levels_[l - 1].size();
    if (levels_[l].size() != (below + 7) / 8) return at("wrong number of nodes", l, levels_[l].size());
    for (std::uint32_t i = 0; i < 8 * levels_[l].size(); ++i) {
      const FloatBox lane = read(levels_[l][i / 8], i % 8);
      const FloatBox expected = i >= below ? in_frame(Aabb{}, frame_)
                                : l == 0   ? in_frame(records[i].box, frame_)
                                           : box_of(levels_[l - 1][i]);
      if (!same(lane, expected)) return at("a lane is not what is below it", l, i / 8);
    }
  }
  if (height_ == 0 || levels_[height_ - 1].size() > 1) return "there is more than one root, or none";
  return std::nullopt;
}

}  // namespace snug::scene
