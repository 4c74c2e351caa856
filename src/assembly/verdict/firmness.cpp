#include "assembly/verdict/firmness.hpp"

#include "assembly/verdict/stays_below.hpp"
#include "assembly/verdict/sure_contact.hpp"
#include "geometry/analytic/deviation.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/point_triangle.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/mating_rules.hpp"
#include "query/posed/descend.hpp"
#include "query/posed/plane_keeps_away.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace snug::assembly {

namespace {

/// Smallest height of u above or below the plane of t; 0 if the plane meets u or there is none.
double height_over(const Triangle& t, const Triangle& u) {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double length = std::sqrt(dot(n, n));
  if (!(length > 0)) return 0;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const Point3& p : u.corner) {
    const double height = dot(p - t[0], n) / length;
    lowest = std::min(lowest, height), highest = std::max(highest, height);
  }
  return std::max({0.0, lowest, -highest});
}

/// Any distance above zero.
constexpr double k_apart = std::numeric_limits<double>::denorm_min();

bool parallel(const Triangle& t, const Triangle& u) {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]), m = cross(u[1] - u[0], u[2] - u[0]), c = cross(n, m);
  return dot(c, c) <= 1e-24 * dot(n, n) * dot(m, m);
}

/// A part of what a triangle stands for, and how far the face may be from it.
struct FacePiece {
  Triangle shape;
  double off = 0;
};

/// Everything that a triangle stands for. A flat face is where its triangles are, but for its curved borders.
struct FacePieces {
  std::array<FacePiece, 4> piece;
  std::size_t count = 0;

  FacePieces(const PosedSolid& of, std::uint32_t t) {
    const std::uint32_t surface = of.mesh().surface_of(t);
    const Triangle c = of.body().triangle(t);
    const bool flat = of.sag().flat(surface);
    piece[count++] = {c, flat ? of.sag().off_plane(surface) : of.sag().of(surface)};
    if (!flat || !of.sag().refinable(surface)) return;
    for (std::size_t i = 0; i < 3; ++i)
      if (of.borders().may_curve(t, i)) piece[count++] = {{{c[i], c[(i + 1) % 3], c[i]}}, of.sag().of(surface)};
  }
  [[nodiscard]] std::span<const FacePiece> all() const noexcept { return {piece.data(), count}; }
};

/// What the faces of two triangles are apart at least; negative if they may meet. Of several bounds the largest counts: a
/// flat face stays in its plane, whatever its border does. The distance of triangles, which costs most, is not looked for where
/// another bound is `enough`.
double least_distance(const PosedSolid& a, std::uint32_t ta, const PosedSolid& b, std::uint32_t tb, double enough) {
  const std::uint32_t surface_a = a.mesh().surface_of(ta), surface_b = b.mesh().surface_of(tb);
  const bool flat_a = a.sag().flat(surface_a), flat_b = b.sag().flat(surface_b);
  const double off_a = a.sag().off_plane(surface_a), off_b = b.sag().off_plane(surface_b);
  const Triangle plane_a = a.body().triangle(ta), plane_b = b.body().triangle(tb);
  const FacePieces of_a(a, ta), of_b(b, tb);
  double least = std::numeric_limits<double>::infinity();
  for (const FacePiece& pa : of_a.all())
    for (const FacePiece& pb : of_b.all()) {
      double gap = gap_below(box_of(pa.shape), box_of(pb.shape)) - pa.off - pb.off;
      if (flat_a) gap = std::max(gap, height_over(plane_a, pb.shape) - off_a - pb.off);
      if (flat_b) gap = std::max(gap, height_over(plane_b, pa.shape) - off_b - pa.off);
      if (!(gap >= enough)) gap = std::max(gap, closest_points(pa.shape, pb.shape).distance - pa.off - pb.off);
      least = std::min(least, gap);
    }
  if (flat_a && flat_b && parallel(plane_a, plane_b))
    least = std::max(least, height_over(plane_a, plane_b) - off_a - off_b);
  return least;
}

/// What rounding and the CAD tolerances leave open between two faces, at p.
double slack_at(const PosedSolid& a, std::uint32_t surface_a, const PosedSolid& b, std::uint32_t surface_b,
                const Point3& p) {
  return 4 * (a.error() + b.error()) + a.sag().tolerance(surface_a) + b.sag().tolerance(surface_b) + 1e-12 * max_abs(p);
}

