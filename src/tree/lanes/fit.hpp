#pragma once

#include "tree/fit.hpp"
#include "tree/lanes/boxes.hpp"

#include <cmath>

// Fits the boxes of a node's children: axes from the second moments of the area, extents from every corner.

namespace snug::detail::SNUG_LANES {

namespace fitting {

inline float sum(const Float8& a) noexcept {
  float l[8];
  a.store(l);
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}
inline float largest(const Float8& a) noexcept {
  float l[8];
  a.store(l);
  float m = l[0];
  for (int i = 1; i < 8; ++i) m = l[i] > m ? l[i] : m;
  return m;
}

/// Corners of a block relative to a point near it.
inline void corners_of(const TriangleBlock& block, const float origin[3], Float8 p[3][3]) noexcept {
  const Float8 step(block.step);
  for (int axis = 0; axis < 3; ++axis) {
    const Float8 shift(block.origin[axis] - origin[axis]);
    for (int k = 0; k < 3; ++k) p[k][axis] = Float8::load(block.corner[k][axis]) * step + shift;
  }
}

/// xx, xy, xz, yy, yz, zz of the area's covariance, with a trace of about one; all zero without area.
inline void covariance(const TriangleBlock* blocks, BlockRange range, const float origin[3], float out[6]) noexcept {
  Float8 weight(0.0F), first[3], second[6];
  for (auto& f : first) f = weight;
  for (auto& s : second) s = weight;
  for (std::uint32_t b = range.begin; b < range.end; ++b) {
    Float8 p[3][3];
    corners_of(blocks[b], origin, p);
    Float8 u[3], v[3], m[3];
    for (int i = 0; i < 3; ++i)
      u[i] = p[1][i] - p[0][i], v[i] = p[2][i] - p[0][i], m[i] = (p[0][i] + p[1][i]) + p[2][i];
    const Float8 n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const Float8 area = sqrt(dot(n, n));
    weight = weight + area;
    int k = 0;
    for (int i = 0; i < 3; ++i) {
      first[i] = first[i] + area * m[i];
      for (int j = i; j < 3; ++j, ++k)
        second[k] = second[k] + area * ((m[i] * m[j] + p[0][i] * p[0][j]) + (p[1][i] * p[1][j] + p[2][i] * p[2][j]));
    }
  }
  const float total = sum(weight);
  for (int k = 0; k < 6; ++k) out[k] = 0;
  if (!(total > 0)) return;
  float mean[3];
  for (int i = 0; i < 3; ++i) mean[i] = sum(first[i]) / (3 * total);
  int k = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++k) out[k] = sum(second[k]) / (12 * total) - mean[i] * mean[j];
  const float trace = out[0] + out[3] + out[5];
  for (int i = 0; i < 6; ++i) out[i] = trace > 0 ? out[i] / trace : 0;
}

/// Turns axes p and q of symmetric matrices so that their common entry vanishes; v collects the turns.
inline void turn(Float8 a[3][3], Float8 v[3][3], int p, int q) noexcept {
  const Float8 twice = a[p][q] + a[p][q];
  const Float8 difference = a[q][q] - a[p][p];
  const Float8 root = sqrt(difference * difference + twice * twice);
  const Float8 below = max(abs(difference) + root, Float8(1e-30F));
  const Float8 t = twice / copysign(below, difference);
  const Float8 c = Float8(1.0F) / sqrt(t * t + Float8(1.0F));
  const Float8 s = t * c;
  a[p][p] = a[p][p] - t * a[p][q];
  a[q][q] = a[q][q] + t * a[p][q];
  a[p][q] = a[q][p] = Float8(0.0F);
  const int r = 3 - p - q;
  const Float8 rp = a[r][p], rq = a[r][q];
  a[r][p] = a[p][r] = c * rp - s * rq;
  a[r][q] = a[q][r] = s * rp + c * rq;
  for (int i = 0; i < 3; ++i) {
    const Float8 ip = v[p][i], iq = v[q][i];
    v[p][i] = c * ip - s * iq;
    v[q][i] = s * ip + c * iq;
  }
}

/// Principal axes of eight matrices at once: any rotation will do for a box, so a fixed number of sweeps is enough.
inline void principal_axes(const float covariance[6][8], Float8 axis[3][3]) noexcept {
  Float8 a[3][3];
  int k = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++k) a[i][j] = a[j][i] = Float8::load(covariance[k]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) axis[i][j] = Float8(i == j ? 1.0F : 0.0F);
  for (int sweep = 0; sweep < 4; ++sweep) turn(a, axis, 0, 1), turn(a, axis, 0, 2), turn(a, axis, 1, 2);
}

