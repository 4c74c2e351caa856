#include <snug/distance.hpp>
#include <snug/query.hpp>

#include "query/all_pairs.hpp"
#include "query/convex/solid_queries.hpp"
#include "query/device_set.hpp"
#include "query/distance/closer.hpp"
#include "query/pairs/brute/brute.hpp"
#include "query/pairs/dop/dop.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "query/pairs/published/aligned.hpp"
#include "query/posed/surface.hpp"
#include "support/fuel.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

// The one place where a method is chosen.

namespace snug {

namespace {
detail::ScratchData& scratch_of(Scratch& scratch) noexcept { return detail::Access::data(scratch); }

using query::oriented_pair, query::PosedPair;

bool by_dops(const QueryOptions& options) noexcept {
  return options.method == Method::dop || options.method == Method::dop_fixed;
}

query::DopPair dop_pair(const PosedPair& bodies, const QueryOptions& options) {
  const auto& [a, b] = bodies;
  return {a.shape.mesh(),
          detail::Access::data(a.shape).get<bvh::DopTree>(),
          a.pose,
          b.shape.mesh(),
          detail::Access::data(b.shape).get<bvh::DopTree>(),
          b.pose,
          query::kernels_for(options.instructions),
          &a.shape,
          &b.shape};
}

query::DopOptions dop_options(const QueryOptions& options, const CancelToken* cancel = nullptr) {
  const bool fixed = options.method == Method::dop_fixed;
  detail::DeviceSet* devices = nullptr;
  if (fixed && options.device == Device::opencl)
    devices = &detail::DeviceAccess::set(options.devices != nullptr ? *options.devices : Devices::shared());
  return {options.dop, fixed, fixed && options.device == Device::chip, devices, cancel};
}

/// The surfaces of some triangle pairs, each pair once, in order.
std::vector<SurfacePair> surfaces_of(const std::vector<TrianglePair>& pairs, const Mesh& a, const Mesh& b) {
  std::vector<SurfacePair> surfaces;
  surfaces.reserve(pairs.size());
  for (const TrianglePair& pair : pairs) surfaces.push_back({a.surface_of(pair.a), b.surface_of(pair.b)});
  std::ranges::sort(surfaces);
  const auto repeated = std::ranges::unique(surfaces);
  surfaces.erase(repeated.begin(), repeated.end());
  return surfaces;
}

unsigned threads_of(const QueryOptions& options) noexcept { return support::sensible_threads(options.threads); }

bool aligned(const QueryOptions& options) noexcept {
  return options.method == Method::surface && options.surface.bounds == SurfaceSearch::Bounds::aligned;
}

/// Asks one of the searches by aligned boxes.
template <class Search>
auto ask_aligned(Search&& search, const PosedPair& bodies, Scratch& scratch, const QueryOptions& options) {
  Stats unwanted;
  return search(bodies, options.surface, scratch_of(scratch).get<query::AlignedScratch>(),
                options.stats != nullptr ? *options.stats : unwanted);
}
}  // namespace

void query::find_triangle_pairs(const PosedPair& bodies, Scratch& scratch, std::vector<TrianglePair>& pairs,
                                const QueryOptions& options, const CancelToken* cancel) {
  const unsigned threads = threads_of(options);
  if (aligned(options)) {
    pairs = ask_aligned(query::aligned_pairs, bodies, scratch, options);
    return;
  }
  switch (options.method) {
    case Method::surface: {
      query::SearchMemory& memory = scratch_of(scratch).get<query::SearchMemory>();
      support::Fuel fuel(Budget{.cancel = cancel});
      query::oriented_pairs(oriented_pair(bodies, options), memory, threads, fuel, options.stats);
      pairs.assign(memory.pairs.begin(), memory.pairs.end());
      return;
    }
    case Method::brute:
      pairs = query::brute_pairs(bodies, scratch_of(scratch).get<query::BruteMemory>(), threads, cancel, options.stats);
      return;
    case Method::dop:
    case Method::dop_fixed: {
      query::DopMemory& memory = scratch_of(scratch).get<query::DopMemory>();
      query::dop_pairs(dop_pair(bodies, options), dop_options(options, cancel), memory, options.stats);
      pairs.assign(memory.pairs.begin(), memory.pairs.end());
      return;
    }
  }
  pairs.assign(1, TrianglePair::refusal());  // no such method
}

void triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                    std::vector<TrianglePair>& pairs, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return pairs.assign(1, TrianglePair::refusal());
  query::find_triangle_pairs({{a, pose_a}, {b, pose_b}}, scratch, pairs, options);
}

