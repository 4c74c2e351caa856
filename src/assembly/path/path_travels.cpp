#include "assembly/path/path_travels.hpp"

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::detail {

PathTravels::PathTravels(const PathPart& a, const PathPart& b, double begin, std::vector<double> times)
    : times_(std::move(times)) {
  std::ranges::sort(times_);
  const auto repeated = std::ranges::unique(times_);
  times_.erase(repeated.begin(), repeated.end());
  PathTravel so_far;
  double from = begin;
  for (const double t : times_) {
    for (const auto& [part, sum] : {std::pair{&a, &so_far.a}, {&b, &so_far.b}}) {
      const Travel more = travel(part->trajectory().motion(), middle_of(part->shape().bounds()), from, t);
      sum->length += more.length, sum->radians += more.radians;
    }
    travels_.push_back(so_far);
    from = t;
  }
}

PathTravel PathTravels::at(double t) const noexcept {
  const auto found = std::ranges::lower_bound(times_, t);
  SNUG_ASSERT(found != times_.end() && *found == t);
  return travels_[static_cast<std::size_t>(found - times_.begin())];
}

}  // namespace snug::detail
