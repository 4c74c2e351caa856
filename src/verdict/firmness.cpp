#include "verdict/firmness.hpp"

#include "geometry/closest_points.hpp"
#include "geometry/vec_ops.hpp"
#include "query/surface/descend.hpp"
#include "query/surface/plane_keeps_away.hpp"
#include "verdict/stays_below.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::detail {

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

bool parallel(const Triangle& t, const Triangle& u) {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]), m = cross(u[1] - u[0], u[2] - u[0]), c = cross(n, m);
  return dot(c, c) <= 1e-24 * dot(n, n) * dot(m, m);
}

/// What the faces of two triangles are apart at least; negative if they may meet. Of several bounds the largest counts: a
/// flat face stays in its plane, whatever its border does.
double least_distance(const PosedSolid& a, const Triangle& ta, std::uint32_t surface_a, const PosedSolid& b,
                      const Triangle& tb, std::uint32_t surface_b) {
  const FaceSag &sag_a = a.sag(), &sag_b = b.sag();
  double gap = closest_points(ta, tb).distance - sag_a.of(surface_a) - sag_b.of(surface_b);
  const bool flat_a = sag_a.flat(surface_a), flat_b = sag_b.flat(surface_b);
  const double off_a = sag_a.off_plane(surface_a), off_b = sag_b.off_plane(surface_b);
  if (flat_a && flat_b && parallel(ta, tb)) gap = std::max(gap, height_over(ta, tb) - off_a - off_b);
  if (flat_a) gap = std::max(gap, height_over(ta, tb) - off_a - sag_b.of(surface_b));
  if (flat_b) gap = std::max(gap, height_over(tb, ta) - off_b - sag_a.of(surface_a));
  return gap;
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
    const SurfaceTree &ta = a_.body().tree(), &tb = b_.body().tree();
    const SurfaceTree::Node &na = ta.nodes[pair.a], &nb = tb.nodes[pair.b];
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
    double gap = least_distance(a_, ca, surfaces[0], b_, cb, surfaces[1]);
    if (!(gap < best_)) return;
    if (const Fit* fit = fits_.between(a_, ta, b_, tb)) gap = std::max(gap, fit->least);
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

/// The patch is wider than what the borders of its faces may be off.
bool survives(const ContactPatch& patch, double sag) {
  double around = 0;
  for (const auto& loop : patch.loops)
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec3 side = loop[(i + 1) % loop.size()] - loop[i];
      around += std::sqrt(dot(side, side));
    }
  return patch.area > around * sag;
}

}  // namespace

std::optional<TrueGap> least_gap(const PosedSolid& a, const PosedSolid& b, double reach, const Fits& fits) {
  return FirmnessSearch(a, b, std::nextafter(reach, std::numeric_limits<double>::infinity()), fits).run();
}

std::optional<std::array<std::uint32_t, 2>> doubtful_contact(const PosedSolid& a, const PosedSolid& b,
                                                             std::span<const ContactPatch> patches, const Fits& fits,
                                                             double forgiven) {
  const auto flat = [](const PosedSolid& of, std::uint32_t surface) {
    return of.sag().none() || of.sag().flat(surface);
  };
  std::vector<const ContactPatch*> dividing;
  for (const ContactPatch& patch : patches)
    if (flat(a, patch.surface_a) && flat(b, patch.surface_b) &&
        survives(patch, sag_between(a, b, {patch.surface_a, patch.surface_b})))
      dividing.push_back(&patch);
  std::optional<std::array<std::uint32_t, 2>> found;
  if (a.body().empty() || b.body().empty()) return found;
  descend(a.body(), b.body(), {0, 0}, a.sag().largest() + b.sag().largest(), [&](std::uint32_t ta, std::uint32_t tb) {
    const std::array surfaces{a.mesh().surface_of(ta), b.mesh().surface_of(tb)};
    if (!a.sag().refinable(surfaces[0]) && !b.sag().refinable(surfaces[1])) return true;
    const Triangle ca = a.body().triangle(ta), cb = b.body().triangle(tb);
    if (least_distance(a, ca, surfaces[0], b, cb, surfaces[1]) > 0) return true;
    const bool divided = std::ranges::any_of(dividing, [&](const ContactPatch* patch) {
      const Point3& p = patch->loops[0][0];
      const double slack = 4 * (a.error() + b.error()) + a.sag().off_plane(patch->surface_a) +
                           b.sag().off_plane(patch->surface_b) + 1e-12 * max_abs(p);
      return stays_below(a, ta, p, patch->normal, slack) && stays_below(b, tb, p, -patch->normal, slack);
    });
    if (divided) return true;
    if (const Fit* fit = fits.between(a, ta, b, tb);
        fit != nullptr && (fit->least > 0 || fit->meant || -fit->least <= forgiven))
      return true;
    found = surfaces;
    return false;
  });
  return found;
}

}  // namespace snug::detail
