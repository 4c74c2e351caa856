#pragma once

#include "query/raycast/ray_walk.hpp"

// A line through the tree, against the eight boxes of a node and the eight triangles of a block at a time.

namespace snug::lanes::SNUG_LANES {

namespace rays {

/// A child is a node, or a block and this.
inline constexpr std::uint32_t k_block = std::uint32_t{1} << 31;

/// A child that the line meets, and where. Where only hits ahead count, it does not matter where the line leaves it.
template <bool BothWays>
struct Entry {
  float near;
  std::uint32_t child;
  [[nodiscard]] float distance() const noexcept { return near; }
};
template <>
struct Entry<true> {
  float near;
  std::uint32_t child;
  float far;
  [[nodiscard]] float distance() const noexcept { return near > -far ? near : -far; }
};

inline Float8 dot(const Float8& x, const Float8& y, const Float8& z, const Float8 d[3]) noexcept {
  return (x * d[0] + y * d[1]) + z * d[2];
}

/// take(walk, block, lane) is called for what may be met.
template <bool BothWays, class Take>
class Walk {
 public:
  Walk(RayWalk& walk, Take& take) noexcept : walk_(walk), take_(take), slack_(381 * walk.margin + 0x1p-8F) {
    for (int i = 0; i < 3; ++i) {
      origin_[i] = Float8(walk.origin[i]), direction_[i] = Float8(walk.direction[i]);
      squared_ += walk.direction[i] * walk.direction[i];
    }
  }

  void run() {
    // Sides lie one after the other in a node: three of lo, three of hi. Boxes are enlarged by the margin: what leads in is
    // moved towards the origin, what leads out away from it.
    const auto in = [&](int i) { return k_lanes * static_cast<std::uint32_t>(walk_.inverse[i] < 0 ? 3 + i : i); };
    const auto out = [&](int i) { return k_lanes * static_cast<std::uint32_t>(walk_.inverse[i] < 0 ? i : 3 + i); };
    const auto wider = [&](int i) { return walk_.margin * __builtin_fabsf(walk_.inverse[i]); };
    const auto in_from = [&](int i) { return Float8(walk_.origin[i] * walk_.inverse[i] + wider(i)); };
    const auto out_from = [&](int i) { return Float8(walk_.origin[i] * walk_.inverse[i] - wider(i)); };
    const Float8 inverse_x(walk_.inverse[0]), inverse_y(walk_.inverse[1]), inverse_z(walk_.inverse[2]);
    const Float8 in_from_x = in_from(0), in_from_y = in_from(1), in_from_z = in_from(2);
    const Float8 out_from_x = out_from(0), out_from_y = out_from(1), out_from_z = out_from(2);
    const std::uint32_t in_x = in(0), in_y = in(1), in_z = in(2), out_x = out(0), out_y = out(1), out_z = out(2);

    Entry<BothWays> at{};  // the root
    at.near = walk_.from;
    while (true) {
      if ((at.child & k_block) == 0) {
        ++walk_.box_tests;
        const RayNode& node = walk_.nodes[at.child];
        const auto* const sides = reinterpret_cast<const float*>(&node);
        const Float8 near = max(max(Float8::load(sides + in_x) * inverse_x - in_from_x, Float8(walk_.from)),
                                max(Float8::load(sides + in_y) * inverse_y - in_from_y,
                                    Float8::load(sides + in_z) * inverse_z - in_from_z));
        const Float8 far = min(min(Float8::load(sides + out_x) * inverse_x - out_from_x, Float8(walk_.to)),
                               min(Float8::load(sides + out_y) * inverse_y - out_from_y,
                                   Float8::load(sides + out_z) * inverse_z - out_from_z));
        unsigned met = greater(near, far) ^ 0xFFU;
        if (const unsigned blocks = met >> node.inner; blocks != 0) {
          // Mostly it is the first of them that is opened next, and its memory is far.
          fetch_block(node.first_block + static_cast<std::uint32_t>(__builtin_ctz(blocks)));
          met &= ~beside_planes(node, near, far);
        }
        if (met != 0) {
          at = enter(node, met, near, far);
          continue;
        }
      } else {
        block(at.child & ~k_block, at.near);
      }
      do {
        if (size_ == 0) return;
        at = stack_[--size_];
      } while (passed(at));
    }
  }

 private:
  /// Hits were found since it was put aside, and it lies beyond them.
  [[nodiscard]] bool passed(const Entry<BothWays>& entry) const noexcept {
    if constexpr (BothWays)
      if (entry.far < walk_.from) return true;
    return entry.near > walk_.to;
  }

  /// The child that the line meets nearest to the origin; others go on the stack, the nearest of them on top. Mostly it is one
  /// or two.
  Entry<BothWays> enter(const RayNode& node, unsigned met, const Float8& near, const Float8& far) noexcept {
    alignas(32) float nears[8], fars[8];
    near.store(nears);
    if constexpr (BothWays) far.store(fars);
    const std::uint32_t first_block = node.first_block - node.inner + k_block;
    const auto take_lane = [&]() noexcept {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(met));
      met &= met - 1;
      Entry<BothWays> entry;
      entry.near = nears[lane], entry.child = (lane < node.inner ? node.first_node : first_block) + lane;
      if constexpr (BothWays) entry.far = fars[lane];
      return entry;
    };
    Entry<BothWays> next = take_lane();
    if (met == 0) return next;
    const std::uint32_t bottom = size_;
    do {
      Entry<BothWays> child = take_lane();
      if (child.distance() < next.distance()) {
        const Entry<BothWays> former = next;
        next = child, child = former;
      }
      fetch(child);
      std::uint32_t at = size_++;
      for (; at > bottom && stack_[at - 1].distance() < child.distance(); --at) stack_[at] = stack_[at - 1];
      stack_[at] = child;
    } while (met != 0);
    return next;
  }

