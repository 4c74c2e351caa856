#include <snug/query.hpp>

#include "query/aligned/aligned.hpp"
#include "query/brute/brute.hpp"
#include "query/surface/surface.hpp"
#include "support/assert.hpp"

#include <algorithm>

// The one place where a method is chosen.

namespace snug {

namespace {
detail::PosedPair posed(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) noexcept {
  return {a.mesh(), pose_a, b.mesh(), pose_b};
}

/// Both bodies posed into the scratch memory.
detail::ScratchData& with_bodies(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                 Scratch& scratch) {
  detail::ScratchData& data = detail::Access::data(scratch);
  data.body_a.assign(a.mesh(), detail::Access::data(a).tree(), pose_a);
  data.body_b.assign(b.mesh(), detail::Access::data(b).tree(), pose_b);
  return data;
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

/// At least 1, whatever was asked for.
unsigned threads_of(const QueryOptions& options) {
  SNUG_ASSERT(options.threads >= 1);
  return std::max(options.threads, 1U);
}

bool aligned(const QueryOptions& options) noexcept {
  return options.method == Method::surface && options.surface.bounds == SurfaceSearch::Bounds::aligned;
}

/// Asks one of the searches by aligned boxes.
template <class Search>
auto ask_aligned(Search&& search, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 Scratch& scratch, const QueryOptions& options) {
  Stats unwanted;
  return search({detail::Access::data(a), pose_a}, {detail::Access::data(b), pose_b}, options.surface,
                detail::Access::data(scratch).aligned, options.stats != nullptr ? *options.stats : unwanted);
}
}  // namespace

std::vector<TrianglePair> triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         Scratch& scratch, const QueryOptions& options) {
  const unsigned threads = threads_of(options);
  if (aligned(options)) return ask_aligned(detail::aligned_pairs, a, pose_a, b, pose_b, scratch, options);
  switch (options.method) {
    case Method::surface: {
      const detail::ScratchData& posed_bodies = with_bodies(a, pose_a, b, pose_b, scratch);
      return detail::tree_pairs(posed_bodies.body_a, posed_bodies.body_b, threads);
    }
    case Method::brute:
      return detail::brute_pairs(posed(a, pose_a, b, pose_b), detail::Access::data(scratch), threads, nullptr,
                                 options.stats);
  }
  detail::stop("unknown method");
}

std::optional<TrianglePair> first_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                       Scratch& scratch, const QueryOptions& options) {
  const unsigned threads = threads_of(options);
  if (aligned(options)) return ask_aligned(detail::aligned_first, a, pose_a, b, pose_b, scratch, options);
  switch (options.method) {
    case Method::surface: {
      const detail::ScratchData& posed_bodies = with_bodies(a, pose_a, b, pose_b, scratch);
      return detail::tree_first(posed_bodies.body_a, posed_bodies.body_b);
    }
    case Method::brute:
      return detail::brute_first(posed(a, pose_a, b, pose_b), detail::Access::data(scratch), threads, options.stats);
  }
  detail::stop("unknown method");
}

std::vector<SurfacePair> surface_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                       Scratch& scratch, const QueryOptions& options) {
  if (aligned(options)) return ask_aligned(detail::aligned_surfaces, a, pose_a, b, pose_b, scratch, options);
  return surfaces_of(triangle_pairs(a, pose_a, b, pose_b, scratch, options), a.mesh(), b.mesh());
}

std::optional<SurfacePair> first_surface_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                              Scratch& scratch, const QueryOptions& options) {
  (void)threads_of(options);
  if (aligned(options)) return ask_aligned(detail::aligned_first_surfaces, a, pose_a, b, pose_b, scratch, options);
  switch (options.method) {
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
  detail::stop("unknown method");
}

bool intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                const QueryOptions& options) {
  return first_pair(a, pose_a, b, pose_b, scratch, options).has_value();
}

double resolution(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) noexcept {
  return posing_error(a.bounds(), pose_a) + posing_error(b.bounds(), pose_b);
}

}  // namespace snug
