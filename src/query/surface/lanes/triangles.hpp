#pragma once

#include "query/surface/lanes/separation.hpp"
#include "query/surface/pair_search.hpp"

// Blocks against blocks: each triangle of b against eight of a, by their boxes and by the two planes. What is left goes to
// the exact test.

namespace snug::detail::SNUG_LANES {

/// A block in the frame of a, relative to its own origin, with what every comparison needs.
struct FramedBlock {
  Float8 corner[3][3];
  Float8 lo[3], hi[3];
  Float8 normal[3];   ///< of twice the area
  Float8 normal_sum;  ///< |nx| + |ny| + |nz|
  Float8 edge_sum;    ///< the same of two edges
  std::uint32_t index = ~std::uint32_t{0};

  void finish() noexcept {
    Float8 u[3], v[3];
    for (int i = 0; i < 3; ++i) {
      lo[i] = min(min(corner[0][i], corner[1][i]), corner[2][i]);
      hi[i] = max(max(corner[0][i], corner[1][i]), corner[2][i]);
      u[i] = corner[1][i] - corner[0][i];
      v[i] = corner[2][i] - corner[0][i];
    }
    normal[0] = u[1] * v[2] - u[2] * v[1];
    normal[1] = u[2] * v[0] - u[0] * v[2];
    normal[2] = u[0] * v[1] - u[1] * v[0];
    normal_sum = (abs(normal[0]) + abs(normal[1])) + abs(normal[2]);
    edge_sum = ((abs(u[0]) + abs(u[1])) + abs(u[2])) + ((abs(v[0]) + abs(v[1])) + abs(v[2]));
  }
};

inline void frame_a(const TriangleBlock& block, const RelativePose& pose, FramedBlock& out) noexcept {
  const Float8 step(block.step * pose.scale_a);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) out.corner[k][i] = Float8::load(block.corner[k][i]) * step;
  out.finish();
}

/// The other side, triangle by triangle: its lanes are also kept as numbers.
struct TurnedBlock : FramedBlock {
  alignas(32) float corners[3][3][8];
  alignas(32) float normals[3][8];
};

inline void frame_b(const TriangleBlock& block, const RelativePose& pose, TurnedBlock& out) noexcept {
  const Float8 step(block.step * pose.scale_b);
  for (int k = 0; k < 3; ++k) {
    Float8 p[3];
    for (int i = 0; i < 3; ++i) p[i] = Float8::load(block.corner[k][i]) * step;
    turned<Float8>(pose, p, out.corner[k]);
    for (int i = 0; i < 3; ++i) out.corner[k][i].store(out.corners[k][i]);
  }
  out.finish();
  for (int i = 0; i < 3; ++i) out.normal[i].store(out.normals[i]);
}

/// How far coordinates in the frame of a may be wrong, and how large they may be.
struct BlockBounds {
  float error, reach;

  BlockBounds(const RelativePose& pose, const TriangleBlock& a, const TriangleBlock& b, const float offset[3]) noexcept {
    const float step_a = a.step * pose.scale_a, step_b = b.step * pose.scale_b;
    const float far = __builtin_fmaxf(__builtin_fmaxf(__builtin_fabsf(offset[0]), __builtin_fabsf(offset[1])),
                                      __builtin_fabsf(offset[2]));
    reach = 32768.0F * (step_a + 1.75F * step_b) + far;
    error = 0.51F * (step_a + 1.75F * step_b) + 0x1p-20F * reach + static_cast<float>(pose.error) * 1.001F;
  }
};

/// Adds the triangle pairs of two blocks that may share a point to the candidates.
inline void compare_blocks(PairSearch& search, const TriangleBlock* block_a, const FramedBlock& a,
                           const TriangleBlock* block_b, const TurnedBlock& b) noexcept {
  const std::uint32_t count_a = block_a[1].first - block_a[0].first, count_b = block_b[1].first - block_b[0].first;
  const unsigned lanes = (1U << count_a) - 1U;
  float offset[3];
  between_origins(search.pose, block_a->origin, block_b->origin, offset);
  const BlockBounds bounds(search.pose, *block_a, *block_b, offset);
  search.counts.triangle_tests += std::uint64_t{count_a} * count_b;

  // Boxes, b's moved and grown.
  alignas(32) float lo[3][8], hi[3][8];
  const Float8 grow(bounds.error + bounds.error);
  for (int i = 0; i < 3; ++i) {
    (b.lo[i] + (Float8(offset[i]) - grow)).store(lo[i]);
    (b.hi[i] + (Float8(offset[i]) + grow)).store(hi[i]);
  }
  // |change of (u x v) . w| when every coordinate changes by at most e, coordinates being at most r:
  // e (2 |n| + 8 r (|u| + |v|) + 64 e r), sums of magnitudes meant.
  const Float8 e(bounds.error), r8(8 * bounds.reach), rest(64 * bounds.error * bounds.reach);
  const Float8 doubt_a = e * (((a.normal_sum + a.normal_sum) + r8 * a.edge_sum) + rest);
  alignas(32) float doubt_b[8];
  (e * (((b.normal_sum + b.normal_sum) + r8 * b.edge_sum) + rest)).store(doubt_b);
  const Float8 height_a = dot(a.normal, a.corner[0]);
  for (std::uint32_t j = 0; j < count_b; ++j) {
    Float8 apart = max(Float8(lo[0][j]) - a.hi[0], a.lo[0] - Float8(hi[0][j]));
    apart = max(max(Float8(lo[1][j]) - a.hi[1], a.lo[1] - Float8(hi[1][j])), apart);
    apart = max(max(Float8(lo[2][j]) - a.hi[2], a.lo[2] - Float8(hi[2][j])), apart);
    unsigned left = lanes & ~greater(apart, Float8(0.0F));
    if (left == 0) continue;
    // b's corners against the planes of a.
    Float8 q[3][3];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) q[k][i] = Float8(b.corners[k][i][j] + offset[i]);
    Float8 s0 = dot(a.normal, q[0]) - height_a, s1 = dot(a.normal, q[1]) - height_a, s2 = dot(a.normal, q[2]) - height_a;
    Float8 nearest = max(min(min(s0, s1), s2), Float8(0.0F) - max(max(s0, s1), s2));
    left &= ~greater(nearest, doubt_a);
    if (left == 0) continue;
    // a's corners against the plane of b.
    const Float8 n[3] = {Float8(b.normals[0][j]), Float8(b.normals[1][j]), Float8(b.normals[2][j])};
    const Float8 height_b = dot(n, q[0]);
    s0 = dot(n, a.corner[0]) - height_b, s1 = dot(n, a.corner[1]) - height_b, s2 = dot(n, a.corner[2]) - height_b;
    nearest = max(min(min(s0, s1), s2), Float8(0.0F) - max(max(s0, s1), s2));
    left &= ~greater(nearest, Float8(doubt_b[j]));
    for (; left != 0; left &= left - 1) {
      const std::uint32_t i = static_cast<std::uint32_t>(__builtin_ctz(left));
      search.candidates[search.candidate_count++] = {search.order_a[block_a->first + i], search.order_b[block_b->first + j]};
    }
  }
}

}  // namespace snug::detail::SNUG_LANES
