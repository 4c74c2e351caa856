#pragma once

#include "query/raycast/posed_tree.hpp"
#include "support/rooms.hpp"

#include <snug/triangle.hpp>

#include <cstdint>
#include <limits>

namespace snug::query {

/// The first triangle of a posed mesh that a ray meets: walk, exact test and limits in one piece, since for single rays calls
/// between them cost as much as they do. Of triangles at the same t the one with the smallest id counts.
struct FirstHitSearch {
  Ray ray;
  double t_max = std::numeric_limits<double>::infinity();
  bool any = false;  ///< stop at whatever is met
  /// ray_hit() where doubles do not suffice: false if it is not met.
  bool (*decide)(const Ray& ray, const Point3 corner[3], double& t, bool& from_inside) noexcept = nullptr;

  static constexpr std::uint32_t k_none = ~std::uint32_t{0};
  std::uint32_t triangle = k_none, surface = k_none;
  double t = 0;
  bool from_inside = false;
  Point3 corner[3];  ///< of the triangle, posed
};

}  // namespace snug::query
