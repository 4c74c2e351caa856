#include "query/ray/device_rays.hpp"

#include "device/device_set.hpp"

namespace snug::detail {

namespace {

constexpr std::uint32_t k_not_sent = ~std::uint32_t{0};

/// One vertex: what was asked, and where the answer will be.
struct AskedRay {
  std::uint32_t vertex = 0;
  LineReach reach;
  std::uint32_t sent = k_not_sent;
  bool misses = false;  ///< the line passes the body by
};

}  // namespace

bool device_rays(const VertexRays& rays, double culling, ContactMemory& memory, Contacts& out) {
  const RayTarget& target = rays.target();
  std::vector<AskedRay> asked;
  std::vector<DeviceRay> sent;
  asked.reserve(memory.vertices.size()), sent.reserve(memory.vertices.size());
  for (const std::uint32_t vertex : memory.vertices) {
    AskedRay& one = asked.emplace_back(AskedRay{vertex, {rays.own_exit(vertex), culling}});
    DeviceRay ray;
    LineWalk::Start start;
    if (target.line_walk().prepare(rays.ray_of(vertex), ray.walk, start)) {
      LineWalk::narrow(start, one.reach, ray.walk);
      ray.zero = start.shift;
      one.sent = static_cast<std::uint32_t>(sent.size());
      sent.push_back(ray);
    } else {
      one.misses = start.possible;
    }
  }
  const Devices& devices = rays.options().devices != nullptr ? *rays.options().devices : Devices::shared();
  const Shape* const bodies[] = {&target.shape()};
  std::vector<DeviceRayTold> told;
  const bool basic = rays.options().traversal == RayContactOptions::Traversal::basic;
  if (!DeviceAccess::set(devices).cast({bodies, sent, basic}, told)) return false;

  out.stats.device_rays += sent.size();
  for (const AskedRay& one : asked) {
    std::optional<VertexRays::Told> found;
    DeviceRayTold of{DeviceRayTold::k_none, DeviceRayTold::k_none};
    if (one.sent != k_not_sent) of = told[one.sent];
    if (one.reach.behind < 0) of.behind = DeviceRayTold::k_none;
    if ((one.sent == k_not_sent && !one.misses) || of.ahead == DeviceRayTold::k_redo ||
        of.behind == DeviceRayTold::k_redo) {
      out.stats.redone_rays += one.sent != k_not_sent ? 1 : 0;
      found = rays.cast(one.vertex, culling, out.stats);
    } else {
      ++out.stats.standard_rays;
      if (culling >= 0) ++out.stats.predictive_rays;
      LineHits hits;
      const Ray ray = rays.ray_of(one.vertex);
      if (of.ahead != DeviceRayTold::k_none) target.offer(ray, {one.reach.ahead, -1}, of.ahead, hits);
      if (of.behind != DeviceRayTold::k_none) target.offer(ray, {-1, one.reach.behind}, of.behind, hits);
      found = rays.conclude(one.vertex, hits);
    }
    if (found) out.contacts.push_back(rays.contact(one.vertex, found->hit, found->predicted));
  }
  return true;
}

}  // namespace snug::detail
