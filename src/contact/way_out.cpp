#include "contact/way_out.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace snug::contact {

namespace {

/// Cosine of the angle below which ways are the same.
constexpr double k_same = 1 - 1e-6;

}  // namespace

WayOut::WayOut(const VertexRays& rays, std::span<const std::uint32_t> triangles, ContactStats& stats)
    : rays_(rays), triangles_(triangles), stats_(stats) {
  const auto &own = rays.pose().matrix(), &axes = rays.target().pose().matrix();
  std::size_t samples = 0;
  for (const double sign : {1.0, -1.0})
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 along = sign * Vec3{own[i], own[3 + i], own[6 + i]};
      sample_[samples++] = furthest(along, along, false);
    }
  for (const std::uint32_t vertex : sample_)
    for (const double sign : {1.0, -1.0})
      for (std::size_t i = 0; i < 3; ++i)
        if (const auto hit = exit(rays.posed(vertex), sign * Vec3{axes[i], axes[3 + i], axes[6 + i]}))
          offer(rays.target().outward(hit->triangle));
  for (std::size_t i = 0; i < count_; ++i) judge(offered_[i]);
}

std::optional<LineHit> WayOut::exit(const Point3& from, const Vec3& way) const {
  const auto hit = rays_.target().meet({from, way}, {}, stats_).ahead;
  return hit && hit->from_inside && !hit->grazing ? hit : std::nullopt;
}

std::uint32_t WayOut::furthest(const Vec3& along, const Vec3& way, bool facing) const {
  const Mesh& mesh = rays_.source().mesh();
  const MeshLinks& links = rays_.from().links();
  const Vec3 along_home = turn_back(rays_.pose().matrix(), along), way_home = turn_back(rays_.pose().matrix(), way);
  const double hair = 1e-9 * max_abs(mesh.bounds().hi - mesh.bounds().lo);
  std::uint32_t best = MeshLinks::k_none;
  double reached = 0, behind = 0;
  for (const std::uint32_t t : triangles_)
    for (const std::uint32_t corner : mesh.triangles()[t]) {
      const std::uint32_t vertex = links.place[corner];
      if (facing && !(dot(rays_.from().normal(vertex), way_home) < 0)) continue;
      const Point3& at = mesh.vertices()[vertex];
      const double reach = dot(along_home, at), first = dot(way_home, at);
      const bool as_far = best != MeshLinks::k_none && std::abs(reach - reached) <= hair;
      if (best == MeshLinks::k_none || (as_far ? first < behind : reach > reached))
        best = vertex, reached = reach, behind = first;
    }
  return best == MeshLinks::k_none && facing ? furthest(along, way, false) : best;
}

void WayOut::offer(const Vec3& way) noexcept {
  const auto known = std::span(offered_).first(count_);
  if (count_ == k_most_ways || way == Vec3{}) return;
  if (std::ranges::none_of(known, [&](const Vec3& other) { return dot(way, other) > k_same; }))
    offered_[count_++] = way;
}

void WayOut::judge(const Vec3& way) {
  double needed = 0;
  const auto takes = [&](std::uint32_t vertex) {
    const auto hit = exit(rays_.posed(vertex), way);
    needed = hit ? std::max(needed, hit->t) : std::numeric_limits<double>::infinity();
    if (hit) offer(rays_.target().outward(hit->triangle));
    return needed < depth_;
  };
  if (takes(furthest(-way, way, false)) && std::ranges::all_of(sample_, takes)) way_ = way, depth_ = needed;
}

void WayOut::add_contacts(Contacts& out) const {
  constexpr double k_slant = 0.70710678118654752440;
  const Vec3 u = any_across(way_), v = cross(way_, u);
  const Vec3 along[] = {
      -way_, u, k_slant * (u + v), v, k_slant * (v - u), -u, -k_slant * (u + v), -v, k_slant * (u - v)};
  std::array<std::uint32_t, std::size(along)> told{};
  std::size_t count = 0;
  for (const Vec3& direction : along) {
    const std::uint32_t vertex = furthest(direction, way_, true);
    const auto end = told.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(told.begin(), end, vertex) != end) continue;
    told[count++] = vertex;
    const Point3 from = rays_.posed(vertex);
    const auto hit = exit(from, way_);
    if (!hit) continue;
    out.contacts.push_back(rays_.contact(vertex, from, {*hit, false}, {way_, hit->t, from + hit->t * way_, 1}));
    out.contacts.back().id |= std::uint64_t{1} << 40;  // the vertex may have a predicted one, too
    ++out.stats.completed;
  }
}

}  // namespace snug::contact
