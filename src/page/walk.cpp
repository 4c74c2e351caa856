#include "page/walk.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <numeric>

namespace snug::page {

namespace {

// Edges of more triangles than this are not worth a search; their triangles are told without them.
constexpr unsigned k_most_on_an_edge = 8;

}  // namespace

Walk::Walk(std::span<const Index3> triangles) : triangles_(triangles), group_of_(triangles.size(), 0) {
  half_edges_.reserve(3 * triangles.size());
  for (std::uint32_t id = 0; id < triangles.size(); ++id) {
    const auto [a, b, c] = triangles[id];
    half_edges_.insert(half_edges_.end(), {{a, b, id}, {b, c, id}, {c, a, id}});
  }
  std::ranges::sort(half_edges_);
  const std::uint32_t vertices = half_edges_.empty() ? 0 : half_edges_.back().from + 1;
  first_from_.assign(std::size_t{vertices} + 1, 0);
  for (const HalfEdge& edge : half_edges_) ++first_from_[edge.from + 1];
  std::partial_sum(first_from_.begin(), first_from_.end(), first_from_.begin());
  SNUG_ASSERT(first_from_.back() == half_edges_.size());
}

void Walk::open(OpenEdge edge) {
  std::shift_right(open_.begin(), open_.end(), 1);
  open_.front() = edge;
  open_count_ = std::min(open_count_ + 1, k_open_edges);
}

Step Walk::start(std::uint32_t triangle) {
  SNUG_ASSERT(group_of_[triangle] == group_);
  group_of_[triangle] = k_visited;
  const auto [p, q, x] = triangles_[triangle];
  open({q, p, x});
  open({x, q, p});
  open({p, x, q});
  return {.edge = Step::k_no_edge, .corners = {p, q, x}};
}

bool Walk::go_on(Step& step) {
  for (std::size_t i = 0; i < open_count_; ++i) {
    const OpenEdge edge = open_[i];
    const auto end = half_edges_.begin() + first_from_[edge.from + 1];
    auto at = std::lower_bound(half_edges_.begin() + first_from_[edge.from], end, HalfEdge{edge.from, edge.to, 0});
    for (unsigned tried = 0; tried < k_most_on_an_edge && at != end && at->to == edge.to; ++tried, ++at) {
      if (group_of_[at->triangle] != group_) continue;
      group_of_[at->triangle] = k_visited;
      const Index3& t = triangles_[at->triangle];
      const std::size_t first = t[0] == edge.from && t[1] == edge.to ? 0 : t[1] == edge.from && t[2] == edge.to ? 1 : 2;
      SNUG_ASSERT(t[first] == edge.from && t[(first + 1) % 3] == edge.to);
      const std::uint32_t x = t[(first + 2) % 3];
      step = {.edge = static_cast<std::uint8_t>(i), .corners = {edge.from, edge.to, x}, .opposite = edge.opposite};
      open({x, edge.to, edge.from});
      open({edge.from, x, edge.to});
      return true;
    }
  }
  return false;
}

}  // namespace snug::page
