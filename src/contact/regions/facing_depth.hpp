#pragma once

#include "contact/ray_target.hpp"
#include "contact/regions/regions.hpp"
#include "contact/regions/seen_tree.hpp"
#include "geometry/vec_ops.hpp"
#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::contact {

/// Two points of the bodies on one line along a direction, b's `depth` further along it.
struct FacingPoint {
  double depth = 0;
  Point3 on_a, on_b;
  std::uint32_t triangle_a = 0, triangle_b = 0;
  Vec3
      normal;  ///< of what touches there once a has been moved by depth: b's face, a's face reversed, or across two edges
};

/// Leaves one of those points that are next to each other, seen along the normal: closer than a share of the width of all. The deepest
/// stays.
template <class Points>
void drop_neighbours(Points& points, const Vec3& normal) {
  /// Share of a manifold's width, no dimension: what is so close carries as one. Crossings of diagonals lie beside corners by as little as
  /// bodies are turned against each other.
  constexpr double k_next_to = 0x1p-6;
  std::ranges::sort(points, [](const FacingPoint& p, const FacingPoint& q) {
    return p.depth != q.depth ? p.depth > q.depth : p.on_a < q.on_a;
  });
  const auto apart = [&](const FacingPoint& p, const FacingPoint& q) {
    const Vec3 between = q.on_a - p.on_a;
    return geometry::length_of(between - geometry::dot(between, normal) * normal);
  };
  double width = 0;
  for (const FacingPoint& p : points) width = std::max(width, apart(points.front(), p));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto is_next = [&](std::size_t k) { return apart(points[k], points[i]) <= k_next_to * width; };
    bool dropped = false;
    for (std::size_t k = 0; k < kept; ++k) dropped = dropped || is_next(k);
    if (!dropped) points[kept++] = points[i];
  }
  points.resize(kept, FacingPoint{});
}

/// A patch or a whole body.
using Triangles = std::span<const std::uint32_t>;

/// A triangle of a body where it is.
struct Placed {
  std::array<Point3, 3> corner;
  Vec3 out;  ///< unit, out of the solid
  std::uint32_t triangle;
};

/// What FacingDepth keeps from call to call.
struct FacingMemory {
  std::array<std::vector<Placed>, 2> patch;
  std::vector<std::uint64_t> keys;
  std::array<SeenTree, 2> tree, grown, ring;
  SeenTree one;  ///< a triangle of the frontier
  std::array<Stamps, 2> known;
  std::array<std::vector<std::uint32_t>, 2> frontier;
};

/// How far a has to be moved along a direction until its patch is beyond b's: the longest distance along it from a's triangles that
/// face against it to b's that face along it. Both patches grow to connected triangles that overlap the other patch along the direction:
/// moved by less, these would still meet it. Rims of sheets count whichever way their triangles face: a cup that is turned over stands on
/// its rim.
class FacingDepth {
 public:
  /// `fuel`: of a call under a budget; one step for each pair of triangles that is compared.
  FacingDepth(const RegionBodies& bodies, const Regions& regions, FacingMemory& memory, Fuel* fuel)
      : bodies_(bodies),
        regions_(regions),
        fuel_(fuel),
        tree_(memory.tree),
        placed_(memory.patch),
        keys_(memory.keys),
        grown_(memory.grown),
        ring_(memory.ring),
        one_(memory.one),
        known_(memory.known),
        frontier_(memory.frontier) {}

  /// The patches of the next calls.
  void take(Triangles patch_a, Triangles patch_b);
  /// `direction`: unit. False if no two facing triangles lie above one another.
  bool find(const Vec3& direction, bool grows);
  /// True if these were taken last and have not been changed since.
  [[nodiscard]] bool has(Triangles patch_a, Triangles patch_b) const noexcept {
    return taken_[0].data() == patch_a.data() && taken_[0].size() == patch_a.size() &&
           taken_[1].data() == patch_b.data() && taken_[1].size() == patch_b.size();
  }
  /// True if the last find() of these patches was along this direction and found something.
  [[nodiscard]] bool is_at(const Vec3& direction) const noexcept { return found_ && u_ == direction; }
  /// The deepest point.
  [[nodiscard]] const FacingPoint& deepest() const noexcept { return deepest_; }
  /// Points of the last direction, at most nine: the deepest, and those that reach furthest in eight directions across it, none of negative
  /// depth.
  void manifold(std::vector<FacingPoint>& out) const;

 private:
  /// What touches at the deepest point: see for_each_corner(). Of two sides that cross, along the directions across u_ and along it.
  struct Touch {
    int what = 0;
    Vec3 side_a, side_b;
  };
  [[nodiscard]] Placed placed(std::size_t side, std::uint32_t triangle) const;
  /// Adds what faces the other body: true if the triangle does.
  bool see(std::size_t side, const Placed& triangle, SeenTree& tree) const;
  [[nodiscard]] Seen seen(std::uint32_t triangle, const std::array<Point3, 3>& corner) const noexcept;
  [[nodiscard]] Vec3 normal_of(const Touch& touch) const;
  [[nodiscard]] Point3 point_at(double x, double y, double height) const noexcept {
    return (x / scale_) * x_ + (y / scale_) * y_ + height * u_;
  }
  /// Compares all of a with all of b.
  void compare(const SeenTree& of_a, const SeenTree& of_b);
  /// True if they overlap along the direction, by more than rounding.
  bool deepen(const Seen& a, const Seen& b);
  /// Adds the triangle's neighbours that are of no region and have not been looked at.
  void extend_frontier(std::size_t side, std::uint32_t triangle);
  /// Adds the triangles of a patch's frontier that overlap the other patch, and looks from there on: false if none does.
  bool grow(std::size_t side);
  bool overlaps(std::size_t side, const Seen& seen, const SeenTree& others);

  const RegionBodies& bodies_;
  const Regions& regions_;
  Fuel* fuel_;
  Vec3 u_, x_, y_;
  double scale_ = 1;  ///< a power of two for what is seen across u_: areas of tiny and of huge triangles are in range
  bool found_ = false;
  FacingPoint deepest_;
  Touch touch_;
  std::array<Triangles, 2> taken_;
  std::array<SeenTree, 2>& tree_;  ///< of the patches
  std::array<std::vector<Placed>, 2>& placed_;
  std::vector<std::uint64_t>& keys_;
  std::array<SeenTree, 2>&grown_, &ring_;  ///< of what they have gained; of what they gained last
  SeenTree& one_;
  std::array<Stamps, 2>& known_;  ///< triangles of the patches and of the frontiers
  std::array<std::vector<std::uint32_t>, 2>& frontier_;
  std::array<std::size_t, 2>
      compared_{};  ///< first of the frontiers: those compared with all but the other's last ring
};

}  // namespace snug::contact
