#pragma once

#include "scenes/random.hpp"
#include "support.hpp"

#include <snug/snug.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

// Primitives by another way: nearest points in closed form, in long doubles, and nothing of the library's searches.

namespace snug::test {

using Long = long double;

struct LongVec {
  Long x = 0, y = 0, z = 0;
  friend LongVec operator+(LongVec a, LongVec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend LongVec operator-(LongVec a, LongVec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend LongVec operator*(Long s, LongVec a) { return {s * a.x, s * a.y, s * a.z}; }
};
inline LongVec wide(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 narrowed(const LongVec& v) { return {double(v.x), double(v.y), double(v.z)}; }
inline Long dot(LongVec a, LongVec b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
inline Long length(LongVec a) { return std::sqrt(dot(a, a)); }

inline LongVec to_local(const Pose& pose, LongVec p) {
  const auto& r = pose.matrix();
  const LongVec d = p - wide(pose.translation());
  return {r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
          r[2] * d.x + r[5] * d.y + r[8] * d.z};
}
inline LongVec to_world(const Pose& pose, LongVec p) {
  const auto& r = pose.matrix();
  return LongVec{r[0] * p.x + r[1] * p.y + r[2] * p.z, r[3] * p.x + r[4] * p.y + r[5] * p.z,
                 r[6] * p.x + r[7] * p.y + r[8] * p.z} +
         wide(pose.translation());
}

/// The point of a primitive that is closest to p. Not of hulls, which have no closed form.
inline LongVec nearest(const Primitive& primitive, const Pose& pose, LongVec p) {
  LongVec q = to_local(pose, p);
  const auto clamp = [](Long x, Long half) { return std::clamp(x, -half, half); };
  const auto within_radius = [](LongVec centre, LongVec x, Long radius) {
    const LongVec d = x - centre;
    const Long l = length(d);
    return l > radius ? centre + (radius / l) * d : x;
  };
  const Long radius = primitive.radius(), half_z = primitive.half().z;
  switch (primitive.kind()) {
    case Primitive::Kind::sphere:
      q = within_radius({}, q, radius);
      break;
    case Primitive::Kind::capsule:
      q = within_radius({0, 0, clamp(q.z, half_z)}, q, radius);
      break;
    case Primitive::Kind::box:
      q = {clamp(q.x, primitive.half().x), clamp(q.y, primitive.half().y), clamp(q.z, half_z)};
      break;
    case Primitive::Kind::cylinder: {
      const LongVec flat = within_radius({}, {q.x, q.y, 0}, radius);
      q = {flat.x, flat.y, clamp(q.z, half_z)};
      break;
    }
    case Primitive::Kind::half_space: {
      const Long height = dot(wide(primitive.normal()), q) - primitive.offset();
      if (height > 0) q = q - height * wide(primitive.normal());
      break;
    }
    case Primitive::Kind::hull:
      ADD_FAILURE() << "hulls have no closed form";
  }
  return to_world(pose, q);
}

/// From one body to the other and back, which never moves away and ends at the distance (Cheney and Goldstein 1959).
inline Long after_projections(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b,
                              LongVec start, int rounds) {
  LongVec on_a = nearest(a, pose_a, start), on_b = on_a;
  for (int i = 0; i < rounds; ++i) {
    on_b = nearest(b, pose_b, on_a);
    const LongVec next = nearest(a, pose_a, on_b);
    const Long moved = length(next - on_a);
    on_a = next;
    if (!(moved > 0)) break;
  }
  return length(on_b - on_a);
}

struct Sizes {
  double scale = 1;
  bool degenerate = false;  ///< some sizes may be zero, or far smaller than others
};

inline double random_size(scenes::Random& random, const Sizes& sizes) {
  if (sizes.degenerate && random.below(3) == 0) return random.below(2) == 0 ? 0 : 1e-4 * sizes.scale;
  return sizes.scale * random.uniform(0.2, 1);
}

/// Kinds in the order of the enumeration.
inline Primitive random_primitive(scenes::Random& random, Primitive::Kind kind, const Sizes& sizes = {}) {
  const auto size = [&] { return random_size(random, sizes); };
  switch (kind) {
    case Primitive::Kind::sphere:
      return Primitive::sphere(size()).value();
    case Primitive::Kind::capsule: {
      const double radius = size();
      return Primitive::capsule(radius, size()).value();
    }
    case Primitive::Kind::box: {
      const double x = size(), y = size();
      return Primitive::box({x, y, size()}).value();
    }
    case Primitive::Kind::cylinder: {
      const double radius = size();
      return Primitive::cylinder(radius, size()).value();
    }
    case Primitive::Kind::half_space:
      return Primitive::half_space(random.point(-1, 1), sizes.scale * random.uniform(-1, 1)).value();
    case Primitive::Kind::hull: {
      std::vector<Point3> points;
      const std::size_t count = sizes.degenerate ? 1 + random.below(6) : 4 + random.below(12);
      for (std::size_t i = 0; i < count; ++i) points.push_back(sizes.scale * random.point(-0.6, 0.6));
      return Primitive::hull(points).value();
    }
  }
  return Primitive::sphere(0).value();
}

inline constexpr std::array k_kinds{Primitive::Kind::sphere,   Primitive::Kind::capsule,    Primitive::Kind::box,
                                    Primitive::Kind::cylinder, Primitive::Kind::half_space, Primitive::Kind::hull};

/// Corners of a box, whose hull is the box.
inline std::vector<Point3> corners_of(const Primitive& box) {
  std::vector<Point3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({(i & 1) != 0 ? box.half().x : -box.half().x, (i & 2) != 0 ? box.half().y : -box.half().y,
                       (i & 4) != 0 ? box.half().z : -box.half().z});
  return corners;
}

}  // namespace snug::test