std::vector<TrianglePair> triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         Scratch& scratch, const QueryOptions& options) {
  std::vector<TrianglePair> pairs;
  triangle_pairs(a, pose_a, b, pose_b, scratch, pairs, options);
  return pairs;
}

void visit_triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                          const PairVisitor& visit, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return static_cast<void>(visit(TrianglePair::refusal()));
  const PosedPair bodies{{a, pose_a}, {b, pose_b}};
  if (options.method == Method::surface && !aligned(options)) {
    query::oriented_visit(oriented_pair(bodies, options), scratch_of(scratch).get<query::SearchMemory>(), visit,
                          options.stats);
    return;
  }
  if (by_dops(options)) {
    query::dop_visit(dop_pair(bodies, options), dop_options(options), scratch_of(scratch).get<query::DopMemory>(),
                     visit, options.stats);
    return;
  }
  QueryOptions one_thread = options;
  one_thread.threads = 1;
  for (const TrianglePair& pair : triangle_pairs(a, pose_a, b, pose_b, scratch, one_thread))
    if (!visit(pair)) return;
}

void visit_surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                         const SurfaceVisitor& visit, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return static_cast<void>(visit(SurfacePair::refusal()));
  const PosedPair bodies{{a, pose_a}, {b, pose_b}};
  if (options.method == Method::surface && !aligned(options)) {
    query::oriented_visit_surfaces(oriented_pair(bodies, options), scratch_of(scratch).get<query::SearchMemory>(),
                                   visit, options.stats);
    return;
  }
  if (by_dops(options)) {
    query::dop_visit_surfaces(dop_pair(bodies, options), dop_options(options),
                              scratch_of(scratch).get<query::DopMemory>(), visit, options.stats);
    return;
  }
  QueryOptions one_thread = options;
  one_thread.threads = 1;
  for (const SurfacePair& pair : surface_pairs(a, pose_a, b, pose_b, scratch, one_thread))
    if (!visit(pair)) return;
}

std::optional<TrianglePair> first_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                       Scratch& scratch, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return TrianglePair::refusal();
  const PosedPair bodies{{a, pose_a}, {b, pose_b}};
  const unsigned threads = threads_of(options);
  if (aligned(options)) return ask_aligned(query::aligned_first, bodies, scratch, options);
  switch (options.method) {
    case Method::surface: {
      support::Fuel fuel;
      return query::oriented_first(oriented_pair(bodies, options), scratch_of(scratch).get<query::SearchMemory>(), fuel,
                                   options.stats);
    }
    case Method::brute:
      return query::brute_first(bodies, scratch_of(scratch).get<query::BruteMemory>(), threads, options.stats);
    case Method::dop:
    case Method::dop_fixed:
      return query::dop_first(dop_pair(bodies, options), dop_options(options),
                              scratch_of(scratch).get<query::DopMemory>(), options.stats);
  }
  return TrianglePair::refusal();  // no such method
}

void surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                   std::vector<SurfacePair>& pairs, const QueryOptions& options) {
  const support::OneUser user = query::use(scratch);
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return pairs.assign(1, SurfacePair::refusal());
  const PosedPair bodies{{a, pose_a}, {b, pose_b}};
  if (aligned(options)) {
    pairs = ask_aligned(query::aligned_surfaces, bodies, scratch, options);
  } else if (options.method == Method::surface) {
    query::SearchMemory& memory = scratch_of(scratch).get<query::SearchMemory>();
    support::Fuel fuel;
    query::oriented_surfaces(oriented_pair(bodies, options), memory, threads_of(options), fuel, options.stats);
    pairs.assign(memory.surfaces.begin(), memory.surfaces.end());
  } else if (by_dops(options)) {
    query::DopMemory& memory = scratch_of(scratch).get<query::DopMemory>();
    query::dop_surfaces(dop_pair(bodies, options), dop_options(options), memory, options.stats);
    pairs.assign(memory.surfaces.begin(), memory.surfaces.end());
  } else {
    pairs = surfaces_of(triangle_pairs(a, pose_a, b, pose_b, scratch, options), a.mesh(), b.mesh());
  }
}

