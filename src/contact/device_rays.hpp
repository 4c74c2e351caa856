#pragma once

#include "contact/vertex_rays.hpp"
#include "query/device_set.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <span>
#include <vector>

namespace snug::contact {

/// What devices are asked of the vertices of one body: rays through the whole target, or walks from triangles that were met before.
/// What they answer is as good as what VertexRays tells, to the last bit: of the triangles that a device names the processor finds
/// the first, and what it is not certain of it casts itself. Vertices at rims, which have two rays each, are not sent: all of
/// theirs is the processor's.
class AskedRays {
 public:
  /// All that standard rays would be cast from.
  static AskedRays standard(const VertexRays& rays, double extension, double culling);
  /// Walks of no more than `most` triangles; add() them.
  static AskedRays walks(const VertexRays& rays, double culling, unsigned most) { return {rays, culling, most}; }
  void add(std::uint32_t vertex, std::uint32_t triangle);

  /// That are sent.
  [[nodiscard]] std::size_t size() const noexcept { return sent_.size(); }
  [[nodiscard]] DeviceRaySide side() const noexcept;

  /// Calls take(Told, Contact) for all that tell something, in the order they were asked in. `told` is of this side.
  template <class Take>
  void answer(std::span<const DeviceRayTold> told, const DeviceRaysTold::Work& work, ContactStats& stats,
              Take&& take) const {
    stats.device_rays += work.rays;
    if (most_ > 0) stats.walked += work.triangles;
    auto next = told.begin();
    std::uint32_t ray = 0;
    for (const RayStart& start : starts_) {
      if (rays_->has_rim(start.vertex)) {
        if (const auto found = by_processor(start, stats)) take(*found, rays_->contact(start.vertex, *found));
        continue;
      }
      SNUG_ASSERT(ray < sent_.size());
      const bool has = next != told.end() && next->ray == ray;
      const DeviceProjected projected = has ? decided(start.vertex, next->projected) : DeviceProjected();
      if (const auto found = conclude(start, sent_[ray], has ? &*next : nullptr, projected, stats))
        take(*found, contact(start.vertex, *found, projected, stats));
      if (has) ++next;
      ++ray;
    }
    SNUG_ASSERT(ray == sent_.size());
  }

 private:
  AskedRays(const VertexRays& rays, double culling, unsigned most) : rays_(&rays), culling_(culling), most_(most) {}
  /// All of a vertex at a rim. A walk of it begins nowhere: it is cast anew.
  [[nodiscard]] std::optional<VertexRays::Told> by_processor(const RayStart& start, ContactStats& stats) const;
  /// What a device has decided, where it may: it does not know whether a vertex is in a body that meets itself.
  [[nodiscard]] DeviceProjected decided(std::uint32_t vertex, const DeviceProjected& projected) const;
  [[nodiscard]] std::optional<VertexRays::Told> conclude(const RayStart& start, const DeviceRay& one,
                                                         const DeviceRayTold* told, const DeviceProjected& projected,
                                                         ContactStats& stats) const;
  [[nodiscard]] Contact contact(std::uint32_t vertex, const VertexRays::Told& told, const DeviceProjected& projected,
                                ContactStats& stats) const;

  const VertexRays* rays_;
  double culling_;
  unsigned most_;                 ///< 0: standard
  std::vector<RayStart> starts_;  ///< all
  std::vector<DeviceRay> sent_;   ///< those of no rim, in the same order
};

/// True if contacts are made of hits as devices can make them.
[[nodiscard]] inline bool projects(const RayContactOptions& options) noexcept {
  return options.direction == RayContactOptions::Direction::reprojected;
}

/// Casts the rays of all, at once. What was told is ordered by the places of `asked`. False if no device could.
bool ask_devices(std::span<const AskedRays> asked, const RayContactOptions& options, DeviceRaysTold& told);

/// The part of it that is about one of them.
[[nodiscard]] std::span<const DeviceRayTold> told_of(const DeviceRaysTold& told, std::uint32_t side);

/// The devices that options ask for.
[[nodiscard]] DeviceSet& devices_of(const RayContactOptions& options);

}  // namespace snug::contact