inline float coarsest_step(const TriangleBlock* blocks, BlockRange range) noexcept {
  float step = 0;
  for (std::uint32_t b = range.begin; b < range.end; ++b) step = std::fmax(step, blocks[b].step);
  return step;
}

struct Extent {
  float lo[3], hi[3];
  /// Half the area of the box, or infinite if it is no number.
  [[nodiscard]] float area() const noexcept {
    const float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    const float a = x * y + y * z + z * x;
    return a >= 0 ? a : HUGE_VALF;
  }
};

inline Extent extent_along(const TriangleBlock* blocks, BlockRange range, const float origin[3],
                           const float axis[3][3]) noexcept {
  Float8 lo[3], hi[3];
  for (int i = 0; i < 3; ++i) lo[i] = Float8(HUGE_VALF), hi[i] = Float8(-HUGE_VALF);
  for (std::uint32_t b = range.begin; b < range.end; ++b) {
    Float8 p[3][3];
    corners_of(blocks[b], origin, p);
    for (int i = 0; i < 3; ++i) {
      const Float8 a[3] = {Float8(axis[i][0]), Float8(axis[i][1]), Float8(axis[i][2])};
      for (int k = 0; k < 3; ++k) {
        const Float8 s = dot(a, p[k]);
        lo[i] = min(s, lo[i]), hi[i] = max(s, hi[i]);
      }
    }
  }
  Extent extent;
  for (int i = 0; i < 3; ++i) extent.lo[i] = -largest(Float8(0.0F) - lo[i]), extent.hi[i] = largest(hi[i]);
  return extent;
}

/// A unit quaternion of three axes, the third of which may point the wrong way; the identity if they are no rotation.
inline void quaternion_of(const float axis[3][3], float q[4]) noexcept {
  const float *x = axis[0], *y = axis[1];
  const float z[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
  // The largest of the four squares is at least one, so no division is by little.
  const float w2 = 1 + x[0] + y[1] + z[2], x2 = 1 + x[0] - y[1] - z[2], y2 = 1 - x[0] + y[1] - z[2],
              z2 = 1 - x[0] - y[1] + z[2];
  if (w2 >= x2 && w2 >= y2 && w2 >= z2)
    q[0] = w2, q[1] = y[2] - z[1], q[2] = z[0] - x[2], q[3] = x[1] - y[0];
  else if (x2 >= y2 && x2 >= z2)
    q[0] = y[2] - z[1], q[1] = x2, q[2] = x[1] + y[0], q[3] = z[0] + x[2];
  else if (y2 >= z2)
    q[0] = z[0] - x[2], q[1] = x[1] + y[0], q[2] = y2, q[3] = y[2] + z[1];
  else
    q[0] = x[1] - y[0], q[1] = z[0] + x[2], q[2] = y[2] + z[1], q[3] = z2;
  const float length = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
  if (length > 0.5F && length < 8.0F)
    for (int i = 0; i < 4; ++i) q[i] /= length;
  else
    q[0] = 1, q[1] = q[2] = q[3] = 0;
}

}  // namespace fitting

