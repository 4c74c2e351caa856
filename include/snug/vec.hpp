#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace snug {

/// Three doubles: a direction or, under the name Point3, a place.
struct Vec3 {
  double x = 0, y = 0, z = 0;

  constexpr double operator[](std::size_t axis) const noexcept { return axis == 0 ? x : axis == 1 ? y : z; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
  friend constexpr auto operator<=>(const Vec3&, const Vec3&) = default;  // lexicographic

  friend constexpr Vec3 operator+(Vec3 a, Vec3 b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(Vec3 a, Vec3 b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(Vec3 a) noexcept { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(double s, Vec3 a) noexcept { return {s * a.x, s * a.y, s * a.z}; }
};
using Point3 = Vec3;

/// Indices of a triangle's corners, counter-clockwise seen from outside.
using Index3 = std::array<std::uint32_t, 3>;

struct Triangle {
  std::array<Point3, 3> corner;

  constexpr const Point3& operator[](std::size_t i) const noexcept { return corner[i]; }
  friend constexpr bool operator==(const Triangle&, const Triangle&) = default;
};

/// Axis-aligned box, closed. The default one is empty: lo > hi on every axis.
struct Aabb {
  Point3 lo{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
  Point3 hi{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
            -std::numeric_limits<double>::infinity()};

  [[nodiscard]] constexpr bool empty() const noexcept { return !(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z); }
  [[nodiscard]] constexpr bool overlaps(const Aabb& o) const noexcept {
    return lo.x <= o.hi.x && o.lo.x <= hi.x && lo.y <= o.hi.y && o.lo.y <= hi.y && lo.z <= o.hi.z && o.lo.z <= hi.z;
  }
  constexpr void include(Point3 p) noexcept {
    lo = {p.x < lo.x ? p.x : lo.x, p.y < lo.y ? p.y : lo.y, p.z < lo.z ? p.z : lo.z};
    hi = {p.x > hi.x ? p.x : hi.x, p.y > hi.y ? p.y : hi.y, p.z > hi.z ? p.z : hi.z};
  }
  friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};

/// Vertices and triangles that live elsewhere; borrowed for the duration of a call.
struct TriangleMeshView {
  std::span<const Point3> vertices;
  std::span<const Index3> triangles;

  [[nodiscard]] constexpr Triangle triangle(std::size_t t) const noexcept {
    const Index3& i = triangles[t];
    return {{vertices[i[0]], vertices[i[1]], vertices[i[2]]}};
  }
};

}  // namespace snug