std::vector<SurfacePair> surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                       Scratch& scratch, const QueryOptions& options) {
  std::vector<SurfacePair> pairs;
  surface_pairs(a, pose_a, b, pose_b, scratch, pairs, options);
  return pairs;
}

std::optional<SurfacePair> first_surface_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                              Scratch& scratch, const QueryOptions& options) {
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return SurfacePair::refusal();
  const PosedPair bodies{{a, pose_a}, {b, pose_b}};
  if (aligned(options)) return ask_aligned(query::aligned_first_surfaces, bodies, scratch, options);
  switch (options.method) {
    case Method::dop:
    case Method::dop_fixed:
    case Method::surface: {
      const auto pair = first_pair(a, pose_a, b, pose_b, scratch, options);
      if (!pair) return std::nullopt;
      return SurfacePair{a.mesh().surface_of(pair->a), b.mesh().surface_of(pair->b)};
    }
    case Method::brute: {
      // The smallest triangles need not lie in the smallest surfaces.
      const auto all = surface_pairs(a, pose_a, b, pose_b, scratch, options);
      return all.empty() ? std::nullopt : std::optional(all.front());
    }
  }
  return SurfacePair::refusal();  // no such method
}

bool intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                const QueryOptions& options) {
  if (!shape::are_meshes(a, b)) return query::solids_within({a, pose_a}, {b, pose_b}, 0);
  return first_pair(a, pose_a, b, pose_b, scratch, options).has_value();
}

Distance distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                  const DistanceLimits& limits, const QueryOptions& options) {
  if (!shape::are_valid(pose_a, pose_b) || std::isnan(limits.ignore_beyond) || std::isnan(limits.enough))
    return Distance::refusal();
  if (!shape::are_meshes(a, b)) return query::solid_distance({a, pose_a}, {b, pose_b});
  const PosedPair bodies{{a, pose_a}, {b, pose_b}};
  const support::OneUser user = query::use(scratch);
  if (options.method == Method::brute)
    return query::with_normal(
        query::brute_distance(bodies, scratch_of(scratch).get<query::BruteMemory>(), limits, options.stats));
  support::Fuel fuel;
  return query::with_normal(query::oriented_distance(
      oriented_pair(bodies, options), limits, scratch_of(scratch).get<query::SearchMemory>(), fuel, options.stats));
}

bool within(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double clearance, Scratch& scratch,
            const QueryOptions& options) {
  if (!shape::are_meshes(a, b)) return query::solids_within({a, pose_a}, {b, pose_b}, clearance);
  if (!shape::are_valid(pose_a, pose_b) || std::isnan(clearance)) return true;
  if (clearance < 0) return false;
  return distance(a, pose_a, b, pose_b, scratch, query::limits_of(clearance), options).found();
}

void triangles_meeting(const Shape& shape, const Pose& pose, const Shape& mesh, const Pose& pose_mesh, Scratch& scratch,
                       std::vector<std::uint32_t>& triangles) {
  triangles.clear();
  if (!mesh.is_mesh() || !shape::are_valid(pose, pose_mesh)) return triangles.assign(1, TrianglePair::k_no_triangle);
  if (!shape.is_mesh())
    query::triangles_in_solid({shape, pose}, {mesh, pose_mesh}, triangles);
  else
    visit_triangle_pairs(shape, pose, mesh, pose_mesh, scratch, [&](const TrianglePair& pair) {
      triangles.push_back(pair.b);
      return true;
    });
  std::ranges::sort(triangles);
  const auto repeated = std::ranges::unique(triangles);
  triangles.erase(repeated.begin(), repeated.end());
}

double resolution(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) noexcept {
  if (!shape::are_meshes(a, b) && shape::are_valid(pose_a, pose_b))
    return query::solid_resolution({a, pose_a}, {b, pose_b});
  return posing_error(a.bounds(), pose_a) + posing_error(b.bounds(), pose_b);
}

namespace {

constexpr std::array<std::string_view, 4> k_methods{"surface", "brute", "dop", "dop_fixed"};

}  // namespace

std::string_view to_string(Method method) noexcept { return k_methods.at(static_cast<std::size_t>(method)); }

std::optional<Method> parse_method(std::string_view text) noexcept {
  const auto found = std::ranges::find(k_methods, text);
  return found == k_methods.end() ? std::nullopt : std::optional(static_cast<Method>(found - k_methods.begin()));
}

}  // namespace snug
