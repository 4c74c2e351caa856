#include <snug/query.hpp>

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
}  // namespace

std::vector<TrianglePair> triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         Scratch& scratch, const QueryOptions& options) {
  SNUG_ASSERT(options.threads >= 1);
  switch (options.method) {
    case Method::surface: {
      const detail::ScratchData& posed_bodies = with_bodies(a, pose_a, b, pose_b, scratch);
      return detail::tree_pairs(posed_bodies.body_a, posed_bodies.body_b, std::max(options.threads, 1U));
    }
    case Method::brute:
      return detail::brute_pairs(posed(a, pose_a, b, pose_b), detail::Access::data(scratch),
                                 std::max(options.threads, 1U));
  }
  detail::stop("unknown method");
}

std::optional<TrianglePair> first_pair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                       Scratch& scratch, const QueryOptions& options) {
  SNUG_ASSERT(options.threads >= 1);
  switch (options.method) {
    case Method::surface: {
      const detail::ScratchData& posed_bodies = with_bodies(a, pose_a, b, pose_b, scratch);
      return detail::tree_first(posed_bodies.body_a, posed_bodies.body_b);
    }
    case Method::brute:
      return detail::brute_first(posed(a, pose_a, b, pose_b), detail::Access::data(scratch),
                                 std::max(options.threads, 1U));
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
