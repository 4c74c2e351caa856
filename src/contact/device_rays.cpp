#include "contact/device_rays.hpp"

#include <algorithm>

namespace snug::contact {

AskedRays AskedRays::standard(const VertexRays& rays, double extension, double culling) {
  AskedRays asked(rays, culling, 0);
  rays.list(extension, culling, asked.starts_);
  asked.sent_.reserve(asked.starts_.size());
  for (const RayStart& start : asked.starts_)
    if (!rays.has_rim(start.vertex))
      asked.sent_.push_back({start.vertex, DeviceRay::k_through, start.outside ? -1 : rays.own_exit(start.vertex)});
  return asked;
}

void AskedRays::add(std::uint32_t vertex, std::uint32_t triangle) {
  starts_.push_back({vertex, false});
  if (!rays_->has_rim(vertex)) sent_.push_back({vertex, triangle, rays_->own_exit(vertex)});
}

DeviceRaySide AskedRays::side() const noexcept {
  const RayTarget& target = rays_->target();
  return {&rays_->source(), &target.shape(), &rays_->pose(), &target.pose(), culling_, most_, sent_, 0};
}

std::optional<VertexRays::Told> AskedRays::by_processor(const RayStart& start, ContactStats& stats) const {
  if (most_ > 0) return rays_->follow(start.vertex, MeshLinks::k_none, culling_, most_, stats);
  return rays_->cast(start, culling_, stats);
}

DeviceProjected AskedRays::decided(std::uint32_t vertex, const DeviceProjected& projected) const {
  const ContactMesh& target = rays_->target().contact_mesh();
  const bool sure = most_ > 0 || projected.tells != DeviceProjected::Tells::contact || target.simple() ||
                    !target.links().closed[projected.triangle] || rays_->target().holds(rays_->posed(vertex));
  return sure ? projected : DeviceProjected();
}

std::optional<VertexRays::Told> AskedRays::conclude(const RayStart& start, const DeviceRay& one,
                                                    const DeviceRayTold* told, const DeviceProjected& projected,
                                                    ContactStats& stats) const {
  using enum DeviceProjected::Tells;
  const auto as_told = [&] {
    LineHit hit;
    hit.t = projected.t, hit.triangle = projected.triangle;
    return VertexRays::Told{hit, projected.tells == prediction};
  };
  if (most_ > 0) {
    if (told != nullptr && projected.tells == undecided)
      return rays_->follow(one.vertex, told->triangle[0], culling_, most_ - told->triangle[1], stats);
    ++stats.iterative_rays;
    if (told != nullptr) return ++stats.walked, as_told();
    return ++stats.lost_rays, std::nullopt;
  }
  if (told != nullptr && told->triangle[0] == DeviceRayTold::k_left) return rays_->cast(start, culling_, stats);
  if (told != nullptr && told->triangle[0] == DeviceRayTold::k_redo) {
    ++stats.redone_rays;
    return rays_->cast(start, culling_, stats);
  }
  if (!start.outside) ++stats.standard_rays;
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

}  // namespace snug::contact
