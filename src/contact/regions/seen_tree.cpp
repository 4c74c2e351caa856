#include "contact/regions/seen_tree.hpp"

#include <algorithm>

namespace snug::contact {

std::uint32_t SeenTree::split(std::uint32_t begin, std::uint32_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Node node{seen_[begin], begin, end, 0};
  for (std::uint32_t i = begin; i < end; ++i) {
    const Seen& s = seen_[i];
    node.lo_x = std::min(node.lo_x, s.lo_x), node.lo_y = std::min(node.lo_y, s.lo_y);
    node.hi_x = std::max(node.hi_x, s.hi_x), node.hi_y = std::max(node.hi_y, s.hi_y);
    node.lo = std::min(node.lo, s.lo), node.hi = std::max(node.hi, s.hi);
  }
  nodes_.push_back(node);
  if (end - begin <= k_leaf) return index;
  const std::uint32_t middle = begin + (end - begin) / 2;
  split(begin, middle);
  const std::uint32_t right = split(middle, end);
  nodes_[index].right = right;
  return index;
}

void SeenTree::build() {
  nodes_.clear();
  if (!seen_.empty()) split(0, static_cast<std::uint32_t>(seen_.size()));
}

}  // namespace snug::contact
