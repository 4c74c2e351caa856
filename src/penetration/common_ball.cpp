#include "penetration/common_ball.hpp"

#include "geometry/point_triangle.hpp"
#include "geometry/smallest_of_hull.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/places.hpp"
#include "query/posed/descend.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::penetration {

namespace {

/// From how many of the best places the search climbs.
constexpr std::size_t k_climbs = 4;
/// Directions taken into account at once; more surfaces than that at the same distance are rare and add little.
constexpr std::size_t k_max_directions = 128;
/// The search for the direction in which to grow ends after so many steps, or where one gains no more.
constexpr int k_hull_steps = 60;
constexpr double k_hull_gain = 1e-12;

/// Whether triangles are the surface, or stand for faces that are somewhere within their sags.
enum class Faces : std::uint8_t { as_meshed, within_sag };

double distance_from(const PosedSolid& solid, std::uint32_t triangle, const Point3& p, Faces faces) {
  if (faces == Faces::within_sag) return solid.face_distance(p, triangle);
  const Vec3 d = p - closest_point(p, solid.body().triangle(triangle));
  return std::sqrt(dot(d, d));
}

std::vector<Vec3> directions_from(const PosedSolid& a, const PosedSolid& b, Filling filling, Faces faces,
                                  const Point3& p, double reach) {
  std::vector<std::pair<double, Vec3>> found;
  for (const PosedSolid* solid : {&a, &b}) {
    const Aabb around = grown({p, p}, reach + (faces == Faces::within_sag ? solid->sag().largest() : 0));
    descend_one(
        solid->body(), [&](const Aabb& box) { return box.overlaps(around); },
        [&](std::uint32_t t) {
          if (!solid->counts(t, filling)) return;
          const Vec3 d = p - closest_point(p, solid->body().triangle(t));
          const double length = std::sqrt(dot(d, d)), distance = distance_from(*solid, t, p, faces);
          if (length > 0 && distance <= reach) found.emplace_back(distance, (1 / length) * d);
        });
  }
  std::ranges::sort(found);
  if (found.size() > k_max_directions) found.resize(k_max_directions);
  std::vector<Vec3> directions;
  directions.reserve(found.size());
  for (const auto& [length, direction] : found) directions.push_back(direction);
  return directions;
}

class BallSearch {
 public:
  BallSearch(const PosedSolid& a, const PosedSolid& b, Filling filling, Faces faces)
      : a_(a), b_(b), filling_(filling), faces_(faces), common_(common_box(a.body().bounds(), b.body().bounds())) {}

  /// Radius of the ball around p inside both, or a negative number.
  [[nodiscard]] double radius(const Point3& p) const {
    // Flush parts have a box without an inside in common: most places are out of it.
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!(common_.lo[axis] < p[axis] && p[axis] < common_.hi[axis])) return -1;
    // Places come in runs outside of the same body: the one that turned the last down is asked first.
    if (likely_outside_->locate(p, filling_) != Side::inside) return -1;
    const PosedSolid* const other = likely_outside_ == &a_ ? &b_ : &a_;
    if (other->locate(p, filling_) != Side::inside) {
      likely_outside_ = other;
      return -1;
    }
    if (faces_ == Faces::within_sag) return std::min(a_.face_distance(p), b_.face_distance(p));
    return std::min(a_.surface_distance(p, filling_), b_.surface_distance(p, filling_));
  }

  /// Climbs by steepest ascent, from steps of `first` times the radius down to `last` times, where they no longer help.
  [[nodiscard]] CommonBall climb(CommonBall ball, double first, double last) const {
    double step = first * ball.radius;
    SNUG_ASSERT(ball.radius > 0 && first > 0 && last > 0);
    [[maybe_unused]] const CommonBall from = ball;
    for (int tries = 0; tries < 200 && step > last * ball.radius; ++tries) {
      const auto directions = directions_from(a_, b_, filling_, faces_, ball.centre, ball.radius + step);
      if (directions.empty()) break;
      const Vec3 uphill = smallest_of_hull(directions, k_hull_steps, k_hull_gain, [] {});
      const double slope = std::sqrt(dot(uphill, uphill));
      if (slope > 1e-3) {
        const Point3 next = ball.centre + (step / slope) * uphill;
        if (const double r = radius(next); r > ball.radius) {
          ball = {next, r};
          step *= 1.5;
          continue;
        }
      }
      step *= 0.5;
    }
    SNUG_ASSERT(ball.radius >= from.radius);
    return ball;
  }

