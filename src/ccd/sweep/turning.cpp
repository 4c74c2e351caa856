#include "geometry/vec_ops.hpp"
#include "model/motion_bound.hpp"

#include <snug/sweep.hpp>

namespace snug {

double turning_deviation(double radius, const Pose& t0, const Pose& t1) noexcept {
  if (!t0.is_valid() || !t1.is_valid() || std::isnan(radius)) return std::numeric_limits<double>::infinity();
  const Quaternion &p = t0.rotation(), &q = t1.rotation();
  const auto squared = [](double w, double x, double y, double z) { return (w * w + x * x) + (y * y + z * z); };
  const double chord = std::sqrt(std::min(squared(p.w - q.w, p.x - q.x, p.y - q.y, p.z - q.z),
                                          squared(p.w + q.w, p.x + q.x, p.y + q.y, p.z + q.z)));
  const double size = radius + std::max(detail::max_abs(t0.translation()), detail::max_abs(t1.translation()));
  return detail::arc_deviation(radius, chord) + 0x1p-44 * size;
}

}  // namespace snug
