#include "mesh/crease.hpp"
#include "mesh/mesh_data.hpp"
#include "mesh/used_bounds.hpp"
#include "support/assert.hpp"
#include "support/sha256.hpp"
#include "support/watched.hpp"

#include <snug/mesh.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace snug {

namespace {

constexpr std::size_t k_max_ids = std::numeric_limits<std::uint32_t>::max();

std::optional<MeshError::Code> find_error(const Surface& surface) {
  for (const double length : {surface.sag.value, surface.tolerance})
    if (!(length >= 0) || !std::isfinite(length)) return MeshError::Code::bad_sag;
  if (surface.analytic && !is_valid(surface.kind, *surface.analytic)) return MeshError::Code::bad_analytic;
  return std::nullopt;
}

/// Sets `bounds` when there is none.
std::optional<MeshError> find_error(const MeshInput& in, const MeshOptions& options, const Watch& watch, Aabb& bounds) {
  using Code = MeshError::Code;
  if (in.triangles.empty()) return MeshError{Code::empty};
  if (in.vertices.size() > k_max_ids) return MeshError{Code::too_many, in.vertices.size()};
  if (in.triangles.size() > k_max_ids) return MeshError{Code::too_many, in.triangles.size()};
  const auto surveyed = mesh::survey({in.vertices, in.triangles}, support::part_of(watch, 0, 0.5));
  if (!surveyed) return MeshError{Code::cancelled};
  const mesh::Survey& survey = *surveyed;  // the loops below find the one to blame
  bounds = survey.used_bounds;
  for (std::size_t i = 0; i < in.vertices.size() && !survey.vertices_good; ++i) {
    const Point3& v = in.vertices[i];
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return MeshError{Code::non_finite_vertex, i};
    for (const double c : {v.x, v.y, v.z})
      if (std::abs(c) > k_max_coordinate) return MeshError{Code::vertex_too_large, i};
  }
  for (std::size_t t = 0; t < in.triangles.size() && !survey.indices_good; ++t)
    for (const std::uint32_t i : in.triangles[t])
      if (i >= in.vertices.size()) return MeshError{Code::index_out_of_range, t};
  if (in.surfaces.empty() && in.surface_of_triangle.empty()) {
    const double angle = options.crease_angle_degrees;
    if (!(angle >= 0 && angle <= 180)) return MeshError{Code::bad_crease_angle};
    return std::nullopt;
  }
  if (in.surface_of_triangle.size() != in.triangles.size())
    return MeshError{Code::surface_count_differs, in.surface_of_triangle.size()};
  for (std::size_t s = 0; s < in.surfaces.size(); ++s)
    if (const auto code = find_error(in.surfaces[s])) return MeshError{*code, s};
  for (std::size_t t = 0; t < in.triangles.size(); ++t)
    if (in.surface_of_triangle[t] >= in.surfaces.size()) return MeshError{Code::surface_out_of_range, t};
  return std::nullopt;
}

/// Counting sort of the triangle ids by surface: stable, so ids ascend within a surface.
void group_by_surface(mesh::Grouping& g) {
  g.first_of_surface.assign(g.surfaces.size() + 1, 0);
  for (const std::uint32_t s : g.surface_of_triangle) ++g.first_of_surface[s + 1];
  for (std::size_t s = 0; s < g.surfaces.size(); ++s) g.first_of_surface[s + 1] += g.first_of_surface[s];
  SNUG_ASSERT(g.first_of_surface.back() == g.surface_of_triangle.size());
  g.in_order = std::ranges::is_sorted(g.surface_of_triangle);
  if (g.in_order) {
    g.surface_of_triangle = std::vector<std::uint32_t>();  // gives its memory back, as {} would not
    return;
  }
  std::vector<std::uint32_t> next(g.first_of_surface.begin(), g.first_of_surface.end() - 1);
  g.by_surface.resize(g.surface_of_triangle.size());
  for (std::uint32_t t = 0; t < g.surface_of_triangle.size(); ++t) g.by_surface[next[g.surface_of_triangle[t]]++] = t;
}

ContentHash compute_hash(const detail::MeshData& d, const CancelToken* cancel = nullptr) {
  support::Sha256 sha;
  support::Looks looks(cancel);
  // Adding zero turns -0.0, which is equal to 0.0, into it.
  const auto number = [&](double v) { sha.update_u64(std::bit_cast<std::uint64_t>(v + 0.0)); };
  const auto text = [&](std::string_view s) {
    sha.update_u64(s.size());
    sha.update(std::as_bytes(std::span(s)));
  };
  text("snug.mesh/2");
  sha.update_u64(d.vertices.size());
  for (const Point3& v : d.vertices) looks.look(), number(v.x), number(v.y), number(v.z);
  sha.update_u64(d.triangles.size());
  for (const Index3& t : d.triangles) {
    looks.look();
    for (const std::uint32_t i : t) sha.update_u64(i);
  }
  const mesh::Grouping& g = d.grouping(cancel);
  sha.update_u64(g.surfaces.size());
  for (const Surface& s : g.surfaces) {
    text(s.name);
    sha.update_u64(static_cast<std::uint64_t>(s.kind));
    number(s.sag.value);
    sha.update_u64(s.sag.estimated ? 1 : 0);
    number(s.tolerance);
    sha.update_u64(s.analytic ? 1 : 0);
    if (s.analytic) {
      const AnalyticSurface& f = *s.analytic;
      for (const double v : {f.origin.x, f.origin.y, f.origin.z, f.axis.x, f.axis.y, f.axis.z, f.radius, f.minor_radius,
                             f.half_angle, f.hollow ? 1.0 : 0.0, f.recognised ? 1.0 : 0.0})
        number(v);
    }
    sha.update_u64(s.color ? 1 : 0);
    if (s.color)
      for (const std::uint8_t channel : *s.color) sha.update_u64(channel);
  }
  for (std::uint32_t t = 0; t < d.triangles.size(); ++t) looks.look(), sha.update_u64(g.surface_of(t));
  return sha.finish();
}

/// A vector that grew by doubling may hold as much again; a mesh is kept for long.
template <class T>
void give_back_slack(std::vector<T>& v) {
  if (v.capacity() - v.size() > v.size() / 32) v.shrink_to_fit();
}

template <class T>
std::size_t heap_bytes(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

}  // namespace

std::uint32_t mesh::Grouping::surface_of(std::uint32_t triangle) const noexcept {
  SNUG_ASSERT(triangle < first_of_surface.back());
  if (!in_order) return surface_of_triangle[triangle];
  // The last surface that begins no later; those without triangles begin where the next one does.
  const auto next = std::ranges::upper_bound(first_of_surface, triangle);
  return static_cast<std::uint32_t>(next - first_of_surface.begin()) - 1;
}

std::span<const std::uint32_t> detail::MeshData::by_surface() const {
  const Grouping& g = grouping();
  if (!g.in_order) return g.by_surface;
  std::call_once(listing_once, [this] {
    found_grouping.by_surface.resize(triangles.size());
    std::iota(found_grouping.by_surface.begin(), found_grouping.by_surface.end(), 0U);
    listing_ready.store(true, std::memory_order_release);
  });
  return g.by_surface;
}

const mesh::Grouping& detail::MeshData::grouping(const CancelToken* cancel) const {
  std::call_once(grouping_once, [&] {
    if (crease_angle_degrees) {
      found_grouping.surface_of_triangle = smooth_regions({vertices, triangles}, *crease_angle_degrees, cancel);
      SNUG_ASSERT(found_grouping.surface_of_triangle.size() == triangles.size());
      found_grouping.surfaces.resize(1 + std::ranges::max(found_grouping.surface_of_triangle));
    }
    group_by_surface(found_grouping);
    grouping_ready.store(true, std::memory_order_release);
  });
  return found_grouping;
}

Result<Mesh, MeshError> Mesh::build(MeshInput input, const MeshOptions& options, const Watch& watch) {
  Aabb bounds;
  if (const auto error = find_error(input, options, watch, bounds)) return Failure{*error};
  if (!support::go_on(watch, 0.6)) return Failure{MeshError{MeshError::Code::cancelled}};
  auto data = std::make_shared<detail::MeshData>();
  data->vertices = std::move(input.vertices);
  data->triangles = std::move(input.triangles);
  give_back_slack(data->vertices);
  give_back_slack(data->triangles);
  if (input.surfaces.empty()) {
    data->crease_angle_degrees = options.crease_angle_degrees;
  } else {
    data->found_grouping.surfaces = std::move(input.surfaces);
    data->found_grouping.surface_of_triangle = std::move(input.surface_of_triangle);
    (void)data->grouping();
  }
  SNUG_ASSERT(!bounds.empty());
  data->bounds = bounds;
  if (!support::go_on(watch, 1)) return Failure{MeshError{MeshError::Code::cancelled}};
  return Mesh(std::move(data));
}

std::span<const Point3> Mesh::vertices() const noexcept { return data_->vertices; }
std::span<const Index3> Mesh::triangles() const noexcept { return data_->triangles; }
std::span<const Surface> Mesh::surfaces() const { return data_->grouping().surfaces; }
bool Mesh::surfaces_by_crease() const noexcept { return data_->crease_angle_degrees.has_value(); }
const Aabb& Mesh::bounds() const noexcept { return data_->bounds; }

std::uint32_t Mesh::surface_of(std::uint32_t triangle) const {
  if (triangle >= data_->triangles.size()) [[unlikely]]
    return k_no_surface;
  return data_->grouping().surface_of(triangle);
}

std::span<const std::uint32_t> Mesh::triangles_of(std::uint32_t surface) const {
  const mesh::Grouping& g = data_->grouping();
  if (surface >= g.surfaces.size()) return {};
  const std::uint32_t first = g.first_of_surface[surface];
  return data_->by_surface().subspan(first, g.first_of_surface[surface + 1] - first);
}

void detail::MeshAccess::find_surfaces(const Mesh& mesh, const CancelToken* cancel) {
  (void)mesh.data_->grouping(cancel);
}

const ContentHash& detail::MeshAccess::hash(const Mesh& mesh, const CancelToken* cancel) {
  const MeshData& data = *mesh.data_;
  std::call_once(data.hash_once, [&] { data.hash = compute_hash(data, cancel); });
  return data.hash;
}

Mesh detail::MeshAccess::without_triangles() { return Mesh(std::make_shared<const MeshData>()); }

const ContentHash& Mesh::hash() const { return detail::MeshAccess::hash(*this, nullptr); }

std::size_t Mesh::bytes() const noexcept {
  const detail::MeshData& d = *data_;
  std::size_t bytes = heap_bytes(d.vertices) + heap_bytes(d.triangles);
  if (d.grouping_ready.load(std::memory_order_acquire)) {
    const mesh::Grouping& g = d.found_grouping;
    bytes += heap_bytes(g.surfaces) + heap_bytes(g.surface_of_triangle) + heap_bytes(g.first_of_surface);
    if (!g.in_order || d.listing_ready.load(std::memory_order_acquire)) bytes += heap_bytes(g.by_surface);
  }
  return bytes;
}

}  // namespace snug
