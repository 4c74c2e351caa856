#include "verdict/fits.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>

namespace snug::detail {

namespace {

void mark(std::vector<bool>& marks, const Mesh& mesh, std::uint32_t surface) {
  marks.resize(mesh.vertices().size());
  for (const std::uint32_t t : mesh.triangles_of(surface))
    for (const std::uint32_t v : mesh.triangles()[t]) marks[v] = true;
}

/// Is every corner of t on a face of a fit, or further than `sag` from the other triangle?
bool ends_at_fit(const PosedSolid& of, std::uint32_t t, const std::vector<bool>& on_fit, const Triangle& other,
                 double sag) {
  return std::ranges::all_of(of.mesh().triangles()[t], [&](std::uint32_t v) {
    if (on_fit[v]) return true;
    const Point3& p = of.body().vertices()[v];
    const Vec3 d = closest_point(p, other) - p;
    return std::sqrt(dot(d, d)) > sag;
  });
}

}  // namespace

Fits::Fits(std::span<const SurfaceMating> matings, const PosedSolid& a, const PosedSolid& b) {
  for (const SurfaceMating& mating : matings) {
    const bool known = mating.mating == Mating::concentric || mating.mating == Mating::coincident;
    if (!known || !mating.fit) continue;
    const double gap = mating.mating == Mating::coincident ? 0 : *mating.fit;
    gap_of_.emplace(std::array{mating.surface_a, mating.surface_b}, gap);
    tightest_ = std::min(tightest_, gap);
    mark(on_fit_a_, a.mesh(), mating.surface_a);
    mark(on_fit_b_, b.mesh(), mating.surface_b);
  }
}

bool Fits::explain(const PosedSolid& a, std::uint32_t triangle_a, const PosedSolid& b, std::uint32_t triangle_b,
                   double sag) const {
  if (empty()) return false;
  return ends_at_fit(a, triangle_a, on_fit_a_, b.body().triangle(triangle_b), sag) &&
         ends_at_fit(b, triangle_b, on_fit_b_, a.body().triangle(triangle_a), sag);
}

}  // namespace snug::detail
