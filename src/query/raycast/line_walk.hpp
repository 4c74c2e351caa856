#pragma once

#include "query/raycast/first_hit.hpp"
#include "query/raycast/ray_walk.hpp"
#include "simd/kernels.hpp"
#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/shape.hpp>
#include <snug/triangle.hpp>

namespace snug::query {

/// A posed body for lines to walk through. Borrows everything.
class LineWalk {
 public:
  LineWalk(const Shape& body, const Pose& pose, const Kernels& kernels);

  using Start = LineStart;
  /// Brings the line into the tree, for walks of other kinds. False if there is nothing to walk.
  bool prepare(const Ray& ray, RayWalk& walk, Start& start) const noexcept;
  static void narrow(const Start& start, const LineReach& reach, RayWalk& walk) noexcept;

  /// Calls offer(triangle, reach) for every triangle that the line of the ray meets within reach, and for some it does not;
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
    walk.take = [](RayWalk& w, std::uint32_t block, std::uint32_t lane) {
      auto& c = *static_cast<Context*>(w.context);
      c.offer(w.blocks[block].id[lane], c.reach);
      narrow(c.start, c.reach, w);
    };
    kernels_.walk_ray(walk);
    box_tests += walk.box_tests, triangle_tests += walk.triangle_tests;
    return true;
  }

  /// The first hit of a ray: what is asked for stands in the search. False as above.
  bool run(FirstHitSearch& search) const;

  mutable std::uint64_t box_tests = 0, triangle_tests = 0;  ///< of all walks, in eights

 private:
  PosedTree tree_;
  const Kernels& kernels_;
};

}  // namespace snug::query
