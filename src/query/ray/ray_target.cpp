#include "query/ray/ray_target.hpp"

#include "geometry/ray_count.hpp"
#include "query/shape_data.hpp"

namespace snug::detail {

RayTarget::RayTarget(const Shape& body, const Pose& pose, RayContactOptions::Traversal traversal,
                     Instructions instructions)
    : body_(body),
      pose_(pose),
      contact_mesh_(Access::data(body).contact_mesh()),
      view_(body.mesh().view()),
      traversal_(traversal),
      walk_(body, pose, kernels_for(instructions)) {}

bool RayTarget::touches(std::uint32_t triangle, std::uint32_t place) const noexcept {
  const MeshLinks& links = contact_mesh_.links();
  const Index3& corners = view_.triangles[triangle];
  return links.place[corners[0]] == place || links.place[corners[1]] == place || links.place[corners[2]] == place;
}

void RayTarget::offer(const Ray& ray, const LineReach& reach, std::uint32_t triangle, LineHits& hits) const noexcept {
  const Triangle t = posed(triangle);
  const auto offer_one = [&](const Ray& along, double limit, bool ahead, std::optional<LineHit>& first) {
    const auto hit = ray_hit(along, t);
    if (!hit || !(hit->t <= limit)) return;
    const bool begins = ahead && hit->t == 0;
    if (begins && (hit->kind == RayHitKind::grazing || hit->from_inside == contact_mesh_.inverted())) return;
    auto& best = begins ? hits.at_once : first;
    if (!best || hit->t < best->t || (hit->t == best->t && triangle < best->triangle))
      best = LineHit{hit->t, triangle, hit->from_inside, hit->kind == RayHitKind::grazing};
  };
  if (reach.ahead >= 0) offer_one(ray, reach.ahead, true, hits.ahead);
  if (reach.behind >= 0) offer_one({ray.origin, -ray.direction}, reach.behind, false, hits.behind);
}

template <class Visit>
void RayTarget::walk(const Ray& ray, LineReach reach, ContactStats& stats, Visit&& visit) const {
  if (traversal_ == RayContactOptions::Traversal::tree) {
    const std::uint64_t boxes = walk_.box_tests, triangles = walk_.triangle_tests;
    const bool walked = walk_.run(ray, reach, visit);
    stats.box_tests += walk_.box_tests - boxes, stats.triangle_tests += walk_.triangle_tests - triangles;
    if (walked) return;
  }
  stats.triangle_tests += view_.triangles.size();
  for (std::uint32_t t = 0; t < view_.triangles.size(); ++t) visit(t, reach);
}

LineHits RayTarget::meet(const Ray& ray, const LineReach& reach, ContactStats& stats, Skipped skipped) const {
  LineHits hits;
  walk(ray, reach, stats, [&](std::uint32_t t, LineReach& left) {
    if (skipped.vertex != MeshLinks::k_none && touches(t, skipped.vertex) &&
        (skipped.other == MeshLinks::k_none || touches(t, skipped.other)))
      return;
    offer(ray, left, t, hits);
    if (hits.ahead) left.ahead = hits.ahead->t;
    if (hits.behind) left.behind = hits.behind->t;
  });
  return hits;
}

bool RayTarget::holds(const Point3& p) const {
  int winding = 0;
  bool on_it = false;
  ContactStats unwanted;
  walk({p, {1, 0, 0}}, {}, unwanted, [&](std::uint32_t t, LineReach&) {
    if (contact_mesh_.links().closed[t] && !count_crossing(p, posed(t), winding)) on_it = true;
  });
  return on_it || winding != 0;
}

}  // namespace snug::detail
