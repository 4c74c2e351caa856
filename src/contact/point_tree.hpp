#pragma once

#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace snug::contact {

/// Points by where they are, in memory that is kept. What it answers depends on the set of points alone, not on their order. Points that
/// crowd in one place cost no more than one: contacts of bodies that are nearly the same all lie in their middle.
class PointTree {
 public:
  PointTree(std::vector<Point3>& points, std::vector<Aabb>& boxes) : points_(points), boxes_(boxes) {
    std::ranges::sort(points);
    const auto twice = std::ranges::unique(points);
    points.erase(twice.begin(), twice.end());
    levels_ = static_cast<int>(std::bit_width(points.size() / k_leaf));
    boxes.resize((std::size_t{2} << levels_) - 1);
    build(0, 0, points.size(), levels_);
  }

  /// How far it is to the nearest, to 2^-44 of that; or anything up to `enough`, if it is no further. Infinite if there is none.
  [[nodiscard]] double nearest(const Point3& from, double enough) const noexcept {
    double least = std::numeric_limits<double>::infinity();
    visit(0, 0, points_.size(), levels_, from, enough, least);
    return least;
  }

 private:
  static constexpr std::size_t k_leaf = 8;
  static constexpr double k_no_closer = 1 + 0x1p-44;

  void build(std::size_t node, std::size_t begin, std::size_t end, int levels) {
    SNUG_ASSERT(node < boxes_.size() && begin <= end && levels >= 0);
    Aabb& box = boxes_[node] = {};
    for (std::size_t i = begin; i < end; ++i) box.include(points_[i]);
    if (levels == 0) return;
    const Vec3 size = box.hi - box.lo;
    const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [this](std::size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [axis](const Point3& p, const Point3& q) {
      return p[axis] != q[axis] ? p[axis] < q[axis] : p < q;
    });
    build(2 * node + 1, begin, middle, levels - 1);
    build(2 * node + 2, middle, end, levels - 1);
  }

  [[nodiscard]] double gap_to(std::size_t node, const Point3& from) const noexcept {
    const Aabb& box = boxes_[node];
    const auto gap = [&](std::size_t i) { return std::max({0.0, box.lo[i] - from[i], from[i] - box.hi[i]}); };
    return length_of({gap(0), gap(1), gap(2)});
  }

  void visit(std::size_t node, std::size_t begin, std::size_t end, int levels, const Point3& from, double enough,
             double& least) const noexcept {
    if (begin == end || !(least > enough) || gap_to(node, from) * k_no_closer >= least) return;
    if (levels == 0) {
      for (std::size_t i = begin; i < end; ++i) least = std::min(least, length_of(from - points_[i]));
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const auto lower = [&] { visit(2 * node + 1, begin, middle, levels - 1, from, enough, least); };
    const auto upper = [&] { visit(2 * node + 2, middle, end, levels - 1, from, enough, least); };
    if (gap_to(2 * node + 1, from) <= gap_to(2 * node + 2, from))
      lower(), upper();
    else
      upper(), lower();
  }

  std::vector<Point3>& points_;
  std::vector<Aabb>& boxes_;
  int levels_ = 0;
};

}  // namespace snug::contact
