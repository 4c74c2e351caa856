#include "assembly/verdict/matings.hpp"

#include "assembly/verdict/engaged.hpp"

#include "geometry/vec_ops.hpp"
#include "penetration/mating_rules.hpp"
#include "query/posed/descend.hpp"
#include "query/posed/plane_keeps_away.hpp"

#include <snug/triangle.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace snug::assembly {

namespace {

/// Surfaces found by crease have no analytic form, and are not looked for.
bool has_analytic(const Mesh& mesh) {
  return !mesh.surfaces_by_crease() &&
         std::ranges::any_of(mesh.surfaces(), [](const Surface& surface) { return surface.analytic.has_value(); });
}

/// What both boxes have in common, or lies between them.
Point3 between(const Aabb& a, const Aabb& b) noexcept {
  const auto coordinate = [&](std::size_t axis) {
    return 0.5 * std::max(a.lo[axis], b.lo[axis]) + 0.5 * std::min(a.hi[axis], b.hi[axis]);
  };
  return {coordinate(0), coordinate(1), coordinate(2)};
}

double diagonal_of(const Aabb& box) noexcept {
  const Vec3 d = box.hi - box.lo;
  return std::sqrt(dot(d, d));
}

/// How far the triangles of a surface reach along a direction, from first to second.
std::pair<double, double> reach_along(const Vec3& axis, const PosedSolid& of, std::uint32_t surface) {
  std::pair reach{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const std::uint32_t t : of.mesh().triangles_of(surface))
    for (const std::uint32_t v : of.mesh().triangles()[t]) {
      const double along = dot(axis, of.body().vertex(v));
      reach = {std::min(reach.first, along), std::max(reach.second, along)};
    }
  return reach;
}

/// Of the posed corners themselves, so that it does not depend on how the part lies in its own frame.
Aabb box_of_surface(const PosedSolid& of, std::uint32_t surface) {
  Aabb box;
  for (const std::uint32_t t : of.mesh().triangles_of(surface))
    for (const Point3& p : of.body().triangle(t).corner) box.include(p);
  return box;
}

/// Walks the upper levels of both trees, where nodes hold whole surfaces, and meets each pair of surfaces whose boxes come
/// within reach once, at the roots of their triangles.
class MatingSearch {
 public:
  MatingSearch(const PosedSolid& a, const PosedSolid& b, double reach,
               std::span<const std::array<std::uint32_t, 2>> known)
      : a_(a), b_(b), reach_(reach), known_(known) {}

  std::vector<SurfaceMating> run() {
    if (a_.body().empty() || b_.body().empty()) return {};
    visit({0, 0}, std::max(reach_, a_.sag().largest() + b_.sag().largest()));
    std::ranges::sort(found_, {}, [](const SurfaceMating& m) { return std::pair(m.surface_a, m.surface_b); });
    return std::move(found_);
  }

 private:
  /// Surfaces lie one after the other in the tree's order, so the first and the last triangle tell.
  static bool one_surface(const PosedSolid& solid, std::uint32_t node) {
    const AabbTree& tree = solid.body().tree();
    const AabbTree::Node& n = tree.nodes[node];
    return solid.mesh().surface_of(tree.order[n.begin]) == solid.mesh().surface_of(tree.order[n.end - 1]);
  }
  static std::uint32_t surface_of(const PosedSolid& solid, std::uint32_t node) {
    const AabbTree& tree = solid.body().tree();
    return solid.mesh().surface_of(tree.order[tree.nodes[node].begin]);
  }

  void visit(NodePair pair, double margin) {
    if (a_.body().stopped() || !grown(a_.body().box(pair.a), margin).overlaps(b_.body().box(pair.b))) return;
    const AabbTree &tree_a = a_.body().tree(), &tree_b = b_.body().tree();
    const bool single_a = one_surface(a_, pair.a), single_b = one_surface(b_, pair.b);
    if (single_a && single_b) return judge(pair);
    // A surface is not opened before its partner is a surface, too.
    if (single_b || (!single_a && tree_a.nodes[pair.a].size() >= tree_b.nodes[pair.b].size())) {
      visit({pair.a + 1, pair.b}, margin);
      visit({tree_a.nodes[pair.a].right, pair.b}, margin);
    } else {
      visit({pair.a, pair.b + 1}, margin);
      visit({pair.a, tree_b.nodes[pair.b].right}, margin);
    }
  }

