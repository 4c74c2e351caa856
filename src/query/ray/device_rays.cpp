#include "query/ray/device_rays.hpp"

#include "device/device_set.hpp"

namespace snug::detail {

namespace {

constexpr std::uint32_t k_not_sent = ~std::uint32_t{0};

/// One vertex: what was asked, and where the answer will be.
struct AskedRay {
  const VertexRays* from = nullptr;
  RayStart start;
  LineReach reach;
  std::uint32_t sent = k_not_sent;
  bool misses = false;  ///< the line passes the body by
};

/// What the answer tells, or none if the processor has to cast the ray.
std::optional<LineHits> hits_of(const AskedRay& one, const std::vector<DeviceRayTold>& told) {
  DeviceRayTold of{DeviceRayTold::k_none, DeviceRayTold::k_none};
  if (one.sent != k_not_sent) of = told[one.sent];
  if (one.reach.ahead < 0) of.ahead = DeviceRayTold::k_none;
  if (one.reach.behind < 0) of.behind = DeviceRayTold::k_none;
  const bool unknown = one.sent == k_not_sent && !one.misses;
  if (unknown || of.ahead == DeviceRayTold::k_redo || of.behind == DeviceRayTold::k_redo) return {};
  LineHits hits;
  const Ray ray = one.from->ray_of(one.start.vertex);
  const RayTarget& target = one.from->target();
  if (of.ahead != DeviceRayTold::k_none) target.offer(ray, {one.reach.ahead, -1}, of.ahead, hits);
  if (of.behind != DeviceRayTold::k_none) target.offer(ray, {-1, one.reach.behind}, of.behind, hits);
  return hits;
}

}  // namespace

bool device_rays(std::span<const VertexRays* const> sides, double extension, double culling, ContactMemory& memory,
                 Contacts& out) {
  std::vector<AskedRay> asked;
  std::vector<DeviceRay> sent;
  std::vector<const Shape*> targets;
  for (const VertexRays* const rays : sides) {
    rays->list(extension, culling, memory.starts);
    targets.push_back(&rays->target().shape());
    for (const RayStart& from : memory.starts) {
      AskedRay& one =
          asked.emplace_back(AskedRay{rays, from, {from.outside ? -1 : rays->own_exit(from.vertex), culling}});
      DeviceRay ray;
      LineWalk::Start start;
      if (rays->target().line_walk().prepare(rays->ray_of(from.vertex), ray.walk, start)) {
        LineWalk::narrow(start, one.reach, ray.walk);
        ray.zero = start.shift;
        ray.target = static_cast<std::uint32_t>(targets.size() - 1);
        one.sent = static_cast<std::uint32_t>(sent.size());
        sent.push_back(ray);
      } else {
        one.misses = start.possible;
      }
    }
  }
  const RayContactOptions& options = sides[0]->options();
  const Devices& devices = options.devices != nullptr ? *options.devices : Devices::shared();
  std::vector<DeviceRayTold> told;
  const bool basic = options.traversal == RayContactOptions::Traversal::basic;
  if (!DeviceAccess::set(devices).cast({targets, sent, basic}, told)) return false;

  out.stats.device_rays += sent.size();
  for (const AskedRay& one : asked) {
    std::optional<VertexRays::Told> found;
    if (const auto hits = hits_of(one, told)) {
      if (!one.start.outside) ++out.stats.standard_rays;
      if (culling >= 0) ++out.stats.predictive_rays;
      found = one.from->conclude(one.start.vertex, *hits);
    } else {
      out.stats.redone_rays += one.sent != k_not_sent ? 1 : 0;
      found = one.from->cast(one.start, culling, out.stats);
    }
    if (found) out.contacts.push_back(one.from->contact(one.start.vertex, found->hit, found->predicted));
  }
  return true;
}

}  // namespace snug::detail
