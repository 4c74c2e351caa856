#include "ccd/path_limits.hpp"

#include "ccd/trajectory.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug {

std::string PathError::message() const {
  switch (code) {
    case Code::motion_count:
      return "there must be one motion for each part";
    case Code::bad_length:
      return "clearance, touch gap, touch overlap and separation must be finite and not negative";
    case Code::bad_tolerance:
      return "the time tolerance must be finite and not negative";
    case Code::bad_range:
      return "the range of time must be finite and not end before it begins, nor hold keys closer than 2^-300, "
             "nor be longer than 2^200 for a first contact";
    case Code::bad_coordinate:
      return "a part reaches beyond 2^200, or its pose is not valid";
    case Code::not_a_mesh:
      return "a body is a primitive, which has no triangles";
  }
  return "?";
}

namespace ccd {

namespace {

constexpr double k_farthest = 0x1p200;

}  // namespace

Result<TimeSpan, PathError> path_range(const std::optional<TimeSpan>& asked,
                                       std::span<const Motion* const> motions) noexcept {
  TimeSpan range{0, 0};
  if (asked) {
    range = *asked;
  } else {
    double begin = std::numeric_limits<double>::infinity(), end = -begin;
    for (const Motion* motion : motions)
      if (motion->keys().size() > 1) begin = std::min(begin, motion->begin()), end = std::max(end, motion->end());
    if (begin <= end) range = {begin, end};
  }
  if (!std::isfinite(range.begin) || !std::isfinite(range.end) || !(range.begin <= range.end) ||
      !std::isfinite(range.length()))
    return Failure{PathError{PathError::Code::bad_range}};
  return range;
}

double path_farthest(const Mesh& mesh, const Motion& motion) noexcept {
  const double radius = farthest_from({}, mesh.bounds());
  double farthest = 0;
  const auto keys = motion.keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].pose.is_valid()) return std::numeric_limits<double>::infinity();
    // A key is the end of one way and the beginning of the next.
    farthest = std::max(farthest, farthest_about(keys[i].pose, motion.pivot(i), radius));
    if (i > 0 && motion.has_pivots())
      farthest = std::max(farthest, farthest_about(keys[i].pose, motion.pivot(i - 1), radius));
  }
  return farthest <= k_farthest ? farthest : std::numeric_limits<double>::infinity();
}

}  // namespace ccd

}  // namespace snug
