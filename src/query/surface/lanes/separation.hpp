#pragma once

#include "query/surface/relative_pose.hpp"
#include "tree/lanes/boxes.hpp"

// Boxes against boxes: the six axes that are their own. The nine cross products would spare about a tenth of the tests
// and cost more than that.

namespace snug::detail::SNUG_LANES {

/// The numbers of one box in all lanes, in the order axes, centre, half extents.
inline auto lanes_of(const Box1& box) noexcept {
  return [numbers = &box.axis[0][0]](int k) { return Float8(numbers[k]); };
}

/// Gaps between the projections of each of eight boxes a and of one box b on the axes of a and on those of b; negative where
/// they overlap. b(k) is number k of the one box, in all lanes.
template <class One>
inline void gaps_between(const Boxes& a, One&& b, Float8 along_a[3], Float8 along_b[3]) noexcept {
  Float8 between[3];
  for (int i = 0; i < 3; ++i) between[i] = b(9 + i) - a.centre[i];
  for (int j = 0; j < 3; ++j) {
    const Float8 axis[3] = {b(3 * j), b(3 * j + 1), b(3 * j + 2)};
    along_b[j] = abs(dot(axis, between)) - b(12 + j);
  }
  for (int i = 0; i < 3; ++i) {
    along_a[i] = abs(dot(a.axis[i], between)) - a.half[i];
    for (int j = 0; j < 3; ++j) {
      const Float8 axis[3] = {b(3 * j), b(3 * j + 1), b(3 * j + 2)};
      const Float8 m = abs(dot(a.axis[i], axis));
      along_a[i] = along_a[i] - m * b(12 + j);
      along_b[j] = along_b[j] - m * a.half[i];
    }
  }
}

/// The largest of them: positive only if the boxes are disjoint, give or take rounding.
template <class One>
inline Float8 separation(const Boxes& a, One&& b) noexcept {
  Float8 along_a[3], along_b[3];
  gaps_between(a, b, along_a, along_b);
  const Float8 widest = max(along_a[2], max(along_a[1], along_a[0]));
  return max(max(along_b[0], along_b[1]), max(along_b[2], widest));
}

/// Where an origin of b lies, seen from an origin of a.
inline void between_origins(const RelativePose& pose, const float origin_a[3], const float origin_b[3],
                            float out[3]) noexcept {
  const double b[3] = {double(origin_b[0]) * pose.scale_b, double(origin_b[1]) * pose.scale_b,
                       double(origin_b[2]) * pose.scale_b};
  for (int i = 0; i < 3; ++i) {
    const double* row = pose.rotation + 3 * i;
    out[i] = static_cast<float>(((row[0] * b[0] + row[1] * b[1]) + row[2] * b[2]) +
                                (pose.translation[i] - double(origin_a[i]) * pose.scale_a));
  }
}

/// Turns a vector of b into the frame of a. T: Float8 or float.
template <class T>
inline void turned(const RelativePose& pose, const T from[3], T to[3]) noexcept {
  for (int i = 0; i < 3; ++i) {
    const float* row = pose.rotation_f + 3 * i;
    to[i] = (T(row[0]) * from[0] + T(row[1]) * from[1]) + T(row[2]) * from[2];
  }
}

/// Brings boxes of b into the frame of a; `offset` is where their origin comes to lie. T: Float8 with Boxes, float with Box1.
template <class T, class B>
inline void bring(const RelativePose& pose, const float offset[3], const B& from, B& to) noexcept {
  for (int i = 0; i < 3; ++i) turned<T>(pose, from.axis[i], to.axis[i]);
  turned<T>(pose, from.centre, to.centre);
  for (int i = 0; i < 3; ++i) to.centre[i] = to.centre[i] + T(offset[i]), to.half[i] = from.half[i];
}

/// Bound on the rounding of a separation: all lengths that go into it are below the sum of these. See docs/exactness.md.
inline float separation_error(const RelativePose& pose, const float offset[3], float step_a, float step_b) noexcept {
  const float reach = 4 * 32768.0F * (step_a * pose.scale_a + step_b * pose.scale_b);
  const float lengths =
      (__builtin_fabsf(offset[0]) + __builtin_fabsf(offset[1])) + (__builtin_fabsf(offset[2]) + reach);
  return 0x1p-18F * lengths + static_cast<float>(pose.error) * 1.001F;
}

}  // namespace snug::detail::SNUG_LANES
