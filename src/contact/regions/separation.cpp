#include "contact/regions/separation.hpp"

#include "contact/regions/creases.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <utility>

namespace snug::contact {

namespace {
constexpr double k_shrinks = 1 - k_rounding;
}  // namespace

Separation Separator::walk(Triangles a, Triangles b, const Vec3& start, bool grows) {
  Separation best;
  if (start == Vec3{} || !depth_.find(a, b, start, grows)) return best;
  best = {true, start, depth_.deepest().depth};
  // Below zero the patches are apart along the direction: nothing is left to be shortened.
  for (Vec3 next = depth_.deepest().normal; best.depth > 0 && next != Vec3{} && next != best.normal;) {
    if (!depth_.find(a, b, next, grows) || !(depth_.deepest().depth < k_shrinks * best.depth)) break;
    best = {true, next, depth_.deepest().depth, best.steps + 1};
    next = depth_.deepest().normal;
  }
  return best;
}

Separation Separator::from(Triangles a, Triangles b, const Vec3& start, bool grows) {
  if (normal_ == RayContactOptions::Normal::minimum) {
    // A walk may end in a local minimum beside the shortest. Faces of the patches that do not lead against the area vector are tried too.
    Separation best = walk(a, b, start, grows);
    for (const Vec3& direction : face_directions(a, b)) {
      if (!(dot(direction, start) > 0)) continue;
      const Separation one = walk(a, b, direction, grows);
      if (best.found && one.better_than(best)) best = one;
    }
    return best;
  }
  if (start == Vec3{} || !depth_.find(a, b, start, grows)) return {};
  return {true, start, depth_.deepest().depth};
}

Separation Separator::shortest(Triangles a, Triangles b, Triangles faces_a, Triangles faces_b) {
  Separation best;
  const std::span<const Vec3> starts = face_directions(faces_a, faces_b);
  if (normal_ == RayContactOptions::Normal::minimum) {
    for (const Vec3& start : starts)
      if (const Separation one = walk(a, b, start, false); one.better_than(best)) best = one;
    return best;
  }
  // One walk, from the shortest of the starts. All of the bodies is at least as deep along a direction as some of their faces, so that those
  // along which the faces alone are as deep as the best are not looked at.
  bounds_.clear();
  for (const Vec3& start : starts)
    bounds_.push_back({depth_.find(faces_a, faces_b, start, false) ? depth_.deepest().depth : 0, start});
  std::ranges::sort(bounds_, {}, [](const Bound& bound) { return std::pair(bound.depth, bound.direction); });
  for (const Bound& bound : bounds_) {
    if (best.found && !(bound.depth < best.depth)) break;
    if (!depth_.find(a, b, bound.direction, false)) continue;
    const Separation one{true, bound.direction, depth_.deepest().depth};
    if (one.better_than(best)) best = one;
  }
  return best.found ? walk(a, b, best.normal, false) : best;
}

std::span<const Vec3> Separator::face_directions(Triangles a, Triangles b) {
  directions_.clear();
  const auto offer = [&](const Vec3& n) {
    if (n == Vec3{}) return;
    if (std::ranges::none_of(directions_, [&](const Vec3& d) { return dot(n, d) > k_same_direction; }))
      directions_.push_back(n);
  };
  for (const std::uint32_t t : b) offer(bodies_[1]->outward(t));
  for (const std::uint32_t t : a) offer(-bodies_[0]->outward(t));
  return directions_;
}

}  // namespace snug::contact
