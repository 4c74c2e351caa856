#pragma once

#include "query/pairs/dop/frame.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace snug::query {

inline constexpr unsigned k_most_axes = 105;

/// How a DOP reaches along a unit vector L: Σ weight[i] D_(slab[i]) = L with weights from -1 to 0, give or take a few roundings.
/// Then Σ weight[i] d[slab[i]] is not above the least L·x of the DOP, and Σ weight[i] d[opposite(slab[i])] not above the
/// negative of the greatest (Eqs. 2 and 3; `weight` is P and `slab` is j in the papers).
struct DopMapping {
  std::array<std::uint8_t, 3> slab{};
  std::array<double, 3> weight{};
};
[[nodiscard]] constexpr std::uint8_t opposite(std::uint8_t slab) noexcept {
  return static_cast<std::uint8_t>(slab < 12 ? slab + 12 : slab - 12);
}

/// By the corner of the maximum DOP in whose cone -L lies.
[[nodiscard]] DopMapping map_along(const Vec3& direction) noexcept;

/// A unit vector along which bodies are compared, in the frame of a.
struct DopAxis {
  Vec3 direction;
  double offset = 0;  ///< p: what a's images are moved by, the direction times the way from b's origin to a's
  DopMapping a, b;
};

/// Where an axis comes from.
struct AxisOrigin {
  enum class Kind : std::uint8_t { face_of_a, face_of_b, edges } kind;
  std::uint8_t a = 0, b = 0;  ///< a face normal's number, or the numbers of two edges
};
/// All axes there are, in the order in which they are tried: by separating power, as bench raabe measures it.
[[nodiscard]] std::span<const AxisOrigin, k_most_axes> axis_order() noexcept;

/// For one pair of poses. Edges that are parallel, or nearly so, give an axis without weights, which separates nothing.
[[nodiscard]] DopAxis axis_for(const DopFrame& frame, const AxisOrigin& origin) noexcept;

}  // namespace snug::query
