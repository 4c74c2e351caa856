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
    case Primitive::Kind::plane:
      q = q - (dot(wide(primitive.normal()), q) - primitive.offset()) * wide(primitive.normal());
      break;
    case Primitive::Kind::cone: {
      // In the plane through the axis: the base, the slope, or inside.
      const Long across = std::sqrt(q.x * q.x + q.y * q.y);
      const LongVec out = across > 0 ? LongVec{q.x / across, q.y / across, 0} : LongVec{1, 0, 0};
      const Long slope = 2 * half_z, size = slope * slope + radius * radius;
      const bool past = q.z < -half_z || q.z > half_z || across > radius;
      if (!past && slope * across + radius * q.z <= radius * half_z) break;
      const Long share =
          size > 0 ? std::clamp(((radius - across) * radius + (q.z + half_z) * slope) / size, Long(0), Long(1)) : 0;
      const LongVec on_slope = ((1 - share) * radius) * out + LongVec{0, 0, share * slope - half_z};
      const LongVec on_base = std::min(across, radius) * out + LongVec{0, 0, -half_z};
      q = length(on_slope - q) < length(on_base - q) ? on_slope : on_base;
      break;
    }
    case Primitive::Kind::ellipsoid: {
      const LongVec h = wide(primitive.half());
      const auto over = [](Long x, Long y) { return y > 0 ? x / y : x != 0 ? Long(1e30) : Long(0); };
      const LongVec scaled{over(q.x, h.x), over(q.y, h.y), over(q.z, h.z)};
      if (dot(scaled, scaled) <= 1) break;
      // x = h^2 q / (h^2 + t) with t > 0 so that x is on it (Eberly 2013).
      const auto at = [&](Long t) {
        const auto part = [&](Long half, Long x) { return half > 0 ? half * half * x / (half * half + t) : 0; };
        return LongVec{part(h.x, q.x), part(h.y, q.y), part(h.z, q.z)};
      };
      Long lo = 0, hi = length(q) * std::max({h.x, h.y, h.z}) + 1e-300L;
      for (int i = 0; i < 200; ++i) {
        const Long t = (lo + hi) / 2;
        const LongVec x = at(t), s{over(x.x, h.x), over(x.y, h.y), over(x.z, h.z)};
        (dot(s, s) > 1 ? lo : hi) = t;
      }
      q = at(hi);
      break;
    }
    case Primitive::Kind::triangle: {
      const auto of = primitive.points();
      const LongVec a = wide(of[0]), b = wide(of[1]), c = wide(of[2]);
      LongVec best = a;
      const auto offer = [&](LongVec x) {
        if (length(x - q) < length(best - q)) best = x;
      };
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
        const LongVec e = to - from;
        const Long size = dot(e, e);
        offer(from + (size > 0 ? std::clamp(dot(q - from, e) / size, Long(0), Long(1)) : 0) * e);
      }
      const LongVec u = b - a, v = c - a;
      const Long uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uq = dot(u, q - a), vq = dot(v, q - a);
      if (const Long det = uu * vv - uv * uv; det > 1e-18L * uu * vv) {
        const Long s = (vv * uq - uv * vq) / det, t = (uu * vq - uv * uq) / det;
        if (s >= 0 && t >= 0 && s + t <= 1) best = a + s * u + t * v;
      }
      q = best;
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
    case Primitive::Kind::cone: {
      const double radius = size();
      return Primitive::cone(radius, size()).value();
    }
    case Primitive::Kind::ellipsoid: {
      const double x = 0.5 * size(), y = 0.5 * size();
      return Primitive::ellipsoid({x, y, 0.5 * size()}).value();
    }
    case Primitive::Kind::plane:
      return Primitive::plane(random.point(-1, 1), sizes.scale * random.uniform(-1, 1)).value();
    case Primitive::Kind::triangle: {
      const Point3 a = sizes.scale * random.point(-0.6, 0.6), b = sizes.scale * random.point(-0.6, 0.6);
      return Primitive::triangle({{a, b, sizes.degenerate ? a : sizes.scale * random.point(-0.6, 0.6)}}).value();
    }
  }
  return Primitive::sphere(0).value();
}

inline constexpr std::array k_kinds{Primitive::Kind::sphere,   Primitive::Kind::capsule,    Primitive::Kind::box,
                                    Primitive::Kind::cylinder, Primitive::Kind::half_space, Primitive::Kind::hull,
                                    Primitive::Kind::cone,     Primitive::Kind::ellipsoid,  Primitive::Kind::plane,
                                    Primitive::Kind::triangle};

/// Corners of a box, whose hull is the box.
inline std::vector<Point3> corners_of(const Primitive& box) {
  std::vector<Point3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({(i & 1) != 0 ? box.half().x : -box.half().x, (i & 2) != 0 ? box.half().y : -box.half().y,
                       (i & 4) != 0 ? box.half().z : -box.half().z});
  return corners;
}

}  // namespace snug::test
