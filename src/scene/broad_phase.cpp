#include "scene/broad_phase.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <functional>
#include <utility>

// Keeping the tree up to date; the searches are in broad_search.cpp.

namespace snug::scene {

namespace {

constexpr std::uint32_t k_nowhere = ~std::uint32_t{0};
// Measured on boxes that move a little or jump. A worse order costs more to search than ordering anew does.
constexpr double k_worse_order = 1.15;

}  // namespace

void BroadPhase::resize(std::size_t slots) {
  position_.resize(slots, k_nowhere), marks_.resize(slots, 0);
  ignored_.resize(slots);
  // Room for every slot, so that marking one can not run out of memory half-way.
  changed_.reserve(marks_.capacity()), pair_changed_.reserve(marks_.capacity());
}

void BroadPhase::add(std::uint32_t slot, const Aabb& box, const Groups& groups) {
  SNUG_ASSERT(position_[slot] == k_nowhere && !box.empty());
  if (hollow()) update();  // coming and going without a question in between must not fill the memory
  records_.push_back({box, groups, slot, 0});
  position_[slot] = static_cast<std::uint32_t>(records_.size() - 1);
  ++count_;
  mark(slot);
}

void BroadPhase::remove(std::uint32_t slot) {
  const std::vector<std::uint32_t> ignored(ignored_.of(slot).begin(), ignored_.of(slot).end());
  for (const std::uint32_t other : ignored) heed(slot, other);
  records_[position_[slot]].box = Aabb{};
  removed_.push_back(std::exchange(position_[slot], k_nowhere));
  --count_;
  mark(slot);
}

void BroadPhase::set_groups(std::uint32_t slot, const Groups& groups) {
  records_[position_[slot]].groups = groups;
  mark(slot);
}

void BroadPhase::ignore(std::uint32_t a, std::uint32_t b) {
  SNUG_ASSERT(a != b && position_[a] != k_nowhere && position_[b] != k_nowhere);
  ignored_.add(a, b);
  records_[position_[a]].ignores = records_[position_[b]].ignores = 1;
  mark(a);  // one of the two finds the pair
}

void BroadPhase::heed(std::uint32_t a, std::uint32_t b) {
  ignored_.remove(a, b);
  for (const std::uint32_t slot : {a, b}) records_[position_[slot]].ignores = ignored_.of(slot).empty() ? 0 : 1;
  mark(a);
}

void BroadPhase::rebuild() {
  sorter_.sort(records_);
  for (std::uint32_t i = 0; i < records_.size(); ++i) position_[records_[i].slot] = i;
  tree_.build(records_, frame_of(records_));
}

void BroadPhase::update_lanes() {
  leaves_.clear();
  const auto set = [&](std::uint32_t position) {
    tree_.set(position, records_[position].box);
    leaves_.push_back(position / 8);
  };
  for (const std::uint32_t position : removed_) set(position);
  for (const std::uint32_t slot : changed_)
    if (position_[slot] != k_nowhere) set(position_[slot]);
  std::ranges::sort(leaves_);
  const auto repeated = std::ranges::unique(leaves_);
  leaves_.erase(repeated.begin(), repeated.end());
  tree_.repair(leaves_);
}

void BroadPhase::update() {
  if (up_to_date()) return;
  if (std::exchange(tree_valid_, false)) {  // whatever is thrown on the way: built anew next time
    while (tree_.size() < records_.size()) tree_.append();
    if (4 * (changed_.size() + removed_.size()) > records_.size())
      tree_.refit(records_);
    else
      update_lanes();
    const bool worse = records_.size() > 8 && tree_.growth() > k_worse_order;
    if (worse || hollow() || tree_.outgrown()) rebuild();
  } else {
    rebuild();
  }
  for (const std::uint32_t slot : changed_) marks_[slot] &= static_cast<std::uint8_t>(~k_in_changed);
  changed_.clear(), removed_.clear();
  tree_valid_ = true;
  SNUG_ASSERT(tree_.size() == records_.size() && count_ <= records_.size());
}

bool BroadPhase::update_pairs(const BroadRun& run) {
  update();
  if (pairs_known()) return true;
  const bool few = std::exchange(pairs_valid_, false) && 8 * pair_changed_.size() < count_;
  if (!(few ? find_changed_pairs(run) : pairs_within(0, run, memory_, pairs_))) return false;
  for (const std::uint32_t slot : pair_changed_) marks_[slot] &= static_cast<std::uint8_t>(~k_in_pair_changed);
  pair_changed_.clear();
  pairs_valid_ = true;
  return true;
}

bool BroadPhase::find_changed_pairs(const BroadRun& run) {
  const auto has_changed = [&](std::uint32_t slot) { return (marks_[slot] & k_in_pair_changed) != 0; };
  fresh_.clear();
  for (const std::uint32_t slot : pair_changed_) {
    if (run.cancelled()) return false;
    if (position_[slot] == k_nowhere) continue;
    query(box(slot), run.kernels, partners_);
    for (const std::uint32_t other : partners_) {
      if (other == slot || (has_changed(other) && other < slot) || !allows(slot, other)) continue;
      fresh_.push_back({std::min(slot, other), std::max(slot, other)});
    }
  }
  std::ranges::sort(fresh_);
  std::erase_if(pairs_, [&](const SlotsMet& pair) { return has_changed(pair.a) || has_changed(pair.b); });
  merged_.resize(pairs_.size() + fresh_.size());
  std::ranges::merge(pairs_, fresh_, merged_.begin());
  pairs_.swap(merged_);
  SNUG_ASSERT(std::ranges::adjacent_find(pairs_, std::greater_equal{}) == pairs_.end());
  return true;
}

std::optional<std::string> BroadPhase::validate() const {
  if (!tree_valid_) return "the tree is not up to date";
  std::size_t live = 0;
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    if (records_[i].box.empty()) continue;
    ++live;
    if (position_[records_[i].slot] != i) return "a body is not where its slot says, at " + std::to_string(i);
  }
  if (live != count_) return "there are " + std::to_string(live) + " boxes, not " + std::to_string(count_);
  return tree_.validate(records_);
}

}  // namespace snug::scene