  /// The blocks whose triangles lie on one side of all that the line passes in their box.
  unsigned beside_planes(const RayNode& node, const Float8& near, const Float8& far) const noexcept {
    const Float8 n[3] = {Float8::load(node.normal[0]), Float8::load(node.normal[1]), Float8::load(node.normal[2])};
    const Float8 at = dot(n[0], n[1], n[2], origin_), per_t = dot(n[0], n[1], n[2], direction_);
    const Float8 enters = at + near * per_t, leaves = at + far * per_t;
    const Float8 step(1 / static_cast<float>(RayNode::k_steps));
    const Float8 low = Float8::load(node.low) * step;
    const Float8 high = low + Float8::load(node.thickness) * (Float8(node.unit) * step);
    return greater(low - slack_, max(enters, leaves)) | greater(min(enters, leaves), high + slack_);
  }

  /// Asks for a child's memory.
  void fetch(const Entry<BothWays>& entry) const noexcept {
    if ((entry.child & k_block) != 0) {
      fetch_block(entry.child & ~k_block);
    } else {
      fetch_lines<sizeof(RayNode)>(walk_.nodes + entry.child);
    }
  }
  void fetch_block(std::uint32_t number) const noexcept {
    fetch_lines<sizeof(TriangleBlock)>(walk_.blocks + number);
    fetch_lines<sizeof(BlockCorners)>(walk_.corners + number);
  }
  template <std::size_t Bytes>
  static void fetch_lines(const void* from) noexcept {
    for (std::size_t at = 0; at < Bytes; at += 64) __builtin_prefetch(static_cast<const char*>(from) + at);
  }

  /// Hands over the triangles that the line may pass through. Seen from where it enters the block's box and in steps of the
  /// block, so that numbers are small whatever lies between.
  void block(std::uint32_t number, float entry) {
    const TriangleBlock& block = walk_.blocks[number];
    // By the time it is known which triangle is met, its vertices are on their way. Every other one will do: they come in
    // pairs with a common edge.
    for (std::uint32_t lane = 0; lane < k_lanes; lane += 2)
      for (const std::uint32_t v : walk_.corners[number].vertex[lane]) __builtin_prefetch(&walk_.vertices[v].y);
    ++walk_.triangle_tests;
    const float per_step = 1.0F / block.step;
    const float off = walk_.margin * per_step;
    const float error = 1.0F + 1.75F * off;            // 0.868 of the corners' own, and the roundings of what follows
    const float reach = 1.75F * (65540.0F + 2 * off);  // no corner is further from there
    // Sides of the line are products of two such lengths and the direction's, which is at most 1.74.
    const Float8 doubt(1.74F * reach * (2.2F * error + 0x1p-20F * reach));
    Float8 p[3][3];
    for (int i = 0; i < 3; ++i) {
      const Float8 at(((walk_.origin[i] - block.origin[i]) + entry * walk_.direction[i]) * per_step);
      for (int k = 0; k < 3; ++k) p[k][i] = Float8::load(block.corner[k][i]) - at;
    }
    Float8 least, most;
    for (int k = 0; k < 3; ++k) {
      const Float8 *u = p[k], *v = p[(k + 1) % 3];
      const Float8 side =
          dot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0], direction_);
      least = k == 0 ? side : min(least, side);
      most = k == 0 ? side : max(most, side);
    }
    unsigned lanes = ~(greater(Float8(0.0F) - doubt, least) & greater(most, doubt)) & ((1U << block.count) - 1U);
    if (lanes == 0) return;
    // Along the line, its corners tell where a triangle can be met.
    Float8 first, last;
    for (int k = 0; k < 3; ++k) {
      const Float8 along = dot(p[k][0], p[k][1], p[k][2], direction_);
      first = k == 0 ? along : min(first, along);
      last = k == 0 ? along : max(last, along);
    }
    alignas(32) float firsts[8], lasts[8];
    first.store(firsts);
    last.store(lasts);
    const float slack = 8 * error + 0x1p-19F * reach;
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
      const float scale = squared_ * per_step;
      if (firsts[lane] > (walk_.to - entry) * scale + slack || lasts[lane] < (walk_.from - entry) * scale - slack)
        continue;
      take_(walk_, number, lane);
    }
  }

  RayWalk& walk_;
  Take& take_;
  Float8 origin_[3], direction_[3];
  Float8 slack_;  ///< how far values of planes may be off: 381 times the margin, as much as n has, and their roundings
  std::uint32_t size_ = 0;
  float squared_ = 0;
  // Each node opened leaves at most seven more than it took. Splits go 48 deep by choice and then halve 32-bit numbers.
  Entry<BothWays> stack_[8 * 88];
};

}  // namespace rays

inline void walk_ray(RayWalk& walk) {
  if (walk.both_ways) {
    rays::Walk<true, decltype(walk.take)>(walk, walk.take).run();
  } else {
    rays::Walk<false, decltype(walk.take)>(walk, walk.take).run();
  }
}

}  // namespace snug::lanes::SNUG_LANES
