#pragma once

#include "support/rooms.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include <snug/vec.hpp>

// Directions of k-DOPs. A k-DOP is the set of points x with D_i·x <= d_i for k fixed directions, D_(i + k/2) = -D_i.
// All sets are made of the thirteen lines through the centre of a cube and the middles of its faces, edges and corners.

namespace snug::bvh {

/// A direction as whole numbers, whose dot products are exact.
struct WholeDirection {
  std::int8_t x = 0, y = 0, z = 0;

  [[nodiscard]] constexpr int dot(const WholeDirection& o) const noexcept { return x * o.x + y * o.y + z * o.z; }
  friend constexpr bool operator==(const WholeDirection&, const WholeDirection&) = default;
};

/// Faces, corners, edges of a cube. The one that 24-DOPs leave out comes last.
inline constexpr std::array<WholeDirection, 13> k_cube_directions{{{1, 0, 0},
                                                                   {0, 1, 0},
                                                                   {0, 0, 1},
                                                                   {1, 1, 1},
                                                                   {1, 1, -1},
                                                                   {1, -1, 1},
                                                                   {1, -1, -1},
                                                                   {1, 1, 0},
                                                                   {1, -1, 0},
                                                                   {1, 0, 1},
                                                                   {1, 0, -1},
                                                                   {0, 1, 1},
                                                                   {0, 1, -1}}};

/// The k directions of a k-DOP, k = 6, 14, 18, 24 or 26.
template <unsigned K>
[[nodiscard]] constexpr std::array<WholeDirection, K> whole_directions() noexcept {
  static_assert(K == 6 || K == 14 || K == 18 || K == 24 || K == 26, "there is no such set of directions");
  std::array<WholeDirection, K> all;
  std::size_t count = 0;
  for (std::size_t i = 0; i < k_cube_directions.size() && count < K / 2; ++i)
    if (K != 18 || i < 3 || i >= 7) all[count++] = k_cube_directions[i];
  for (std::size_t i = 0; i < K / 2; ++i) {
    const WholeDirection d = all[i];
    all[i + K / 2] = {static_cast<std::int8_t>(-d.x), static_cast<std::int8_t>(-d.y), static_cast<std::int8_t>(-d.z)};
  }
  return all;
}

/// The same with length 1, rounded. These doubles are what a DOP is defined by.
template <unsigned K>
[[nodiscard]] constexpr std::array<Vec3, K> unit_directions() noexcept {
  constexpr double k_scale[] = {0, 1, 0.70710678118654752440, 0.57735026918962576451};
  std::array<Vec3, K> all;
  const auto whole = whole_directions<K>();
  for (std::size_t i = 0; i < K; ++i) {
    const double scale = k_scale[whole[i].dot(whole[i])];
    all[i] = {scale * whole[i].x, scale * whole[i].y, scale * whole[i].z};
  }
  return all;
}
template <unsigned K>
inline constexpr std::array<Vec3, K> k_directions = unit_directions<K>();

/// Three directions whose planes meet in a corner of the maximum DOP, the one with all d_i = 1, and the inverse of the
/// matrix that has them as columns: row r times v is the share of direction r in v.
struct DopCorner {
  std::array<std::uint8_t, 3> direction{};
  std::array<Vec3, 3> inverse{};
};

namespace dop_corners {

constexpr double dot(const Vec3& a, const Vec3& b) noexcept { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Corners of the maximum DOP. A polytope with k faces and three of them in each corner has 2k - 4 corners; a set of
/// directions whose maximum DOP is not like that is refused where this is used.
template <unsigned K>
constexpr std::array<DopCorner, 2 * K - 4> find() noexcept {
  std::array<DopCorner, 2 * K - 4> corners;
  std::size_t count = 0;
  const auto& d = k_directions<K>;
  for (std::uint8_t i = 0; i < K; ++i)
    for (std::uint8_t j = i + 1; j < K; ++j)
      for (std::uint8_t k = j + 1; k < K; ++k) {
        const double det = dot(d[i], cross(d[j], d[k]));
        if (det < 1e-6 && det > -1e-6) continue;
        const double scale = 1 / det;
        const std::array<Vec3, 3> inverse{scale * cross(d[j], d[k]), scale * cross(d[k], d[i]),
                                          scale * cross(d[i], d[j])};
        const Vec3 corner = inverse[0] + inverse[1] + inverse[2];
        bool outside = false;
        for (const Vec3& other : d) outside = outside || dot(other, corner) > 1 + 1e-9;
        if (outside) continue;
        if (count < corners.size()) corners[count] = {{i, j, k}, inverse};
        ++count;
      }
  // One too many or too few leaves a mark that a static_assert finds.
  if (count != corners.size()) corners[0].direction = {0, 0, 0};
  return corners;
}

}  // namespace dop_corners

template <unsigned K>
inline constexpr std::array<DopCorner, 2 * K - 4> k_corners = dop_corners::find<K>();

/// Do three planes meet in every corner of the maximum DOP?
template <unsigned K>
[[nodiscard]] constexpr bool corners_are_simple() noexcept {
  return k_corners<K>[0].direction[0] != k_corners<K>[0].direction[1];
}

/// Are the normals of faces that meet in a corner never more than a right angle apart, that is, no dihedral angle below
/// one? Then the shares l of a unit vector in the cone of a corner satisfy l_i <= 1 and 1 <= Σl <= √3 (docs/proof.md), on
/// which the widths of the fixed-point test rest.
template <unsigned K>
[[nodiscard]] constexpr bool dihedral_angles_are_wide() noexcept {
  const auto whole = whole_directions<K>();
  for (const DopCorner& corner : k_corners<K>)
    for (std::size_t i = 0; i < 3; ++i)
      if (whole[corner.direction[i]].dot(whole[corner.direction[(i + 1) % 3]]) < 0) return false;
  return true;
}

/// Square of the largest distance of a corner of the maximum DOP from the origin, r_max².
template <unsigned K>
[[nodiscard]] constexpr double squared_r_max() noexcept {
  double largest = 0;
  for (const DopCorner& corner : k_corners<K>) {
    const Vec3 at = corner.inverse[0] + corner.inverse[1] + corner.inverse[2];
    const double squared = dop_corners::dot(at, at);
    largest = squared > largest ? squared : largest;
  }
  return largest;
}

// The set of the tree and of the fixed-point test; the tests assert the others.
static_assert(corners_are_simple<24>() && dihedral_angles_are_wide<24>());
static_assert(squared_r_max<24>() < 1.24 * 1.24, "Eq. 21 holds with the guard because r_max is well below √3");

}  // namespace snug::bvh
