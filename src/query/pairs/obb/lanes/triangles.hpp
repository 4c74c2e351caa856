#pragma once

#include "query/pairs/obb/lanes/batch.hpp"
#include "query/pairs/obb/lanes/frames.hpp"
#include "query/pairs/obb/pair_search.hpp"

// Blocks against blocks: each triangle of b against eight of a, by their boxes and by the two planes. What is left goes to
// the exact test.

namespace snug::lanes::SNUG_LANES {

/// How far corners, brought into the frame of a, may lie from where they belong, and how large coordinates may be there.
struct BlockBounds {
  float error_a, error_b, reach;

  BlockBounds(const RelativePose& pose, const FramedBlock& a, const FramedBlock& b, const float offset[3]) noexcept {
    const float far =
        larger(larger(__builtin_fabsf(offset[0]), __builtin_fabsf(offset[1])), __builtin_fabsf(offset[2]));
    reach = 32768.0F * (a.step + 1.75F * b.step) + far;
    // Half a step along each of three axes, the rounding of floats, and that of the poses.
    error_a = 0.868F * a.step + 0x1p-22F * reach;
    error_b = 0.868F * b.step + 0x1.8p-20F * reach + static_cast<float>(pose.error) * 1.75F;
  }
  static float larger(float x, float y) noexcept { return x > y ? x : y; }
};

/// Lanes of eight boxes that overlap one box.
inline unsigned overlapping(const Float8 lo[3], const Float8 hi[3], const float one_lo[3],
                            const float one_hi[3]) noexcept {
  Float8 apart = max(Float8(one_lo[0]) - hi[0], lo[0] - Float8(one_hi[0]));
  apart = max(max(Float8(one_lo[1]) - hi[1], lo[1] - Float8(one_hi[1])), apart);
  apart = max(max(Float8(one_lo[2]) - hi[2], lo[2] - Float8(one_hi[2])), apart);
  return 0xFFU & ~greater(apart, Float8(0.0F));
}

/// Lanes in which the plane of a triangle, times its normal's length, keeps three heights at least so far on one side.
inline unsigned beside(const Float8& h0, const Float8& h1, const Float8& h2, const Float8& doubt) noexcept {
  return greater(max(min(min(h0, h1), h2), Float8(0.0F) - max(max(h0, h1), h2)), doubt);
}

/// Some triangles of one block, each against some of another, eight at a time. What may share a point goes to the batch.
struct RowsAndLanes {
  const TriangleBlock &block, &other;  ///< the block of the lanes and that of the rows
  FramedBlock &eight, &one;
  float offset[3];  ///< from the first to the second, from where all is seen
  float error, other_error, reach;
  bool swapped;  ///< lanes are b's
};

inline void compare_rows(PairSearch& search, const RowsAndLanes& r, unsigned lanes, unsigned rows,
                         TriangleBatch& batch) noexcept {
  FramedBlock &eight = r.eight, &one = r.one;
  // How much the height of a corner over a plane, times the area, may be wrong: see docs/exactness.md. Boxes that overlap
  // bound the distance between corners by both extents.
  eight.find_planes();
  one.find_planes();
  const Float8 error(r.error), other_error(r.other_error), both(r.error + r.other_error);
  const Float8 rounding(0x1p-18F * r.reach), seven(7.0F), four(4.0F);
  const Float8 longest = eight.longest + four * error, other_longest = one.longest + four * other_error;
  const Float8 wide = eight.extent + four * both, other_wide = one.extent + four * both;
  const Float8 slope = seven * error * longest, other_slope = seven * other_error * other_longest;
  const Float8 underflow(k_underflow);
  const Float8 doubt = both * eight.area + rounding * longest * longest + slope * wide + underflow;
  const Float8 other_doubt =
      both * one.area + rounding * other_longest * other_longest + other_slope * other_wide + underflow;
  Float8 p[3][3], lo[3], hi[3];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) p[k][i] = eight.corner[k][i] - Float8(r.offset[i]);
    lo[i] = eight.lo[i] - Float8(r.offset[i] + (r.error + r.other_error));
    hi[i] = eight.hi[i] - Float8(r.offset[i] - (r.error + r.other_error));
  }
  const Float8 height = dot(eight.normal, p[0]);
  for (; rows != 0; rows &= rows - 1) {
    const auto j = static_cast<std::uint32_t>(__builtin_ctz(rows));
    const float one_lo[3] = {lanes_of(one.lo[0])[j], lanes_of(one.lo[1])[j], lanes_of(one.lo[2])[j]};
    const float one_hi[3] = {lanes_of(one.hi[0])[j], lanes_of(one.hi[1])[j], lanes_of(one.hi[2])[j]};
    unsigned left = lanes & overlapping(lo, hi, one_lo, one_hi);
    if (left == 0) continue;
    // Its corners against the planes of the eight.
    Float8 q[3][3];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) q[k][i] = Float8(lanes_of(one.corner[k][i])[j]);
    left &= ~beside(dot(eight.normal, q[0]) - height, dot(eight.normal, q[1]) - height,
                    dot(eight.normal, q[2]) - height, doubt + slope * Float8(lanes_of(other_wide)[j]));
    // The corners of the eight against its plane.
    const Float8 n[3] = {Float8(lanes_of(one.normal[0])[j]), Float8(lanes_of(one.normal[1])[j]),
                         Float8(lanes_of(one.normal[2])[j])};
    const Float8 other_height(lanes_of(one.height)[j]);
    left &= ~beside(dot(n, p[0]) - other_height, dot(n, p[1]) - other_height, dot(n, p[2]) - other_height,
                    Float8(lanes_of(other_doubt)[j]) + Float8(lanes_of(other_slope)[j]) * wide);
    if (left == 0) continue;
    const Packing packing(left);
    const std::uint32_t at = batch.count;
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) packing.packed(p[k][i]).store(batch.a[k][i] + at), q[k][i].store(batch.b[k][i] + at);
    error.store(batch.error_a + at), other_error.store(batch.error_b + at);
    packing.packed(Float8::load_bits(r.block.id)).store((r.swapped ? batch.id_b : batch.id_a) + at);
    Float8(__builtin_bit_cast(float, r.other.id[j])).store((r.swapped ? batch.id_a : batch.id_b) + at);
    batch.count += static_cast<std::uint32_t>(__builtin_popcount(left));
    if (batch.count >= 8) decide(search, batch);
  }
}

