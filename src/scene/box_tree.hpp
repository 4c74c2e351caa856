#pragma once

#include "support/rooms.hpp"

#include <snug/scene.hpp>
#include <snug/vec.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug::scene {

/// Eight boxes, those of a node's children; empty ones have lo > hi.
struct alignas(64) BoxNode {
  float lo[3][8], hi[3][8];
};
static_assert(sizeof(BoxNode) == 192);

/// Boxes rounded outwards to floats, relative to a point amid them and scaled by a power of two, so that neither a scene far
/// from the origin nor a very large or small one blurs them.
struct BoxFrame {
  Vec3 origin;
  double scale = 1;
  double farthest = 0;  ///< how far boxes reach from the origin, those that are cut off too, but for sides without end

  /// No less than the length, unless that is beyond all that a frame holds.
  [[nodiscard]] float length(double value) const noexcept;
};

/// Six floats: a box in a frame.
struct FloatBox {
  float lo[3], hi[3];
};
[[nodiscard]] FloatBox in_frame(const Aabb& box, const BoxFrame& frame) noexcept;

/// As a half-space's: it fits no frame and would spoil those of others.
[[nodiscard]] inline bool is_world(const Aabb& box) noexcept {
  constexpr double end = k_max_coordinate;
  return box.lo.x <= -end && box.lo.y <= -end && box.lo.z <= -end && box.hi.x >= end && box.hi.y >= end &&
         box.hi.z >= end;
}

/// The middle of a box. Sides farther out than k_max_coordinate count as being there, or a box without end would have none.
[[nodiscard]] inline Point3 finite_middle(const Aabb& box) noexcept {
  const auto between = [](double lo, double hi) {
    return 0.5 * std::max(lo, -k_max_coordinate) + 0.5 * std::min(hi, k_max_coordinate);
  };
  return {between(box.lo.x, box.hi.x), between(box.lo.y, box.hi.y), between(box.lo.z, box.hi.z)};
}

/// All that a search needs to know of a body, in one line of the cache; they lie in the order of the tree.
struct alignas(64) BoxRecord {
  Aabb box;  ///< empty where a body was taken away
  Groups groups;
  std::uint32_t slot = 0;
  std::uint32_t ignores = 0;  ///< whether it has an ignore list
};
static_assert(sizeof(BoxRecord) == 64);

/// A full tree of eight children a node over boxes in a given order: box i is lane i % 8 of leaf node i / 8, node k of one level
/// is lane k % 8 of node k / 8 of the next. Nothing but the boxes is stored, so moving one is rewriting a lane on each level,
/// and moving all is one pass. How good it is to search is up to the order.
class BoxTree {
 public:
  static constexpr std::size_t k_most_levels = 11;  // 8^11 > 2^32

  void build(std::span<const BoxRecord> records, const BoxFrame& frame);
  /// The boxes anew, in the same frame and number.
  void refit(std::span<const BoxRecord> records);
  /// One more, at the end; its lane is to be set.
  void append();
  /// Rewrites a leaf's lane; an empty box for none. Levels above follow with repair().
  void set(std::uint32_t position, const Aabb& box);
  /// Brings the levels above up to date for these leaf nodes, which are sorted, and each there once; they are overwritten.
  void repair(std::vector<std::uint32_t>& leaf_nodes);

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
  [[nodiscard]] std::span<const BoxNode> level(std::size_t l) const noexcept { return levels_[l]; }
  [[nodiscard]] const BoxFrame& frame() const noexcept { return frame_; }
  /// True if a box has left the part of the frame in which floats serve: time for another frame.
  [[nodiscard]] bool outgrown() const noexcept { return outgrown_; }
  /// How much longer the leaf nodes' boxes are than when they were built, in the mean: grows as the order gets worse. Each counts
  /// by itself, so that one that has flown off does not hide what happens to the others.
  [[nodiscard]] double growth() const noexcept {
    if (leaf_edges_.empty()) return 1 + grown_;  // built of nothing: whatever there is has no order
    return grown_ / static_cast<double>(leaf_edges_.size());
  }
  /// No coordinate of a box is larger than this, boxes of the whole world left out.
  [[nodiscard]] double largest_coordinate() const noexcept;

  /// What is wrong, if anything: every lane must hold exactly what is below it, and leaves their boxes.
  [[nodiscard]] std::optional<std::string> validate(std::span<const BoxRecord> records) const;

 private:
  void shape_levels();
  void fit_levels();
  [[nodiscard]] double grown(std::size_t leaf) const noexcept;
  void write_leaf(std::uint32_t position, const Aabb& box) noexcept;

  std::array<std::vector<BoxNode>, k_most_levels> levels_;
  std::uint32_t size_ = 0, height_ = 0;
  BoxFrame frame_;
  std::vector<float> leaf_edges_;  ///< of each leaf node when built; nothing for those appended since
  double grown_ = 0;               ///< sum of grown()
  bool outgrown_ = false;
};

}  // namespace snug::scene
