#pragma once

#include "geometry/lanes/meet_line.hpp"
#include "query/raycast/first_hit.hpp"
#include "query/raycast/lanes/line_start.hpp"
#include "query/raycast/lanes/ray_walk.hpp"

// FirstHitSearch, see there. Points are read member by member: nothing that others share may be instantiated here.

namespace snug::lanes::SNUG_LANES {

namespace rays {

class ToFirstHit {
 public:
  ToFirstHit(const PosedTree& tree, const LineStart& start, FirstHitSearch& search) noexcept
      : tree_(tree), start_(start), s_(search) {}

  void operator()(RayWalk& walk, std::uint32_t block, std::uint32_t lane) noexcept {
    const std::uint32_t* const corner = walk.corners[block].vertex[lane];
    const CornerLanes posed = pose(walk.vertices[corner[0]], walk.vertices[corner[1]], walk.vertices[corner[2]]);
    const LineMeeting met = meet_line(s_.ray, posed);
    if (met.where == LineMeeting::Where::beside || met.where == LineMeeting::Where::behind) return;
    double t = met.t;
    bool from_inside = met.along_normal;
    if (met.where == LineMeeting::Where::unsure) {
      Point3 corners[3];
      posed.store(corners);
      if (!s_.decide(s_.ray, corners, t, from_inside)) return;
    }
    const std::uint32_t id = walk.blocks[block].id[lane];
    if (!(t <= s_.t_max) || (s_.triangle != FirstHitSearch::k_none && (t > s_.t || (t == s_.t && id > s_.triangle))))
      return;
    s_.t = t, s_.from_inside = from_inside;
    s_.triangle = id, s_.surface = walk.blocks[block].surface;
    posed.store(s_.corner);
    narrow_line(start_, {s_.any ? 0.0 : t, -1.0}, walk);
  }

 private:
  /// As Pose::apply(), but that the identity turns -0 into 0.
  CornerLanes pose(const Point3& a, const Point3& b, const Point3& c) const noexcept {
    const CornerLanes raw = CornerLanes::of(a, b, c);
    const auto row = [&](int i, double shift) {
      const double* const r = tree_.matrix + 3 * i;
      return ((FourDoubles(r[0]) * raw.x + FourDoubles(r[1]) * raw.y) + FourDoubles(r[2]) * raw.z) + FourDoubles(shift);
    };
    return {row(0, tree_.translation.x), row(1, tree_.translation.y), row(2, tree_.translation.z)};
  }

  const PosedTree& tree_;
  const LineStart& start_;
  FirstHitSearch& s_;
};

}  // namespace rays

/// False if the line can not be brought into the tree, since numbers are too large: then every triangle is to be looked at.
inline bool first_hit(const PosedTree& tree, FirstHitSearch& search) {
  RayWalk walk;
  LineStart start;
  if (!begin_line(tree, search.ray, walk, start)) return start.possible;
  narrow_line(start, {search.t_max, -1.0}, walk);
  rays::ToFirstHit take(tree, start, search);
  rays::Walk<false, rays::ToFirstHit>(walk, take).run();
  return true;
}

}  // namespace snug::lanes::SNUG_LANES
