#pragma once

#include <snug/export.hpp>
#include <snug/result.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace snug {

namespace detail {
struct HullPoints;
class Convex;
}  // namespace detail

/// Why a primitive was refused.
struct PrimitiveError {
  enum class Code : std::uint8_t {
    not_finite,     ///< NaN or infinity
    too_large,      ///< beyond k_max_coordinate
    negative_size,  ///< a radius, length or edge below zero
    zero_normal,    ///< a half-space or plane needs a direction
    no_points,      ///< the hull of nothing
  } code;
  [[nodiscard]] SNUG_API std::string message() const;
  friend bool operator==(const PrimitiveError&, const PrimitiveError&) = default;
};

/// A simple convex solid, about the origin of its own frame. Solid means that a body wholly inside one shares points with it. Sizes
/// may be zero: a sphere of radius zero is a point, a box may be a plate, a hull a polygon. A plane is the one that is no solid: it
/// has two sides and nothing in between. Immutable, cheap to copy, safe to share among threads. Queries take it as a Shape.
class SNUG_API Primitive {
 public:
  enum class Kind : std::uint8_t {
    sphere,
    capsule,
    box,
    cylinder,
    half_space,
    hull,
    cone,
    ellipsoid,
    plane,
    triangle,
  };

  // Moving is copying: one that was moved from is what it was.
  Primitive(const Primitive&) noexcept = default;
  Primitive& operator=(const Primitive&) noexcept = default;

  static Result<Primitive, PrimitiveError> sphere(double radius);
  /// All points within `radius` of a segment of this length along z.
  static Result<Primitive, PrimitiveError> capsule(double radius, double length);
  static Result<Primitive, PrimitiveError> box(const Vec3& edges);
  /// Along z.
  static Result<Primitive, PrimitiveError> cylinder(double radius, double height);
  /// All points p with normal . p <= offset. The normal is scaled to unit length, the offset is a length: along it.
  static Result<Primitive, PrimitiveError> half_space(const Vec3& normal, double offset = 0);
  /// Everything between these points. Copies them; points inside the others do no harm but cost time.
  static Result<Primitive, PrimitiveError> hull(std::span<const Point3> points);
  /// Along z, its base of this radius at -height / 2, its tip at height / 2.
  static Result<Primitive, PrimitiveError> cone(double radius, double height);
  /// With these half axes along x, y and z.
  static Result<Primitive, PrimitiveError> ellipsoid(const Vec3& radii);
  /// All points p with normal . p = offset: without end, and with two sides. A body that lies on both of them is as deep in it as
  /// its smaller part reaches beyond it. The normal is scaled to unit length, the offset is a length: along it.
  static Result<Primitive, PrimitiveError> plane(const Vec3& normal, double offset = 0);
  /// It may be a segment or a point; which way its corners turn does not matter.
  static Result<Primitive, PrimitiveError> triangle(const Triangle& corners);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// Of a sphere, capsule or cylinder, of the base of a cone; zero for others.
  [[nodiscard]] double radius() const noexcept { return radius_; }
  /// Half the edges of a box; the half axes of an ellipsoid; half the length or height of a capsule's segment, a cylinder or a cone
  /// in z.
  [[nodiscard]] const Vec3& half() const noexcept { return half_; }
  /// Of a half-space or plane.
  [[nodiscard]] const Vec3& normal() const noexcept { return normal_; }
  [[nodiscard]] double offset() const noexcept { return offset_; }
  /// Of a hull or triangle.
  [[nodiscard]] std::span<const Point3> points() const noexcept;
  /// False for half-spaces and planes.
  [[nodiscard]] bool bounded() const noexcept { return kind_ != Kind::half_space && kind_ != Kind::plane; }
  /// In its own frame; from -k_max_coordinate to k_max_coordinate for a half-space or plane.
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }

 private:
  friend class detail::Convex;
  explicit Primitive(Kind kind) noexcept : kind_(kind) {}
  static Result<Primitive, PrimitiveError> flat(Kind kind, const Vec3& normal, double offset);
  static Result<Primitive, PrimitiveError> around(Kind kind, std::span<const Point3> points);

  Kind kind_;
  double radius_ = 0, offset_ = 0;
  Vec3 half_, normal_;
  Aabb bounds_;
  std::shared_ptr<const detail::HullPoints> points_;
};
/// "sphere", "capsule", "box", "cylinder", "half-space", "hull", "cone", "ellipsoid", "plane", "triangle".
[[nodiscard]] SNUG_API std::string_view to_string(Primitive::Kind kind) noexcept;

}  // namespace snug
