#pragma once

#include <snug/export.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace snug {

/// Three doubles: a direction or, under the name Point3, a place. Products and lengths are members, so that functions of the
/// same name in your own code stay yours.
struct Vec3 {
  double x = 0, y = 0, z = 0;

  constexpr double operator[](std::size_t axis) const noexcept { return axis == 0 ? x : axis == 1 ? y : z; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
  friend constexpr auto operator<=>(const Vec3&, const Vec3&) = default;  // lexicographic

  friend constexpr Vec3 operator+(Vec3 a, Vec3 b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(Vec3 a, Vec3 b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(Vec3 a) noexcept { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(double s, Vec3 a) noexcept { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr Vec3 operator*(Vec3 a, double s) noexcept { return s * a; }
  friend constexpr Vec3 operator/(Vec3 a, double s) noexcept { return {a.x / s, a.y / s, a.z / s}; }
  constexpr Vec3& operator+=(Vec3 b) noexcept { return *this = *this + b; }
  constexpr Vec3& operator-=(Vec3 b) noexcept { return *this = *this - b; }
  constexpr Vec3& operator*=(double s) noexcept { return *this = s * *this; }
  constexpr Vec3& operator/=(double s) noexcept { return *this = *this / s; }

  [[nodiscard]] constexpr double dot(Vec3 b) const noexcept { return (x * b.x + y * b.y) + z * b.z; }
  [[nodiscard]] constexpr Vec3 cross(Vec3 b) const noexcept {
    return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
  }
  [[nodiscard]] constexpr double squared_length() const noexcept { return dot(*this); }
  /// Without overflow or underflow of the squares: wherever the length itself is a double, within two units in the last place.
  [[nodiscard]] SNUG_API double length() const noexcept;
  /// The same direction with unit length; zero if this is zero or not finite.
  [[nodiscard]] SNUG_API Vec3 normalized() const noexcept;
  /// No coordinate is NaN or infinite.
  [[nodiscard]] constexpr bool is_finite() const noexcept { return x - x == 0 && y - y == 0 && z - z == 0; }
};
using Point3 = Vec3;

/// Indices of a triangle's corners, counter-clockwise seen from outside.
using Index3 = std::array<std::uint32_t, 3>;

struct Triangle {
  std::array<Point3, 3> corner;

  constexpr const Point3& operator[](std::size_t i) const noexcept { return corner[i]; }
  [[nodiscard]] constexpr bool is_finite() const noexcept {
    return corner[0].is_finite() && corner[1].is_finite() && corner[2].is_finite();
  }
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

/// Largest magnitude of a mesh coordinate or a translation (about 1e300): posed vertices then stay finite.
inline constexpr double k_max_coordinate = 0x1p996;

}  // namespace snug
