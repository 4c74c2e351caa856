#pragma once

#include "bvh/obb8/split_box.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>
#include <span>

// Splits many things, each with a box, a number of triangles and a place, by sorting them into bins along each axis.

namespace snug::bvh {

template <class Thing>
class BinnedSplit {
 public:
  /// Reorders the things and says how many come first. Both sides get at least one of at least two.
  static std::size_t divide(std::span<Thing> things, int depth) {
    SNUG_ASSERT(things.size() >= 2);
    SplitBox places;
    for (const Thing& thing : things) places.include(thing.place(), thing.place());
    const BinnedSplit split(places);
    const Plane plane = depth < k_deepest_choice ? split.best_plane(things) : Plane{};
    if (plane.axis >= 0) {
      const auto middle = std::partition(things.begin(), things.end(), [&](const Thing& thing) {
        return bin(((thing.place() - split.lo_) * split.scale_)[plane.axis]) < plane.bin;
      });
      const auto first = static_cast<std::size_t>(middle - things.begin());
      if (first > 0 && first < things.size()) return first;
    }
    return halve(things, places);
  }

 private:
  static constexpr int k_bins = 16;
  /// Axes along which the places spread less than this part of what they do along the longest are not looked at.
  static constexpr float k_shortest_axis = 0.5F;
  struct Bin {
    SplitBox box;
    std::uint32_t triangles = 0;
  };
  struct Plane {
    float cost = std::numeric_limits<float>::infinity();
    int axis = -1, bin = 0;
  };

  explicit BinnedSplit(const SplitBox& places) noexcept : lo_(places.lo) {
    const Float4 size = places.hi - places.lo;
    const float least = k_shortest_axis * longest_of(size);
    for (int axis = 0; axis < 3; ++axis)
      scale_[axis] = size[axis] > 0 && size[axis] >= least ? float{k_bins} / size[axis] : 0.0F;
    scale_[3] = 0;
  }

  /// A subnormal size makes the scale infinite; the comparison then sends everything to one end or the other.
  static int bin(float position) noexcept {
    return position > 0 ? (position < float{k_bins - 1} ? static_cast<int>(position) : k_bins - 1) : 0;
  }

  [[nodiscard]] Plane best_plane(std::span<const Thing> things) const noexcept {
    std::array<std::array<Bin, k_bins>, 3> bins;
    int axes[3], count = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (scale_[axis] != 0) axes[count++] = axis;
    for (const Thing& thing : things) {
      const Float4 position = (thing.place() - lo_) * scale_;
      for (int a = 0; a < count; ++a) {
        Bin& its = bins[axes[a]][bin(position[axes[a]])];
        its.box.include(thing.lo, thing.hi);
        its.triangles += thing.triangles();
      }
    }
    Plane best;
    for (int a = 0; a < count; ++a) sweep(bins[axes[a]], axes[a], best);
    return best;
  }

  static void sweep(const std::array<Bin, k_bins>& bins, int axis, Plane& best) noexcept {
    std::array<float, k_bins> right_cost{};
    SplitBox right;
    std::uint32_t triangles = 0;
    for (int b = k_bins - 1; b > 0; --b) {
      right.include(bins[b].box);
      triangles += bins[b].triangles;
      right_cost[b] = triangles == 0 ? std::numeric_limits<float>::infinity() : right.area() * blocks_of(triangles);
    }
    SplitBox left;
    triangles = 0;
    for (int b = 1; b < k_bins; ++b) {
      left.include(bins[b - 1].box);
      triangles += bins[b - 1].triangles;
      if (triangles == 0) continue;
      const float cost = left.area() * blocks_of(triangles) + right_cost[b];
      if (cost < best.cost) best = {cost, axis, b};
    }
  }

  /// Along the longest side of the places, ties by id, so that the tree is the same on every machine.
  static std::size_t halve(std::span<Thing> things, const SplitBox& places) {
    const Float4 size = places.hi - places.lo;
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const std::size_t half = things.size() / 2;
    std::nth_element(things.begin(), things.begin() + static_cast<std::ptrdiff_t>(half), things.end(),
                     [axis](const Thing& a, const Thing& b) {
                       const float pa = a.place()[axis], pb = b.place()[axis];
                       return pa != pb ? pa < pb : a.id() < b.id();
                     });
    return half;
  }

  Float4 lo_, scale_;
};

}  // namespace snug::bvh
