#pragma once

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/primitive.hpp>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace snug::detail {

/// Points of a hull as given, and seen from the middle of their bounds, so that a hull far from its origin keeps its digits.
struct HullPoints {
  std::vector<Point3> given, centred;
};

/// What is known of a body of revolution.
struct Revolved {
  Vec3 axis;   ///< of unit length
  bool point;  ///< any axis would do
};

/// A bounded convex solid as the search for closest points sees it: all that lies within a radius of a core. Coordinates are
/// those of a frame that two bodies share, multiplied by a power of two that brings both to size one.
class Convex {
 public:
  /// Points that are in the shared frame already; borrowed.
  explicit Convex(std::span<const Point3> points) noexcept : core_(Core::points), points_(points) {}
  /// A primitive in its own frame: the middle of its bounds is the origin, its axes are those of the frame.
  Convex(const Primitive& primitive, double scale) noexcept;
  /// The same turned, and moved to `centre` (scaled already).
  Convex(const Primitive& primitive, double scale, const std::array<double, 9>& rotation, const Vec3& centre) noexcept
      : Convex(primitive, scale) {
    rotation_ = rotation, centre_ = centre, turned_ = true;
  }

  /// The hull of points about the origin of their own frame, likewise. Borrowed.
  Convex(std::span<const Point3> points, double scale, const std::array<double, 9>& rotation,
         const Vec3& centre) noexcept
      : core_(Core::hull), turned_(true), scale_(scale), points_(points), rotation_(rotation), centre_(centre) {}

  /// The core's point that lies furthest along the direction.
  [[nodiscard]] Point3 support(const Vec3& direction) const noexcept;
  /// Moves the whole to where it is `way` from where it was made.
  void shift(const Vec3& way) noexcept { shift_ = way; }
  [[nodiscard]] double radius() const noexcept { return radius_; }
  /// It without the radius.
  [[nodiscard]] Convex core() const noexcept {
    Convex alone = *this;
    alone.radius_ = 0;
    return alone;
  }
  /// What its core is, if it is that.
  [[nodiscard]] std::optional<Revolved> revolved() const noexcept;
  [[nodiscard]] Point3 centre() const noexcept { return (core_ == Core::points ? points_[0] : centre_) + shift_; }

 private:
  enum class Core : std::uint8_t { points, hull, box, cylinder, cone, ellipsoid };
  [[nodiscard]] Point3 support_unturned(const Vec3& direction) const noexcept;

  Core core_ = Core::box;
  bool turned_ = false;
  double scale_ = 1, radius_ = 0;
  Vec3
      half_;  ///< of a box: a point or segment for spheres and capsules; of a cylinder or cone the radius in x, half its height in z
  std::span<const Point3> points_;
  std::array<double, 9> rotation_{};
  Vec3 centre_, shift_;
};

}  // namespace snug::detail

namespace snug::shape {

using detail::Convex;
using detail::HullPoints;
using detail::Revolved;

/// Nothing but a radius about a point.
[[nodiscard]] inline bool is_ball(const Primitive& primitive) noexcept {
  if (primitive.kind() == Primitive::Kind::sphere) return true;
  const Vec3& half = primitive.half();
  return primitive.kind() == Primitive::Kind::ellipsoid && half.x == half.y && half.y == half.z;
}

/// What lies in `points` furthest along the direction; the first of several.
[[nodiscard]] Point3 furthest_of(std::span<const Point3> points, const Vec3& direction) noexcept;

}  // namespace snug::shape
