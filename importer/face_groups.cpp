#include "face_groups.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace snug::importer {

namespace {

/// How far apart two forms can be within `reach` of their origins; none if that is more than what reading and turning digits
/// leaves of one. Radii are compared by their own size, however far from the origin of all they are.
std::optional<double> gap_of_one_form(SurfaceKind kind, const AnalyticSurface& a, const AnalyticSurface& b,
                                      double reach) {
  constexpr double k_same = 1e-12, k_ulps = 8 * 0x1p-52;
  const double radius = std::max({a.radius, b.radius, a.minor_radius, b.minor_radius});
  const double radii = std::max(std::abs(a.radius - b.radius), std::abs(a.minor_radius - b.minor_radius));
  const double origins = geometry::max_abs(a.origin - b.origin);
  if (a.hollow != b.hollow || radii > k_same * radius) return std::nullopt;
  if (origins > k_ulps * std::max({geometry::max_abs(a.origin), geometry::max_abs(b.origin), radius}))
    return std::nullopt;
  const double turned = kind == SurfaceKind::sphere ? 0 : geometry::max_abs(a.axis - b.axis);
  const double opened = std::abs(a.half_angle - b.half_angle);
  if (turned > k_same || opened > k_same) return std::nullopt;
  return 2 * (radii + origins) + 2 * reach * (turned + opened);  // a vector is less than twice its largest coordinate
}

}  // namespace

FaceGroups group_faces(std::size_t faces, std::span<const FaceLook> looks) {
  FaceGroups groups;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> surface_of_mark;  // by token and number
  for (std::size_t f = 0; f < faces; ++f) {
    std::uint32_t surface = groups.surfaces;
    if (f < looks.size() && looks[f].patch)
      surface = surface_of_mark.try_emplace({looks[f].patch->token, looks[f].patch->id}, groups.surfaces).first->second;
    groups.surface_of.push_back(surface);
    groups.surfaces = std::max(groups.surfaces, surface + 1);
  }
  return groups;
}

bool join_face(Surface& surface, const Surface& face, SurfaceKind marked, const Aabb& box) {
  std::optional<double> gap;
  if (surface.analytic && face.analytic && surface.kind == face.kind) {
    const Point3& origin = surface.analytic->origin;
    const double reach = 2 * std::max(geometry::max_abs(box.lo - origin), geometry::max_abs(box.hi - origin));
    gap = gap_of_one_form(surface.kind, *surface.analytic, *face.analytic, reach);
  }
  const bool one_form = gap.has_value();
  // A mark is a name, which anybody may have given: it cannot make flat what is round.
  const bool believed = !is_analytic(marked) || (surface.kind == marked && face.kind == marked);
  if (!one_form) surface.kind = believed ? marked : SurfaceKind::unknown, surface.analytic.reset();
  surface.sag = {std::max(surface.sag.value, face.sag.value), surface.sag.estimated || face.sag.estimated};
  surface.tolerance = std::max(surface.tolerance, face.tolerance + gap.value_or(0));
  return one_form || believed;
}

}  // namespace snug::importer
