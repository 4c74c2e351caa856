#include "query/pairs/published/frame_change.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <limits>

namespace snug::query {

namespace {
std::array<double, 9> transposed_times(const std::array<double, 9>& a, const std::array<double, 9>& b) noexcept {
  std::array<double, 9> product{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) product[3 * i + j] = (a[i] * b[j] + a[3 + i] * b[3 + j]) + a[6 + i] * b[6 + j];
  return product;
}

Aabb grown(const Aabb& box, double margin) noexcept {
  const Vec3 sides{margin, margin, margin};
  return {box.lo - sides, box.hi + sides};
}
}  // namespace

FrameChange::FrameChange(const Aabb& bounds_from, const Pose& from, const Aabb& bounds_to, const Pose& to) noexcept
    : r_(transposed_times(to.matrix(), from.matrix())) {
  const Vec3 apart = from.translation() - to.translation();
  t_ = turn_back(to.matrix(), apart);
  const double farthest = std::max(max_abs(bounds_from.lo), max_abs(bounds_from.hi));
  margin_ = 2 * (posing_error(bounds_from, from) + posing_error(bounds_to, to)) +
            0x1p-44 * (farthest + max_abs(apart)) + 16 * std::numeric_limits<double>::denorm_min();
}

Aabb FrameChange::take_tight(const Triangle& t) const noexcept {
  Aabb box;
  for (const Point3& p : t.corner) box.include(place(p));
  return grown(box, margin_);
}

Aabb FrameChange::take_cover(const Aabb& box) const noexcept {
  // Row by row each coordinate's share lies between those of the two sides (Arvo 1990): no corners are needed.
  std::array<double, 3> lo{t_.x, t_.y, t_.z}, hi = lo;
  for (std::size_t i = 0; i < 3; ++i) {
    double low = 0, high = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double x = r_[3 * i + j] * box.lo[j], y = r_[3 * i + j] * box.hi[j];
      low += x < y ? x : y;
      high += x < y ? y : x;
    }
    lo[i] += low;
    hi[i] += high;
  }
  return grown({{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}}, margin_);
}

}  // namespace snug::query