  void judge(NodePair pair) {
    const std::uint32_t id_a = surface_of(a_, pair.a), id_b = surface_of(b_, pair.b);
    const Surface &surface_a = a_.mesh().surfaces()[id_a], &surface_b = b_.mesh().surfaces()[id_b];
    if (!surface_a.analytic || !surface_b.analytic) return;
    const double power = a_.scale(), reach = std::max(reach_, a_.sag().of(id_a) + b_.sag().of(id_b));
    if (!std::ranges::binary_search(known_, std::array{id_a, id_b}) && !comes_within(pair, reach)) return;
    const Aabb box_a = box_of_surface(a_, id_a), box_b = box_of_surface(b_, id_b);
    MatingTolerance tolerance = mating_tolerance(surface_a, surface_b, a_.error() + b_.error(),
                                                 std::max(diagonal_of(box_a), diagonal_of(box_b)), power);
    tolerance.reach = reach;
    tolerance.place = between(box_a, box_b);
    SurfaceMating mating = mating_of(surface_a.kind, posed(*surface_a.analytic, a_.pose(), power), surface_b.kind,
                                     posed(*surface_b.analytic, b_.pose(), power), tolerance);
    mating.surface_a = id_a, mating.surface_b = id_b;
    if (mating.fit && !(side_by_side(id_a, id_b) && engaged(a_, id_a, b_, id_b, *mating.fit))) mating.fit.reset();
    // What rounding makes of equal radii is neither play nor interference.
    if (mating.fit && std::abs(*mating.fit) <= a_.error() + b_.error()) mating.fit = 0;
    found_.push_back(mating);
  }

  /// Is, along the axes they have, some of one face beside some of the other? A bolt's head ends where the bore begins that
  /// it covers: they have one axis, but neither sits in the other.
  [[nodiscard]] bool side_by_side(std::uint32_t id_a, std::uint32_t id_b) const {
    const Surface &surface_a = a_.mesh().surfaces()[id_a], &surface_b = b_.mesh().surfaces()[id_b];
    const double noise = a_.error() + b_.error() + a_.scale() * (surface_a.tolerance + surface_b.tolerance);
    const auto beside = [&](const Surface& of, const Pose& pose) {
      if (of.kind != SurfaceKind::cylinder && of.kind != SurfaceKind::cone) return true;
      const Vec3 axis = posed(*of.analytic, pose).axis;
      const auto reach_a = reach_along(axis, a_, id_a), reach_b = reach_along(axis, b_, id_b);
      return std::min(reach_a.second, reach_b.second) - std::max(reach_a.first, reach_b.first) > noise;
    };
    return beside(surface_a, a_.pose()) && beside(surface_b, b_.pose());
  }

  [[nodiscard]] bool comes_within(NodePair pair, double reach) const {
    return !descend(a_.body(), b_.body(), pair, reach, [&](std::uint32_t ta, std::uint32_t tb) {
      const Triangle corners_a = a_.body().triangle(ta), corners_b = b_.body().triangle(tb);
      return plane_keeps_away(corners_a, corners_b, reach) || plane_keeps_away(corners_b, corners_a, reach) ||
             closest_points(corners_a, corners_b).distance > reach;
    });
  }

  const PosedSolid& a_;
  const PosedSolid& b_;
  double reach_;
  std::span<const std::array<std::uint32_t, 2>> known_;
  std::vector<SurfaceMating> found_;
};

}  // namespace

std::vector<SurfaceMating> matings(const PosedSolid& a, const PosedSolid& b, double reach,
                                   std::span<const std::array<std::uint32_t, 2>> known) {
  if (!has_analytic(a.mesh()) || !has_analytic(b.mesh())) return {};
  return MatingSearch(a, b, reach, known).run();
}

void exchange(std::vector<SurfaceMating>& matings) {
  for (SurfaceMating& m : matings) std::swap(m.surface_a, m.surface_b);
  std::ranges::sort(matings, {}, [](const SurfaceMating& m) { return std::pair(m.surface_a, m.surface_b); });
}

void scale(std::vector<SurfaceMating>& matings, double factor) noexcept {
  for (SurfaceMating& m : matings) {
    m.offset *= factor;
    if (m.radius_difference) *m.radius_difference *= factor;
    if (m.fit) *m.fit *= factor;
  }
}

}  // namespace snug::assembly
