#include "geometry/ccd/exact.hpp"
#include "geometry/ccd/filter.hpp"

#include <snug/triangle.hpp>

#include <algorithm>

namespace snug {

namespace {

using namespace snug::geometry::moving;

std::optional<ContactTime> first_contact(const MovingPolygon& polygon, double time_tolerance) noexcept {
  if (!finite(polygon)) return ContactTime{0, 1};
  const Filtered filtered = filtered_contact(polygon);
  if (filtered.certainty == Certainty::no_contact) return std::nullopt;
  if (filtered.certainty == Certainty::contact &&
      filtered.time.t_hi - filtered.time.t_lo <= std::max(time_tolerance, 0x1p-48))
    return filtered.time;
  return first_contact_exactly(polygon, time_tolerance);
}

}  // namespace

std::optional<ContactTime> first_contact(const MovingPoint& vertex, const MovingTriangle& face,
                                         const ContactOptions& options) noexcept {
  return first_contact(MovingPolygon::vertex_face(vertex, face), options.time_tolerance);
}

std::optional<ContactTime> first_contact(const MovingEdge& a, const MovingEdge& b,
                                         const ContactOptions& options) noexcept {
  return first_contact(MovingPolygon::edge_edge(a, b), options.time_tolerance);
}

std::optional<ContactTime> first_contact(const MovingTriangle& a, const MovingTriangle& b,
                                         const ContactOptions& options) noexcept {
  const auto at_start = [](const MovingTriangle& t) { return Triangle{{t[0].t0, t[1].t0, t[2].t0}}; };
  for (std::size_t i = 0; i < 3; ++i)
    if (!finite(MovingPolygon::vertex_face(a[i], b))) return ContactTime{0, 1};
  if (relation(at_start(a), at_start(b)) != Relation::disjoint) return ContactTime{0, 0};
  std::optional<ContactTime> first;
  const auto keep = [&](const std::optional<ContactTime>& time) {
    if (!time) return;
    first = first ? ContactTime{std::min(first->t_lo, time->t_lo), std::min(first->t_hi, time->t_hi)} : *time;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    keep(first_contact(a[i], b, options));
    keep(first_contact(b[i], a, options));
    for (std::size_t j = 0; j < 3; ++j)
      keep(first_contact(MovingEdge{a[i], a[(i + 1) % 3]}, MovingEdge{b[j], b[(j + 1) % 3]}, options));
  }
  return first;
}

}  // namespace snug
