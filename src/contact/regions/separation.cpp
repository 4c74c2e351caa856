#include "contact/regions/separation.hpp"

#include "contact/regions/creases.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace snug::contact {

namespace {
constexpr double k_shrinks = 1 - k_rounding;
}  // namespace

Separation Separator::walk(const Vec3& start, bool grows) {
  Separation best;
  if (start == Vec3{} || !depth_.find(start, grows)) return best;
  best = {true, start, depth_.deepest().depth};
  // Below zero the patches are apart along the direction: nothing is left to be shortened.
  for (Vec3 next = depth_.deepest().normal; best.depth > 0 && next != Vec3{} && next != best.normal;) {
    if (!depth_.find(next, grows) || !(depth_.deepest().depth < k_shrinks * best.depth)) break;
    best = {true, next, depth_.deepest().depth, best.steps + 1};
    next = depth_.deepest().normal;
  }
  return best;
}

Separation Separator::from(Triangles a, Triangles b, const Vec3& start, bool grows) {
  depth_.take(a, b);
  if (normal_ == RayContactOptions::Normal::smooth) {
    if (start == Vec3{} || !depth_.find(start, grows)) return {};
    return {true, start, depth_.deepest().depth};
  }
  // A walk may end in a local minimum beside the shortest. Faces of the patches that do not lead against the area vector are tried too.
  Separation best = walk(start, grows);
  if (!best.found) return best;
  for (const Start& other : starts_of(a, b, start)) {
    const Separation one = walk(other.direction, grows);
    if (one.better_than(best)) best = one;
  }
  return best;
}

Separation Separator::from_wall(Triangles a, Triangles b, const Vec3& start) {
  if (normal_ == RayContactOptions::Normal::smooth) return from(a, b, start, true);
  depth_.take(a, b);
  return walk(start, true);
}

Separation Separator::from_any(Triangles a, Triangles b, std::span<const Vec3> starts) {
  depth_.take(a, b);
  Separation best;
  for (const Vec3& start : starts.first(std::min(starts.size(), most_starts(a, b))))
    if (const Separation one = walk(start, true); one.better_than(best)) best = one;
  return best;
}

Separation Separator::shortest(Triangles a, Triangles b, Triangles faces_a, Triangles faces_b, bool grows) {
  depth_.take(a, b);
  Separation best;
  for (const Start& start : starts_of(faces_a, faces_b, {}))
    if (const Separation one = walk(start.direction, grows); one.better_than(best)) best = one;
  return best;
}

std::span<const SeparatorMemory::Start> Separator::starts_of(Triangles a, Triangles b, const Vec3& along) {
  starts_.clear();
  for (const Vec3& direction : face_directions(a, b))
    if (along == Vec3{} || dot(direction, along) > 0)
      starts_.push_back(
          {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), direction});
  const auto reach = [&](std::size_t side, Triangles triangles) {
    for (const std::uint32_t t : triangles) {
      if (fuel_ != nullptr && !fuel_->spend(1 + starts_.size())) return;
      for (const Point3& p : bodies_[side]->posed(t).corner)
        for (Start& start : starts_) {
          double& furthest = side == 0 ? start.before_a : start.beyond_b;
          furthest = std::max(furthest, (side == 0 ? -1 : 1) * dot(start.direction, p));
        }
    }
  };
  reach(0, a), reach(1, b);
  std::ranges::sort(starts_, {}, [](const Start& s) { return std::pair(s.before_a + s.beyond_b, s.direction); });
  return std::span(starts_).first(std::min(starts_.size(), most_starts(a, b)));
}

std::size_t Separator::most_starts(Triangles a, Triangles b) noexcept {
  return 1 + k_looks / std::max<std::size_t>(a.size() + b.size(), 1);
}

std::span<const Vec3> Separator::face_directions(Triangles a, Triangles b) {
  directions_.clear();
  const auto offer = [&](const Vec3& n) {
    if (n == Vec3{}) return;
    if (std::ranges::none_of(directions_, [&](const Vec3& d) { return dot(n, d) > k_same_direction; }))
      directions_.push_back(n);
  };
  const auto offer_all = [&](std::size_t side, Triangles triangles) {
    for (const std::uint32_t t : triangles) {
      if (fuel_ != nullptr && !fuel_->spend(1 + directions_.size())) return;
      const Vec3 out = bodies_[side]->outward(t);
      offer(side == 0 ? -out : out);
    }
  };
  offer_all(1, b), offer_all(0, a);
  return directions_;
}

}  // namespace snug::contact
