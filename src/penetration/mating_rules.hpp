#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>
#include <snug/penetration.hpp>
#include <snug/pose.hpp>

namespace snug::penetration {

/// How exact a relation has to be, and where it is looked at.
struct MatingTolerance {
  double length = 0;  ///< between planes, axes, centres and radii that are to be the same
  double angle = 0;   ///< between normals and axes that are to be parallel, and between half angles
  double reach = 0;   ///< planes face to face mate across a gap, or an overlap, of this
  /// Where the faces are. Planes and axes that are not quite parallel are compared here, not at their origins, which may
  /// be far away.
  Point3 place;
};

/// The tolerance for two faces, without reach and place: what their CAD models may be off by and the resolution of the
/// pair, but at least a millionth of `size`, the larger of the faces; angles likewise over that size, but at least 1e-5
/// radians. Sags are no part of it: triangles have them, analytic forms do not. CAD tolerances are multiplied by `scale`.
[[nodiscard]] MatingTolerance mating_tolerance(const Surface& a, const Surface& b, double resolution, double size,
                                               double scale = 1) noexcept;

/// The analytic form in the frame of the pose, every length multiplied by `scale`.
[[nodiscard]] AnalyticSurface posed(const AnalyticSurface& surface, const Pose& pose, double scale = 1) noexcept;

/// The relation of two endless surfaces given in one frame; ids are left at zero. docs/verdicts.md has the rules.
/// Exchanging the two changes nothing, to the last bit.
[[nodiscard]] SurfaceMating mating_of(SurfaceKind kind_a, const AnalyticSurface& a, SurfaceKind kind_b,
                                      const AnalyticSurface& b, const MatingTolerance& tolerance) noexcept;

/// The same for posed faces; `none` if the analytic form of one is not known.
[[nodiscard]] SurfaceMating mating_of(const Surface& a, const Pose& pose_a, const Surface& b, const Pose& pose_b,
                                      const MatingTolerance& tolerance) noexcept;

}  // namespace snug::penetration
