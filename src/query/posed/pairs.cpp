#include "query/posed/descend.hpp"
#include "query/posed/surface.hpp"
#include "support/parallel.hpp"

#include <algorithm>

namespace snug::detail {

namespace {

/// Node pairs with overlapping boxes that together hold all pairs: at least `wanted`, if the trees are deep enough.
std::vector<NodePair> frontier(const PosedBody& a, const PosedBody& b, std::size_t wanted) {
  std::vector<NodePair> front{{0, 0}};
  while (front.size() < wanted) {
    std::vector<NodePair> next;
    bool deeper = false;
    for (const NodePair pair : front) {
      if (!a.box(pair.a).overlaps(b.box(pair.b))) continue;
      if (a.tree().nodes[pair.a].leaf() && b.tree().nodes[pair.b].leaf()) {
        next.push_back(pair);
        continue;
      }
      const auto children = opened(a.tree(), b.tree(), pair);
      next.insert(next.end(), children.begin(), children.end());
      deeper = true;
    }
    front.swap(next);
    if (!deeper) break;
  }
  return front;
}

}  // namespace

std::vector<TrianglePair> tree_pairs(const PosedBody& a, const PosedBody& b, unsigned threads) {
  if (a.empty() || b.empty()) return {};
  const std::vector<NodePair> front = frontier(a, b, threads > 1 ? 16 * std::size_t{threads} : 1);
  std::vector<std::vector<TrianglePair>> found(front.size());
  for_each_chunk(front.size(), threads, [&](std::size_t i) {
    descend(a, b, front[i], 0, [&](std::uint32_t ta, std::uint32_t tb) {
      if (const Relation how = relation(a.triangle(ta), b.triangle(tb)); how != Relation::disjoint)
        found[i].push_back({ta, tb, how});
      return true;
    });
  });
  std::vector<TrianglePair> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all);
  return all;
}

std::optional<TrianglePair> tree_first(const PosedBody& a, const PosedBody& b) {
  std::optional<TrianglePair> first;
  if (a.empty() || b.empty()) return first;
  descend(a, b, {0, 0}, 0, [&](std::uint32_t ta, std::uint32_t tb) {
    const Relation how = relation(a.triangle(ta), b.triangle(tb));
    if (how != Relation::disjoint) first = TrianglePair{ta, tb, how};
    return !first;
  });
  return first;
}

}  // namespace snug::detail
