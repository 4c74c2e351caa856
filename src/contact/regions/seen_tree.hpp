#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace snug::contact {

/// What lies within a rectangle across a direction, and between two heights along it.
struct SeenBounds {
  double lo_x, lo_y, hi_x, hi_y, lo, hi;

  [[nodiscard]] bool beside(const SeenBounds& o) const noexcept {
    return lo_x > o.hi_x || o.lo_x > hi_x || lo_y > o.hi_y || o.lo_y > hi_y;
  }
};

/// A triangle seen along a direction: two coordinates across it, the third along it. Or the edge of a rim, its second corner twice.
struct Seen : SeenBounds {
  std::array<Point3, 3> corner;
  std::uint32_t triangle;
};

/// Triangles seen along one direction, in a tree of their bounds.
class SeenTree {
 public:
  void clear() { seen_.clear(), nodes_.clear(); }
  void add(const Seen& seen) { seen_.push_back(seen); }
  [[nodiscard]] bool empty() const noexcept { return seen_.empty(); }
  [[nodiscard]] const std::vector<Seen>& seen() const noexcept { return seen_; }
  /// Of what was added, in its order: what is added one after the other should lie together.
  void build();
  /// Calls visit(triangle) for those whose rectangle overlaps the one of `by`, unless skip(bounds) says that there is no use in what they
  /// bound.
  template <class Skip, class Visit>
  void overlapping(const SeenBounds& by, Skip&& skip, Visit&& visit) const;

 private:
  struct Node : SeenBounds {
    std::uint32_t begin, end;  ///< triangles
    std::uint32_t right;       ///< the left child is the next node; 0 for a leaf
  };
  static constexpr std::uint32_t k_leaf = 4;
  /// Of the middle of 2^32 triangles, each once for a left child and once for a right one.
  static constexpr std::size_t k_stack = 64;
  std::uint32_t split(std::uint32_t begin, std::uint32_t end);
  std::vector<Seen> seen_;
  std::vector<Node> nodes_;
};

template <class Skip, class Visit>
void SeenTree::overlapping(const SeenBounds& by, Skip&& skip, Visit&& visit) const {
  if (nodes_.empty()) return;
  std::array<std::uint32_t, k_stack> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t at = stack[--size];
    const Node& node = nodes_[at];
    if (by.beside(node) || skip(node)) continue;
    if (node.right != 0) {
      stack[size++] = node.right;
      stack[size++] = at + 1;
      continue;
    }
    for (std::uint32_t i = node.begin; i < node.end; ++i)
      if (!by.beside(seen_[i]) && !skip(seen_[i])) visit(seen_[i]);
  }
}

}  // namespace snug::contact
