// Included once for each instruction set, by a file that has defined SNUG_LANES and Float8: see simd/. No include guard
// beyond #pragma once is needed, since each such file is a translation unit of its own.
#pragma once

#include "bvh/obb8/obb_tree.hpp"

namespace snug::lanes::SNUG_LANES {

/// Eight boxes, one to a lane: points p with |axis[i] . (p - centre)| <= half[i] for i = 0, 1, 2.
struct Boxes {
  Float8 axis[3][3];
  Float8 centre[3];
  Float8 half[3];
};

/// One box. Its fifteen numbers lie one after the other.
struct Box1 {
  float axis[3][3];
  float centre[3];
  float half[3];
};

/// The columns of the rotation that a quaternion of any length stands for. T: Float8 or float.
template <class T>
inline void axes_of(const T& w, const T& x, const T& y, const T& z, T axis[3][3]) noexcept {
  const T one(1.0F);
  const T scale = T(2.0F) / ((w * w + x * x) + (y * y + z * z));
  const T sx = scale * x, sy = scale * y, sz = scale * z;
  const T xx = sx * x, xy = sx * y, xz = sx * z, yy = sy * y, yz = sy * z, zz = sz * z;
  const T wx = sx * w, wy = sy * w, wz = sz * w;
  axis[0][0] = one - (yy + zz), axis[0][1] = xy + wz, axis[0][2] = xz - wy;
  axis[1][0] = xy - wz, axis[1][1] = one - (xx + zz), axis[1][2] = yz + wx;
  axis[2][0] = xz + wy, axis[2][1] = yz - wx, axis[2][2] = one - (xx + yy);
}

/// The boxes of a node's children, centres relative to its origin, lengths multiplied by `scale`.
inline void decode(const ObbNode& node, float scale, Boxes& boxes) noexcept {
  axes_of(Float8::load(node.quaternion[0]), Float8::load(node.quaternion[1]), Float8::load(node.quaternion[2]),
          Float8::load(node.quaternion[3]), boxes.axis);
  const Float8 step(node.step * scale);
  for (int i = 0; i < 3; ++i) {
    boxes.centre[i] = Float8::load(node.centre[i]) * step;
    boxes.half[i] = Float8::load(node.half[i]) * step;
  }
}

/// One of them, with the same bits.
inline void decode(const ObbNode& node, std::uint32_t lane, float scale, Box1& box) noexcept {
  axes_of(float(node.quaternion[0][lane]), float(node.quaternion[1][lane]), float(node.quaternion[2][lane]),
          float(node.quaternion[3][lane]), box.axis);
  const float step = node.step * scale;
  for (int i = 0; i < 3; ++i) {
    box.centre[i] = float(node.centre[i][lane]) * step;
    box.half[i] = float(node.half[i][lane]) * step;
  }
}

/// Axes, centre and half extents, fifteen numbers of each lane: number k of lane l at 8 k + l.
inline const float* numbers_of(const Boxes& boxes) noexcept { return reinterpret_cast<const float*>(&boxes); }

inline const float* lanes_of(const Float8& lanes) noexcept { return reinterpret_cast<const float*>(&lanes); }

inline Float8 dot(const Float8 a[3], const Float8 b[3]) noexcept { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

inline void cross(const Float8 u[3], const Float8 v[3], Float8 out[3]) noexcept {
  out[0] = u[1] * v[2] - u[2] * v[1];
  out[1] = u[2] * v[0] - u[0] * v[2];
  out[2] = u[0] * v[1] - u[1] * v[0];
}

}  // namespace snug::lanes::SNUG_LANES
