#include "contact/regions/separation.hpp"

#include "contact/regions/creases.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>

namespace snug::contact {

namespace {
constexpr double k_shrinks = 1 - k_rounding;
}  // namespace

Separation Separator::walk(const Patch& a, const Patch& b, const Vec3& start, bool grows) {
  Separation best;
  if (start == Vec3{} || !depth_.find(a, b, start, grows)) return best;
  best = {true, start, depth_.deepest().depth};
  for (Vec3 next = depth_.deepest().normal; next != Vec3{} && next != best.normal;) {
    if (!depth_.find(a, b, next, grows) || !(depth_.deepest().depth < k_shrinks * best.depth)) break;
    best = {true, next, depth_.deepest().depth};
    next = depth_.deepest().normal;
  }
  return best;
}

Separation Separator::from(const Patch& a, const Patch& b, const Vec3& start, bool grows) {
  if (normal_ == ContactRegionOptions::Normal::minimum) {
    // A walk may end in a local minimum beside the shortest. Faces of the patches that do not lead against the area vector are tried too.
    Separation best = walk(a, b, start, grows);
    for (const Vec3& direction : face_directions(bodies_, a, b)) {
      if (!(dot(direction, start) > 0)) continue;
      const Separation one = walk(a, b, direction, grows);
      if (best.found && one.found && one.depth < k_shrinks * best.depth) best = one;
    }
    return best;
  }
  if (start == Vec3{} || !depth_.find(a, b, start, grows)) return {};
  return {true, start, depth_.deepest().depth};
}

Separation Separator::shortest(const Patch& a, const Patch& b, std::span<const Vec3> starts) {
  Separation best;
  for (const Vec3& start : starts)
    if (const Separation one = walk(a, b, start, false); one.found && (!best.found || one.depth < best.depth))
      best = one;
  return best;
}

std::vector<Vec3> face_directions(const RegionBodies& bodies, const Patch& a, const Patch& b) {
  std::vector<Vec3> directions;
  const auto offer = [&](const Vec3& n) {
    if (n == Vec3{}) return;
    if (std::ranges::none_of(directions, [&](const Vec3& d) { return dot(n, d) > k_same_direction; }))
      directions.push_back(n);
  };
  for (const std::uint32_t t : b) offer(bodies[1]->outward(t));
  for (const std::uint32_t t : a) offer(-bodies[0]->outward(t));
  return directions;
}

}  // namespace snug::contact
