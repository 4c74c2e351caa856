#pragma once

#include "query/raycast/posed_tree.hpp"
#include "query/raycast/ray_walk.hpp"

// Brings lines into the coordinates of a tree. For single rays that takes as long as opening a node, so it is compiled with them.

namespace snug::lanes::SNUG_LANES {

namespace lines {

/// Beyond this the line has left the tree both ways.
inline constexpr double k_furthest = 8;

/// Where rounding moves lines by more than that, past all of a tree or beyond what floats can tell, boxes are of no use.
inline constexpr double k_most_margin = 1;

inline double larger(double a, double b) noexcept { return a < b ? b : a; }
inline double smaller(double a, double b) noexcept { return b < a ? b : a; }
inline double largest(double x, double y, double z) noexcept {
  return larger(larger(__builtin_fabs(x), __builtin_fabs(y)), __builtin_fabs(z));
}

/// A power of two that brings a number between 2^-1000 and 2^1000 into [1, 2); of a power of two the inverse.
inline double power_to_one(double extent) noexcept {
  return __builtin_bit_cast(
      double, (std::uint64_t{2046} << 52) - (__builtin_bit_cast(std::uint64_t, extent) & (std::uint64_t{2047} << 52)));
}

/// By the transposed matrix of a rotation.
struct Turned {
  double x, y, z;
  Turned(const double* r, double a, double b, double c) noexcept
      : x((r[0] * a + r[3] * b) + r[6] * c), y((r[1] * a + r[4] * b) + r[7] * c), z((r[2] * a + r[5] * b) + r[8] * c) {}
};

inline void set_axis(RayWalk& walk, int axis, double origin, double direction) noexcept {
  // A line that does not move along an axis is tilted by less than the margin.
  const double moving = __builtin_fabs(direction) > 1e-18 ? direction : 1e-18;
  walk.origin[axis] = static_cast<float>(origin);
  walk.direction[axis] = static_cast<float>(moving);
  walk.inverse[axis] = 1.0F / walk.direction[axis];
}

inline float within(double at) noexcept { return static_cast<float>(smaller(larger(at, -k_furthest), k_furthest)); }

}  // namespace lines

/// False if there is nothing to walk.
inline bool begin_line(const PosedTree& tree, const Ray& ray, RayWalk& walk, LineStart& start) noexcept {
  if (tree.nodes == nullptr) return false;
  const Point3 &o = ray.origin, &d = ray.direction;
  lines::Turned origin(tree.matrix, o.x - tree.translation.x, o.y - tree.translation.y, o.z - tree.translation.z);
  lines::Turned direction(tree.matrix, d.x, d.y, d.z);
  origin.x = tree.unit * (origin.x - tree.centre.x), origin.y = tree.unit * (origin.y - tree.centre.y);
  origin.z = tree.unit * (origin.z - tree.centre.z);
  const double size = lines::largest(direction.x, direction.y, direction.z);
  const double far = lines::largest(origin.x, origin.y, origin.z);
  start.possible = far < 0x1p500 && size > 0x1p-1000 && size < 0x1p500;
  if (!start.possible) return false;
  const double by = 0.5 * lines::power_to_one(size);  // to [0.5, 1)
  direction.x *= by, direction.y *= by, direction.z *= by;
  start.scale = tree.unit * lines::power_to_one(by);
  start.possible = start.scale > 0 && start.scale < 0x1p1000;
  if (!start.possible) return false;
  double margin = tree.margin;
  if (far > 2) [[unlikely]] {
    // From where the line comes nearest to the middle, so that floats serve.
    const double along = (origin.x * direction.x + origin.y * direction.y) + origin.z * direction.z;
    start.shift = along / ((direction.x * direction.x + direction.y * direction.y) + direction.z * direction.z);
    origin.x -= start.shift * direction.x, origin.y -= start.shift * direction.y, origin.z -= start.shift * direction.z;
    margin += 0x1p-46 * far;
  }
  start.possible = margin <= lines::k_most_margin;
  if (!start.possible) return false;
  const double past = k_ray_tree_radius + 2 * margin;
  if (far > 2 && (origin.x * origin.x + origin.y * origin.y) + origin.z * origin.z > past * past) return false;
  lines::set_axis(walk, 0, origin.x, direction.x);
  lines::set_axis(walk, 1, origin.y, direction.y);
  lines::set_axis(walk, 2, origin.z, direction.z);
  walk.margin = static_cast<float>(margin) * (1 + 0x1p-22F);
  start.slack = (0x1p-20 + 0x1p-36 * __builtin_fabs(start.shift)) + 2 * double{walk.margin};
  walk.nodes = tree.nodes, walk.blocks = tree.blocks, walk.corners = tree.corners, walk.vertices = tree.vertices;
  return true;
}

inline void narrow_line(const LineStart& start, const LineReach& reach, RayWalk& walk) noexcept {
  const double ahead = lines::larger(reach.ahead, 0.0) * start.scale;
  const double behind = lines::larger(reach.behind, 0.0) * start.scale;
  walk.to = lines::within(start.shift + ((1 + 0x1p-36) * ahead + start.slack));
  walk.from = lines::within(start.shift - ((1 + 0x1p-36) * behind + start.slack));
}

}  // namespace snug::lanes::SNUG_LANES
