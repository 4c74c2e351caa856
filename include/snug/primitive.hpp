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
    zero_normal,    ///< a half-space needs a direction
    no_points,      ///< the hull of nothing
  } code;
  [[nodiscard]] SNUG_API std::string message() const;
  friend bool operator==(const PrimitiveError&, const PrimitiveError&) = default;
};

/// A simple convex solid, about the origin of its own frame. Solid means that a body wholly inside one shares points with it. Sizes
/// may be zero: a sphere of radius zero is a point, a box may be a plate, a hull a polygon. Immutable, cheap to copy, safe to
/// share among threads. Queries take it as a Shape.
class SNUG_API Primitive {
 public:
  enum class Kind : std::uint8_t { sphere, capsule, box, cylinder, half_space, hull };

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

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// Of a sphere, capsule or cylinder; zero for others.
  [[nodiscard]] double radius() const noexcept { return radius_; }
  /// Half the edges of a box; half the length or height of a capsule's segment or a cylinder in z.
  [[nodiscard]] const Vec3& half() const noexcept { return half_; }
  /// Of a half-space.
  [[nodiscard]] const Vec3& normal() const noexcept { return normal_; }
  [[nodiscard]] double offset() const noexcept { return offset_; }
  /// Of a hull.
  [[nodiscard]] std::span<const Point3> points() const noexcept;
  /// False for half-spaces.
  [[nodiscard]] bool bounded() const noexcept { return kind_ != Kind::half_space; }
  /// In its own frame; from -k_max_coordinate to k_max_coordinate for a half-space.
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }

 private:
  friend class detail::Convex;
  explicit Primitive(Kind kind) noexcept : kind_(kind) {}

  Kind kind_;
  double radius_ = 0, offset_ = 0;
  Vec3 half_, normal_;
  Aabb bounds_;
  std::shared_ptr<const detail::HullPoints> points_;
};
/// "sphere", "capsule", "box", "cylinder", "half-space", "hull".
[[nodiscard]] SNUG_API std::string_view to_string(Primitive::Kind kind) noexcept;

}  // namespace snug
