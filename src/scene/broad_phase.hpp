#pragma once

#include "scene/box_order.hpp"
#include "scene/box_tree.hpp"
#include "scene/box_walk.hpp"
#include "simd/kernels.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/scene.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snug::scene {

/// Two bodies by their slots, a < b.
struct SlotsMet {
  std::uint32_t a, b;
  friend auto operator<=>(const SlotsMet&, const SlotsMet&) = default;
};

/// A body that a moving box reaches, no earlier than this.
struct SweptSlot {
  double enter;
  std::uint32_t slot;
};

/// Pairs of slots that are to be passed over.
class IgnoreLists {
 public:
  void resize(std::size_t slots) { ignored_.resize(slots); }
  void add(std::uint32_t a, std::uint32_t b);
  void remove(std::uint32_t a, std::uint32_t b);
  /// Slots ignored with this one, ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t slot) const { return ignored_[slot]; }
  [[nodiscard]] bool holds(std::uint32_t a, std::uint32_t b) const;

 private:
  std::vector<std::vector<std::uint32_t>> ignored_;  ///< by slot, of both sides
};

/// How a search is run.
struct BroadRun {
  const Kernels& kernels;
  unsigned threads = 1;
  const CancelToken* cancel = nullptr;

  [[nodiscard]] bool cancelled() const noexcept { return cancel != nullptr && cancel->cancelled(); }
};

/// What a search for all pairs keeps from call to call.
struct BroadMemory {
  std::vector<SlotsMet> sorting;
  std::vector<std::uint32_t> counts;
  std::vector<BoxPair> parts;
  std::vector<std::vector<SlotsMet>> by_chunk;
};

/// Boxes in slots, and which of them share a point: exactly those of which Aabb::overlaps() says so.
///
/// One tree serves both a few movers and everything moving, since it is brought up to date in one of three ways, chosen by
/// what has happened: the lanes of single boxes are rewritten; all boxes are, in the order they have; or they are put in
/// order anew when that has become bad. Pairs are kept from call to call and, when few boxes have changed, only those of
/// changed boxes are looked for. What was chosen never shows in the pairs.
class BroadPhase {
 public:
  /// Slots are there from 0 to here; they only grow in number.
  void resize(std::size_t slots);
  void add(std::uint32_t slot, const Aabb& box, const Groups& groups);
  void remove(std::uint32_t slot);
  void set_box(std::uint32_t slot, const Aabb& box) {
    records_[position_[slot]].box = box;
    mark(slot);
  }
  /// Has what set_box() writes brought into the cache.
  void fetch(std::uint32_t slot) const noexcept { __builtin_prefetch(&records_[position_[slot]], 1); }
  void set_groups(std::uint32_t slot, const Groups& groups);
  void ignore(std::uint32_t a, std::uint32_t b);
  void heed(std::uint32_t a, std::uint32_t b);

  [[nodiscard]] const Aabb& box(std::uint32_t slot) const { return records_[position_[slot]].box; }
  [[nodiscard]] const Groups& groups(std::uint32_t slot) const { return records_[position_[slot]].groups; }
  [[nodiscard]] bool allows(std::uint32_t slot_a, std::uint32_t slot_b) const {
    return allows(records_[position_[slot_a]], records_[position_[slot_b]]);
  }

  [[nodiscard]] bool up_to_date() const noexcept { return changed_.empty() && tree_valid_; }
  void update();
  [[nodiscard]] bool pairs_known() const noexcept { return up_to_date() && pairs_valid_ && pair_changed_.empty(); }
  /// Brings tree and pairs up to date. False if cancelled: the pairs are then not known.
  bool update_pairs(const BroadRun& run);
  /// All pairs that groups and ignore lists allow, ordered; only while pairs_known().
  [[nodiscard]] const std::vector<SlotsMet>& pairs() const noexcept { return pairs_; }

  /// Allowed pairs whose boxes are no further apart than `gap` along any axis, ordered. False if cancelled.
  /// Only while up_to_date().
  bool pairs_within(double gap, const BroadRun& run, BroadMemory& memory, std::vector<SlotsMet>& out) const;
  /// Slots whose boxes share a point with this one, ascending. Only while up_to_date().
  void query(const Aabb& box, const Kernels& kernels, std::vector<std::uint32_t>& out) const;

  /// Slots whose boxes are reached by this one as it moves by `way`, until t = limit; ascending. Only while up_to_date().
  void sweep(const Aabb& box, const Vec3& way, double limit, std::vector<SweptSlot>& out) const;

  /// No coordinate of a box is larger than this, boxes of the whole world left out. Only while up_to_date().
  [[nodiscard]] double largest_coordinate() const noexcept { return tree_.largest_coordinate(); }
  [[nodiscard]] std::optional<std::string> validate() const;

 private:
  static constexpr std::uint8_t k_in_changed = 1, k_in_pair_changed = 2;  // of marks_
  friend struct PairCollector;
  friend struct QueryCollector;
  [[nodiscard]] bool allows(const BoxRecord& a, const BoxRecord& b) const {
    return meet(a.groups, b.groups) && (a.ignores == 0 || !ignored_.holds(a.slot, b.slot));
  }
  void mark(std::uint32_t slot) {
    if ((marks_[slot] & k_in_changed) == 0) changed_.push_back(slot);
    if ((marks_[slot] & k_in_pair_changed) == 0) pair_changed_.push_back(slot);
    marks_[slot] = k_in_changed | k_in_pair_changed;
  }
  /// Mostly records of bodies that have gone.
  [[nodiscard]] bool hollow() const noexcept { return records_.size() > 2 * count_ + 64; }
  void rebuild();
  void update_lanes();
  bool find_changed_pairs(const BroadRun& run);

  std::vector<BoxRecord> records_;       ///< in the order of the tree; newly added ones, not in it yet, at the end
  std::vector<std::uint32_t> position_;  ///< by slot: where in records_, or k_nowhere
  std::vector<std::uint8_t> marks_;      ///< by slot: whether in changed_ and in pair_changed_
  std::vector<std::uint32_t> changed_, pair_changed_, removed_, leaves_, partners_;
  IgnoreLists ignored_;
  BoxTree tree_;
  BoxOrder sorter_;
  std::size_t count_ = 0;  ///< of records whose boxes are not empty
  bool tree_valid_ = false, pairs_valid_ = false;
  std::vector<SlotsMet> pairs_, merged_, fresh_;
  BroadMemory memory_;
};

}  // namespace snug::scene
