#pragma once

#include "bvh/obb8/obb_tree.hpp"
#include "support/rooms.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

// What the ways to split have in common: boxes, things with a box, and what they cost.

namespace snug::bvh {

/// x, y, z and one lane for something else. A compiler's own vector type: four lanes exist on every machine we know.
using Float4 = float __attribute__((vector_size(16)));

inline Float4 lower(Float4 a, Float4 b) noexcept { return a < b ? a : b; }
inline Float4 upper(Float4 a, Float4 b) noexcept { return a > b ? a : b; }

inline float longest_of(Float4 size) noexcept {
  const float xy = size[0] > size[1] ? size[0] : size[1];
  return xy > size[2] ? xy : float{size[2]};
}

struct SplitBox {
  Float4 lo, hi;

  SplitBox() noexcept {
    const float inf = std::numeric_limits<float>::infinity();
    lo = Float4{inf, inf, inf, inf}, hi = -lo;
  }
  void include(Float4 low, Float4 high) noexcept { lo = lower(lo, low), hi = upper(hi, high); }
  void include(const SplitBox& box) noexcept { include(box.lo, box.hi); }
  /// Half of it.
  [[nodiscard]] float area() const noexcept {
    const Float4 size = hi - lo;
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
  }
};

/// A unit or a surface, by its box. The spare lanes hold id and number of triangles as bits.
struct SplitItem {
  Float4 lo, hi;

  SplitItem() = default;
  SplitItem(const SplitBox& box, std::uint32_t id, std::uint32_t triangles) noexcept : lo(box.lo), hi(box.hi) {
    lo[3] = std::bit_cast<float>(id);
    hi[3] = std::bit_cast<float>(triangles);
  }
  [[nodiscard]] std::uint32_t id() const noexcept { return std::bit_cast<std::uint32_t>(float{lo[3]}); }
  [[nodiscard]] std::uint32_t triangles() const noexcept { return std::bit_cast<std::uint32_t>(float{hi[3]}); }
  /// Twice the middle; the fourth lane means nothing.
  [[nodiscard]] Float4 place() const noexcept { return lo + hi; }
};

/// One triangle, or two neighbours that come one after the other in the mesh: those are split as one, which halves the
/// work. Twice the id of the first, plus one if there is a second.
using SplitUnit = std::uint32_t;

/// Makes items of a mesh's triangles.
struct SplitMesh {
  const float* vertices;  ///< four numbers each, in coordinates of the tree
  const Index3* triangles;

  [[nodiscard]] SplitItem item(SplitUnit unit) const noexcept {
    SplitBox box;
    include(box, unit / 2);
    if (unit % 2 != 0) include(box, unit / 2 + 1);
    return {box, unit, 1 + unit % 2};
  }

 private:
  void include(SplitBox& box, std::uint32_t triangle) const noexcept {
    for (const std::uint32_t v : triangles[triangle]) {
      Float4 p;
      std::memcpy(&p, &vertices[4 * std::size_t{v}], sizeof p);
      box.include(p, p);
    }
  }
};

/// What is to be split, and the order in which it stands so far.
struct SplitItems {
  SplitMesh mesh;
  std::span<const SplitItem> items;
  std::span<std::uint32_t> order;  ///< of the items

  /// Calls take(i, item at(i)) for i in [begin, end), asking for memory some steps ahead.
  template <class At, class Take>
  void for_each(std::size_t begin, std::size_t end, At&& at, Take&& take) const {
    constexpr std::size_t ahead = 12;
    for (std::size_t i = begin; i < end; ++i) {
      if (i + ahead < end) __builtin_prefetch(&items[at(i + ahead)]);
      take(i, items[at(i)]);
    }
  }
};

/// Work of so many triangles: blocks are compared as wholes.
inline float blocks_of(std::uint32_t triangles) noexcept {
  const std::uint32_t blocks = (triangles + k_lanes - 1) / k_lanes;
  return static_cast<float>(blocks);
}

/// Unbalanced splits may be worth it, but not for ever: depth bounds the memory of a search.
inline constexpr int k_deepest_choice = 48;

}  // namespace snug::bvh
