#pragma once

#include "query/surface/lanes/batch.hpp"
#include "query/surface/lanes/separation.hpp"
#include "query/surface/pair_search.hpp"

// Blocks against blocks: each triangle of b against eight of a, by their boxes and by the two planes. What is left goes to
// the exact test.

namespace snug::detail::SNUG_LANES {

/// A block in the frame of a, relative to its own origin, with what every comparison needs.
struct FramedBlock {
  Float8 corner[3][3];
  Float8 lo[3], hi[3];
  float all_lo[3], all_hi[3];  ///< of the whole block
  std::uint32_t index = ~std::uint32_t{0};

  bool has_planes;   ///< what follows is only made for blocks whose triangles come close
  Float8 normal[3];  ///< of twice the area
  Float8 area;       ///< its length
  Float8 longest;    ///< edge
  Float8 extent;     ///< largest side of the box

  void find_boxes() noexcept {
    for (int i = 0; i < 3; ++i) {
      lo[i] = min(min(corner[0][i], corner[1][i]), corner[2][i]);
      hi[i] = max(max(corner[0][i], corner[1][i]), corner[2][i]);
      all_lo[i] = least(lo[i]), all_hi[i] = greatest(hi[i]);
    }
    has_planes = false;
  }
  void find_planes() noexcept {
    if (has_planes) return;
    has_planes = true;
    Float8 u[3], v[3], w[3];
    for (int i = 0; i < 3; ++i) {
      u[i] = corner[1][i] - corner[0][i];
      v[i] = corner[2][i] - corner[0][i];
      w[i] = corner[2][i] - corner[1][i];
    }
    cross(u, v, normal);
    area = sqrt(dot(normal, normal));
    longest = sqrt(max(max(dot(u, u), dot(v, v)), dot(w, w)));
    extent = max(max(hi[0] - lo[0], hi[1] - lo[1]), hi[2] - lo[2]);
  }
};

inline void frame_a(const TriangleBlock& block, const RelativePose& pose, FramedBlock& out) noexcept {
  const Float8 step(block.step * pose.scale_a);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) out.corner[k][i] = Float8::load(block.corner[k][i]) * step;
  out.find_boxes();
}

inline void frame_b(const TriangleBlock& block, const RelativePose& pose, FramedBlock& out) noexcept {
  const Float8 step(block.step * pose.scale_b);
  for (int k = 0; k < 3; ++k) {
    Float8 p[3];
    for (int i = 0; i < 3; ++i) p[i] = Float8::load(block.corner[k][i]) * step;
    turned<Float8>(pose, p, out.corner[k]);
  }
  out.find_boxes();
}

/// How far corners, brought into the frame of a, may lie from where they belong, and how large coordinates may be there.
struct BlockBounds {
  float error_a, error_b, reach;

  BlockBounds(const RelativePose& pose, const TriangleBlock& a, const TriangleBlock& b,
              const float offset[3]) noexcept {
    const float step_a = a.step * pose.scale_a, step_b = b.step * pose.scale_b;
    const float far = __builtin_fmaxf(__builtin_fmaxf(__builtin_fabsf(offset[0]), __builtin_fabsf(offset[1])),
                                      __builtin_fabsf(offset[2]));
    reach = 32768.0F * (step_a + 1.75F * step_b) + far;
    // Half a step along each of three axes, the rounding of floats, and that of the poses.
    error_a = 0.868F * step_a + 0x1p-22F * reach;
    error_b = 0.868F * step_b + 0x1.8p-20F * reach + static_cast<float>(pose.error) * 1.75F;
  }
};

/// Lanes of a box array that overlap one box.
inline unsigned overlapping(const Float8 lo[3], const Float8 hi[3], const float one_lo[3],
                            const float one_hi[3]) noexcept {
  Float8 apart = max(Float8(one_lo[0]) - hi[0], lo[0] - Float8(one_hi[0]));
  apart = max(max(Float8(one_lo[1]) - hi[1], lo[1] - Float8(one_hi[1])), apart);
  apart = max(max(Float8(one_lo[2]) - hi[2], lo[2] - Float8(one_hi[2])), apart);
  return 0xFFU & ~greater(apart, Float8(0.0F));
}

