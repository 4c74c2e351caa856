#include "contact/contact_tracker_data.hpp"
#include "contact/vertex_rays.hpp"
#include "shape/shape_data.hpp"

#include <algorithm>

namespace snug {

namespace contact {

namespace {

/// Adds what standard rays of one side tell to the audit.
void audit(const VertexRays& rays, const std::vector<RayState>& states, double extension, RayAudit& audit) {
  std::vector<RayState> told;
  for (const RayState& state : states)
    if (!state.predicted) told.push_back(state);
  std::ranges::sort(told, {}, &RayState::vertex);
  std::vector<RayStart> starts;
  rays.list(extension, -1, starts);
  ContactStats unwanted;
  std::size_t found = 0;
  for (const RayStart& start : starts) {
    const std::uint32_t vertex = start.vertex;
    const auto standard = rays.cast(start, -1, unwanted);
    const auto state = std::ranges::lower_bound(told, vertex, {}, &RayState::vertex);
    const bool was_told = state != told.end() && state->vertex == vertex;
    found += was_told ? 1 : 0;
    if (!standard && !was_told) continue;
    ++audit.rays;
    if (standard) audit.standard_length += standard->hit.t;
    if (!was_told)
      ++audit.missed;
    else if (!standard)
      ++audit.invented;
    else if (state->triangle != standard->hit.triangle)
      ++audit.displaced;
  }
  // Told of vertices that have left the box meanwhile.
  audit.rays += told.size() - found, audit.invented += told.size() - found;
}

}  // namespace

}  // namespace contact

RayAudit audit_rays(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const ContactTracker& tracker) {
  using namespace contact;
  const ContactTrackerData& d = ContactAccess::data(tracker);
  RayAudit result;
  if (!are_valid_meshes(a, pose_a, b, pose_b)) return {.rays = 1, .missed = 1};
  const RayTarget target_a(a, pose_a, d.options.traversal, d.options.instructions);
  const RayTarget target_b(b, pose_b, d.options.traversal, d.options.instructions);
  audit({a, pose_a, target_b, true, d.options}, d.rays[0], d.constants.distance_extension, result);
  audit({b, pose_b, target_a, false, d.options}, d.rays[1], d.constants.distance_extension, result);
  return result;
}

}  // namespace snug
