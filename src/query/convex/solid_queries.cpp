#include "query/convex/solid_queries.hpp"

#include "query/convex/pair_frame.hpp"
#include "shape/posed_bounds.hpp"

#include <cmath>
#include <utility>

// Which of the searches for primitives a pair of bodies needs.

namespace snug::query {

double solid_resolution(const Posed& a, const Posed& b) noexcept {
  return k_resolution * PairScale(ball_of(a), ball_of(b)).size + (posing_error(a) + posing_error(b));
}

bool solids_within(const Posed& a, const Posed& b, double clearance) {
  if (!are_valid(a.pose, b.pose) || std::isnan(clearance)) return true;
  if (clearance < 0 || apart(posed_bounds(a), posed_bounds(b), clearance)) return false;
  if (a.is_mesh()) return triangles_within(b, a, clearance, nullptr);
  return b.is_mesh() ? triangles_within(a, b, clearance, nullptr) : primitives_within(a, b, clearance);
}

Distance solid_distance(const Posed& a, const Posed& b) {
  if (!are_valid(a.pose, b.pose)) return Distance::refusal();
  if (!a.is_mesh()) return b.is_mesh() ? triangle_distance(a, b) : primitive_distance(a, b);
  Distance out = triangle_distance(b, a);
  std::swap(out.on_a, out.on_b), std::swap(out.triangle_a, out.triangle_b);
  out.normal = -out.normal;
  return out;
}

void triangles_in_solid(const Posed& primitive, const Posed& mesh, std::vector<std::uint32_t>& triangles) {
  if (!apart(posed_bounds(primitive), posed_bounds(mesh), 0)) (void)triangles_within(primitive, mesh, 0, &triangles);
}

}  // namespace snug::query
