#pragma once

#include "bench/peers/path_engine.hpp"

#include <snug/shape.hpp>

#include <cstdint>

namespace snug::bench::paths {

/// Conservative advancement in its simplest form: from the distance of both bodies and the speed that no point exceeds. It shares
/// distance() with the library, which is held to exact arithmetic elsewhere, and none of the search that it judges.
class DenseAdvancement {
 public:
  DenseAdvancement(const Mesh& a, const Mesh& b) : a_(a), b_(b), radius_a_(radius(a)), radius_b_(radius(b)) {}

  struct Known {
    PathAnswer answer;
    double closest = 0;       ///< distance that was seen
    std::uint64_t steps = 0;  ///< distances it took
    bool sure = true;         ///< false if it came within the resolution without getting closer, or took too long
  };
  [[nodiscard]] Known truth(const RigidPath& path);

 private:
  [[nodiscard]] static double radius(const Mesh& mesh);

  Shape a_, b_;
  double radius_a_, radius_b_;
  Scratch scratch_;
};

}  // namespace snug::bench::paths
