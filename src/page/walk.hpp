#pragma once

#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::page {

/// One triangle of a walk, turned so that its first two corners are the edge by which it was entered.
struct Step {
  static constexpr std::uint8_t k_no_edge = 15;
  std::uint8_t edge = k_no_edge;  ///< how many edges ago that edge was left open; 0 is the last one
  Index3 corners{};
  std::uint32_t opposite = 0;  ///< corner on the other side of that edge
};

/// Goes through triangles from neighbour to neighbour, keeping the last edges by which it may go on. Whoever repeats the
/// steps has the same edges at hand, so that most triangles are told by a small number and one corner.
class Walk {
 public:
  /// The triangles are referred to.
  explicit Walk(std::span<const Index3> triangles);

  /// Visits each of `members` (ids of triangles that were not visited before) once.
  template <class Visit>
  void through(std::span<const std::uint32_t> members, Visit visit) {
    ++group_;
    for (const std::uint32_t id : members) group_of_[id] = group_;
    for (const std::uint32_t id : members) {
      if (group_of_[id] == k_visited) continue;
      visit(start(id));
      Step step;
      while (go_on(step)) visit(step);
    }
    SNUG_ASSERT(std::ranges::all_of(members, [&](std::uint32_t id) { return group_of_[id] == k_visited; }));
  }

 private:
  static constexpr std::uint32_t k_visited = ~std::uint32_t{0};
  static constexpr std::size_t k_open_edges = 15;

  struct OpenEdge {
    std::uint32_t from = 0, to = 0, opposite = 0;
  };
  struct HalfEdge {
    std::uint32_t from = 0, to = 0, triangle = 0;
    friend auto operator<=>(const HalfEdge&, const HalfEdge&) = default;
  };

  [[nodiscard]] Step start(std::uint32_t triangle);
  bool go_on(Step& step);
  void open(OpenEdge edge);

  std::span<const Index3> triangles_;
  std::vector<HalfEdge> half_edges_;       ///< sorted
  std::vector<std::uint32_t> first_from_;  ///< by vertex: where its half-edges begin
  std::vector<std::uint32_t> group_of_;
  std::uint32_t group_ = 0;
  std::array<OpenEdge, k_open_edges> open_{};
  std::size_t open_count_ = 0;
};

}  // namespace snug::page
