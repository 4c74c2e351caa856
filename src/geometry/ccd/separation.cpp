#include "geometry/ccd/polygon.hpp"
#include "geometry/orient.hpp"
#include "geometry/vec_ops.hpp"
#include "support/fuel.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

// The time is halved until each piece is told. From below: along any fixed direction the corners' projections move linearly, so
// the least of them at both ends of a piece bounds the distance over all of it. From above: the distance at its middle.

namespace snug {

namespace {

using namespace geometry;
using geometry::moving::MovingPolygon;

constexpr double k_shortest = 0x1p-30;          ///< pieces of time are not halved further
constexpr std::uint64_t k_between_looks = 256;  ///< pieces between looks at the clock
constexpr double k_near = 0x1p-24;  ///< from the first doubt to a time when it is close, no nearer one is looked for
/// Outside of these squares and products would leave the range of doubles.
constexpr double k_least_extent = 0x1p-300, k_largest_extent = 0x1p300;

class SeparationSearch {
 public:
  SeparationSearch(const MovingPolygon& polygon, const SeparationOptions& options) noexcept
      : polygon_(polygon),
        distance_(options.distance),
        tolerance_(options.tolerance > 0 ? options.tolerance : 1e-6 * options.distance),
        budget_(options.budget) {
    for (const MovingPoint& p : polygon.point) {
      largest_ = std::max(largest_, std::max(max_abs(p.t0), max_abs(p.t1)));
      for (const MovingPoint& q : polygon.point)
        extent_ = std::max(extent_, std::max(max_abs(p.t0 - q.t0), max_abs(p.t1 - q.t1)));
    }
  }

  [[nodiscard]] Outcome<Separation> answer() noexcept {
    if (!(std::max(extent_, distance_) >= k_least_extent && std::max(largest_, distance_) <= k_largest_extent))
      return in_doubt(0, Undecided::tolerance);
    visit(0, 1);
    if (close_at_ <= 1) return {Separation{.yes = false, .time = {std::min(doubt_from_, close_at_), close_at_}}, {}};
    if (doubt_from_ <= 1) return in_doubt(doubt_from_, why_.value_or(Undecided::tolerance));
    return {Separation{.yes = true, .time = {}}, {}};
  }

  [[nodiscard]] static Outcome<Separation> in_doubt(double from, Undecided why) noexcept {
    return {Separation{.yes = false, .time = {from, 1}}, why};
  }

 private:
  struct Nearest {
    double at_most;
    Vec3 direction;
  };

  [[nodiscard]] Nearest nearest_at(double t) const noexcept {
    std::array<Point3, 4> p;
    for (std::size_t i = 0; i < 4; ++i) p[i] = (1 - t) * polygon_.point[i].t0 + t * polygon_.point[i].t1;
    const ClosestPoints closest = polygon_.corners == 3 ? closest_points({{p[0], p[0], p[0]}}, {{p[1], p[2], p[3]}})
                                                        : closest_points({{p[0], p[1], p[1]}}, {{p[2], p[3], p[3]}});
    // What closest_points() promises, and the rounding of the places themselves on both sides.
    const double error = 1e-12 * closest.distance + 4e-15 * extent_ + 32 * k_unit_roundoff * largest_;
    return {closest.distance + error, closest.on_a - closest.on_b};
  }

  /// Below the distance from lo to hi, whatever the direction. Corners are differences `to - from`: for a vertex and a face b - a,
  /// for two edges a - b.
  [[nodiscard]] double at_least(Vec3 direction, double lo, double hi) const noexcept {
    const Vec3 n = polygon_.corners == 3 ? -direction : direction;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < polygon_.corners; ++k) {
      const auto [to, from] = polygon_.corner[k];
      const Vec3 g0 = polygon_.point[to].t0 - polygon_.point[from].t0,
                 g1 = polygon_.point[to].t1 - polygon_.point[from].t1;
      for (const double t : {lo, hi}) least = std::min(least, dot(n, (1 - t) * g0 + t * g1));
    }
    const double length = length_of(n);
    const double error =
        32 * k_unit_roundoff * extent_;  // along a direction of length one: 3 (1 + 3 + 3) roundings and more
    return length > 0 ? (least / length) * (1 - std::copysign(8 * k_unit_roundoff, least)) - error : 0;
  }

