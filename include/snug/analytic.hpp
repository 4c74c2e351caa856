#pragma once

#include <snug/export.hpp>
#include <snug/vec.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace snug {

enum class SurfaceKind : std::uint8_t { unknown, plane, cylinder, cone, sphere, torus, spline };
[[nodiscard]] SNUG_API std::string_view to_string(SurfaceKind kind) noexcept;
/// True for the kinds that an AnalyticSurface describes: plane, cylinder, cone, sphere, torus.
[[nodiscard]] constexpr bool is_analytic(SurfaceKind kind) noexcept {
  return kind != SurfaceKind::unknown && kind != SurfaceKind::spline;
}

/// The endless surface that a face of analytic kind was cut from, in the frame of its mesh.
struct AnalyticSurface {
  Point3 origin;            ///< plane: a point of it; cylinder, cone: a point of the axis; sphere, torus: the centre
  Vec3 axis{0, 0, 1};       ///< unit; plane: the normal, out of the material; without meaning for a sphere
  double radius = 0;        ///< cylinder, sphere; cone: at the origin; torus: of the circle its tube runs along
  double minor_radius = 0;  ///< torus: of the tube
  double half_angle = 0;    ///< cone: in radians, between 0 and pi/2; it widens along the axis
  bool hollow = false;      ///< a bore: the material is outside and the face looks at its axis, centre or tube circle
  bool recognised = false;  ///< came as a spline that is this within 1e-6 of its size
  friend bool operator==(const AnalyticSurface&, const AnalyticSurface&) = default;
};

/// Finite, with a unit axis, positive radii and a half angle within its range, as the kind asks.
[[nodiscard]] SNUG_API bool is_valid(SurfaceKind kind, const AnalyticSurface& surface) noexcept;

/// sRGB with alpha, 0 to 255.
using Rgba = std::array<std::uint8_t, 4>;

}  // namespace snug
