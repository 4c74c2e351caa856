#include "geometry/flat.hpp"
#include "geometry/interval.hpp"
#include "geometry/orient.hpp"
#include "geometry/vec_ops.hpp"

#include <snug/triangle.hpp>

namespace snug {

namespace {

using namespace geometry;

/// One triangle lies in the plane of the other, or one of them has no area.
[[gnu::noinline]] Relation flat_relation(const Triangle& a, const Triangle& b) noexcept {
  const int axis_a = projection_axis(a);
  const int axis_b = projection_axis(b);
  const bool share = axis_a != k_no_axis && axis_b != k_no_axis ? coplanar_share_point(a, b, axis_a)
                                                                : degenerate_share_point(a, axis_a, b, axis_b);
  return share ? Relation::touching : Relation::disjoint;
}

constexpr std::array<int, 3> k_all_zero{0, 0, 0};

}  // namespace

Relation relation(const Triangle& a, const Triangle& b) noexcept {
  if (!are_finite(a, b)) [[unlikely]]
    return Relation::invalid;
  const std::array<int, 3> sides_a = sides_of_plane(b, a);
  if (all_positive_or_all_negative(sides_a)) return Relation::disjoint;
  // A degenerate triangle gives three zeros for the other's corners, a coplanar pair for both.
  if (sides_a == k_all_zero) [[unlikely]]
    return flat_relation(a, b);
  const std::array<int, 3> sides_b = sides_of_plane(a, b);
  if (all_positive_or_all_negative(sides_b)) return Relation::disjoint;
  if (sides_b == k_all_zero) [[unlikely]]
    return flat_relation(a, b);

  Arranged on_a = arrange(a, sides_a);
  Arranged on_b = arrange(b, sides_b);
  const IntervalSigns ends = compare_intervals(on_a, on_b);
  if (ends.first > 0 || ends.second > 0) return Relation::disjoint;
  // The relative interiors meet where both triangles pass through the other's plane and the open intervals overlap.
  const bool open_overlap = ends.first < 0 && ends.second < 0;
  return open_overlap && straddles(sides_a) && straddles(sides_b) ? Relation::crossing : Relation::touching;
}

std::string_view to_string(Relation relation) noexcept {
  switch (relation) {
    case Relation::disjoint:
      return "disjoint";
    case Relation::touching:
      return "touching";
    case Relation::crossing:
      return "crossing";
    case Relation::invalid:
      return "invalid";
  }
  return "?";
}

}  // namespace snug
