#pragma once

#include "geometry/double_double.hpp"
#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <algorithm>
#include <array>

namespace snug::geometry {

/// Heights over a triangle's plane, up to a common factor, in double-double: where planes nearly fall together plain
/// doubles would leave nothing but noise.
class PlaneHeight {
 public:
  PlaneHeight(const Triangle& plane, const Triangle& other) noexcept : origin_(plane[0]) {
    double half_extent = 0;
    for (const Triangle* t : {&plane, &other})
      for (const Point3& p : t->corner) half_extent = std::max(half_extent, max_abs(0.5 * p - 0.5 * origin_));
    scale_ = 0.5 * scale_to_one(half_extent);
    const auto u = local(plane[1]), v = local(plane[2]);
    normal_ = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  }
  [[nodiscard]] double operator()(const Point3& p) const noexcept {
    const auto w = local(p);
    return static_cast<double>(normal_[0] * w[0] + normal_[1] * w[1] + normal_[2] * w[2]);
  }

 private:
  using Vector = std::array<DoubleDouble, 3>;
  [[nodiscard]] Vector local(const Point3& p) const noexcept {
    return {scaled_difference(p.x, origin_.x, scale_), scaled_difference(p.y, origin_.y, scale_),
            scaled_difference(p.z, origin_.z, scale_)};
  }

  Point3 origin_;
  double scale_ = 1;
  Vector normal_;
};

}  // namespace snug::geometry
