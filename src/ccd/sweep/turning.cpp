#include "geometry/vec_ops.hpp"
#include "model/motion_bound.hpp"
#include "model/quaternion.hpp"

#include <snug/sweep.hpp>

namespace snug {

double turning_deviation(double radius, const Pose& t0, const Pose& t1) noexcept {
  if (!t0.is_valid() || !t1.is_valid() || std::isnan(radius)) return std::numeric_limits<double>::infinity();
  const Quaternion &p = t0.rotation(), &q = t1.rotation();
  const double chord = std::sqrt(std::min(model::squared_chord(p, q), model::squared_chord(p, model::negated(q))));
  const double size = radius + std::max(geometry::max_abs(t0.translation()), geometry::max_abs(t1.translation()));
  return model::arc_deviation(radius, chord) + 0x1p-44 * size;
}

}  // namespace snug
