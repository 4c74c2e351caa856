#pragma once

#include "bvh/obb8/lanes/boxes.hpp"

// Principal axes follow where the area is, which is not how the smallest box lies. So boxes are turned about the axis along
// which there is least, eight turns at a time, and keep the turn with the least area. Turns about the other axes, and finer
// ones, were tried and gave nothing more.

namespace snug::lanes::SNUG_LANES {

namespace fitting {

/// All turns there are, an eighth of a right angle apart: a box turned by a right angle is the same box again.
struct Turns {
  float sine[8] = {-0.707106781F, -0.555570233F, -0.382683432F, -0.195090322F, 0,
                   0.195090322F,  0.382683432F,  0.555570233F};
  float cosine[8] = {0.707106781F, 0.831469612F, 0.923879533F, 0.980785280F, 1,
                     0.980785280F, 0.923879533F, 0.831469612F};
};
inline constexpr Turns k_turns;

/// From where to where something reaches.
struct Reach {
  Float8 lo = Float8(0x1p20F), hi = Float8(-0x1p20F);

  void include(const Float8& low, const Float8& high) noexcept { lo = min(low, lo), hi = max(high, hi); }
};

/// Heights of eight points along an axis.
inline Float8 along(const float axis[3], const Float8 p[3]) noexcept {
  const Float8 a[3] = {Float8(axis[0]), Float8(axis[1]), Float8(axis[2])};
  return dot(a, p);
}

/// The triangles of a block, in its own steps, seen along two axes.
class BlockExtent {
 public:
  explicit BlockExtent(const TriangleBlock& block) noexcept {
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) corner_[k][i] = Float8::load(block.corner[k][i]);
  }
  [[nodiscard]] float width(const float axis[3]) const noexcept {
    Reach reach;
    for (const auto& corner : corner_) {
      const Float8 height = along(axis, corner);
      reach.include(height, height);
    }
    return greatest(reach.hi) - least(reach.lo);
  }
  void look_along(const float p[3], const float q[3]) noexcept {
    for (int k = 0; k < 3; ++k) p_[k] = along(p, corner_[k]), q_[k] = along(q, corner_[k]);
  }
  void turned(const Float8& sine, const Float8& cosine, Reach& along_p, Reach& along_q) const noexcept {
    for (int k = 0; k < 3; ++k)
      for (int lane = 0; lane < 8; ++lane) {
        const Float8 p(lanes_of(p_[k])[lane]), q(lanes_of(q_[k])[lane]);
        const Float8 to_p = cosine * p + sine * q, to_q = cosine * q - sine * p;
        along_p.include(to_p, to_p), along_q.include(to_q, to_q);
      }
  }

 private:
  Float8 corner_[3][3], p_[3], q_[3];
};

/// The same for the boxes of a node, which stand for all that is in them.
class NodeExtent {
 public:
  explicit NodeExtent(const ObbNode& node) noexcept : count_(node.count) {
    decode(node, 1 / node.step, boxes_);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) side_[k][i] = boxes_.axis[k][i] * boxes_.half[k];
  }
  [[nodiscard]] float width(const float axis[3]) const noexcept {
    const Float8 middle = along(axis, boxes_.centre);
    const Float8 half = (abs(along(axis, side_[0])) + abs(along(axis, side_[1]))) + abs(along(axis, side_[2]));
    alignas(32) float lo[8], hi[8];
    (middle - half).store(lo), (middle + half).store(hi);
    float least_of = lo[0], greatest_of = hi[0];
    for (std::uint32_t lane = 1; lane < count_; ++lane) {
      least_of = lo[lane] < least_of ? lo[lane] : least_of;
      greatest_of = hi[lane] > greatest_of ? hi[lane] : greatest_of;
    }
    return greatest_of - least_of;
  }
  void look_along(const float p[3], const float q[3]) noexcept {
    p_[3] = along(p, boxes_.centre), q_[3] = along(q, boxes_.centre);
    for (int k = 0; k < 3; ++k) p_[k] = along(p, side_[k]), q_[k] = along(q, side_[k]);
  }
  void turned(const Float8& sine, const Float8& cosine, Reach& along_p, Reach& along_q) const noexcept {
    for (std::uint32_t lane = 0; lane < count_; ++lane) {
      Float8 to_p[4], to_q[4];
      for (int k = 0; k < 4; ++k) {
        const Float8 p(lanes_of(p_[k])[lane]), q(lanes_of(q_[k])[lane]);
        to_p[k] = cosine * p + sine * q, to_q[k] = cosine * q - sine * p;
      }
      const Float8 half_p = (abs(to_p[0]) + abs(to_p[1])) + abs(to_p[2]);
      const Float8 half_q = (abs(to_q[0]) + abs(to_q[1])) + abs(to_q[2]);
      along_p.include(to_p[3] - half_p, to_p[3] + half_p), along_q.include(to_q[3] - half_q, to_q[3] + half_q);
    }
  }

 private:
  Boxes boxes_;
  Float8 side_[3][3];   ///< half sides of the boxes
  Float8 p_[4], q_[4];  ///< those and the centres
  std::uint32_t count_;
};

/// Turns axes about the one along which the area is spread least, so that the box along them gets smaller. Extent: what the
/// box is to hold.
template <class Extent>
inline void tighten(Extent&& extent, int thinnest, float axis[3][3]) noexcept {
  float* const p = axis[(thinnest + 1) % 3];
  float* const q = axis[(thinnest + 2) % 3];
  extent.look_along(p, q);
  Reach along_p, along_q;
  extent.turned(Float8::load(k_turns.sine), Float8::load(k_turns.cosine), along_p, along_q);
  const Float8 wide_p = along_p.hi - along_p.lo, wide_q = along_q.hi - along_q.lo;
  alignas(32) float area[8];
  (wide_p * wide_q + Float8(extent.width(axis[thinnest])) * (wide_p + wide_q)).store(area);
  int best = 4;  // no turn at all
  for (int lane = 0; lane < 8; ++lane) best = area[lane] < area[best] ? lane : best;
  const float sine = k_turns.sine[best], cosine = k_turns.cosine[best];
  for (int i = 0; i < 3; ++i) {
    const float to_p = cosine * p[i] + sine * q[i];
    q[i] = cosine * q[i] - sine * p[i];
    p[i] = to_p;
  }
}

}  // namespace fitting

}  // namespace snug::lanes::SNUG_LANES
