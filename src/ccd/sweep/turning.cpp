#include "geometry/vec_ops.hpp"
#include "model/motion_bound.hpp"
#include "model/quaternion.hpp"

#include <snug/sweep.hpp>

namespace snug {

double turning_deviation(double radius, const Pose& t0, const Pose& t1) noexcept {
  if (!t0.is_valid() || !t1.is_valid() || std::isnan(radius)) return std::numeric_limits<double>::infinity();
  const Quaternion &p = t0.rotation(), &q = t1.rotation();
  const double chord = std::sqrt(std::min(detail::squared_chord(p, q), detail::squared_chord(p, detail::negated(q))));
  const double size = radius + std::max(detail::max_abs(t0.translation()), detail::max_abs(t1.translation()));
  return detail::arc_deviation(radius, chord) + 0x1p-44 * size;
}

}  // namespace snug
