#include "query/ray/ray_target.hpp"

#include "geometry/ray_count.hpp"
#include "query/shape_data.hpp"
#include "simd/kernels.hpp"

namespace snug::detail {

RayTarget::RayTarget(const Shape& body, const Pose& pose, RayContactOptions::Traversal traversal,
                     Instructions instructions)
    : body_(body),
      pose_(pose),
      contact_mesh_(Access::data(body).contact_mesh()),
      view_(body.mesh().view()),
      traversal_(traversal),
      kernels_(kernels_for(instructions)) {}

bool RayTarget::touches(std::uint32_t triangle, std::uint32_t place) const noexcept {
  const MeshLinks& links = contact_mesh_.links();
  const Index3& corners = view_.triangles[triangle];
  return links.place[corners[0]] == place || links.place[corners[1]] == place || links.place[corners[2]] == place;
}

void RayTarget::offer(const Ray& ray, const LineReach& reach, std::uint32_t triangle, LineHits& hits) const noexcept {
  const Triangle t = posed(triangle);
  const auto offer_one = [&](const Ray& along, double limit, std::optional<LineHit>& best) {
    const auto hit = ray_hit(along, t);
    if (!hit || !(hit->t <= limit)) return;
    if (!best || hit->t < best->t || (hit->t == best->t && triangle < best->triangle))
      best = LineHit{hit->t, triangle, hit->from_inside, hit->kind == RayHitKind::grazing};
  };
  if (reach.ahead >= 0) offer_one(ray, reach.ahead, hits.ahead);
  if (reach.behind >= 0) offer_one({ray.origin, -ray.direction}, reach.behind, hits.behind);
}

LineHits RayTarget::meet(const Ray& ray, const LineReach& reach, ContactStats& stats, std::uint32_t skipped) const {
  LineHits hits;
  stats.triangle_tests += view_.triangles.size();
  for (std::uint32_t t = 0; t < view_.triangles.size(); ++t)
    if (skipped == MeshLinks::k_none || !touches(t, skipped)) offer(ray, reach, t, hits);
  return hits;
}

bool RayTarget::holds(const Point3& p) const {
  int winding = 0;
  for (std::uint32_t t = 0; t < view_.triangles.size(); ++t)
    if (contact_mesh_.links().closed[t] && !count_crossing(p, posed(t), winding)) return true;
  return winding != 0;
}

}  // namespace snug::detail
