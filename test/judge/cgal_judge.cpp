#include "cgal_judge.hpp"

#include "judge_support.hpp"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <CGAL/squared_distance_3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

namespace snug::judge {
namespace {

using Filtered = CGAL::Exact_predicates_inexact_constructions_kernel;  // only its predicates are used
using Exact = CGAL::Exact_predicates_exact_constructions_kernel;

template <class Kernel>
typename Kernel::Point_3 point(const Point3& p) {
  return {p.x, p.y, p.z};
}
template <class Kernel>
typename Kernel::Triangle_3 triangle(const Triangle& t) {
  return {point<Kernel>(t[0]), point<Kernel>(t[1]), point<Kernel>(t[2])};
}

/// The point set of a triangle, as what it is: CGAL's tests demand non-degenerate operands.
using Simplex = std::variant<Filtered::Point_3, Filtered::Segment_3, Filtered::Triangle_3>;

Simplex simplex(const Triangle& t) {
  std::array<Filtered::Point_3, 3> p{point<Filtered>(t[0]), point<Filtered>(t[1]), point<Filtered>(t[2])};
  if (!CGAL::collinear(p[0], p[1], p[2])) return Filtered::Triangle_3(p[0], p[1], p[2]);
  std::ranges::sort(p, [](const auto& a, const auto& b) { return CGAL::lexicographically_xyz_smaller(a, b); });
  if (p[0] == p[2]) return p[0];
  return Filtered::Segment_3(p[0], p[2]);
}

bool shares_point(const Simplex& a, const Simplex& b) {
  return std::visit(
      [](const auto& x, const auto& y) {
        using X = std::decay_t<decltype(x)>;
        using Y = std::decay_t<decltype(y)>;
        if constexpr (std::is_same_v<X, Filtered::Point_3> && std::is_same_v<Y, Filtered::Point_3>) {
          return x == y;
        } else if constexpr (std::is_same_v<X, Filtered::Point_3> && std::is_same_v<Y, Filtered::Segment_3>) {
          return y.has_on(x);
        } else if constexpr (std::is_same_v<X, Filtered::Segment_3> && std::is_same_v<Y, Filtered::Point_3>) {
          return x.has_on(y);
        } else {
          return static_cast<bool>(CGAL::do_intersect(x, y));
        }
      },
      a, b);
}

/// True if `t` has corners strictly on both sides of the plane of `plane`.
bool straddles(const Filtered::Triangle_3& t, const Filtered::Triangle_3& plane) {
  bool above = false;
  bool below = false;
  for (int i = 0; i != 3; ++i) {
    const auto side = CGAL::orientation(plane[0], plane[1], plane[2], t[i]);
    above |= side == CGAL::POSITIVE;
    below |= side == CGAL::NEGATIVE;
  }
  return above && below;
}

/// For two triangles that straddle one another's planes and share a point: do they share more than that one point?
bool share_segment(const Triangle& a, const Triangle& b) {
  const auto s = triangle<Filtered>(a);
  const auto t = triangle<Filtered>(b);
  // The shared points are the common part of two intervals on one line. If it is a single point, an edge of a and an
  // edge of b meet there, and their four ends are coplanar; so if no two edges are, the common part is a segment.
  bool edges_meet = false;
  for (int i = 0; i != 3; ++i)
    for (int j = 0; j != 3; ++j) edges_meet |= CGAL::coplanar(s[i], s[(i + 1) % 3], t[j], t[(j + 1) % 3]);
  if (!edges_meet) return true;
  const auto common = CGAL::intersection(triangle<Exact>(a), triangle<Exact>(b));
  return common && boost::get<Exact::Segment_3>(&*common) != nullptr;
}

/// Smallest exact squared distance among a point or corner of one triangle and the whole other, and all pairs of edges;
/// this is the distance of the triangles if they are disjoint.
Exact::FT squared_distance(const Triangle& a, const Triangle& b) {
  const auto s = triangle<Exact>(a);
  const auto t = triangle<Exact>(b);
  Exact::FT best = CGAL::squared_distance(s[0], t);
  for (int i = 0; i != 3; ++i) {
    best = (std::min)(best, Exact::FT(CGAL::squared_distance(s[i], t)));
    best = (std::min)(best, Exact::FT(CGAL::squared_distance(t[i], s)));
    for (int j = 0; j != 3; ++j)
      best = (std::min)(best, Exact::FT(CGAL::squared_distance(Exact::Segment_3(s[i], s[(i + 1) % 3]),
                                                               Exact::Segment_3(t[j], t[(j + 1) % 3]))));
  }
  return best;
}

/// Signed count of the triangles the open segment pq passes through, or nothing if it meets an edge, a corner or a
/// triangle's plane in an end.
std::optional<int> signed_crossings(const Filtered::Point_3& p, const Filtered::Point_3& q,
                                    const std::vector<Filtered::Triangle_3>& triangles) {
  int sum = 0;
  for (const auto& t : triangles) {
    const auto p_side = CGAL::orientation(t[0], t[1], t[2], p);
    const auto q_side = CGAL::orientation(t[0], t[1], t[2], q);
    if (q_side == CGAL::ZERO) return std::nullopt;
    if (p_side == q_side) continue;
    std::array<CGAL::Sign, 3> turn{};
    for (int i = 0; i != 3; ++i) turn[static_cast<std::size_t>(i)] = CGAL::orientation(p, q, t[i], t[(i + 1) % 3]);
    const bool some_left = std::ranges::count(turn, CGAL::POSITIVE) > 0;
    const bool some_right = std::ranges::count(turn, CGAL::NEGATIVE) > 0;
    if (some_left && some_right) continue;
    if (std::ranges::count(turn, CGAL::ZERO) > 0) return std::nullopt;
    // A point in the plane of t, but not on t, cannot have all three turns alike: p_side is not zero here.
    sum += q_side == CGAL::POSITIVE ? 1 : -1;
  }
  return sum;
}

}  // namespace

Relation cgal_relation(const Triangle& a, const Triangle& b) {
  const Simplex s = simplex(a);
  const Simplex t = simplex(b);
  if (!shares_point(s, t)) return Relation::disjoint;
  const auto* face_s = std::get_if<Filtered::Triangle_3>(&s);
  const auto* face_t = std::get_if<Filtered::Triangle_3>(&t);
  if (face_s == nullptr || face_t == nullptr) return Relation::touching;
  // A triangle that does not straddle the other's plane has no inner point on it.
  if (!straddles(*face_s, *face_t) || !straddles(*face_t, *face_s)) return Relation::touching;
  return share_segment(a, b) ? Relation::crossing : Relation::touching;
}

bool cgal_on_triangle(const Point3& p, const Triangle& t) {
  return shares_point(Simplex(point<Filtered>(p)), simplex(t));
}

double cgal_distance_error(const Triangle& a, const Triangle& b, double distance) {
  const auto square = squared_distance(a, b).exact();
  const decltype(square) measured = decltype(square)(distance) * distance;
  // x² = s(1 + e) means x = √s(1 + e/2 - …); the exact form of √(1+e) - 1 keeps large errors honest.
  const double e = CGAL::to_double(decltype(square)((measured - square) / square));
  return std::abs(e / (std::sqrt(1 + e) + 1));
}

double cgal_distance(const Triangle& a, const Triangle& b) {
  return std::sqrt(CGAL::to_double(squared_distance(a, b).exact()));
}

double cgal_distance(const Point3& p, const Triangle& t) {
  return std::sqrt(CGAL::to_double(CGAL::squared_distance(point<Exact>(p), triangle<Exact>(t)).exact()));
}

PointLocation cgal_locate(const Point3& p, const TriangleMeshView& mesh) {
  std::vector<Filtered::Triangle_3> triangles;
  double reach = 1;
  for (std::size_t i = 0; i != mesh.triangles.size(); ++i) {
    const Triangle t = mesh.triangle(i);
    if (cgal_on_triangle(p, t)) return {Side::boundary, 0};
    for (const Point3& c : t.corner) reach = std::max({reach, std::abs(c.x), std::abs(c.y), std::abs(c.z)});
    if (std::holds_alternative<Filtered::Triangle_3>(simplex(t))) triangles.push_back(triangle<Filtered>(t));
  }
  Random random(1);
  for (;;) {
    // Far outside, in a direction of no meaning to any mesh.
    Vec3 away = random.in_cube(1);
    away.x = away.x < 0 ? -1 - away.x : 1 + away.x;
    const Filtered::Point_3 q = point<Filtered>((4 * reach) * away);
    if (const auto sum = signed_crossings(point<Filtered>(p), q, triangles))
      return {*sum == 0 ? Side::outside : Side::inside, *sum};
  }
}

}  // namespace snug::judge