/// Adds the triangle pairs of two blocks that may share a point to the batch.
inline void compare_blocks(PairSearch& search, const TriangleBlock& block_a, FramedBlock& a,
                           const TriangleBlock& block_b, FramedBlock& b, TriangleBatch& batch) noexcept {
  const std::uint32_t count_a = block_a.count, count_b = block_b.count;
  float offset[3];
  between_origins(search.pose, block_a.origin, block_b.origin, offset);
  const BlockBounds bounds(search.pose, block_a, block_b, offset);
  search.counts.triangle_tests += std::uint64_t{count_a} * count_b;

  // Boxes, b's moved and grown: each side's against the whole of the other, then those left against each other.
  const float grow = bounds.error_a + bounds.error_b;
  Float8 lo_b[3], hi_b[3];
  float all_lo[3], all_hi[3];
  for (int i = 0; i < 3; ++i) {
    lo_b[i] = b.lo[i] + Float8(offset[i] - grow), hi_b[i] = b.hi[i] + Float8(offset[i] + grow);
    all_lo[i] = b.all_lo[i] + (offset[i] - grow), all_hi[i] = b.all_hi[i] + (offset[i] + grow);
  }
  const unsigned lanes = ((1U << count_a) - 1U) & overlapping(a.lo, a.hi, all_lo, all_hi);
  unsigned rows = ((1U << count_b) - 1U) & overlapping(lo_b, hi_b, a.all_lo, a.all_hi);
  if (lanes == 0 || rows == 0) return;
  alignas(32) float lo[3][8], hi[3][8];
  for (int i = 0; i < 3; ++i) lo_b[i].store(lo[i]), hi_b[i].store(hi[i]);
  unsigned left_of[8];
  unsigned some = 0;
  for (; rows != 0; rows &= rows - 1) {
    const auto j = static_cast<std::uint32_t>(__builtin_ctz(rows));
    const float one_lo[3] = {lo[0][j], lo[1][j], lo[2][j]}, one_hi[3] = {hi[0][j], hi[1][j], hi[2][j]};
    left_of[j] = lanes & overlapping(a.lo, a.hi, one_lo, one_hi);
    some |= static_cast<unsigned>(left_of[j] != 0) << j;
  }
  if (some == 0) return;

  // How much the height of a corner over a plane, times the area, may be wrong: see docs/exactness.md. Boxes that overlap
  // bound the distance between corners by both extents.
  a.find_planes();
  b.find_planes();
  const Float8 error_a(bounds.error_a), error_b(bounds.error_b), both(grow);
  const Float8 rounding(0x1p-18F * bounds.reach), seven(7.0F), four(4.0F);
  const Float8 longest_a = a.longest + four * error_a, longest_b = b.longest + four * error_b;
  const Float8 wide_a = a.extent + four * both, wide_b = b.extent + four * both;
  const Float8 slope_a = seven * error_a * longest_a, slope_b = seven * error_b * longest_b;
  const Float8 doubt_a = both * a.area + rounding * longest_a * longest_a + slope_a * wide_a;
  const Float8 height_a = dot(a.normal, a.corner[0]);
  struct alignas(32) {
    float corner[3][3][8], normal[3][8], doubt[8], slope[8], wide[8];
  } of_b;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) (b.corner[k][i] + Float8(offset[i])).store(of_b.corner[k][i]);
    b.normal[i].store(of_b.normal[i]);
  }
  (both * b.area + rounding * longest_b * longest_b + slope_b * wide_b).store(of_b.doubt);
  slope_b.store(of_b.slope);
  wide_b.store(of_b.wide);
  const float* const corners_a = reinterpret_cast<const float*>(a.corner);
  for (; some != 0; some &= some - 1) {
    const auto j = static_cast<std::uint32_t>(__builtin_ctz(some));
    // b's corners against the planes of a.
    Float8 q[3][3];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) q[k][i] = Float8(of_b.corner[k][i][j]);
    Float8 s0 = dot(a.normal, q[0]) - height_a, s1 = dot(a.normal, q[1]) - height_a,
           s2 = dot(a.normal, q[2]) - height_a;
    Float8 nearest = max(min(min(s0, s1), s2), Float8(0.0F) - max(max(s0, s1), s2));
    unsigned left = left_of[j] & ~greater(nearest, doubt_a + slope_a * Float8(of_b.wide[j]));
    // a's corners against the plane of b.
    const Float8 n[3] = {Float8(of_b.normal[0][j]), Float8(of_b.normal[1][j]), Float8(of_b.normal[2][j])};
    const Float8 height_b = dot(n, q[0]);
    s0 = dot(n, a.corner[0]) - height_b, s1 = dot(n, a.corner[1]) - height_b, s2 = dot(n, a.corner[2]) - height_b;
    nearest = max(min(min(s0, s1), s2), Float8(0.0F) - max(max(s0, s1), s2));
    left &= ~greater(nearest, Float8(of_b.doubt[j]) + Float8(of_b.slope[j]) * wide_a);
    for (; left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(__builtin_ctz(left));
      const std::uint32_t at = batch.count;
      batch.error_a[at] = bounds.error_a, batch.error_b[at] = bounds.error_b;
      for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis) {
          batch.a[k][axis][at] = corners_a[(3 * k + axis) * 8 + i];
          batch.b[k][axis][at] = of_b.corner[k][axis][j];
        }
      batch.pair[at] = {block_a.id[i], block_b.id[j], false};
      if (++batch.count == 8) decide(search, batch);
    }
  }
}

}  // namespace snug::detail::SNUG_LANES
