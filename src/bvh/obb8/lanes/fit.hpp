#pragma once

#include "bvh/obb8/fit.hpp"
#include "bvh/obb8/lanes/boxes.hpp"
#include "bvh/obb8/lanes/tighten.hpp"

#include <cmath>

// Fits the boxes of a node's children: axes from the second moments of the area, extents from every corner.

namespace snug::lanes::SNUG_LANES {

namespace fitting {

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
/// `variance` gets the spread along each.
inline void principal_axes(const float covariance[6][8], Float8 axis[3][3], Float8 variance[3]) noexcept {
  Float8 a[3][3];
  int k = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++k) a[i][j] = a[j][i] = Float8::load(covariance[k]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) axis[i][j] = Float8(i == j ? 1.0F : 0.0F);
  for (int sweep = 0; sweep < 3; ++sweep) turn(a, axis, 0, 1), turn(a, axis, 0, 2), turn(a, axis, 1, 2);
  for (int i = 0; i < 3; ++i) variance[i] = a[i][i];
}

/// Quaternions of the axes, the third of which may point the wrong way: w, x, y, z as large as 32767. Where they are no
/// rotation at all, something far from a quaternion may come out; see keep_quaternions().
inline void quaternions_of(const Float8 axis[3][3], Float8 q[4]) noexcept {
  const Float8 *x = axis[0], *y = axis[1];
  const Float8 z[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
  const Float8 one(1.0F);
  // The largest of the four squares is at least one, so no division is by little.
  const Float8 w2 = one + x[0] + y[1] + z[2], x2 = one + x[0] - y[1] - z[2], y2 = one - x[0] + y[1] - z[2],
               z2 = one - x[0] - y[1] + z[2];
  const Float8 wx = y[2] - z[1], wy = z[0] - x[2], wz = x[1] - y[0], xy = x[1] + y[0], xz = z[0] + x[2],
               yz = y[2] + z[1];
  const Float8 of_w[4] = {w2, wx, wy, wz}, of_x[4] = {wx, x2, xy, xz}, of_y[4] = {wy, xy, y2, yz},
               of_z[4] = {wz, xz, yz, z2};
  const Float8 wx2 = max(w2, x2), yz2 = max(y2, z2);
  Float8 length(0.0F);
  for (int i = 0; i < 4; ++i) {
    q[i] = choose(wx2, yz2, choose(w2, x2, of_w[i], of_x[i]), choose(y2, z2, of_y[i], of_z[i]));
    length = length + q[i] * q[i];
  }
  const Float8 scale = Float8(32767.0F) / sqrt(length);
  for (int i = 0; i < 4; ++i) q[i] = q[i] * scale;
}

/// Nearest whole numbers, for what fits sixteen bits; a NaN becomes the largest.
inline void keep_nearest(const Float8& x, std::int16_t to[8]) noexcept {
  const Float8 bounded = max(min(x, Float8(32767.0F)), Float8(-32767.0F));
  float shifted[8];
  (bounded + copysign(Float8(0.5F), bounded)).store(shifted);
  for (int lane = 0; lane < 8; ++lane) to[lane] = static_cast<std::int16_t>(static_cast<std::int32_t>(shifted[lane]));
}

/// The same, rounded up, for what is not negative.
inline void keep_rounded_up(const Float8& x, std::int16_t to[8]) noexcept {
  float bounded[8];
  min(x, Float8(32767.0F)).store(bounded);
  for (int lane = 0; lane < 8; ++lane) {
    const auto below = static_cast<std::int32_t>(bounded[lane]);
    to[lane] = static_cast<std::int16_t>(below + (static_cast<float>(below) < bounded[lane] ? 1 : 0));
  }
}

/// Rounds to what a node keeps. Far from a rotation becomes none.
inline void keep_quaternions(const Float8 q[4], ObbNode& node) noexcept {
  float length[8];
  (((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]).store(length);
  for (int i = 0; i < 4; ++i) keep_nearest(q[i], node.quaternion[i]);
  for (int lane = 0; lane < 8; ++lane) {
    if (length[lane] > 0x1p28F && length[lane] < 0x1p32F) continue;
    for (int i = 0; i < 4; ++i) node.quaternion[i][lane] = i == 0 ? 32767 : 0;
  }
}

/// From where to where triangles reach along the axes of a box, from the origin of its node.
struct Extents {
  float lo[3][8], hi[3][8];
};

/// True if no corner of a block can lie outside of what others reach: all are within 32767 steps of its origin. The last
/// term is far more than the rounding of what is compared.
inline bool lies_within(const TriangleBlock& block, const float base[3], const float axis[3][3], const float lo[3],
                        const float hi[3]) noexcept {
  const float reach = 32768.0F * block.step;
  for (int i = 0; i < 3; ++i) {
    const float away = reach * (std::fabs(axis[i][0]) + std::fabs(axis[i][1]) + std::fabs(axis[i][2]));
    const float unsure = 0x1p-16F * (std::fabs(base[0]) + std::fabs(base[1]) + std::fabs(base[2]) + away);
    if (!(base[i] - away - unsure >= lo[i] && base[i] + away + unsure <= hi[i])) return false;
  }
  return true;
}

inline void extents_along(const TriangleBlock* blocks, BlockRange range, const float origin[3], const float axis[3][3],
                          float lo[3], float hi[3]) noexcept {
  // Where there are many blocks, most lie well inside.
  const bool many = range.end - range.begin > 24;
  Float8 least_of[3], greatest_of[3];
  for (int i = 0; i < 3; ++i) {
    least_of[i] = Float8(HUGE_VALF), greatest_of[i] = Float8(-HUGE_VALF);
    lo[i] = HUGE_VALF, hi[i] = -HUGE_VALF;
  }
  for (std::uint32_t b = range.begin; b < range.end; ++b) {
    const TriangleBlock& block = blocks[b];
    const float shift[3] = {block.origin[0] - origin[0], block.origin[1] - origin[1], block.origin[2] - origin[2]};
    float base[3];
    for (int i = 0; i < 3; ++i) base[i] = (axis[i][0] * shift[0] + axis[i][1] * shift[1]) + axis[i][2] * shift[2];
    if (many && lies_within(block, base, axis, lo, hi)) continue;
    Float8 p[3][3];
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) p[k][i] = Float8::load(block.corner[k][i]);
    const Float8 step(block.step);
    for (int i = 0; i < 3; ++i) {
      const Float8 a[3] = {Float8(axis[i][0]), Float8(axis[i][1]), Float8(axis[i][2])};
      const Float8 s0 = dot(a, p[0]), s1 = dot(a, p[1]), s2 = dot(a, p[2]);
      least_of[i] = min(min(min(s0, s1), s2) * step + Float8(base[i]), least_of[i]);
      greatest_of[i] = max(max(max(s0, s1), s2) * step + Float8(base[i]), greatest_of[i]);
      if (many) lo[i] = least(least_of[i]), hi[i] = greatest(greatest_of[i]);
    }
  }
  for (int i = 0; i < 3; ++i) lo[i] = least(least_of[i]), hi[i] = greatest(greatest_of[i]);
}

/// Of boxes with such extents; infinite where it is no number.
inline void half_areas(const Extents& extents, float area[8]) noexcept {
  Float8 size[3];
  for (int i = 0; i < 3; ++i) size[i] = Float8::load(extents.hi[i]) - Float8::load(extents.lo[i]);
  const Float8 sum = (size[0] * size[1] + size[1] * size[2]) + size[2] * size[0];
  sum.store(area);
  for (int lane = 0; lane < 8; ++lane) area[lane] = area[lane] >= 0 ? area[lane] : HUGE_VALF;
}

}  // namespace fitting

/// Fills origin and boxes of `node`: child i holds the triangles of ranges[i] and children[i].
inline void fit_children(const TriangleBlock* blocks, const ObbNode* nodes, const BlockRange* ranges,
                         const Spread* children, ObbNode& node) noexcept {
  using namespace fitting;
  const std::uint32_t count = node.count;
  float covariance[6][8] = {};
  for (int i = 0; i < 3; ++i) {
    double lo = children[0].lo[i], hi = children[0].hi[i];
    for (std::uint32_t c = 1; c < count; ++c) {
      lo = children[c].lo[i] < lo ? children[c].lo[i] : lo;
      hi = children[c].hi[i] > hi ? children[c].hi[i] : hi;
    }
    node.origin[i] = static_cast<float>(0.5 * (lo + hi));
  }
  Extents turned, straight;
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 8; ++c) turned.lo[i][c] = turned.hi[i][c] = straight.lo[i][c] = straight.hi[i][c] = 0;
  for (std::uint32_t c = 0; c < count; ++c) {
    const double* second = children[c].moments.second;
    const double trace = children[c].moments.area > 0 ? second[0] + second[3] + second[5] : 0.0;
    const double scale = trace > 0 ? 1 / trace : 0.0;
    for (int k = 0; k < 6; ++k) covariance[k][c] = trace > 0 ? static_cast<float>(second[k] * scale) : 0.0F;
    for (int i = 0; i < 3; ++i) {
      straight.lo[i][c] = static_cast<float>(children[c].lo[i] - double{node.origin[i]});
      straight.hi[i][c] = static_cast<float>(children[c].hi[i] - double{node.origin[i]});
    }
  }
  // Axes are rounded before anything is measured along them, so their rounding costs nothing.
  Float8 axes[3][3], variance[3], q[4];
  principal_axes(covariance, axes, variance);
  for (std::uint32_t c = 0; c < count; ++c) {
    float along[3][3], spread[3];
    for (int i = 0; i < 3; ++i) {
      spread[i] = lanes_of(variance[i])[c];
      for (int j = 0; j < 3; ++j) along[i][j] = lanes_of(axes[i][j])[c];
    }
    const int less = spread[1] < spread[0] ? 1 : 0, thinnest = spread[2] < spread[less] ? 2 : less;
    if (c < node.inner)
      tighten(NodeExtent(nodes[node.first_node + c]), thinnest, along);
    else
      tighten(BlockExtent(blocks[ranges[c].begin]), thinnest, along);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) reinterpret_cast<float*>(&axes[i][j])[c] = along[i][j];
  }
  quaternions_of(axes, q);
  keep_quaternions(q, node);
  axes_of(Float8::load(node.quaternion[0]), Float8::load(node.quaternion[1]), Float8::load(node.quaternion[2]),
          Float8::load(node.quaternion[3]), axes);
  float axis[3][3][8];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) axes[i][j].store(axis[i][j]);
  for (std::uint32_t c = 0; c < count; ++c) {
    float along[3][3], lo[3], hi[3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) along[i][j] = axis[i][j][c];
    extents_along(blocks, ranges[c], node.origin, along, lo, hi);
    for (int i = 0; i < 3; ++i) turned.lo[i][c] = lo[i], turned.hi[i][c] = hi[i];
  }
  float area_turned[8], area_straight[8], unsure[8] = {};
  half_areas(turned, area_turned);
  half_areas(straight, area_straight);
  for (std::uint32_t c = 0; c < k_lanes; ++c) {
    if (c < count && area_turned[c] < area_straight[c]) {
      unsure[c] = 0.9F * children[c].coarsest_step;
      continue;
    }
    for (int i = 0; i < 4; ++i) node.quaternion[i][c] = i == 0 ? 32767 : 0;
    for (int i = 0; i < 3; ++i) {
      turned.lo[i][c] = straight.lo[i][c], turned.hi[i][c] = straight.hi[i][c];
      for (int j = 0; j < 3; ++j) axis[i][j][c] = i == j ? 1.0F : 0.0F;
    }
  }

  Float8 lo[3], hi[3], centre[3], reach(0.0F);
  for (int i = 0; i < 3; ++i) {
    lo[i] = Float8::load(turned.lo[i]), hi[i] = Float8::load(turned.hi[i]), centre[i] = Float8(0.0F);
    reach = max(Float8(0.5F) * (hi[i] - lo[i]) + Float8::load(unsure), reach);
  }
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      axes[k][i] = Float8::load(axis[k][i]);
      centre[i] = centre[i] + Float8(0.5F) * (lo[k] + hi[k]) * axes[k][i];
    }
  for (int i = 0; i < 3; ++i) reach = max(abs(centre[i]), reach);
  // A little room, since extents grow when centres are rounded to steps.
  const float step = greatest(reach) * (1.02F / 32767.0F);
  node.step = step > 0x1p-100F ? step : 0x1p-100F;
  for (int i = 0; i < 3; ++i) {
    keep_nearest(centre[i] / Float8(node.step), node.centre[i]);
    centre[i] = Float8::load(node.centre[i]) * Float8(node.step);
  }
  // Corners lie within half a step of what the block says, along each of three axes; and all of the above was rounded,
  // relative to lengths of a few times 32767 steps (docs/exactness.md).
  const Float8 slack = Float8::load(unsure) + Float8(node.step * (32767.0F * 0x1p-17F));
  for (int i = 0; i < 3; ++i) {
    const Float8 middle = dot(axes[i], centre);
    const Float8 half = max(hi[i] - middle, middle - lo[i]) + slack;
    keep_rounded_up(half / Float8(node.step) * Float8(1 + 0x1p-20F), node.half[i]);
    for (std::uint32_t c = count; c < k_lanes; ++c) node.half[i][c] = 0;
  }
}

}  // namespace snug::lanes::SNUG_LANES
