#include <snug/distance.hpp>

#include "penetration/deep_balls.hpp"
#include "penetration/way_apart.hpp"
#include "query/convex/convex_mesh.hpp"
#include "query/convex/pair_frame.hpp"
#include "query/convex/signed_gap.hpp"
#include "query/convex/solid_queries.hpp"
#include "shape/trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

// The signed distance of any two bodies: which way leads to it.

namespace snug {

namespace {

using namespace penetration;

SignedDistance as_signed(const Distance& d) noexcept {
  return {d.value, d.lower, d.value, d.on_a, d.on_b, d.normal, d.triangle_a, d.triangle_b};
}

SignedDistance exchanged(SignedDistance of) noexcept {
  std::swap(of.on_a, of.on_b), std::swap(of.triangle_a, of.triangle_b);
  of.normal = -of.normal;
  return of;
}

/// A total order of posed bodies but for equal ones and two primitives, which are put in order where they are asked. By it answers are the
/// same for exchanged bodies, even where several translations are equally short.
bool comes_before(const Posed& a, const Posed& b) noexcept {
  const auto key = [](const Posed& p) {
    return std::tuple(p.is_mesh(), p.pose.translation(), p.pose.matrix(), p.shape.mesh().triangles().size());
  };
  const auto key_a = key(a), key_b = key(b);
  if (key_a != key_b) return key_a < key_b;
  const Mesh &of_a = a.shape.mesh(), &of_b = b.shape.mesh();
  if (of_a.triangles().data() == of_b.triangles().data()) return false;
  const auto points = of_a.vertices(), others = of_b.vertices();
  if (!std::ranges::equal(points, others)) return std::ranges::lexicographical_compare(points, others);
  return std::ranges::lexicographical_compare(of_a.triangles(), of_b.triangles());
}

bool is_convex(const Posed& body) { return !body.is_mesh() || Access::data(body.shape).get<ConvexMesh>().is_hull; }

/// By how much a convex body may be less deep than its hull.
double dent_of(const Posed& body) { return body.is_mesh() ? Access::data(body.shape).get<ConvexMesh>().dent : 0; }

bool is_bounded(const Posed& body) { return body.is_mesh() || body.primitive().bounded(); }

/// Of the hulls, in the world.
SignedDistance of_hulls(const Posed& a, const Posed& b, DepthMemory& memory) {
  const Ball ball_a = ball_of(a), ball_b = ball_of(b);
  const double scale = PairScale(ball_a, ball_b).scale;
  const SignedGap gap =
      signed_gap(hull_in_world_axes(a, ball_a.centre, scale), hull_in_world_axes(b, ball_a.centre, scale), memory);
  const auto in_world = [&](const Point3& p) { return ball_a.centre + (1 / scale) * p; };
  SignedDistance out;
  out.value = gap.value / scale, out.lower = gap.lower / scale, out.upper = gap.upper / scale;
  out.on_a = in_world(gap.on_a), out.on_b = in_world(gap.on_b), out.normal = gap.normal;
  return out;
}

/// A mesh in a half-space or across a plane: by its corners. Across a plane each shell must leave for itself, and the hull is free
/// when all are on the same side.
SignedDistance flat_and_mesh(const Posed& flat, const Posed& mesh, const Distance& apart) {
  const Point3 origin = ball_of(mesh).centre;
  const double scale = PairScale(ball_of(flat), ball_of(mesh)).scale;
  const Plane plane(flat, origin, scale);
  const auto& topology = Access::data(mesh.shape).get<Topology>();
  if (plane.two_sided && apart.value > 0) return as_signed(apart);
  const Mesh& of = mesh.shape.mesh();
  struct Ends {
    Point3 low, high;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  } all;
  double needed = 0;
  const auto look = [&](const Point3& vertex, Ends& ends) {
    const Point3 p = scale * (mesh.pose.apply(vertex) - origin);
    const double height = plane.height(p);
    if (height < ends.lowest) ends.lowest = height, ends.low = p;
    if (height > ends.highest) ends.highest = height, ends.high = p;
  };
  for (const std::uint32_t v : topology.used_vertices) look(of.vertices()[v], all);
  for (std::uint32_t shell = 0; plane.two_sided && shell < topology.shells(); ++shell) {
    Ends own;
    for (const std::uint32_t t : topology.triangles_of(shell))
      for (const std::uint32_t v : of.triangles()[t]) look(of.vertices()[v], own);
    needed = std::max(needed, std::min(own.highest, -own.lowest));
  }
  const bool above = !plane.two_sided || all.lowest + all.highest >= 0;
  const Vec3 normal = above ? plane.normal : -plane.normal;
  const double height = above ? all.lowest : -all.highest;
  SignedDistance out;
  out.value = height / scale;
  out.lower = (height - k_gap_rounding) / scale;
  out.upper = ((plane.two_sided ? -std::min(needed, -height) : height) + k_gap_rounding) / scale;
  const Point3 deepest = above ? all.low : all.high;
  out.on_b = origin + (1 / scale) * deepest, out.on_a = origin + (1 / scale) * (deepest - height * normal);
  out.normal = -normal;
  if (apart.value > 0) out.triangle_b = apart.triangle_b;
  return out;
}

/// Bodies that overlap, of which one is not convex.
SignedDistance overlapping(const Posed& a, const Posed& b, const Distance& touch, Scratch& scratch,
                           const QueryOptions& options, DepthMemory& memory) {
  const SignedDistance hulls = of_hulls(a, b, memory);
  const DeepBalls balls = deep_balls(a, b, memory);
  const double least = std::max(balls.depth(), 0.0), e = solid_resolution(a, b);
  const Vec3 way = way_apart(a, b, {.normal = hulls.normal, .length = std::max(-hulls.lower, 0.0)},
                             {.at_least = least, .place = balls.centre, .resolution = e}, scratch, options);
  SignedDistance out;
  const double length = way.length();
  out.value = out.lower = -length;
  out.upper = -std::min(least, length);
  const Vec3 along = way.normalized();
  out.normal = along != Vec3{} ? along : hulls.normal;
  out.on_a = touch.on_a, out.on_b = touch.value > 0 ? touch.on_a : touch.on_b;
  if (balls.in_a > 0 && balls.in_b > 0) {
    out.on_a = balls.centre - balls.in_a * out.normal;
    out.on_b = balls.centre + balls.in_b * out.normal;
  }
  return out;
}

}  // namespace

SignedDistance signed_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                               const QueryOptions& options) {
  if (!shape::are_valid(pose_a, pose_b)) return SignedDistance::refusal();
  const support::OneUser user = query::use(scratch);
  const Posed of_a{a, pose_a}, of_b{b, pose_b};
  auto& memory = detail::Access::data(scratch).get<DepthMemory>();
  if (!a.is_mesh() && !b.is_mesh()) return signed_primitive_distance(of_a, of_b, memory);
  if (comes_before(of_b, of_a)) return exchanged(signed_distance(b, pose_b, a, pose_a, scratch, options));
  const Distance apart = distance(a, pose_a, b, pose_b, scratch, {}, options);
  if (!is_bounded(of_a)) return flat_and_mesh(of_a, of_b, apart);  // a primitive comes first
  if (apart.value > 0 && !one_in_other(of_a, of_b)) return as_signed(apart);
  if (!is_convex(of_a) || !is_convex(of_b)) return overlapping(of_a, of_b, apart, scratch, options, memory);
  SignedDistance out = of_hulls(of_a, of_b, memory);
  out.upper += dent_of(of_a) + dent_of(of_b);
  // That they touch is known exactly.
  out.value = std::min(out.value, 0.0), out.upper = std::min(out.upper, 0.0), out.lower = std::min(out.lower, 0.0);
  return out;
}

}  // namespace snug
