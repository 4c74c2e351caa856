#pragma once

#include "query/ray/ray_walk.hpp"
#include "simd/kernels.hpp"

#include <snug/pose.hpp>
#include <snug/shape.hpp>
#include <snug/triangle.hpp>

#include <concepts>
#include <limits>

namespace snug::detail {

/// How far along a line, in units of its direction, hits matter. Nothing is looked for where it is negative.
struct LineReach {
  double ahead = std::numeric_limits<double>::infinity();
  double behind = -1;
};

/// A posed body for lines to walk through. Borrows everything.
class LineWalk {
 public:
  LineWalk(const Shape& body, const Pose& pose, const Kernels& kernels);

  /// What t of the ray is along the walk: t * scale + shift.
  struct Start {
    double scale = 1, shift = 0;
    bool possible = true;  ///< the line was brought into the tree; without a walk it misses it
  };
  /// Brings the line into the tree, for walks of other kinds. False if there is nothing to walk.
  bool prepare(const Ray& ray, RayWalk& walk, Start& start) const noexcept;
  static void narrow(const Start& start, const LineReach& reach, RayWalk& walk) noexcept;

  /// Calls offer(triangle, reach) or offer(triangle, corners, reach) for every triangle that the line of the ray meets within reach, and for some it does not;
  /// nearer ones come sooner, more or less. It may narrow the reach. False if lines can not be brought into the tree, since
  /// numbers are too large: then every triangle is to be looked at.
  template <class Offer>
  bool run(const Ray& ray, LineReach& reach, Offer&& offer) const {
    struct Context {
      Start start;
      LineReach& reach;
      Offer& offer;
    };
    Context context{{}, reach, offer};
    RayWalk walk;
    if (!prepare(ray, walk, context.start)) return context.start.possible;
    narrow(context.start, reach, walk);
    walk.both_ways = reach.behind >= 0;
    walk.context = &context;
    walk.take = [](RayWalk& w, std::uint32_t triangle, const std::uint32_t corners[3]) {
      auto& c = *static_cast<Context*>(w.context);
      if constexpr (std::invocable<Offer, std::uint32_t, const Index3&, LineReach&>) {
        c.offer(triangle, Index3{corners[0], corners[1], corners[2]}, c.reach);
      } else {
        c.offer(triangle, c.reach);
      }
      narrow(c.start, c.reach, w);
    };
    kernels_.walk_ray(walk);
    box_tests += walk.box_tests, triangle_tests += walk.triangle_tests;
    return true;
  }

  mutable std::uint64_t box_tests = 0, triangle_tests = 0;  ///< of all walks, in eights

 private:
  const ObbTree& tree_;
  const RayBvh& bvh_;
  const Pose& pose_;
  const Point3* vertices_;
  const Kernels& kernels_;
  double unit_, margin_;
};

}  // namespace snug::detail
