#include "assembly/robot/pair_tree.hpp"

#include "support/assert.hpp"

#include <algorithm>

namespace snug::robot {

PairTree::Answer PairTree::answer_of(const SeenPair& seen, bool counts_at_middle) {
  const State state = seen.free      ? State::free
                      : seen.certain ? State::colliding
                      : seen.kept    ? State::divided
                                     : State::undecided;
  return {state, seen.open, counts_at_middle, seen.may_collide, seen.split, seen.moved};
}

void PairTree::set(std::uint32_t node, const SeenPair& seen, bool counts_at_middle, double middle) {
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  SNUG_ASSERT(node < nodes_.size() && nodes_[node].answer.state == State::unknown && unknown_ > 0);
  nodes_[node] = {answer_of(seen, counts_at_middle), middle, first};
  --unknown_;
  if (!seen.kept) return;
  nodes_.resize(nodes_.size() + 2);
  unknown_ += 2;
}

PairTree::Answer PairTree::at(std::span<const double> lower, std::span<const double> upper) const {
  return at(0, lower, upper);
}

PairTree::Answer PairTree::at(std::uint32_t id, std::span<const double> lower, std::span<const double> upper) const {
  const Node& node = nodes_[id];
  if (node.answer.state != State::divided) return node.answer;
  const std::uint32_t span = node.answer.split;
  SNUG_ASSERT(node.first > id && node.first + 1 < nodes_.size() && span < lower.size());
  if (upper[span] <= node.middle) return at(node.first, lower, upper);
  if (lower[span] >= node.middle) return at(node.first + 1, lower, upper);
  const Answer below = at(node.first, lower, upper), above = at(node.first + 1, lower, upper);
  if (below.state != above.state || below.state == State::divided) return node.answer;
  Answer both = below.open >= above.open ? below : above;
  both.open_colliding = below.open_colliding || above.open_colliding;
  both.may_collide = below.may_collide || above.may_collide;
  return both.state == State::unknown ? node.answer : both;
}

}  // namespace snug::robot
