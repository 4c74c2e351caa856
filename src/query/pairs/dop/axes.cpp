#include "query/pairs/dop/axes.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::query {

namespace {

// The cones of the corners of the maximum DOP divide all directions. A direction's signs and the order of its coordinates'
// magnitudes tell which one it lies in.

constexpr unsigned k_chambers = 48;

constexpr unsigned chamber_of(const Vec3& v) noexcept {
  const double x = v.x < 0 ? -v.x : v.x, y = v.y < 0 ? -v.y : v.y, z = v.z < 0 ? -v.z : v.z;
  const unsigned signs = (v.x < 0 ? 1U : 0U) | (v.y < 0 ? 2U : 0U) | (v.z < 0 ? 4U : 0U);
  const unsigned order = x >= y ? (y >= z ? 0U : x >= z ? 1U : 2U) : (x >= z ? 3U : y >= z ? 4U : 5U);
  return 6 * signs + order;
}

/// One of the three edges of a chamber, where coordinates are 0 or ±1.
constexpr Vec3 edge_of(unsigned chamber, unsigned edge) noexcept {
  constexpr unsigned k_rank[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
  const unsigned* const rank = k_rank[chamber % 6];
  const unsigned signs = chamber / 6;
  const auto coordinate = [&](unsigned i) { return rank[i] > edge ? 0.0 : (signs >> i & 1U) != 0 ? -1.0 : 1.0; };
  return {coordinate(0), coordinate(1), coordinate(2)};
}

constexpr std::array<double, 3> shares(const DopCorner& corner, const Vec3& v) noexcept {
  return {dop_corners::dot(corner.inverse[0], v), dop_corners::dot(corner.inverse[1], v),
          dop_corners::dot(corner.inverse[2], v)};
}

/// Does the cone of a corner hold the whole chamber?
constexpr bool holds(const DopCorner& corner, unsigned chamber) noexcept {
  for (unsigned edge = 0; edge < 3; ++edge)
    for (const double share : shares(corner, edge_of(chamber, edge)))
      if (share < -1e-9) return false;
  return true;
}

constexpr std::uint8_t k_no_cone = 255;
constexpr std::array<std::uint8_t, k_chambers> find_cones() noexcept {
  std::array<std::uint8_t, k_chambers> cones{};
  for (unsigned chamber = 0; chamber < k_chambers; ++chamber) {
    cones[chamber] = k_no_cone;
    for (std::size_t c = 0; c < k_corners<24>.size(); ++c)
      if (holds(k_corners<24>[c], chamber)) cones[chamber] = static_cast<std::uint8_t>(c);
  }
  return cones;
}
constexpr std::array<std::uint8_t, k_chambers> k_cone_of = find_cones();
static_assert(
    [] {
      for (const std::uint8_t cone : k_cone_of)
        if (cone == k_no_cone) return false;
      return true;
    }(),
    "every chamber lies in one cone");

/// Lines along which two faces of the maximum DOP meet: all edges and face diagonals of a cube.
constexpr double k_half = 0.70710678118654752440;
constexpr std::array<Vec3, 9> k_edges{{{1, 0, 0},
                                       {0, 1, 0},
                                       {0, 0, 1},
                                       {k_half, k_half, 0},
                                       {k_half, -k_half, 0},
                                       {k_half, 0, k_half},
                                       {k_half, 0, -k_half},
                                       {0, k_half, k_half},
                                       {0, k_half, -k_half}}};
static_assert(24 + k_edges.size() * k_edges.size() == k_most_axes);

// By separating power: what each separates of the pairs of nodes that those before it leave (bench raabe counts it; the
// pairs and bodies this rests on are in docs/papers/raabe.md). Normals of one body go first, since together they look in all
// directions, those of the box before those of corners and edges. Then come normals of the other's box, and across the third
// edges of both: the one direction that round bodies miss little and turned ones need. Which normal of a kind goes first is chance.
constexpr std::uint8_t k_turned = 22;
constexpr std::size_t k_before_turned = 15;
constexpr std::array<std::uint8_t, 80> k_edge_pairs{
    // ten times the edge of a plus that of b
    42, 34, 23, 41, 24, 54, 55, 33, 15, 52, 43, 64, 44, 28, 12, 11, 62, 21, 51, 16, 31, 32, 25, 2,  26, 8,  13,
    56, 45, 63, 50, 3,  68, 66, 10, 14, 71, 46, 18, 85, 30, 86, 53, 36, 38, 80, 5,  48, 61, 75, 87, 7,  88, 27,
    20, 76, 83, 73, 81, 78, 35, 37, 6,  47, 67, 40, 84, 82, 72, 65, 1,  4,  58, 70, 57, 17, 77, 60, 74, 0};

constexpr std::array<AxisOrigin, k_most_axes> make_order() noexcept {
  std::array<AxisOrigin, k_most_axes> order{};
  std::size_t count = 0;
  const auto add_edges = [&](std::uint8_t pair) {
    order[count++] = {AxisOrigin::Kind::edges, static_cast<std::uint8_t>(pair / 10),
                      static_cast<std::uint8_t>(pair % 10)};
  };
  for (std::uint8_t face = 0; face < 12; ++face) order[count++] = {AxisOrigin::Kind::face_of_a, face, 0};
  for (std::uint8_t face = 0; face < 12; ++face) {
    if (count == k_before_turned) add_edges(k_turned);
    order[count++] = {AxisOrigin::Kind::face_of_b, 0, face};
  }
  for (const std::uint8_t pair : k_edge_pairs) add_edges(pair);
  return order;
}
constexpr std::array<AxisOrigin, k_most_axes> k_order = make_order();

Vec3 turned(const std::array<double, 9>& m, const Vec3& v) noexcept {
  return {dot({m[0], m[1], m[2]}, v), dot({m[3], m[4], m[5]}, v), dot({m[6], m[7], m[8]}, v)};
}
Vec3 turned_back(const std::array<double, 9>& m, const Vec3& v) noexcept {
  return {dot({m[0], m[3], m[6]}, v), dot({m[1], m[4], m[7]}, v), dot({m[2], m[5], m[8]}, v)};
}

/// Of one of the DOP's own directions.
DopMapping map_own(std::uint8_t slab) noexcept { return {{opposite(slab), 0, 0}, {-1, 0, 0}}; }

}  // namespace

DopMapping map_along(const Vec3& direction) noexcept {
  const Vec3 back = -direction;
  const DopCorner& corner = k_corners<24>[k_cone_of[chamber_of(back)]];
  const std::array<double, 3> share = shares(corner, back);
  SNUG_ASSERT(std::min({share[0], share[1], share[2]}) >= -1e-9);  // the cone holds the direction
  return {corner.direction, {-share[0], -share[1], -share[2]}};
}

std::span<const AxisOrigin, k_most_axes> axis_order() noexcept { return k_order; }

DopAxis axis_for(const DopFrame& frame, const AxisOrigin& origin) noexcept {
  DopAxis axis;
  switch (origin.kind) {
    case AxisOrigin::Kind::face_of_a:
      axis.direction = k_directions<24>[origin.a];
      axis.a = map_own(origin.a);
      axis.b = map_along(turned_back(frame.rotation, axis.direction));
      break;
    case AxisOrigin::Kind::face_of_b:
      axis.direction = turned(frame.rotation, k_directions<24>[origin.b]);
      axis.a = map_along(axis.direction);
      axis.b = map_own(origin.b);
      break;
    case AxisOrigin::Kind::edges: {
      const Vec3 across = cross(k_edges[origin.a], turned(frame.rotation, k_edges[origin.b]));
      const double length = length_of(across);
      if (!(length > 0x1p-20)) return axis;
      axis.direction = (1 / length) * across;
      axis.a = map_along(axis.direction);
      axis.b = map_along(turned_back(frame.rotation, axis.direction));
      break;
    }
  }
  // b's origin lies here along the axis, seen from a's: a's images are moved the other way.
  axis.offset = -dot(axis.direction, frame.translation);
  return axis;
}

}  // namespace snug::query
