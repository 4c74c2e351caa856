#include "scenes/dragon.hpp"

#include "scenes/animals.hpp"
#include "scenes/blob.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace snug::scenes {

namespace {

/// The spine from the head to the tip of the tail, with the radius of the body there.
struct Joint {
  Point3 at;
  double radius;
};
constexpr std::array<Joint, 9> k_spine{{{{1.75, 0, 2.55}, 0.26},
                                        {{1.35, 0, 2.35}, 0.24},
                                        {{1.0, 0, 1.9}, 0.3},
                                        {{0.55, 0, 1.4}, 0.5},
                                        {{-0.3, 0, 1.25}, 0.55},
                                        {{-1.0, 0.1, 1.0}, 0.36},
                                        {{-1.6, 0.35, 0.7}, 0.24},
                                        {{-2.15, 0.3, 0.45}, 0.15},
                                        {{-2.6, -0.05, 0.45}, 0.07}}};

}  // namespace

Mesh dragon(std::uint32_t vertices) {
  Blob b;
  for (std::size_t i = 0; i + 1 < k_spine.size(); ++i)
    b.limb("spine", k_spine[i].at, k_spine[i].radius, k_spine[i + 1].at, k_spine[i + 1].radius, i == 0 ? 0 : 0.12);
  b.limb("snout", {1.8, 0, 2.5}, 0.22, {2.2, 0, 2.35}, 0.13, 0.1);
  for (std::size_t i = 1; i + 1 < k_spine.size(); ++i)
    for (const double share : {0.0, 0.33, 0.67}) {
      const Joint &from = k_spine[i], &to = k_spine[i + 1];
      const Point3 at = from.at + share * (to.at - from.at);
      const double radius = from.radius + share * (to.radius - from.radius);
      const Point3 root = at + Vec3{0, 0, 0.8 * radius};
      b.limb("spikes", root, 0.06, root + Vec3{-0.1, 0, 0.2 * radius + 0.14}, 0.02, 0.04);
    }
  for (const double side : {1.0, -1.0}) {
    b.limb("horns", {1.6, side * 0.14, 2.7}, 0.08, {1.2, side * 0.26, 3.0}, 0.025, 0.04);
    b.ellipsoid("eyes", {1.9, side * 0.17, 2.62}, {0.07, 0.06, 0.07}, 0.02);
    for (const auto& [hip, knee, foot] :
         {std::array<Point3, 3>{{{0.6, 0.35, 1.15}, {0.85, 0.5, 0.65}, {0.75, 0.5, 0.14}}},
          std::array<Point3, 3>{{{-0.55, 0.35, 1.05}, {-0.3, 0.55, 0.6}, {-0.6, 0.55, 0.14}}}}) {
      const auto on_side = [side = side](const Point3& p) { return Point3{p.x, side * p.y, p.z}; };
      b.limb("legs", on_side(hip), 0.26, on_side(knee), 0.18, 0.1);
      b.limb("legs", on_side(knee), 0.17, on_side(foot), 0.12, 0.05);
      for (const double toe : {-0.13, 0.0, 0.13})
        b.limb("toes", on_side(foot), 0.1, on_side(foot + Vec3{0.3, toe, -0.06}), 0.05, 0.03);
    }
    b.limb("wings", {0.3, side * 0.35, 1.65}, 0.1, {-0.1, side * 0.9, 2.6}, 0.06, 0.06);
    for (const double along : {-0.5, -0.85, -1.2})
      b.limb("wings", {-0.1, side * 0.9, 2.6}, 0.06, {along, side * (1.5 + 0.3 * along), 1.6}, 0.035, 0.04);
  }
  return skin(b, 0.0145, vertices);
}

}  // namespace snug::scenes
