#include "verdict/winds_once.hpp"

#include "geometry/ray_count.hpp"
#include "geometry/vec_ops.hpp"
#include "query/surface/descend.hpp"

#include <snug/triangle.hpp>

namespace snug::detail {

namespace {

bool shells_cross(const PosedSolid& solid) {
  const PosedBody& body = solid.body();
  const auto& shell_of = solid.topology().shell_of;
  return !descend(body, body, {0, 0}, 0, [&](std::uint32_t t, std::uint32_t u) {
    return shell_of[t] >= shell_of[u] || relation(body.triangle(t), body.triangle(u)) != Relation::crossing;
  });
}

/// How often all other shells wind around a shell's first corner. Shells that touch there may be counted or not: either
/// answer errs towards leaving a volume out.
int winding_of_others(const PosedSolid& solid, std::uint32_t shell) {
  const PosedBody& body = solid.body();
  const Point3 p = body.triangle(solid.topology().first_of_shell[shell])[0];
  int winding = 0;
  descend_one(
      body,
      [&](const Aabb& box) {
        return box.hi.x >= p.x && box.lo.y <= p.y && p.y <= box.hi.y && box.lo.z <= p.z && p.z <= box.hi.z;
      },
      [&](std::uint32_t t) {
        if (solid.topology().shell_of[t] != shell) (void)count_crossing(p, body.triangle(t), winding);
      });
  return winding;
}

double signed_volume(const PosedSolid& solid, std::uint32_t shell) {
  const Point3 origin = solid.body().triangle(solid.topology().first_of_shell[shell])[0];
  double sum = 0;
  for (std::uint32_t t = 0; t < solid.topology().shell_of.size(); ++t) {
    if (solid.topology().shell_of[t] != shell) continue;
    const Triangle c = solid.body().triangle(t);
    sum += dot(c[0] - origin, cross(c[1] - origin, c[2] - origin));
  }
  return sum;
}

}  // namespace

bool winds_once(const PosedSolid& solid) {
  if (solid.topology().shells() <= 1) return true;
  for (std::uint32_t shell = 0; shell < solid.topology().shells(); ++shell) {
    const bool outward = solid.orientation() * signed_volume(solid, shell) > 0;
    if (solid.orientation() * winding_of_others(solid, shell) != (outward ? 0 : 1)) return false;
  }
  return !shells_cross(solid);
}

}  // namespace snug::detail
