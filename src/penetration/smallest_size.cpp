#include "penetration/smallest_size.hpp"

#include "geometry/vec_ops.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace snug::penetration {

namespace {

/// Rounding up to this share of a body counts as none.
constexpr double k_small_share = 0.01;
/// Volumes that cancel to less than this share of their sum are those of shells that were turned inside out.
constexpr double k_cancelled_share = 0x1p-40;

double extent_of(const Aabb& box) { return box.empty() ? 0 : max_abs(box.hi - box.lo); }

double area_of_shell(const Topology& topology, std::uint32_t shell, const TriangleMeshView& mesh, double scale) {
  double area = 0;
  for (const std::uint32_t t : topology.triangles_of(shell)) {
    const Triangle c = mesh.triangle(t);
    const Vec3 twice = cross(scale * (c[1] - c[0]), scale * (c[2] - c[0]));
    area += std::sqrt(dot(twice, twice)) / 2;
  }
  return area;
}

}  // namespace

SmallestSize build(StructureOf<SmallestSize>, const ShapeData& shape, const CancelToken* cancel) {
  const auto& topology = shape.get<Topology>(cancel);
  constexpr double none = std::numeric_limits<double>::infinity();
  // In a size in which neither areas nor volumes overflow.
  const double extent = extent_of(shape.mesh.bounds()), scale = scale_to_one(extent);
  const auto& volumes = topology.shell_volume;
  const double orientation = std::accumulate(volumes.begin(), volumes.end(), 0.0) < 0 ? -1 : 1;
  double least = none, volume = 0, magnitude = 0, area = 0;
  for (std::uint32_t shell = 0; shell < topology.shells(); ++shell) {
    if (!topology.shell_closed[shell]) continue;
    const double of_shell = area_of_shell(topology, shell, shape.mesh.view(), scale);
    const double outwards = orientation * volumes[shell] * scale * scale * scale;
    // A cavity, however small, is no material.
    if (outwards > 0 && of_shell > 0) least = std::min(least, 2 * outwards / of_shell);
    volume += outwards, magnitude += std::abs(outwards), area += of_shell;
  }
  // Volumes that vanish fail this comparison, and the shells alone count.
  if (area > 0 && volume > k_cancelled_share * magnitude) least = std::min(least, 2 * volume / area);
  if (least != none) return {least / scale};
  return {extent > 0 ? extent : none};
}

bool rounding_hides(double resolution, const PosedSolid& a, const PosedSolid& b) {
  const auto size = [](const PosedSolid& of) {
    return of.scale() * Access::data(of.shape()).get<SmallestSize>(of.body().watched()).value;
  };
  return resolution > k_small_share * std::min(size(a), size(b));
}

}  // namespace snug::penetration
