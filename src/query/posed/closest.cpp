#include "geometry/closest_points.hpp"
#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "query/posed/plane_keeps_away.hpp"
#include "query/posed/surface.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace snug::query {

namespace {

/// Triangles that share an edge are often equally close, and rounding should not choose among them.
constexpr double k_as_close = 1 + 0x1p-40;

/// How squarely both triangles face the gap between them: 2 at most, less for those that reach it with an edge.
double facing_of(const Triangle& a, const Triangle& b, const ClosestPoints& points) noexcept {
  const Vec3 gap = points.on_b - points.on_a;
  const auto cosine = [&](const Triangle& t) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double lengths2 = dot(n, n) * dot(gap, gap);
    return lengths2 > 0 ? std::abs(dot(n, gap)) / std::sqrt(lengths2) : 0;
  };
  return cosine(a) + cosine(b);
}

class Search {
 public:
  Search(const PosedMesh& a, const PosedMesh& b, double reach) : a_(a), b_(b), reach_(reach) {}

  std::optional<ClosestPair> run() {
    if (!a_.empty() && !b_.empty()) visit({0, 0}, gap_below(a_.box(0), b_.box(0)));
    if (best_) best_->points.distance = precise_distance(a_.triangle(best_->a), b_.triangle(best_->b));
    return best_;
  }

 private:
  /// Equal distances are looked at as well: of those the pair that faces the gap wins.
  [[nodiscard]] bool worth(double gap) const noexcept { return gap <= reach_; }

  void visit(NodePair pair, double gap) {
    if (!worth(gap)) return;
    const AabbTree::Node &node_a = a_.tree().nodes[pair.a], &node_b = b_.tree().nodes[pair.b];
    if (node_a.leaf() && node_b.leaf()) return visit_leaves(node_a, node_b);
    auto [near, far] = opened(a_.tree(), b_.tree(), pair);
    double near_gap = gap_below(a_.box(near.a), b_.box(near.b)), far_gap = gap_below(a_.box(far.a), b_.box(far.b));
    if (far_gap < near_gap) std::swap(near, far), std::swap(near_gap, far_gap);
    visit(near, near_gap);
    visit(far, far_gap);
  }

  void visit_leaves(const AabbTree::Node& node_a, const AabbTree::Node& node_b) {
    if (a_.stopped() || b_.stopped()) return;
    for (std::uint32_t i = node_a.begin; i < node_a.end; ++i)
      for (std::uint32_t j = node_b.begin; j < node_b.end; ++j) {
        const std::uint32_t ta = a_.tree().order[i], tb = b_.tree().order[j];
        if (worth(gap_below(a_.box_of_triangle(ta), b_.box_of_triangle(tb)))) offer(ta, tb);
      }
  }

  void offer(std::uint32_t ta, std::uint32_t tb) {
    const Triangle corners_a = a_.triangle(ta), corners_b = b_.triangle(tb);
    if (plane_keeps_away(corners_a, corners_b, reach_) || plane_keeps_away(corners_b, corners_a, reach_)) return;
    const ClosestPoints points = closest_points(corners_a, corners_b);
    if (points.distance > reach_) return;
    smallest_ = std::min(smallest_, points.distance);
    reach_ = std::min(reach_, smallest_ * k_as_close);
    const double facing = facing_of(corners_a, corners_b, points);
    const bool overtaken = best_ && best_->points.distance > reach_;
    const bool faces_better = facing > facing_ + 1e-6;
    const bool smaller = facing > facing_ - 1e-6 && best_ && std::pair(ta, tb) < std::pair(best_->a, best_->b);
    if (best_ && !overtaken && !faces_better && !smaller) return;
    best_ = ClosestPair{ta, tb, points};
    facing_ = facing;
  }

  const PosedMesh& a_;
  const PosedMesh& b_;
  double reach_;
  double smallest_ = std::numeric_limits<double>::infinity();
  std::optional<ClosestPair> best_;
  double facing_ = 0;
};

}  // namespace

std::optional<ClosestPair> tree_closest(const PosedMesh& a, const PosedMesh& b, double reach) {
  return Search(a, b, reach).run();
}

}  // namespace snug::query