/// Is the face of tb on the free side of the plane that the face of ta lies in? Faces that look the same way from one plane
/// are not divided by it.
bool own_plane_divides(const PosedSolid& a, std::uint32_t ta, const PosedSolid& b, std::uint32_t tb, double sunk) {
  const std::uint32_t id_a = a.mesh().surface_of(ta), id_b = b.mesh().surface_of(tb);
  const Surface &face_a = a.mesh().surfaces()[id_a], &face_b = b.mesh().surfaces()[id_b];
  if (face_a.kind != SurfaceKind::plane || !face_a.analytic || face_a.analytic->recognised) return false;
  const Vec3 n = posed(*face_a.analytic, a.pose(), a.scale()).axis;
  if (face_b.analytic && face_b.analytic->hollow) {
    // A bore that lies on the plane has its material on both sides of it; one that stands there does not.
    const bool has_axis = face_b.kind == SurfaceKind::cylinder || face_b.kind == SurfaceKind::cone;
    if (!has_axis || std::abs(dot(posed(*face_b.analytic, b.pose()).axis, n)) < 1 - 1e-9) return false;
  } else if (b.sag().flat(id_b) || !b.sag().refinable(id_b)) {
    const Triangle c = b.body().triangle(tb);
    const Vec3 m = static_cast<double>(b.orientation()) * cross(c[1] - c[0], c[2] - c[0]);
    if (!(dot(m, n) <= 0.99 * length_of(m))) return false;
  }
  const Point3 p = a.body().triangle(ta)[0];
  return stays_below(b, tb, p, -n, slack_at(a, id_a, b, id_b, p) + sunk);
}

/// Does the whole ball that the face of ta belongs to keep to the free side of the face of tb, or away from it?
bool ball_keeps_off(const PosedSolid& a, std::uint32_t ta, const PosedSolid& b, std::uint32_t tb) {
  const std::uint32_t id_a = a.mesh().surface_of(ta), id_b = b.mesh().surface_of(tb);
  const Surface &face_a = a.mesh().surfaces()[id_a], &face_b = b.mesh().surfaces()[id_b];
  const auto exact = [](const Surface& face) { return face.analytic && !face.analytic->recognised; };
  if (face_a.kind != SurfaceKind::sphere || !exact(face_a) || face_a.analytic->hollow) return false;
  const AnalyticSurface ball = posed(*face_a.analytic, a.pose(), a.scale());
  const double least = ball.radius - slack_at(a, id_a, b, id_b, ball.origin);
  if (exact(face_b)) {
    const AnalyticSurface other = posed(*face_b.analytic, b.pose(), b.scale());
    const bool spindle = face_b.kind == SurfaceKind::torus && other.minor_radius > other.radius;
    const double distance = distance_to(face_b.kind, other, ball.origin);
    if (!spindle && (other.hollow ? -distance : distance) >= least) return true;
  }
  const FacePieces pieces(b, tb);
  return std::ranges::all_of(pieces.all(), [&](const FacePiece& piece) {
    return length_of(closest_point(ball.origin, piece.shape) - ball.origin) - piece.off >= least;
  });
}

class FirmnessSearch {
 public:
  FirmnessSearch(const PosedSolid& a, const PosedSolid& b, double reach, const Fits& fits)
      : a_(a), b_(b), fits_(fits), slack_(a.sag().largest() + b.sag().largest()), best_(reach) {}

  std::optional<TrueGap> run() {
    if (!a_.body().empty() && !b_.body().empty()) visit({0, 0});
    return found_;
  }

 private:
  [[nodiscard]] bool worth(const Aabb& a, const Aabb& b) const { return best_ > 0 && gap_below(a, b) - slack_ < best_; }

  void visit(NodePair pair) {
    if (!worth(a_.body().box(pair.a), b_.body().box(pair.b))) return;
    const AabbTree &ta = a_.body().tree(), &tb = b_.body().tree();
    const AabbTree::Node &na = ta.nodes[pair.a], &nb = tb.nodes[pair.b];
    if (a_.body().stopped()) return;
    if (na.leaf() && nb.leaf()) {
      for (std::uint32_t i = na.begin; i < na.end; ++i)
        for (std::uint32_t j = nb.begin; j < nb.end; ++j) offer(ta.order[i], tb.order[j]);
      return;
    }
    auto [near, far] = opened(ta, tb, pair);
    if (gap_below(a_.body().box(far.a), b_.body().box(far.b)) < gap_below(a_.body().box(near.a), b_.body().box(near.b)))
      std::swap(near, far);
    visit(near);
    visit(far);
  }

