#pragma once

#include "assembly/path/path_part.hpp"

#include <snug/path.hpp>

#include <vector>

namespace snug::detail {

/// How far two parts have come at certain times, each interval of their ways measured once.
class PathTravels {
 public:
  PathTravels(const PathPart& a, const PathPart& b, double begin, std::vector<double> times);

  /// `t` must be one of the times.
  [[nodiscard]] PathTravel at(double t) const noexcept;

 private:
  std::vector<double> times_;  ///< rising
  std::vector<PathTravel> travels_;
};

}  // namespace snug::detail