  void doubt(double t) noexcept { doubt_from_ = std::min(doubt_from_, t); }
  /// Nothing from here on can improve the answer much.
  [[nodiscard]] bool settled(double lo) const noexcept {
    const bool near = doubt_from_ <= 1 && close_at_ <= 1 && close_at_ - doubt_from_ <= k_near;
    return near || lo >= close_at_ || why_;
  }

  void visit(double lo, double hi) noexcept {
    if (!why_) why_ = support::why_spent(budget_, pieces_, k_between_looks);
    if (why_) doubt(lo);
    if (settled(lo)) return;
    ++pieces_;
    const double middle = 0.5 * (lo + hi);
    const Nearest nearest = nearest_at(middle);
    if (nearest.at_most <= distance_) close_at_ = std::min(close_at_, middle);
    const double least = at_least(nearest.direction, lo, hi);
    if (least > distance_) return;
    const bool pinned =
        nearest.at_most > distance_ && nearest.at_most < distance_ + tolerance_ && least > distance_ - tolerance_;
    if (pinned || hi - lo <= k_shortest) return doubt(lo);
    visit(lo, middle);
    visit(middle, hi);
  }

  const MovingPolygon& polygon_;
  double distance_, tolerance_;
  double largest_ = 0, extent_ = 0;
  const Budget& budget_;
  std::uint64_t pieces_ = 0;              ///< of the time that were looked into
  std::optional<Undecided> why_;          ///< the budget is spent
  double close_at_ = 2, doubt_from_ = 2;  ///< beyond 1: not yet
};

/// Are the boxes of both ways farther apart than that along some axis? Exact: a rounded difference exceeds a double only if the true
/// one does.
bool boxes_keep(const MovingPolygon& polygon, double distance) noexcept {
  const std::size_t of_a = polygon.corners == 3 ? 1 : 2;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double lo[2], hi[2];
    for (std::size_t i = 0; i < 4; ++i) {
      const double from = polygon.point[i].t0[axis], to = polygon.point[i].t1[axis];
      const std::size_t side = i < of_a ? 0 : 1;
      const bool first = i == 0 || i == of_a;
      lo[side] = first ? std::min(from, to) : std::min({lo[side], from, to});
      hi[side] = first ? std::max(from, to) : std::max({hi[side], from, to});
    }
    if (lo[1] - hi[0] > distance || lo[0] - hi[1] > distance) return true;
  }
  return false;
}

Outcome<Separation> keeps_distance(const MovingPolygon& polygon, const std::optional<ContactTime>& contact,
                                   const SeparationOptions& options) noexcept {
  if (!(options.distance >= 0) || !finite(polygon)) return SeparationSearch::in_doubt(0, Undecided::invalid_input);
  if (options.distance > 0) {
    if (boxes_keep(polygon, options.distance)) return {Separation{.yes = true, .time = {}}, {}};
    return SeparationSearch(polygon, options).answer();
  }
  // No distance to keep but zero: that is decided exactly.
  return {Separation{.yes = !contact, .time = contact.value_or(ContactTime{})}, {}};
}

}  // namespace

Outcome<Separation> keeps_distance(const MovingPoint& vertex, const MovingTriangle& face,
                                   const SeparationOptions& options) noexcept {
  return keeps_distance(MovingPolygon::vertex_face(vertex, face),
                        options.distance > 0 ? std::nullopt : first_contact(vertex, face), options);
}

Outcome<Separation> keeps_distance(const MovingEdge& a, const MovingEdge& b,
                                   const SeparationOptions& options) noexcept {
  return keeps_distance(MovingPolygon::edge_edge(a, b), options.distance > 0 ? std::nullopt : first_contact(a, b),
                        options);
}

}  // namespace snug