/// Adds the triangle pairs of two blocks that may share a point to the batch.
inline void compare_blocks(PairSearch& search, const TriangleBlock& block_a, FramedBlock& a,
                           const TriangleBlock& block_b, FramedBlock& b, TriangleBatch& batch) noexcept {
  float offset[3];
  offset_between(a, b, offset);
  const BlockBounds bounds(search.pose, a, b, offset);
  search.counts.triangle_tests += std::uint64_t{block_a.count} * block_b.count;
  // Triangles of each block against the box around the other, a little grown.
  const float grow = bounds.error_a + bounds.error_b;
  float lo[3], hi[3];
  for (int i = 0; i < 3; ++i) lo[i] = b.all_lo[i] + (offset[i] - grow), hi[i] = b.all_hi[i] + (offset[i] + grow);
  const unsigned lanes = ((1U << block_a.count) - 1U) & overlapping(a.lo, a.hi, lo, hi);
  if (lanes == 0) return;
  const float back[3] = {-offset[0], -offset[1], -offset[2]};
  for (int i = 0; i < 3; ++i) lo[i] = a.all_lo[i] + (back[i] - grow), hi[i] = a.all_hi[i] + (back[i] + grow);
  const unsigned rows = ((1U << block_b.count) - 1U) & overlapping(b.lo, b.hi, lo, hi);
  if (rows == 0) return;
  // Every row costs the same, however many lanes it has.
  if (__builtin_popcount(rows) <= __builtin_popcount(lanes))
    compare_rows(search,
                 {block_a,
                  block_b,
                  a,
                  b,
                  {offset[0], offset[1], offset[2]},
                  bounds.error_a,
                  bounds.error_b,
                  bounds.reach,
                  false},
                 lanes, rows, batch);
  else
    compare_rows(
        search,
        {block_b, block_a, b, a, {back[0], back[1], back[2]}, bounds.error_b, bounds.error_a, bounds.reach, true}, rows,
        lanes, batch);
}

}  // namespace snug::lanes::SNUG_LANES
