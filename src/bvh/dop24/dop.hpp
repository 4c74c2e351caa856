#pragma once

#include "bvh/dop24/directions.hpp"
#include "support/rooms.hpp"

#include <limits>
#include <span>

namespace snug::bvh {

/// The points x with D_i·x <= d[i] for all k directions. The default one is empty.
template <unsigned K>
struct Dop {
  static constexpr unsigned k_slabs = K / 2;

  std::array<double, K> d = empty_coefficients();

  /// The smallest that holds some points, to within the rounding of their products with the directions: below 4u |x| for
  /// each coefficient, u = 2^-53.
  [[nodiscard]] static constexpr Dop tight(std::span<const Point3> points) noexcept {
    Dop dop;
    for (const Point3& p : points) dop.include(p);
    return dop;
  }

  constexpr void include(const Point3& p) noexcept {
    for (unsigned i = 0; i < k_slabs; ++i) {
      const double along = dop_corners::dot(k_directions<K>[i], p);
      d[i] = along > d[i] ? along : d[i];
      d[i + k_slabs] = -along > d[i + k_slabs] ? -along : d[i + k_slabs];
    }
  }

  constexpr void include(const Dop& o) noexcept {
    for (unsigned i = 0; i < K; ++i) d[i] = o.d[i] > d[i] ? o.d[i] : d[i];
  }

  [[nodiscard]] static constexpr Dop merged(const Dop& a, const Dop& b) noexcept {
    Dop dop = a;
    dop.include(b);
    return dop;
  }

  /// Do the slabs of two DOPs in the same frame overlap, all of them? Touching counts. What is left apart shares no point;
  /// what overlaps here need not.
  [[nodiscard]] constexpr bool slabs_overlap(const Dop& o) const noexcept {
    bool overlap = true;
    for (unsigned i = 0; i < k_slabs; ++i)
      overlap = overlap & (d[i] + o.d[i + k_slabs] >= 0) & (o.d[i] + d[i + k_slabs] >= 0);
    return overlap;
  }

  [[nodiscard]] constexpr bool contains(const Dop& o) const noexcept {
    bool inside = true;
    for (unsigned i = 0; i < K; ++i) inside = inside & (o.d[i] <= d[i]);
    return inside;
  }

  /// Sum of the widths of all slabs; zero or less if it is empty.
  [[nodiscard]] constexpr double width() const noexcept {
    double sum = 0;
    for (const double c : d) sum += c;
    return sum;
  }

  /// Surface of the box along the coordinates, which are directions of every set.
  [[nodiscard]] constexpr double box_area() const noexcept {
    const double x = d[0] + d[k_slabs], y = d[1] + d[1 + k_slabs], z = d[2] + d[2 + k_slabs];
    return 2 * ((x * y + y * z) + z * x);
  }

  friend constexpr bool operator==(const Dop&, const Dop&) = default;

 private:
  static constexpr std::array<double, K> empty_coefficients() noexcept {
    std::array<double, K> all{};
    for (double& c : all) c = -std::numeric_limits<double>::infinity();
    return all;
  }
};

using Dop24 = Dop<24>;
static_assert(sizeof(Dop24) == 192);

}  // namespace snug::bvh
