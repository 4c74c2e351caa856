#pragma once

#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace snug::bench::deform {

/// A body that changes its form.
struct Form {
  Mesh mesh;  ///< at time 0
  std::function<std::vector<Point3>(double time)> at;
};

struct Kind {
  std::string_view name, what;
  Form (*make)(bool quick);
  std::vector<double> times;  ///< at which it is looked at
};
[[nodiscard]] const std::vector<Kind>& kinds();

/// What is held against it, and where: so that it meets the form in some poses and not in others.
[[nodiscard]] Mesh probe();
[[nodiscard]] std::vector<Pose> probe_poses(std::size_t count);

}  // namespace snug::bench::deform
