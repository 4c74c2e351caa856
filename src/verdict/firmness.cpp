#include "verdict/firmness.hpp"

#include "geometry/closest_points.hpp"
#include "geometry/vec_ops.hpp"
#include "query/surface/descend.hpp"

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

double box_gap(const Aabb& a, const Aabb& b) {
  double squared = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double gap = std::max({0.0, b.lo[axis] - a.hi[axis], a.lo[axis] - b.hi[axis]});
    squared += gap * gap;
  }
  return std::sqrt(squared) * (1 - 0x1p-48);
}

class Search {
 public:
  Search(const PosedSolid& a, const PosedSolid& b, double reach)
      : a_(a), b_(b), slack_(a.sag().largest() + b.sag().largest()), best_(reach) {}

  std::optional<TrueGap> run() {
    if (!a_.body().empty() && !b_.body().empty()) visit({0, 0});
    return found_;
  }

 private:
  [[nodiscard]] bool worth(const Aabb& a, const Aabb& b) const { return best_ > 0 && box_gap(a, b) - slack_ < best_; }

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
    if (box_gap(a_.body().box(far.a), b_.body().box(far.b)) < box_gap(a_.body().box(near.a), b_.body().box(near.b)))
      std::swap(near, far);
    visit(near);
    visit(far);
  }

  void offer(std::uint32_t ta, std::uint32_t tb) {
    if (!worth(a_.body().box_of_triangle(ta), b_.body().box_of_triangle(tb))) return;
    const std::array surfaces{a_.mesh().surface_of(ta), b_.mesh().surface_of(tb)};
    const Triangle ca = a_.body().triangle(ta), cb = b_.body().triangle(tb);
    // Of several bounds from below the largest counts. A flat face stays in its plane, whatever its border does.
    double gap = closest_points(ca, cb).distance - sag_between(a_, b_, surfaces);
    const bool flat_a = a_.sag().flat(surfaces[0]), flat_b = b_.sag().flat(surfaces[1]);
    const double off_a = a_.sag().off_plane(surfaces[0]), off_b = b_.sag().off_plane(surfaces[1]);
    if (flat_a && flat_b && parallel(ca, cb)) gap = std::max(gap, height_over(ca, cb) - off_a - off_b);
    if (flat_a) gap = std::max(gap, height_over(ca, cb) - off_a - b_.sag().of(surfaces[1]));
    if (flat_b) gap = std::max(gap, height_over(cb, ca) - off_b - a_.sag().of(surfaces[0]));
    if (!(gap < best_)) return;
    best_ = std::max(gap, 0.0);
    found_ = TrueGap{best_, surfaces};
  }

  const PosedSolid& a_;
  const PosedSolid& b_;
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

std::optional<TrueGap> least_gap(const PosedSolid& a, const PosedSolid& b, double reach) {
  return Search(a, b, std::nextafter(reach, std::numeric_limits<double>::infinity())).run();
}

bool contacts_are_firm(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                       std::span<const ContactPatch> patches, double resolution) {
  std::vector<const ContactPatch*> flat;
  for (const ContactPatch& patch : patches)
    if (a.sag().flat(patch.surface_a) && b.sag().flat(patch.surface_b) &&
        survives(patch, sag_between(a, b, {patch.surface_a, patch.surface_b})))
      flat.push_back(&patch);
  const auto in_patch_plane = [&](const Point3& p) {
    return std::ranges::any_of(flat, [&](const ContactPatch* patch) {
      return std::abs(dot(p - patch->loops[0][0], patch->normal)) <= 4 * resolution + 1e-12 * max_abs(p);
    });
  };
  return std::ranges::all_of(pairs, [&](const TrianglePair& pair) {
    const std::uint32_t sa = a.mesh().surface_of(pair.a), sb = b.mesh().surface_of(pair.b);
    if (!a.sag().refinable(sa) && !b.sag().refinable(sb)) return true;
    if (flat.empty()) return false;
    const TriangleIntersection shared = intersection(a.body().triangle(pair.a), b.body().triangle(pair.b));
    return std::ranges::all_of(shared.points(), in_patch_plane);
  });
}

}  // namespace snug::detail
