#pragma once

#include "penetration/posed_solid.hpp"
#include "support/rooms.hpp"

#include <snug/penetration.hpp>

#include <optional>
#include <span>
#include <vector>

namespace snug::penetration {

/// A bore and the pin in it, both cylinders on one axis, as exact as their analytic forms are.
struct Fit {
  std::uint32_t surface_a = 0, surface_b = 0;
  bool shaft_is_a = false;
  Point3 origin;  ///< of the bore's axis
  Vec3 axis;
  double shaft = 0, bore = 0;
  double slack = 0;    ///< what the axes, tolerances and roundings leave open
  double least = 0;    ///< the play is at least this; negative for interference
  double most = 0;     ///< and at most this, where the faces lie over each other
  bool meant = false;  ///< equal radii, within what the CAD models leave open
};

/// The plane of a flat face of one part that a round face of the other is tangent to.
struct TangentPlane {
  Point3 point;
  Vec3 normal;  ///< out of the material of the part that the plane belongs to
  bool of_a = false;
  double slack = 0;  ///< what tolerances and roundings leave open
};

/// What is known of two parts from bores and the pins in them, and from planes that round faces lie on. A fit divides space:
/// what stays within the pin's radius is apart from what stays outside of the bore's, whatever the triangles of both do. It
/// says nothing of the rest of the parts.
class Fits {
 public:
  Fits() = default;
  Fits(std::span<const SurfaceMating> matings, const PosedSolid& a, const PosedSolid& b);

  [[nodiscard]] std::span<const Fit> all() const noexcept { return fits_; }
  [[nodiscard]] std::span<const TangentPlane> planes() const noexcept { return planes_; }
  /// The parts are no further apart than this; infinite without a fit.
  [[nodiscard]] double most() const noexcept;

  /// The fit that divides the faces of two triangles, if there is one. Its `least` holds of these faces: others than the bore
  /// and the pin themselves may come closer.
  [[nodiscard]] std::optional<Fit> between(const PosedSolid& a, std::uint32_t triangle_a, const PosedSolid& b,
                                           std::uint32_t triangle_b) const;

 private:
  void add_fit(const SurfaceMating& mating, const PosedSolid& a, const PosedSolid& b);
  void add_plane(const SurfaceMating& mating, const PosedSolid& a, const PosedSolid& b);

  std::vector<Fit> fits_;
  std::vector<TangentPlane> planes_;
};

}  // namespace snug::penetration
