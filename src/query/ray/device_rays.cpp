#include "query/ray/device_rays.hpp"

#include <algorithm>

namespace snug::detail {

AskedRays AskedRays::standard(const VertexRays& rays, double extension, double culling) {
  AskedRays asked(rays, culling, 0);
  rays.list(extension, culling, asked.starts_);
  asked.sent_.reserve(asked.starts_.size());
  for (const RayStart& start : asked.starts_)
    asked.sent_.push_back({start.vertex, DeviceRay::k_through, start.outside ? -1 : rays.own_exit(start.vertex)});
  return asked;
}

void AskedRays::add(std::uint32_t vertex, std::uint32_t triangle) {
  sent_.push_back({vertex, triangle, rays_->own_exit(vertex)});
}

DeviceRaySide AskedRays::side() const noexcept {
  const RayTarget& target = rays_->target();
  return {&rays_->source(), &target.shape(), &rays_->pose(), &target.pose(), culling_, most_, sent_, 0};
}

DeviceProjected AskedRays::decided(std::uint32_t at, const DeviceProjected& projected) const {
  if (rays_->has_rim(sent_[at].vertex)) return {};
  const ContactMesh& target = rays_->target().contact_mesh();
  const bool sure = most_ > 0 || projected.tells != DeviceProjected::Tells::contact || target.simple() ||
                    !target.links().closed[projected.triangle];
  return sure ? projected : DeviceProjected();
}

std::optional<VertexRays::Told> AskedRays::conclude(std::uint32_t at, const DeviceRayTold* told,
                                                    const DeviceProjected& projected, ContactStats& stats) const {
  using enum DeviceProjected::Tells;
  const DeviceRay& one = sent_[at];
  const auto as_told = [&] {
    LineHit hit;
    hit.t = projected.t, hit.triangle = projected.triangle;
    return VertexRays::Told{hit, projected.tells == prediction};
  };
  if (most_ > 0) {
    // Those of rims are cast anew.
    if (rays_->has_rim(one.vertex)) return rays_->follow(one.vertex, 0, culling_, most_, stats);
    if (told != nullptr && projected.tells == undecided)
      return rays_->follow(one.vertex, told->triangle[0], culling_, most_ - told->triangle[1], stats);
    ++stats.iterative_rays;
    if (told != nullptr) return ++stats.walked, as_told();
    return ++stats.lost_rays, std::nullopt;
  }
  if (told != nullptr && told->triangle[0] == DeviceRayTold::k_redo) {
    ++stats.redone_rays;
    return rays_->cast(starts_[at], culling_, stats);
  }
  if (!starts_[at].outside) ++stats.standard_rays;
  if (culling_ >= 0) ++stats.predictive_rays;
  if (told == nullptr) return rays_->conclude_of_all(one.vertex, {}, stats);
  if (projected.tells == nothing) return {};
  if (projected.tells != undecided) return as_told();
  LineHits hits;
  const Ray ray = rays_->ray_of(one.vertex);
  for (const std::uint32_t triangle : told->triangle) {
    if (triangle == DeviceRayTold::k_none) break;
    rays_->target().offer(ray, {one.ahead, culling_}, triangle, hits);
  }
  rays_->target().settle(ray.origin, hits.ahead);
  rays_->target().settle(ray.origin, hits.behind);
  return rays_->conclude_of_all(one.vertex, hits, stats);
}

Contact AskedRays::contact(std::uint32_t vertex, const VertexRays::Told& told, const DeviceProjected& projected,
                           ContactStats& stats) const {
  if (projected.tells == DeviceProjected::Tells::undecided) return rays_->contact(vertex, told);
  ++stats.device_projections;
  return rays_->contact(vertex, rays_->posed(vertex), told, {projected.normal, projected.depth, projected.there});
}

DeviceSet& devices_of(const RayContactOptions& options) {
  return DeviceAccess::set(options.devices != nullptr ? *options.devices : Devices::shared());
}

bool ask_devices(std::span<const AskedRays> asked, const RayContactOptions& options, DeviceRaysTold& told) {
  std::vector<DeviceRaySide> sides;
  sides.reserve(asked.size());
  for (const AskedRays& one : asked) sides.push_back(one.side());
  const bool basic = options.traversal == RayContactOptions::Traversal::basic;
  return devices_of(options).cast({.sides = sides, .basic = basic, .project = projects(options)}, told);
}

std::span<const DeviceRayTold> told_of(const DeviceRaysTold& told, std::uint32_t side) {
  const auto [begin, end] = std::ranges::equal_range(told.told, side, {}, &DeviceRayTold::side);
  return {begin, end};
}

}  // namespace snug::detail
