#include "geometry/vec_ops.hpp"

#include <snug/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug {

double turning_deviation(double radius, const Pose& t0, const Pose& t1) noexcept {
  if (!t0.is_valid() || !t1.is_valid() || std::isnan(radius)) return std::numeric_limits<double>::infinity();
  const Quaternion &p = t0.rotation(), &q = t1.rotation();
  const auto squared = [](double w, double x, double y, double z) { return (w * w + x * x) + (y * y + z * z); };
  const double chord = std::sqrt(std::min(squared(p.w - q.w, p.x - q.x, p.y - q.y, p.z - q.z),
                                          squared(p.w + q.w, p.x + q.x, p.y + q.y, p.z + q.z)));
  // Half the chord is the sine of a quarter of the angle, at most sqrt(1/2); there the arc sine stays below this.
  const double sine = 0.5 * chord * (1 + 0x1p-40);
  const double quarter = sine + 0.2216 * sine * sine * sine;
  // A function whose second derivative is at most r θ² is off its chord by r θ² / 8 = 2 r (θ/4)² at most.
  const double bend = chord > 0 ? 2 * radius * quarter * quarter : 0;
  const double size = radius + std::max(detail::max_abs(t0.translation()), detail::max_abs(t1.translation()));
  return bend * (1 + 0x1p-40) + 0x1p-44 * size;
}

}  // namespace snug
