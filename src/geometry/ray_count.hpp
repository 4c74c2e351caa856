#pragma once

#include "support/rooms.hpp"

#include <snug/solid.hpp>
#include <snug/vec.hpp>

namespace snug::geometry {

/// Adds to `winding` how often the ray from p along +x, displaced infinitely little, leaves through the triangle (+1) or
/// enters (-1). False if p lies on the triangle. Exact.
[[nodiscard]] bool count_crossing(const Point3& p, const Triangle& t, int& winding) noexcept;

/// Can the ray from p along +x, or p itself, meet anything in the box? If not, count_crossing() need not be asked.
[[nodiscard]] inline bool ray_reaches(const Point3& p, const Aabb& box) noexcept {
  return box.hi.x >= p.x && box.lo.y <= p.y && p.y <= box.hi.y && box.lo.z <= p.z && p.z <= box.hi.z;
}

/// A ray from p along or against an axis, counted as the one along +x is: the coordinates are exchanged in a circle, and negated for
/// a ray against its axis, which is exact. Negated triangles turn the other way round, so the sign of a winding depends on the ray;
/// whether it is zero does not.
class AxisRay {
 public:
  AxisRay(const Point3& p, std::size_t axis, bool backward) noexcept : axis_(axis), backward_(backward) {
    start_ = turned(p);
  }
  /// The one that leaves the box soonest: it passes the fewest triangles. Precondition: p lies in the box.
  static AxisRay shortest(const Point3& p, const Aabb& box) noexcept {
    std::size_t axis = 0;
    bool backward = false;
    double shortest = box.hi.x - p.x;
    for (std::size_t i = 0; i < 3; ++i)
      for (const bool back : {false, true})
        if (const double way = back ? p[i] - box.lo[i] : box.hi[i] - p[i]; way < shortest)
          shortest = way, axis = i, backward = back;
    return {p, axis, backward};
  }

  [[nodiscard]] Vec3 direction() const noexcept {
    const double along = backward_ ? -1 : 1;
    return {axis_ == 0 ? along : 0, axis_ == 1 ? along : 0, axis_ == 2 ? along : 0};
  }
  /// As count_crossing().
  [[nodiscard]] bool count(const Triangle& t, int& winding) const noexcept {
    return count_crossing(start_, {{turned(t[0]), turned(t[1]), turned(t[2])}}, winding);
  }

 private:
  [[nodiscard]] Point3 turned(const Point3& p) const noexcept {
    const Point3 q{p[axis_], p[(axis_ + 1) % 3], p[(axis_ + 2) % 3]};
    return backward_ ? -q : q;
  }

  Point3 start_;
  std::size_t axis_;
  bool backward_;
};

/// The ray from p along +x, which needs no turning.
struct RayAlongX {
  Point3 p;
  [[nodiscard]] bool count(const Triangle& t, int& winding) const noexcept { return count_crossing(p, t, winding); }
};

/// Where a point lies in a surface: the crossings of one ray from it, triangle by triangle, in any order. Exact. Whoever asks whether a
/// point is inside of something counts by this, and chooses which triangles count and which tree lists those that the ray may meet.
template <class Ray>
class WindingCount {
 public:
  explicit WindingCount(const Ray& ray) noexcept : ray_(ray) {}

  /// False once the point lies on a triangle, whatever others say. `inward`: it counts as if it were turned over.
  bool add(const Triangle& t, bool inward = false) noexcept {
    int crossing = 0;
    if (!ray_.count(t, crossing)) on_surface_ = true;
    winding_ += inward ? -crossing : crossing;
    return !on_surface_;
  }

  [[nodiscard]] bool on_surface() const noexcept { return on_surface_; }
  /// How often the surface winds around the point, which is not on it. By an AxisRay the sign is the ray's.
  [[nodiscard]] int winding() const noexcept { return winding_; }
  [[nodiscard]] Side side() const noexcept {
    return on_surface_ ? Side::boundary : winding_ != 0 ? Side::inside : Side::outside;
  }

 private:
  Ray ray_;
  int winding_ = 0;
  bool on_surface_ = false;
};

}  // namespace snug::geometry
