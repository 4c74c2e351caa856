#pragma once

#include "bench/pairs/two_bodies.hpp"
#include "bvh/dop24/dop_tree.hpp"
#include "query/pairs/dop/axes.hpp"

#include <bitset>
#include <functional>
#include <vector>

// A plain walk through two DOP-trees that looks at every axis of every pair: slow, and made for counting what the engine
// does not tell.

namespace snug::bench::raabe {

/// Axes that keep a pair of nodes apart.
using AxisSet = std::bitset<query::k_most_axes>;

/// Two bodies at their poses with all 105 axes, in the engine's order.
class CountedPair {
 public:
  CountedPair(const Mesh& mesh, const bvh::DopTree& tree, const pairs::PosePair& poses);

  [[nodiscard]] const bvh::DopTree& tree() const noexcept { return tree_; }
  [[nodiscard]] bool apart(std::uint32_t a, std::uint32_t b, unsigned axis) const noexcept;
  [[nodiscard]] AxisSet separating(std::uint32_t a, std::uint32_t b) const noexcept;

  /// The same with the tightest of several ways to bound an image: every set of three directions in whose cone the axis
  /// lies is one, and its bound holds. `ways` are the best on the bodies' whole; 0: all there are.
  [[nodiscard]] bool apart_tighter(std::uint32_t a, std::uint32_t b, unsigned axis, std::size_t ways) const;

 private:
  struct Ways {
    std::vector<query::DopMapping> a, b;
  };
  const Ways& ways_of(unsigned axis) const;

  const bvh::DopTree& tree_;
  query::DopFrame frame_;
  std::vector<query::DopAxis> axes_;
  mutable std::vector<Ways> ways_;  ///< found when first asked for
};

struct Counts {
  std::uint64_t pairs = 0;   ///< of nodes, compared
  std::uint64_t leaves = 0;  ///< pairs of leaves that nothing keeps apart
};

/// Walks as the engine does, opening the larger of two nodes. `apart(a, b, depth)` decides, depth counting nodes opened above.
Counts walk_counted(const CountedPair& pair,
                    const std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)>& apart);

}  // namespace snug::bench::raabe
