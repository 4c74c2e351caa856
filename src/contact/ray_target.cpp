#include "contact/ray_target.hpp"

#include "query/raycast/line_hit.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"

namespace snug::contact {

RayTarget::RayTarget(const Shape& body, const Pose& pose, RayContactOptions::Traversal traversal,
                     Instructions instructions)
    : body_(body),
      pose_(pose),
      contact_mesh_(Access::data(body).get<ContactMesh>()),
      view_(body.mesh().view()),
      traversal_(traversal),
      kernels_(kernels_for(instructions)),
      walk_(body, pose, kernels_) {}

bool RayTarget::touches(std::uint32_t triangle, std::uint32_t place) const noexcept {
  const MeshLinks& links = contact_mesh_.links();
  const Index3& corners = view_.triangles[triangle];
  return links.place[corners[0]] == place || links.place[corners[1]] == place || links.place[corners[2]] == place;
}

void RayTarget::offer(const Ray& ray, const LineReach& reach, std::uint32_t triangle, LineHits& hits) const noexcept {
  SNUG_ASSERT(triangle < view_.triangles.size());
  const Triangle t = posed(triangle);
  const LineMeeting met = kernels_.meet_line(ray, t[0], t[1], t[2]);
  if (met.where == LineMeeting::Where::beside) return;
  const auto offer_one = [&](const Ray& along, bool opposite, double limit, std::optional<LineHit>& first) {
    const auto hit = ray_hit(along, t, met, opposite);
    if (!hit || !(hit->t <= limit)) return;
    SNUG_ASSERT(hit->t >= 0);
    const bool grazing = hit->kind == RayHitKind::grazing, begins = !opposite && hit->t == 0;
    const bool from_inside = hit->from_inside != contact_mesh_.faces_in(triangle);
    if (begins && (grazing || !from_inside)) return;
    auto& best = begins ? hits.at_once : first;
    const bool same = best && hit->t == best->t;
    const bool mixed = same && (best->mixed || best->from_inside != from_inside || best->grazing != grazing);
    if (!best || hit->t < best->t || (same && triangle < best->triangle))
      best = LineHit{hit->t, triangle, from_inside, grazing};
    if (same) best->mixed = mixed;
  };
  if (reach.ahead >= 0) offer_one(ray, false, reach.ahead, hits.ahead);
  if (reach.behind >= 0) offer_one({ray.origin, -ray.direction}, true, reach.behind, hits.behind);
}

void RayTarget::settle(const Point3& origin, std::optional<LineHit>& hit) const {
  if (!hit || !hit->mixed) return;
  hit->grazing = false;
  hit->from_inside = contact_mesh_.links().closed[hit->triangle] && holds(origin);
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
  settle(ray.origin, hits.ahead);
  settle(ray.origin, hits.behind);
  return hits;
}

WindingCount<RayAlongX> RayTarget::count_closed(const Point3& p, bool turn_outward) const {
  WindingCount count(RayAlongX{p});
  ContactStats unwanted;
  walk({p, {1, 0, 0}}, {}, unwanted, [&](std::uint32_t t, LineReach&) {
    if (contact_mesh_.links().closed[t]) count.add(posed(t), turn_outward && contact_mesh_.faces_in(t));
  });
  return count;
}

std::optional<int> RayTarget::winding(const Point3& p) const {
  const auto count = count_closed(p, true);
  return count.on_surface() ? std::nullopt : std::optional(count.winding());
}

bool RayTarget::holds(const Point3& p) const { return count_closed(p, false).side() != Side::outside; }

}  // namespace snug::contact
