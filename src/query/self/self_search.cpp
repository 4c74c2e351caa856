#include "query/self/self_search.hpp"

#include "query/self/beyond_shared.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::query {

/// Decides candidates exactly and hands on what is found, a < b.
struct SelfSearch::Taker {
  TriangleMeshView mesh;
  const PairVisitor& found;
  const CancelToken* cancel;
  bool one_block;  ///< blocks are compared with themselves, which yields every pair both ways
  std::uint64_t exact_tests = 0;

  static bool take(void* context, const CandidatePair* candidates, std::uint32_t count) {
    auto& self = *static_cast<Taker*>(context);
    if (self.cancel != nullptr && self.cancel->cancelled()) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t a = std::min(candidates[i].a, candidates[i].b),
                          b = std::max(candidates[i].a, candidates[i].b);
      if (self.one_block && a != candidates[i].a) continue;
      if (a == b) continue;
      Relation how = Relation::crossing;
      if (!candidates[i].certain) {
        ++self.exact_tests;
        how = relation_beyond_shared(self.mesh.triangle(a), self.mesh.triangle(b));
      }
      if (how != Relation::disjoint && !self.found({a, b, how})) return false;
    }
    return true;
  }
};

SelfSearch::SelfSearch(const Mesh& mesh, const ObbTree& tree, const Kernels& kernels)
    : mesh_(mesh), tree_(tree), kernels_(kernels), pose_(tree, {}, tree, {}) {
  if (!tree.empty()) divide(0);
}

/// Returns the number of blocks below.
std::uint32_t SelfSearch::divide(std::uint32_t node) {
  const ObbNode& from = tree_.nodes[node];
  SNUG_ASSERT(from.inner <= from.count);
  const std::size_t before = below_.size();
  std::uint32_t blocks = from.count - std::uint32_t{from.inner};
  for (std::uint32_t i = 0; i < from.inner; ++i) blocks += divide(from.first_node + i);
  if (blocks <= k_part_blocks) {
    below_.resize(before);
    below_.push_back(node);
  } else {
    add_pairs_of_children(node, between_);
    add_blocks(node, alone_);
  }
  return blocks;
}

void SelfSearch::add_pairs_of_children(std::uint32_t node, std::vector<SlotPair>& pairs) const {
  const Slot first = node * k_lanes, end = first + tree_.nodes[node].count;
  for (Slot a = first; a < end; ++a)
    for (Slot b = a + 1; b < end; ++b) pairs.push_back({a, b});
}

void SelfSearch::add_blocks(std::uint32_t node, std::vector<SlotPair>& blocks) const {
  const Slot first = node * k_lanes;
  for (Slot slot = first + tree_.nodes[node].inner; slot < first + tree_.nodes[node].count; ++slot)
    blocks.push_back({slot, slot});
}

void SelfSearch::add_all_below(std::uint32_t node, std::vector<SlotPair>& pairs, std::vector<SlotPair>& blocks) const {
  add_pairs_of_children(node, pairs);
  add_blocks(node, blocks);
  for (std::uint32_t i = 0; i < tree_.nodes[node].inner; ++i)
    add_all_below(tree_.nodes[node].first_node + i, pairs, blocks);
}

PairSearch SelfSearch::start(SearchMemory& memory, std::span<const SlotPair> pairs) const {
  memory.stack.resize(std::max(memory.stack.size(), pairs.size() + stack_room(tree_, tree_)));
  memory.candidates.resize(k_candidates + k_batch);
  SNUG_ASSERT(pairs.size() < memory.stack.size());
  std::ranges::copy(pairs, memory.stack.begin());
  PairSearch search;
  search.nodes_a = search.nodes_b = tree_.nodes.data();
  search.blocks_a = search.blocks_b = tree_.blocks.data();
  search.pose = pose_;
  search.stack = memory.stack.data();
  search.stack_size = static_cast<std::uint32_t>(pairs.size());
  search.candidates = memory.candidates.data();
  return search;
}

bool SelfSearch::walk(SearchMemory& memory, std::span<const SlotPair> pairs, Taker& taker, Stats& stats) const {
  PairSearch search = start(memory, pairs);
  search.context = &taker, search.take = Taker::take;
  const bool to_the_end = kernels_.walk(search);
  stats += search.counts;
  stats.exact_tests += taker.exact_tests;
  return to_the_end;
}

bool SelfSearch::open(SearchMemory& memory, const PairVisitor& found, const CancelToken* cancel, Stats& stats) {
  if (between_.empty()) return true;
  Taker taker{mesh_.view(), found, cancel, false};
  PairSearch top = start(memory, between_);
  top.context = &taker, top.take = Taker::take;
  bool go_on = true;
  while (go_on && top.stack_size > 0 && top.stack_size < k_enough_pairs) {
    memory.stack.resize(std::max<std::size_t>(memory.stack.size(), 65 * std::size_t{top.stack_size}));
    top.stack = memory.stack.data();
    go_on = kernels_.expand(top);
  }
  SNUG_ASSERT(top.stack_size <= memory.stack.size());
  between_.assign(memory.stack.begin(), memory.stack.begin() + top.stack_size);
  stats += top.counts;
  stats.exact_tests += taker.exact_tests;
  return go_on;
}

bool SelfSearch::search(std::size_t part, SearchMemory& memory, const PairVisitor& found, const CancelToken* cancel,
                        Stats& stats) const {
  SNUG_ASSERT(part < parts());
  Taker apart{mesh_.view(), found, cancel, false}, one_block{mesh_.view(), found, cancel, true};
  if (part < groups()) {
    const std::size_t begin = part * k_group;
    return walk(memory, std::span(between_).subspan(begin, std::min(k_group, between_.size() - begin)), apart, stats);
  }
  part -= groups();
  if (part == below_.size()) return walk(memory, alone_, one_block, stats);
  std::vector<SlotPair> pairs, blocks;
  add_all_below(below_[part], pairs, blocks);
  return walk(memory, blocks, one_block, stats) && walk(memory, pairs, apart, stats);
}

bool meets_itself(const Mesh& mesh, const ObbTree& tree) {
  SelfSearch search(mesh, tree, kernels_for(Instructions::best));
  SearchMemory memory;
  Stats unwanted;
  const auto enough = [](const TrianglePair&) { return false; };
  if (!search.open(memory, enough, nullptr, unwanted)) return true;
  for (std::size_t part = 0; part < search.parts(); ++part)
    if (!search.search(part, memory, enough, nullptr, unwanted)) return true;
  return false;
}

}  // namespace snug::query
