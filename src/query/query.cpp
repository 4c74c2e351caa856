#include <snug/query.hpp>

#include "query/brute/brute.hpp"
#include "query/surface/oriented.hpp"
#include "query/surface/surface.hpp"
#include "support/assert.hpp"

#include <algorithm>

// The one place where a method is chosen.

namespace snug {

namespace {
detail::PosedPair posed(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) noexcept {
  return {a.mesh(), pose_a, b.mesh(), pose_b};
}

detail::OrientedPair oriented(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return {a.mesh(), detail::Access::data(a).obb_tree(), pose_a, b.mesh(), detail::Access::data(b).obb_tree(), pose_b,
          detail::best_kernels()};
}
}  // namespace

std::vector<TrianglePair> triangle_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         Scratch& scratch, const QueryOptions& options) {
  SNUG_ASSERT(options.threads >= 1);
  switch (options.method) {
    case Method::surface:
      return detail::oriented_pairs(oriented(a, pose_a, b, pose_b), detail::Access::data(scratch).search,
                                    std::max(options.threads, 1U));
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
    case Method::surface:
      return detail::oriented_first(oriented(a, pose_a, b, pose_b), detail::Access::data(scratch).search);
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
