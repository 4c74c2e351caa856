#include "query/pairs/dop/fixed/placement.hpp"

#include <cmath>

namespace snug::query::fixed {

Placement placement_of(const DopFrame& frame, const Format& format) noexcept {
  Placement placement;
  const double one = power_of_two(static_cast<int>(format.c));
  for (std::size_t i = 0; i < 9; ++i)
    placement.rotation[i] = rounded(std::clamp(frame.rotation[i] * one, -one, one - 1));
  const double scale = power_of_two(static_cast<int>(format.b)) - 1;
  const double along[] = {frame.translation.x, frame.translation.y, frame.translation.z};
  bool usable = std::isfinite(frame.error);
  for (std::size_t i = 0; i < 3; ++i) {
    usable = usable && std::abs(along[i]) < 4;
    placement.translation[i] = usable ? rounded(along[i] * scale) : 0;
  }
  // 7.74 units are what words round off a difference (docs/triangle-unit.md); doubles and posing come on top.
  const double units = 7.74 + frame.error * scale;
  usable = usable && units <= scale;
  while (usable && power_of_two(static_cast<int>(placement.slack)) < units) ++placement.slack;
  placement.usable = usable;
  return placement;
}

Corner corner_of(const Point3& vertex, const DopTree& tree, double unit_scale, const Format& format) noexcept {
  const double scale = std::ldexp(1.0, -tree.exponent) * unit_scale;
  const Vec3 from = vertex - tree.centre;
  return {coordinate(from.x * scale, format.b), coordinate(from.y * scale, format.b),
          coordinate(from.z * scale, format.b)};
}

TriangleWords words_of(const Mesh& mesh, std::uint32_t triangle, const DopTree& tree, double unit_scale,
                       const Format& format) noexcept {
  const Index3& corners = mesh.triangles()[triangle];
  TriangleWords words{};
  for (std::size_t i = 0; i < 3; ++i) words[i] = corner_of(mesh.vertices()[corners[i]], tree, unit_scale, format);
  return words;
}

}  // namespace snug::query::fixed
