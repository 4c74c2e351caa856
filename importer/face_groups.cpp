#include "face_groups.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace snug::importer {

namespace {

/// But for what reading and turning digits leaves of them.
bool is_same_form(SurfaceKind kind, const AnalyticSurface& a, const AnalyticSurface& b) {
  constexpr double k_same = 1e-9;
  const double size = std::max({detail::max_abs(a.origin), detail::max_abs(b.origin), a.radius, b.radius});
  const auto is_near = [&](double x, double y) { return std::abs(x - y) <= k_same * size; };
  if (a.hollow != b.hollow || !is_near(a.radius, b.radius) || !is_near(a.minor_radius, b.minor_radius)) return false;
  if (detail::max_abs(a.origin - b.origin) > k_same * size) return false;
  if (kind == SurfaceKind::sphere) return true;
  return detail::max_abs(a.axis - b.axis) <= k_same && std::abs(a.half_angle - b.half_angle) <= k_same;
}

}  // namespace

FaceGroups group_faces(std::size_t faces, std::span<const FaceLook> looks) {
  FaceGroups groups;
  std::map<std::uint64_t, std::uint32_t> surface_of_mark;
  for (std::size_t f = 0; f < faces; ++f) {
    std::uint32_t surface = groups.surfaces;
    if (f < looks.size() && looks[f].patch)
      surface = surface_of_mark.try_emplace(looks[f].patch->id, groups.surfaces).first->second;
    groups.surface_of.push_back(surface);
    groups.surfaces = std::max(groups.surfaces, surface + 1);
  }
  return groups;
}

bool join_face(Surface& surface, const Surface& face, SurfaceKind marked) {
  const bool one_form = surface.analytic && face.analytic && surface.kind == face.kind &&
                        is_same_form(surface.kind, *surface.analytic, *face.analytic);
  // A mark is a name, which anybody may have given: it cannot make flat what is round.
  const bool believed = !is_analytic(marked) || (surface.kind == marked && face.kind == marked);
  if (!one_form) surface.kind = believed ? marked : SurfaceKind::unknown, surface.analytic.reset();
  surface.sag = {std::max(surface.sag.value, face.sag.value), surface.sag.estimated || face.sag.estimated};
  surface.tolerance = std::max(surface.tolerance, face.tolerance);
  return one_form || believed;
}

}  // namespace snug::importer