  /// What the radius is for certain.
  [[nodiscard]] double certified_radius(const CommonBall& ball) const {
    double r = ball.radius;
    const Triangle point{{ball.centre, ball.centre, ball.centre}};
    for (const PosedSolid* solid : {&a_, &b_}) {
      const double slack = faces_ == Faces::within_sag ? solid->sag().largest() : 0;
      const Aabb reach = grown({ball.centre, ball.centre}, 1.001 * (ball.radius + slack));
      descend_one(
          solid->body(), [&](const Aabb& box) { return box.overlaps(reach); },
          [&](std::uint32_t t) {
            if (!solid->counts(t, filling_)) return;
            const Triangle corners = solid->body().triangle(t);
            double extent = 0;
            for (const Point3& c : corners.corner) extent = std::max(extent, max_abs(c - ball.centre));
            // The bounds that closest_points() states.
            const double distance = faces_ == Faces::within_sag ? solid->face_distance(ball.centre, t) * (1 - 1e-9)
                                                                : closest_points(point, corners).distance;
            r = std::min(r, distance * (1 - 1e-12) - 2e-15 * extent);
          });
    }
    SNUG_ASSERT(r <= ball.radius);
    return r;
  }

 private:
  const PosedSolid& a_;
  const PosedSolid& b_;
  Filling filling_;
  Faces faces_;
  Aabb common_;
  mutable const PosedSolid* likely_outside_ = &a_;  ///< shows in nothing but time
};

std::optional<CommonBall> find_ball(const PosedSolid& a, const PosedSolid& b, Filling filling, Faces faces,
                                    std::span<const TrianglePair> pairs, double finest) {
  if (!a.has_inside(filling) || !b.has_inside(filling)) return std::nullopt;
  const BallSearch search(a, b, filling, faces);
  std::vector<CommonBall> found;
  const auto look = [&](std::size_t enough) {
    return [&, enough](const Point3& p) {
      if (const double r = search.radius(p); 2 * r > finest) found.push_back({p, r});
      return found.size() < enough && !a.body().stopped();
    };
  };
  for_some_places(a, b, pairs, look(64));
  if (found.empty()) for_every_place(a, b, pairs, finest, look(8));
  std::ranges::stable_sort(found, std::greater{}, &CommonBall::radius);
  std::optional<CommonBall> best;
  for (std::size_t i = 0; i < std::min(found.size(), k_climbs); ++i) {
    const CommonBall top = search.climb(found[i], 1, 0.02);
    if (!best || top.radius > best->radius) best = top;
  }
  if (!best) return best;
  best = search.climb(*best, 0.02, 1e-8);
  best->radius = search.certified_radius(*best);
  return best->radius > 0 ? best : std::nullopt;
}

}  // namespace

std::vector<Vec3> directions_from_surfaces(const PosedSolid& a, const PosedSolid& b, Filling filling, const Point3& p,
                                           double reach) {
  return directions_from(a, b, filling, Faces::as_meshed, p, reach);
}

std::optional<CommonBall> find_common_ball(const PosedSolid& a, const PosedSolid& b, Filling filling,
                                           std::span<const TrianglePair> pairs, double finest) {
  return find_ball(a, b, filling, Faces::as_meshed, pairs, finest);
}

std::optional<CommonBall> find_firm_ball(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                         double finest) {
  return find_ball(a, b, Filling::closed_shells, Faces::within_sag, pairs, finest);
}

}  // namespace snug::penetration
