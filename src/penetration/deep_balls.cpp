#include "penetration/deep_balls.hpp"

#include "geometry/vec_ops.hpp"
#include "penetration/containment.hpp"
#include "penetration/posed_solid.hpp"
#include "query/convex/pair_frame.hpp"
#include "query/convex/signed_gap.hpp"

#include <snug/inspect.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace snug::penetration {

namespace {

/// Places on each axis of the common box that are looked at first, and how many of them are climbed from.
constexpr int k_grid = 5;
constexpr std::size_t k_starts = 2;
/// Bodies this large are not looked into.
constexpr double k_largest = 0x1p500;
/// A climb ends with steps of this share of the box, and after so many: from a box that is thin since the bodies only touch it would
/// lead out without end.
constexpr double k_last_step = 1e-3;
constexpr int k_most_steps = 100;

/// Along axes and diagonals.
constexpr std::array<Vec3, 14> k_ways{{{1, 0, 0},
                                       {-1, 0, 0},
                                       {0, 1, 0},
                                       {0, -1, 0},
                                       {0, 0, 1},
                                       {0, 0, -1},
                                       {1, 1, 1},
                                       {1, 1, -1},
                                       {1, -1, 1},
                                       {1, -1, -1},
                                       {-1, 1, 1},
                                       {-1, 1, -1},
                                       {-1, -1, 1},
                                       {-1, -1, -1}}};

/// A body that can be asked how deep points are in it.
class Body {
 public:
  Body(const Posed& body, DepthMemory& memory) : posed_(body), memory_(memory) {
    if (body.is_mesh()) solid_.emplace(body.shape, body.pose);
  }

  /// No more than the depth of a point, but for rounding; of one outside no more than minus its distance.
  [[nodiscard]] double depth(const Point3& p) const {
    if (solid_) {
      const double far = solid_->surface_distance(p, Filling::holes_filled);
      return solid_->locate(p, Filling::closed_shells) == Side::inside ? closed_depth(p) : -far;
    }
    const Ball ball = ball_of(posed_);
    const double scale = PairScale({p, 0}, ball).scale;
    const std::array<Point3, 1> point{Point3{0, 0, 0}};
    return -signed_gap(Convex(point), in_world_axes(posed_, p, scale), memory_).upper / scale;
  }
  [[nodiscard]] bool holds_a_piece_of(const Body& other) const {
    if (!solid_ || !solid_->has_inside(Filling::closed_shells)) return false;
    const auto holds = [&](const Point3& p) { return solid_->locate(p, Filling::closed_shells) == Side::inside; };
    if (!other.solid_) {
      const Ball ball = ball_of(other.posed_);
      const double scale = PairScale(ball, ball).scale;
      return holds(ball.centre + (1 / scale) * in_world_axes(other.posed_, ball.centre, scale).support({1, 0, 0}));
    }
    if (corner_of_shell_inside(*other.solid_, holds)) return true;
    const auto& topology = other.solid_->topology();
    // Triangles without area belong to no shell.
    for (std::uint32_t t = 0; t < topology.shell_of.size(); ++t)
      if (topology.shell_of[t] == MeshReport::k_no_shell && holds(other.solid_->body().triangle(t)[0])) return true;
    return false;
  }

 private:
  [[nodiscard]] double closed_depth(const Point3& p) const {
    return solid_->surface_distance(p, Filling::closed_shells);
  }

  const Posed posed_;
  DepthMemory& memory_;
  std::optional<PosedSolid> solid_;
};

}  // namespace

DeepBalls deep_balls(const Posed& a, const Posed& b, DepthMemory& memory) {
  const double size = ball_of(a).radius + ball_of(b).radius;
  // Squares of lengths would overflow: nothing is proved then.
  if (!(size < k_largest)) return {ball_of(a).centre, 0, 0};
  const Body of_a(a, memory), of_b(b, memory);
  const auto at = [&](const Point3& p) { return DeepBalls{p, of_a.depth(p), of_b.depth(p)}; };
  const Aabb common = common_box(posed_bounds(a), posed_bounds(b));
  const Vec3 width = common.hi - common.lo;
  std::vector<DeepBalls> found;
  for (int i = 0; i < k_grid; ++i)
    for (int j = 0; j < k_grid; ++j)
      for (int k = 0; k < k_grid; ++k)
        found.push_back(at(common.lo + Vec3{width.x * (i + 0.5) / k_grid, width.y * (j + 0.5) / k_grid,
                                            width.z * (k + 0.5) / k_grid}));
  for (const Posed* body : {&a, &b}) found.push_back(at(ball_of(*body).centre));
  std::ranges::stable_sort(found, std::greater{}, &DeepBalls::depth);
  DeepBalls best = found.front();
  for (std::size_t i = 0; i < std::min(k_starts, found.size()); ++i) {
    DeepBalls top = found[i];
    double step = 0.5 / k_grid;
    for (int taken = 0; step > k_last_step && taken < k_most_steps; ++taken) {
      DeepBalls next = top;
      for (const Vec3& way : k_ways) {
        const Vec3 to = step * Vec3{width.x * way.x, width.y * way.y, width.z * way.z};
        if (const DeepBalls there = at(top.centre + to); there.depth() > next.depth()) next = there;
      }
      if (!(next.depth() > top.depth())) step *= 0.5;
      top = next;
    }
    if (top.depth() > best.depth()) best = top;
  }
  // What plain doubles make of distances.
  const double rounding = 1e-14 * size + 0x1p-50 * max_abs(best.centre);
  best.in_a -= rounding, best.in_b -= rounding;
  return best;
}

bool one_in_other(const Posed& a, const Posed& b) {
  if (apart(posed_bounds(a), posed_bounds(b), 0)) return false;
  DepthMemory unused;
  const Body of_a(a, unused), of_b(b, unused);
  return of_a.holds_a_piece_of(of_b) || of_b.holds_a_piece_of(of_a);
}

}  // namespace snug::penetration