  void offer(std::uint32_t ta, std::uint32_t tb) {
    if (!worth(a_.body().box_of_triangle(ta), b_.body().box_of_triangle(tb))) return;
    const std::array surfaces{a_.mesh().surface_of(ta), b_.mesh().surface_of(tb)};
    const Triangle ca = a_.body().triangle(ta), cb = b_.body().triangle(tb);
    const double sag = sag_between(a_, b_, surfaces);
    if (plane_keeps_away(ca, cb, best_ + sag) || plane_keeps_away(cb, ca, best_ + sag)) return;
    double gap = least_distance(a_, ta, b_, tb, best_);
    if (!(gap < best_)) return;
    if (const auto fit = fits_.between(a_, ta, b_, tb)) gap = std::max(gap, fit->least);
    if (!(gap < best_)) return;
    best_ = std::max(gap, 0.0);
    found_ = TrueGap{best_, surfaces};
  }

  const PosedSolid& a_;
  const PosedSolid& b_;
  const Fits& fits_;
  double slack_, best_;
  std::optional<TrueGap> found_;
};

}  // namespace

std::optional<TrueGap> least_gap(const PosedSolid& a, const PosedSolid& b, double reach, const Fits& fits) {
  return FirmnessSearch(a, b, std::nextafter(reach, std::numeric_limits<double>::infinity()), fits).run();
}

std::vector<std::array<std::uint32_t, 2>> doubtful_contact(const PosedSolid& a, const PosedSolid& b,
                                                           std::span<const ContactPatch> patches, const Fits& fits,
                                                           double forgiven, double sunk) {
  const auto flat = [](const PosedSolid& of, std::uint32_t surface) {
    return of.sag().none() || of.sag().flat(surface);
  };
  std::vector<const ContactPatch*> dividing;
  for (const ContactPatch& patch : patches)
    if (flat(a, patch.surface_a) && flat(b, patch.surface_b) &&
        survives(patch, sag_between(a, b, {patch.surface_a, patch.surface_b})))
      dividing.push_back(&patch);
  std::set<std::array<std::uint32_t, 2>> found;
  if (a.body().empty() || b.body().empty()) return {};
  descend(a.body(), b.body(), {0, 0}, a.sag().largest() + b.sag().largest(), [&](std::uint32_t ta, std::uint32_t tb) {
    const std::array surfaces{a.mesh().surface_of(ta), b.mesh().surface_of(tb)};
    if (!a.sag().refinable(surfaces[0]) && !b.sag().refinable(surfaces[1])) return true;
    if (found.contains(surfaces)) return true;
    if (least_distance(a, ta, b, tb, k_apart) > 0) return true;
    const bool divided = std::ranges::any_of(dividing, [&](const ContactPatch* patch) {
      const Point3& p = patch->loops[0][0];
      const double slack = slack_at(a, patch->surface_a, b, patch->surface_b, p) + sunk;
      return stays_below(a, ta, p, patch->normal, slack) && stays_below(b, tb, p, -patch->normal, slack);
    });
    if (divided || own_plane_divides(a, ta, b, tb, sunk) || own_plane_divides(b, tb, a, ta, sunk)) return true;
    const bool on_plane = std::ranges::any_of(fits.planes(), [&](const TangentPlane& plane) {
      const PosedSolid &owner = plane.of_a ? a : b, &other = plane.of_a ? b : a;
      return stays_below(owner, plane.of_a ? ta : tb, plane.point, plane.normal, plane.slack + sunk) &&
             stays_below(other, plane.of_a ? tb : ta, plane.point, -plane.normal, plane.slack + sunk);
    });
    if (on_plane) return true;
    if (ball_keeps_off(a, ta, b, tb) || ball_keeps_off(b, tb, a, ta)) return true;
    if (const auto fit = fits.between(a, ta, b, tb); fit && (fit->least > 0 || fit->meant || -fit->least <= forgiven))
      return true;
    found.insert(surfaces);
    return true;
  });
  return {found.begin(), found.end()};
}

}  // namespace snug::assembly
