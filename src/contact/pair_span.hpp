#pragma once

#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <snug/triangle.hpp>

#include <algorithm>

namespace snug::contact {

/// Two triangles to be asked along many directions how far the first has to be moved to be beyond the second.
class PairSpan {
 public:
  PairSpan(const Triangle& a, const Triangle& b) noexcept {
    // Seen from one corner, so that bodies far from the origin keep their digits: the first in space, whichever body's.
    const Point3 from = std::min({a[0], a[1], a[2], b[0], b[1], b[2]});
    double size = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      a_[k] = a[k] - from, b_[k] = b[k] - from;
      size = std::max({size, max_abs(a_[k]), max_abs(b_[k])});
    }
    rounding_ = 0x1p-48 * size;
  }

  /// How far the first has to be moved along the unit normal to be beyond the second, rounded up.
  [[nodiscard]] double along(const Vec3& normal) const noexcept {
    const double top = std::max({dot(normal, b_[0]), dot(normal, b_[1]), dot(normal, b_[2])});
    const double bottom = std::min({dot(normal, a_[0]), dot(normal, a_[1]), dot(normal, a_[2])});
    return std::max(0.0, (top - bottom) + rounding_);
  }

 private:
  Vec3 a_[3], b_[3];
  double rounding_;
};

}  // namespace snug::contact