/// Fills the boxes of `node`, whose origin is set, so that child i holds the triangles of ranges[i].
inline void fit_children(const TriangleBlock* blocks, const BlockRange* ranges, std::uint32_t count,
                         ObbNode& node) noexcept {
  using namespace fitting;
  float moments[6][8] = {};
  for (std::uint32_t c = 0; c < count; ++c) {
    float one[6];
    covariance(blocks, ranges[c], node.origin, one);
    for (int k = 0; k < 6; ++k) moments[k][c] = one[k];
  }
  Float8 principal[3][3];
  principal_axes(moments, principal);
  float axes[3][3][8];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) principal[i][j].store(axes[i][j]);

  float centre[8][3], reach = 0;
  for (std::uint32_t c = 0; c < count; ++c) {
    constexpr float aligned[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    float along[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) along[i][j] = axes[i][j][c];
    const Extent turned = extent_along(blocks, ranges[c], node.origin, along);
    const Extent straight = extent_along(blocks, ranges[c], node.origin, aligned);
    const bool use_turned = turned.area() < straight.area();
    const Extent& extent = use_turned ? turned : straight;
    const auto& axis = use_turned ? along : aligned;
    float q[4];
    quaternion_of(axis, q);
    for (int i = 0; i < 4; ++i) node.quaternion[i][c] = static_cast<std::int16_t>(std::lround(q[i] * 32767.0F));
    for (int i = 0; i < 3; ++i) {
      centre[c][i] = 0;
      for (int k = 0; k < 3; ++k) centre[c][i] += 0.5F * (extent.lo[k] + extent.hi[k]) * axis[k][i];
      reach = std::fmax(reach, std::fabs(centre[c][i]));
      reach = std::fmax(reach, 0.5F * (extent.hi[i] - extent.lo[i]) + coarsest_step(blocks, ranges[c]));
    }
  }
  for (std::uint32_t c = count; c < k_lanes; ++c) {
    for (int i = 0; i < 4; ++i) node.quaternion[i][c] = i == 0 ? 32767 : 0;
    for (int i = 0; i < 3; ++i) node.centre[i][c] = node.half[i][c] = 0;
  }
  // A little room, since the extents grow when axes and centres are rounded to steps.
  node.step = std::fmax(reach * (1.02F / 32767.0F), 0x1p-100F);
  for (std::uint32_t c = 0; c < count; ++c)
    for (int i = 0; i < 3; ++i) node.centre[i][c] = static_cast<std::int16_t>(std::lround(centre[c][i] / node.step));

  for (std::uint32_t c = 0; c < count; ++c) {
    Box1 box;
    decode(node, c, 1.0F, box);
    Float8 widest[3] = {Float8(0.0F), Float8(0.0F), Float8(0.0F)};
    for (std::uint32_t b = ranges[c].begin; b < ranges[c].end; ++b) {
      Float8 p[3][3];
      corners_of(blocks[b], node.origin, p);
      for (int k = 0; k < 3; ++k) {
        Float8 d[3];
        for (int i = 0; i < 3; ++i) d[i] = p[k][i] - Float8(box.centre[i]);
        for (int i = 0; i < 3; ++i) {
          const Float8 a[3] = {Float8(box.axis[i][0]), Float8(box.axis[i][1]), Float8(box.axis[i][2])};
          widest[i] = max(abs(dot(a, d)), widest[i]);
        }
      }
    }
    // Corners lie within half a step of what the block says, along each of three axes; and all of the above was rounded,
    // relative to lengths of at most four times 32767 steps.
    const float slack = 0.9F * coarsest_step(blocks, ranges[c]) + node.step * (32767.0F * 0x1p-19F);
    for (int i = 0; i < 3; ++i) {
      const float half = std::ceil((largest(widest[i]) + slack) / node.step * (1 + 0x1p-20F));
      node.half[i][c] = static_cast<std::int16_t>(std::fmin(half, 32767.0F));
    }
  }
}

}  // namespace snug::detail::SNUG_LANES
