#pragma once

#include "bvh/obb8/fit.hpp"
#include "bvh/obb8/lanes/boxes.hpp"

// Fills a block from the mesh, and measures what is in it.

namespace snug::lanes::SNUG_LANES {

namespace filling {

/// A compiler's own vectors, as wide as the instructions allow: places in the mesh need doubles.
using Double4 = double __attribute__((vector_size(32)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

struct Double8 {
  Double4 low, high;
};

// By reference: how such vectors are passed by value depends on the instruction set.
inline void lower(Double4& a, const Double4& b) noexcept { a = a < b ? a : b; }
inline void raise(Double4& a, const Double4& b) noexcept { a = a > b ? a : b; }
inline double least(const Double4& a) noexcept {
  const double x = a[0] < a[1] ? a[0] : a[1], y = a[2] < a[3] ? a[2] : a[3];
  return x < y ? x : y;
}
inline double largest(const Double4& a) noexcept {
  const double x = a[0] > a[1] ? a[0] : a[1], y = a[2] > a[3] ? a[2] : a[3];
  return x > y ? x : y;
}

/// Area, mean and second moments of the triangles of a block, in its steps: no number comes near the ends of what a
/// float holds.
inline void measure(const TriangleBlock& block, Moments& moments) noexcept {
  Float8 p[3][3], u[3], v[3], m[3];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) p[k][i] = Float8::load(block.corner[k][i]);
  for (int i = 0; i < 3; ++i) u[i] = p[1][i] - p[0][i], v[i] = p[2][i] - p[0][i], m[i] = (p[0][i] + p[1][i]) + p[2][i];
  const Float8 n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const Float8 area = sqrt(dot(n, n));
  const float total = sum(area);
  const double step = block.step, square = step * step;
  moments.area = double{total} * square;
  if (!(total > 0)) return;
  float mean[3];
  for (int i = 0; i < 3; ++i) {
    mean[i] = sum(area * m[i]) / (3 * total);
    moments.mean[i] = double{block.origin[i]} + double{mean[i]} * step;
  }
  int at = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++at) {
      const Float8 products = (m[i] * m[j] + p[0][i] * p[0][j]) + (p[1][i] * p[1][j] + p[2][i] * p[2][j]);
      const float about_origin = sum(area * products), of_mean = 12 * total * (mean[i] * mean[j]);
      moments.second[at] = double{about_origin - of_mean} * (square * square);
    }
}

}  // namespace filling

/// Fetches what fill_block() will need of the mesh: first the triangles, some blocks later their corners.
inline void fetch_triangles(const MeshInTree& mesh, const TriangleBlock& block) noexcept {
  for (const std::uint32_t id : block.id) __builtin_prefetch(&mesh.triangles[id]);
}
inline void fetch_corners(const MeshInTree& mesh, const TriangleBlock& block) noexcept {
  for (const std::uint32_t id : block.id)
    for (const std::uint32_t v : mesh.triangles[id]) __builtin_prefetch(&mesh.vertices[v]);
}

/// Fills the corners of a block that has its ids.
inline void fill_block(const MeshInTree& mesh, TriangleBlock& block, Spread& spread) noexcept {
  using namespace filling;
  const Point3* at[3][k_lanes];
  for (std::uint32_t l = 0; l < block.count; ++l)
    for (std::size_t k = 0; k < 3; ++k) at[k][l] = &mesh.vertices[mesh.triangles[block.id[l]][k]];
  for (std::uint32_t l = block.count; l < k_lanes; ++l)
    for (auto& corners : at) corners[l] = at[0][0];

  Double8 p[3][3];
  double reach = 0;
  for (int i = 0; i < 3; ++i) {
    const double centre = (&mesh.centre.x)[i];
    for (int k = 0; k < 3; ++k) {
      const auto place = [&](int l) { return (&at[k][l]->x)[i]; };
      const Double4 low{place(0), place(1), place(2), place(3)}, high{place(4), place(5), place(6), place(7)};
      // The difference first: it is exact or nearly so where the mesh lies far from its origin.
      p[k][i] = {(low - centre) * mesh.unit, (high - centre) * mesh.unit};
    }
    Double4 least_of = p[0][i].low, largest_of = p[0][i].low;
    lower(least_of, p[0][i].high), raise(largest_of, p[0][i].high);
    for (int k = 1; k < 3; ++k) {
      lower(least_of, p[k][i].low), raise(largest_of, p[k][i].low);
      lower(least_of, p[k][i].high), raise(largest_of, p[k][i].high);
    }
    const double lo = least(least_of), hi = largest(largest_of);
    spread.lo[i] = lo, spread.hi[i] = hi;
    block.origin[i] = static_cast<float>(0.5 * (lo + hi));
    const double above = hi - double{block.origin[i]}, below = double{block.origin[i]} - lo;
    reach = above > reach ? above : reach;
    reach = below > reach ? below : reach;
  }
  // A tree coordinate is at most 1 and its rounding to a float well above the smallest float: steps below 2^-80 hold
  // differences that are nothing.
  const double step = reach * (1.0001 / 32767);
  block.step = static_cast<float>(step > 0x1p-80 ? step : 0x1p-80);
  const double per_step = 1 / double{block.step};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      const double origin = block.origin[i];
      // Positive before it is cut off, hence rounded to the nearest.
      const Int4 low = __builtin_convertvector((p[k][i].low - origin) * per_step + 32768.5, Int4);
      const Int4 high = __builtin_convertvector((p[k][i].high - origin) * per_step + 32768.5, Int4);
      for (int l = 0; l < 4; ++l) {
        block.corner[k][i][l] = static_cast<std::int16_t>(low[l] - 32768);
        block.corner[k][i][4 + l] = static_cast<std::int16_t>(high[l] - 32768);
      }
    }
  spread.coarsest_step = block.step;
  measure(block, spread.moments);
}

inline void fill_blocks(const MeshInTree& mesh, TriangleBlock* blocks, std::uint32_t count, Spread* spreads) noexcept {
  constexpr std::uint32_t ahead = 2;
  for (std::uint32_t b = 0; b < count; ++b) {
    if (b + 2 * ahead < count) fetch_triangles(mesh, blocks[b + 2 * ahead]);
    if (b + ahead < count) fetch_corners(mesh, blocks[b + ahead]);
    fill_block(mesh, blocks[b], spreads[b]);
  }
}

}  // namespace snug::lanes::SNUG_LANES
