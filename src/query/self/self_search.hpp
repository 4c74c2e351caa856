#pragma once

#include "bvh/obb8/obb_tree.hpp"
#include "query/pairs/obb/search_memory.hpp"
#include "simd/kernels.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>
#include <snug/query.hpp>

#include <vector>

namespace snug::query {

/// A tree searched against itself, each two triangles once. Two triangles lie in one block, or below two children of one
/// node; so the pairs of boxes to start from are all two children of every node. They are shared out in parts that depend
/// on the tree alone: parts of the tree with few blocks, each with all that is in it, and pairs of boxes above those.
class SelfSearch {
 public:
  SelfSearch(const Mesh& mesh, const ObbTree& tree, const Kernels& kernels);

  /// Opens the boxes above the parts. What is found on the way goes to `found`; false if that had enough or `cancel` was
  /// given.
  bool open(SearchMemory& memory, const PairVisitor& found, const CancelToken* cancel, Stats& stats);
  [[nodiscard]] std::size_t parts() const noexcept { return groups() + below_.size() + (alone_.empty() ? 0 : 1); }
  /// The same for a part; any number of them at a time, each with memory of its own.
  bool search(std::size_t part, SearchMemory& memory, const PairVisitor& found, const CancelToken* cancel,
              Stats& stats) const;

 private:
  struct Taker;
  [[nodiscard]] std::size_t groups() const noexcept { return (between_.size() + k_group - 1) / k_group; }
  std::uint32_t divide(std::uint32_t node);
  void add_pairs_of_children(std::uint32_t node, std::vector<SlotPair>& pairs) const;
  void add_blocks(std::uint32_t node, std::vector<SlotPair>& blocks) const;
  void add_all_below(std::uint32_t node, std::vector<SlotPair>& pairs, std::vector<SlotPair>& blocks) const;
  [[nodiscard]] PairSearch start(SearchMemory& memory, std::span<const SlotPair> pairs) const;
  bool walk(SearchMemory& memory, std::span<const SlotPair> pairs, Taker& taker, Stats& stats) const;

  /// Parts of the tree with at most so many blocks are searched as one.
  static constexpr std::uint32_t k_part_blocks = 512;
  /// Pairs of boxes above them are opened until there are so many,
  static constexpr std::size_t k_enough_pairs = 512;
  /// of which so many are searched as one.
  static constexpr std::size_t k_group = 32;

  const Mesh& mesh_;
  const ObbTree& tree_;
  const Kernels& kernels_;
  RelativePose pose_;
  std::vector<SlotPair> between_;     ///< boxes above the parts
  std::vector<std::uint32_t> below_;  ///< nodes, each with all below it a part
  std::vector<SlotPair> alone_;       ///< blocks that are in no such part, each with itself
};

/// True if there is any pair of triangles that self_intersections() would tell of.
[[nodiscard]] bool meets_itself(const Mesh& mesh, const ObbTree& tree);

}  // namespace snug::query
