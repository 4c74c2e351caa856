#pragma once

#include <snug/export.hpp>
#include <snug/pose.hpp>
#include <snug/result.hpp>
#include <snug/shape.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// A simple convex solid, about the origin of its own frame; a pose places it. Solid means that what is wholly inside one
/// shares points with it. Sizes may be zero: a sphere of radius zero is a point, a box may be a plate, a hull a polygon.
/// Immutable, cheap to copy, safe to share among threads.
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

// Primitives against primitives and against the triangles of meshes. A primitive inside a closed mesh that touches none
// of its triangles shares no point with them: see locate().
//
// How exact they are, for every pair of kinds alike: with e = resolution(...) of the two,
//   intersects()  is true if they share a point, and false if they are further apart than e;
//   within()      is true if they come within the clearance, and false if they keep more than the clearance and e;
//   distance()    is wrong by no more than e, and zero only if they are no further apart than e.
// e is about 1e-12 of the size of both and the distance between them, plus what posing rounds off. Both orders of the two
// give the same answer to the last bit. They always decide, do not allocate and need no scratch memory. An invalid pose is
// refused as by the queries of meshes: true, a distance of minus infinity, an infinite resolution, k_no_triangle in a list.

/// The smallest distance of two bodies of which one is a primitive.
struct PrimitiveDistance {
  static constexpr std::uint32_t k_no_triangle = ~std::uint32_t{0};

  double value = std::numeric_limits<double>::infinity();  ///< zero if they share a point: solids have no depth here
  double lower = 0;                                        ///< certainly no closer than this
  /// Where they are closest, in the world; a point they share, on both sides, if they do. In each body to the resolution.
  Point3 on_a, on_b;
  std::uint32_t triangle = k_no_triangle;  ///< of the mesh, if one is

  /// A pose was invalid: value and lower are minus infinity, the points NaN.
  [[nodiscard]] bool refused() const noexcept { return value < 0; }
  [[nodiscard]] static PrimitiveDistance refusal() noexcept {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), least = -std::numeric_limits<double>::infinity();
    return {.value = least, .lower = least, .on_a = {nan, nan, nan}, .on_b = {nan, nan, nan}};
  }
};

/// e above.
[[nodiscard]] SNUG_API double resolution(const Primitive& a, const Pose& pose_a, const Primitive& b,
                                         const Pose& pose_b) noexcept;
[[nodiscard]] SNUG_API double resolution(const Primitive& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b) noexcept;
[[nodiscard]] SNUG_API double resolution(const Shape& a, const Pose& pose_a, const Primitive& b,
                                         const Pose& pose_b) noexcept;

[[nodiscard]] SNUG_API bool intersects(const Primitive& a, const Pose& pose_a, const Primitive& b,
                                       const Pose& pose_b) noexcept;
[[nodiscard]] SNUG_API bool intersects(const Primitive& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);
[[nodiscard]] SNUG_API bool intersects(const Shape& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b);

/// A clearance below zero is never met; one that is NaN is refused by true.
[[nodiscard]] SNUG_API bool within(const Primitive& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b,
                                   double clearance) noexcept;
[[nodiscard]] SNUG_API bool within(const Primitive& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                   double clearance);
[[nodiscard]] SNUG_API bool within(const Shape& a, const Pose& pose_a, const Primitive& b, const Pose& pose_b,
                                   double clearance);

/// Two half-spaces meet unless their normals are opposite, to 1e-12 radians, and they face away from one another.
[[nodiscard]] SNUG_API PrimitiveDistance distance(const Primitive& a, const Pose& pose_a, const Primitive& b,
                                                  const Pose& pose_b) noexcept;
[[nodiscard]] SNUG_API PrimitiveDistance distance(const Primitive& a, const Pose& pose_a, const Shape& b,
                                                  const Pose& pose_b);
[[nodiscard]] SNUG_API PrimitiveDistance distance(const Shape& a, const Pose& pose_a, const Primitive& b,
                                                  const Pose& pose_b);

/// Triangles that share a point with the primitive, ascending: each decided like intersects(). Replaces what `triangles`
/// holds.
SNUG_API void triangles_meeting(const Primitive& primitive, const Pose& pose, const Shape& mesh, const Pose& pose_mesh,
                                std::vector<std::uint32_t>& triangles);

}  // namespace snug
