#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// Bodies of few large triangles that lie on one another: contacts must span what they lie on, not one end of it.

namespace snug {
namespace {

using scenes::Random;

struct Point2 {
  double x, y;
  friend auto operator<=>(const Point2&, const Point2&) = default;
};
using Polygon = std::vector<Point2>;

double turn_of(const Point2& a, const Point2& b, const Point2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double area_of(const Polygon& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point2 &a = p[i], &b = p[(i + 1) % p.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return 0.5 * twice;
}

/// What of a convex polygon lies left of every side of another, both counter-clockwise.
Polygon common(Polygon p, const Polygon& by) {
  for (std::size_t k = 0; k < by.size(); ++k) {
    const Point2 &a = by[k], &b = by[(k + 1) % by.size()];
    Polygon left;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Point2 &u = p[i], &v = p[(i + 1) % p.size()];
      const double at_u = turn_of(a, b, u), at_v = turn_of(a, b, v);
      if (at_u >= 0) left.push_back(u);
      if ((at_u < 0) != (at_v < 0)) {
        const double t = at_u / (at_u - at_v);
        left.push_back({u.x + t * (v.x - u.x), u.y + t * (v.y - u.y)});
      }
    }
    p = left;
  }
  return p;
}

Polygon hull_of(Polygon p) {
  std::ranges::sort(p);
  Polygon hull;
  for (int half = 0; half < 2; ++half) {
    const std::size_t start = hull.size();
    for (const Point2& q : p) {
      while (hull.size() >= start + 2 && turn_of(hull[hull.size() - 2], hull.back(), q) <= 0) hull.pop_back();
      hull.push_back(q);
    }
    hull.pop_back();
    std::ranges::reverse(p);
  }
  return hull;
}

/// A box that lies on a plate, sunk in and a little tilted, some of them hanging over its rim; the whole turned anyhow.
struct Lying {
  Vec3 half;         ///< of the box
  double sunk, yaw;  ///< where it is least deep; on the plate
  double slope;      ///< from one end to the other it gets deeper by half as much again at most
  Vec3 offset;
  Pose world;

  explicit Lying(Random& random) {
    half = {random.uniform(0.2, 0.8), random.uniform(0.2, 0.8), random.uniform(0.1, 0.4)};
    sunk = 0.01 * random.uniform(0.1, 1);
    yaw = random.below(8) == 0 ? 0 : random.uniform(0, 6.28);
    slope = random.below(2) == 0 ? 0 : 0.25 * sunk * random.uniform(-1, 1);
    // At least the middle of the box is on the plate, whose sides are 2.
    offset = random.below(3) == 0 ? Vec3{} : Vec3{random.uniform(-0.95, 0.95), random.uniform(-0.95, 0.95), 0};
    world = Pose::make(random.rotation(), random.point(-3, 3)).value();
  }
  [[nodiscard]] Pose box_pose(double raised = 0) const {
    const Pose tilt = rotation({1, 0, 0}, std::atan(slope / half.y));
    const Pose on_plate = compose(translation(offset.x, offset.y, half.z - sunk - std::abs(slope) + raised),
                                  compose(rotation({0, 0, 1}, yaw), tilt));
    return compose(world, on_plate);
  }
  [[nodiscard]] Polygon overlap() const {
    const double c = std::cos(yaw), s = std::sin(yaw);
    Polygon foot;
    for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
      const double u = x * half.x, v = y * half.y;
      foot.push_back({offset.x + c * u - s * v, offset.y + s * u + c * v});
    }
    return common(foot, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  }
};

double spanned(const Contacts& found, const Pose& world) {
  const auto& m = world.matrix();
  Polygon places;
  for (const Contact& c : found.contacts) {
    if (c.predicted) continue;
    const Vec3 d = (0.5 * c.on_a + 0.5 * c.on_b) - world.translation();
    places.push_back({m[0] * d.x + m[3] * d.y + m[6] * d.z, m[1] * d.x + m[4] * d.y + m[7] * d.z});
  }
  return places.size() < 3 ? 0 : area_of(hull_of(places));
}

/// The largest area that any four of them span of which one is as deep as the deepest.
double best_four(const Contacts& found, const Pose& world) {
  const std::size_t n = found.contacts.size();
  if (n <= 4) return spanned(found, world);
  double deepest = 0, best = 0;
  for (const Contact& c : found.contacts) deepest = std::max(deepest, c.depth);
  for (std::size_t i = 0; i < n; ++i) {
    if (found.contacts[i].depth < (1 - 1e-9) * deepest) continue;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = j + 1; k < n; ++k)
        for (std::size_t l = k + 1; l < n; ++l) {
          Contacts four;
          for (const std::size_t at : {i, j, k, l}) four.contacts.push_back(found.contacts[at]);
          best = std::max(best, spanned(four, world));
        }
  }
  return best;
}

TEST(ContactArea, OfABoxOnAPlateIsCovered) {
  const Shape plate(scenes::box({-1, -1, -0.5}, {1, 1, 0}));
  Scratch scratch;
  std::uint64_t overhanging = 0, quadrangles = 0, all = 0, slanted = 0, lost = 0;
  double least = 1, least_reduced = 1;
  for (std::uint64_t seed = 0; seed < test::scaled(4000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Lying lying(random);
    const Shape box(scenes::box(-1 * lying.half, lying.half));
    const Polygon corners = lying.overlap();
    const double area = area_of(corners);
    overhanging += area < 0.99 * 4 * lying.half.x * lying.half.y ? 1 : 0;
    Contacts found = contacts(box, lying.box_pose(), plate, lying.world, scratch).value();
    least = std::min(least, spanned(found, lying.world) / area);
    ASSERT_GE(spanned(found, lying.world), 0.8 * area);
    // Upright, and hardly deeper than it is; but for corners that are nearer to a side, by which their rays leave.
    const Vec3 up = compose(lying.world, translation(0, 0, 1)).translation() - lying.world.translation();
    const double deepest = lying.sunk + 2 * std::abs(lying.slope);
    for (const Contact& c : found.contacts) {
      ++all;
      const bool upright = c.normal.x * up.x + c.normal.y * up.y + c.normal.z * up.z > 0.99;
      slanted += upright ? 0 : 1;
      ASSERT_LE(c.depth, (upright ? 1.25 : 1.5) * deepest);
    }
    // Four points can not cover 80 % of every polygon with more corners; then they cover nearly as much as any four do.
    const double four = best_four(found, lying.world);
    reduce(found);
    least_reduced = std::min(least_reduced, spanned(found, lying.world) / area);
    ASSERT_GE(spanned(found, lying.world), 0.9 * four);
    if (corners.size() <= 4) {
      ASSERT_GE(spanned(found, lying.world), 0.8 * area);
      ++quadrangles;
    }
    // The same of a tracker. A little later, a ray may have been lost.
    ContactTracker tracker;
    ASSERT_GE(spanned(contacts(box, lying.box_pose(), plate, lying.world, tracker), lying.world), 0.8 * area);
    const Contacts later = contacts(box, lying.box_pose(0.1 * lying.sunk), plate, lying.world, tracker);
    lost += spanned(later, lying.world) < 0.8 * area ? 1 : 0;
  }
  EXPECT_LE(lost, test::scaled(4000) / 200);
  EXPECT_GT(overhanging, test::scaled(4000) / 4);
  EXPECT_GT(quadrangles, test::scaled(4000) / 4);
  EXPECT_LT(slanted, all / 50);
  RecordProperty("lost", std::to_string(lost));
  RecordProperty("least_share", std::to_string(least));
  RecordProperty("least_share_reduced", std::to_string(least_reduced));
}

TEST(ContactArea, EdgesAreNotToldFarDeeperThanBodiesAre) {
  // Boxes that lie on a plate more or less tilted, and hang over its rim. A ray from an edge that stands on the plate runs along
  // under its surface and comes out far away, at the rim.
  const Shape plate(scenes::box({-1, -1, -0.5}, {1, 1, 0}));
  Scratch scratch;
  std::uint64_t edges = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(3000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(7 * seed);
    const Vec3 half{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 0.6)};
    const Shape box(scenes::box(-1 * half, half));
    const double sunk = 0.1 * random.uniform(0.05, 1);
    const Pose turned =
        compose(rotation({0, 0, 1}, random.uniform(0, 6.28)), rotation({1, 0, 0}, random.uniform(-0.1, 0.1)));
    const Pose pose = compose(translation(random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), half.z - sunk), turned);
    double lowest = 0;
    for (const Point3& v : box.mesh().vertices()) lowest = std::min(lowest, pose.apply(v).z);
    const Contacts found = contacts(box, pose, plate, {}, scratch).value();
    double vertices = 0;  // which get out the way their rays go
    for (const Contact& c : found.contacts)
      if (c.source != Contact::Source::triangles) vertices = std::max(vertices, c.depth);
    for (const Contact& c : found.contacts) {
      if (c.source != Contact::Source::triangles) continue;
      ++edges;
      ASSERT_LE(c.depth, std::max(1.5 * vertices, 2 * -lowest));
    }
  }
  EXPECT_GT(edges, test::scaled(3000) / 4);
}

}  // namespace
}  // namespace snug
