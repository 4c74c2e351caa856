#include "query/convex/depth.hpp"

#include "query/convex/gap.hpp"
#include "query/convex/simplex.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace snug::query {

namespace {

using Face = DepthMemory::Face;

/// Polytopes take a few dozens, bodies that are round where they are nearest some hundreds. The last are those that are as deep in all
/// directions of a circle or a sphere, whose bounds stay apart.
constexpr std::size_t k_rounds = 1000;
/// Points no further than this beyond a face do not move it.
constexpr double k_flat = 0x1p-49;
constexpr int k_rounds_to_origin = 32;
/// After so many rounds bounds this close, as a share of the depth, will do.
constexpr std::size_t k_patience = 64;
constexpr double k_share = 0x1p-30;
/// Points may be this far from where the way leads, beside bodies of size 1: round ones have them so by the root of rounding.
constexpr double k_points_off = 0x1p-21;

Vec3 unit(const Vec3& v) noexcept {
  const double largest = max_abs(v);
  if (!(largest > 0)) return {};
  const Vec3 scaled{v.x / largest, v.y / largest, v.z / largest};
  return (1 / length_of(scaled)) * scaled;
}

/// Across two vectors of one direction, either or both of which may be zero.
Vec3 across_line(const Vec3& u, const Vec3& v) noexcept {
  const Vec3& longer = max_abs(u) >= max_abs(v) ? u : v;
  return max_abs(longer) > 0 ? any_across(unit(longer)) : Vec3{1, 0, 0};
}

class DepthSearch {
 public:
  DepthSearch(const Convex& a, const Convex& b, DepthMemory& memory, double width) noexcept
      : a_(a), b_(b), m_(memory), width_(width) {
    m_.corners.clear(), m_.faces.clear(), m_.heap.clear();
  }

  DepthBounds run() {
    if (start()) grow();
    find_points();
    return out_;
  }

 private:
  /// The point of the difference that lies furthest along a unit vector. The way that far is one that parts the bodies.
  DifferencePoint reach(const Vec3& direction) noexcept {
    const Point3 on_a = a_.support(-direction), on_b = b_.support(direction);
    const DifferencePoint point{on_b - on_a, on_a, on_b};
    if (const double way = dot(direction, point.y); way < out_.most) {
      out_.most = way, out_.normal = direction;
      out_.on_a = on_a, out_.on_b = on_b, from_face_ = false;
    }
    return point;
  }
  std::uint32_t add(const DifferencePoint& point) {
    m_.corners.push_back(point);
    return static_cast<std::uint32_t>(m_.corners.size() - 1);
  }
  [[nodiscard]] const Vec3& y(std::uint32_t corner) const noexcept { return m_.corners[corner].y; }

  /// The further of the two ends along a direction from a place, if it is further than rounding.
  std::optional<DifferencePoint> end_along(const Vec3& direction, const Point3& place) noexcept {
    const DifferencePoint ahead = reach(direction), behind = reach(-direction);
    const double forward = dot(direction, ahead.y - place), backward = dot(-direction, behind.y - place);
    if (!(std::max(forward, backward) > k_flat)) return std::nullopt;
    return forward >= backward ? ahead : behind;
  }

  /// A first tetrahedron. Without one the difference is flat, and the way across it none.
  bool start() {
    constexpr std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double longest = 0;
    std::array<DifferencePoint, 2> ends;
    for (const Vec3& axis : axes) {
      const DifferencePoint ahead = reach(axis), behind = reach(-axis);
      if (const double length = max_abs(ahead.y - behind.y); length > longest) longest = length, ends = {ahead, behind};
    }
    if (!(longest > k_flat)) return false;
    if (start_around_origin(ends[0])) return true;
    const Vec3 along = unit(ends[0].y - ends[1].y), side = any_across(along);
    auto third = end_along(side, ends[0].y);
    if (!third) third = end_along(cross(along, side), ends[0].y);
    if (!third) return false;
    const Vec3 normal = unit(cross(ends[1].y - ends[0].y, third->y - ends[0].y));
    const auto fourth = end_along(normal, ends[0].y);
    if (!fourth) return false;
    add_tetrahedron({ends[0], ends[1], *third, *fourth});
    return true;
  }

  /// One that holds the origin, as far as doubles can tell: the search is then done with the difference about it. By the way to the
  /// nearest point of what was found (Gilbert, Johnson and Keerthi 1988).
  bool start_around_origin(const DifferencePoint& first) {
    std::array<DifferencePoint, 4> corners{first};
    Corners4<double> at{RealVec<double>(first.y)};
    std::uint32_t count = 1;
    OnSimplex<double> on = closest_on_simplex(at, count, k_flat);
    for (int round = 0; round < k_rounds_to_origin && on.squared > k_flat * k_flat; ++round) {
      for (std::uint32_t i = 0; i < on.count; ++i) {  // corners in use come in order
        corners[i] = corners[on.corner[i]];
        at[i] = RealVec<double>(corners[i].y);
      }
      count = on.count;
      const Vec3 direction = unit(-static_cast<Vec3>(on.point));
      corners[count] = reach(direction);
      at[count] = RealVec<double>(corners[count].y);
      if (!(dot(direction, corners[count].y) > 0)) return false;
      const OnSimplex<double> next = closest_on_simplex(at, ++count, k_flat);
      if (next.count == 4) {
        add_tetrahedron(corners);
        return true;
      }
      if (!(next.squared < on.squared)) return false;
      on = next;
    }
    return false;
  }

  void add_tetrahedron(const std::array<DifferencePoint, 4>& corners) {
    const Vec3 normal = cross(corners[1].y - corners[0].y, corners[2].y - corners[0].y);
    const bool above = dot(normal, corners[3].y - corners[0].y) > 0;
    const std::uint32_t p = add(corners[0]), q = add(corners[above ? 2 : 1]), r = add(corners[above ? 1 : 2]),
                        s = add(corners[3]);
    // The base turns counter-clockwise seen from below, where the fourth is not.
    add_face({p, q, r}, {1, 2, 3});
    add_face({p, s, q}, {3, 2, 0});
    add_face({q, s, r}, {1, 3, 0});
    add_face({r, s, p}, {2, 1, 0});
  }

  std::uint32_t add_face(const std::array<std::uint32_t, 3>& corner, const std::array<std::uint32_t, 3>& beside) {
    Face face{.corner = corner, .beside = beside};
    const Vec3 &p = y(corner[0]), &q = y(corner[1]), &r = y(corner[2]);
    face.normal = unit(cross(q - p, r - p));
    // Corners in a line have none: where they are nearest will do, or across the line if the origin is on it.
    if (!(max_abs(face.normal) > 0))
      face.normal = unit(static_cast<Vec3>(closest_on_simplex(corners_of(corner), 3, 0).point));
    if (!(max_abs(face.normal) > 0)) face.normal = across_line(q - p, r - p);
    // Nothing of the triangle is nearer than this, whatever rounding made of the normal.
    face.height = std::min({dot(face.normal, p), dot(face.normal, q), dot(face.normal, r)});
    m_.faces.push_back(face);
    const auto index = static_cast<std::uint32_t>(m_.faces.size() - 1);
    m_.heap.push_back({face.height, index});
    std::ranges::push_heap(m_.heap, further);
    return index;
  }
  static bool further(const DepthMemory::Near& p, const DepthMemory::Near& q) noexcept {
    return p.height != q.height ? p.height > q.height : p.face > q.face;
  }
  [[nodiscard]] Corners4<double> corners_of(const std::array<std::uint32_t, 3>& face) const noexcept {
    Corners4<double> corners;
    for (std::size_t i = 0; i < 3; ++i) corners[i] = RealVec<double>(y(face[i]));
    return corners;
  }

  void grow() {
    for (std::size_t round = 0; round < k_rounds; ++round) {
      while (!m_.faces[m_.heap.front().face].there) {
        std::ranges::pop_heap(m_.heap, further);
        m_.heap.pop_back();
      }
      const auto [height, nearest] = m_.heap.front();
      // What was proved of fewer faces holds, whatever rounding makes of narrow ones that come later.
      out_.least = std::max(out_.least, height);
      const Vec3 normal = m_.faces[nearest].normal;
      const DifferencePoint further_out = reach(normal);
      const double way = dot(normal, further_out.y);
      // Directions that were tried before there were faces tell no points: one that is as good is better.
      if (way <= out_.most + (from_face_ ? 0 : 0.25 * width_)) {
        out_.most = way, out_.normal = normal;
        from_face_ = true, best_face_ = m_.faces[nearest].corner;
      }
      const double open = out_.most - out_.least;
      // A plane parts them, or the bounds have come together.
      if (!(out_.most > 0) || open <= width_ || (round >= k_patience && open <= k_share * out_.most)) return;
      if (!(way - height > k_flat) || !expand(nearest, further_out)) return;
    }
  }

  [[nodiscard]] bool sees(const Vec3& point, const Face& face) const noexcept {
    return dot(face.normal, point - y(face.corner[0])) > k_flat;
  }

  /// Replaces all faces that see the point by those from it to their rim. False if rounding made something else of the rim than one loop.
  bool expand(std::uint32_t seed, const DifferencePoint& point) {
    m_.rim.clear();
    m_.open.assign(1, seed);
    m_.gone.clear();
    m_.faces[seed].there = false;
    while (!m_.open.empty()) {
      const std::uint32_t at = m_.open.back();
      m_.open.pop_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t beside = m_.faces[at].beside[i];
        Face& other = m_.faces[beside];
        if (!other.there) continue;
        if (sees(point.y, other)) {
          other.there = false;
          m_.open.push_back(beside);
        }
      }
      m_.gone.push_back(at);
    }
    for (const std::uint32_t at : m_.gone)
      for (std::size_t i = 0; i < 3; ++i)
        if (const Face& face = m_.faces[at]; m_.faces[face.beside[i]].there)
          m_.rim.push_back({face.corner[i], face.corner[(i + 1) % 3], face.beside[i]});
    if (!sort_rim()) {
      for (const std::uint32_t at : m_.gone) m_.faces[at].there = true;
      return false;
    }
    const std::uint32_t tip = add(point);
    const auto first = static_cast<std::uint32_t>(m_.faces.size());
    const auto count = static_cast<std::uint32_t>(m_.rim.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const DepthMemory::Rim& edge = m_.rim[i];
      const std::uint32_t made =
          add_face({edge.from, edge.to, tip}, {edge.beside, first + (i + 1) % count, first + (i + count - 1) % count});
      Face& outside = m_.faces[edge.beside];
      for (std::size_t k = 0; k < 3; ++k)
        if (outside.corner[k] == edge.to && outside.corner[(k + 1) % 3] == edge.from) outside.beside[k] = made;
    }
    return true;
  }

  /// Each edge behind the one that ends where it starts.
  bool sort_rim() {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    m_.starts.assign(m_.corners.size(), none);
    for (std::uint32_t i = 0; i < m_.rim.size(); ++i) {
      if (m_.starts[m_.rim[i].from] != none) return false;
      m_.starts[m_.rim[i].from] = i;
    }
    m_.sorted.clear();
    for (std::uint32_t at = 0; m_.sorted.size() < m_.rim.size();) {
      m_.sorted.push_back(m_.rim[at]);
      at = m_.starts[m_.rim[at].to];
      if (at == none) return false;
      if (at == 0) break;
    }
    if (m_.sorted.size() != m_.rim.size() || m_.rim.size() < 3) return false;
    m_.rim.swap(m_.sorted);
    return true;
  }

  /// The corners of a face make the point of the difference that the way leads to. Where several lie in one plane, it is one of them.
  void find_points() noexcept {
    if (from_face_) points_of_face();
    // Where rounding left no such face, moved out they touch.
    const Vec3 off = (out_.on_b - out_.on_a) - out_.most * out_.normal;
    if (max_abs(off) > 4 * width_ + std::min(2 * (out_.most - out_.least), k_points_off)) find_touch(a_, b_, out_);
  }
  void points_of_face() noexcept {
    OnSimplex<double> on = closest_on_simplex(corners_of(best_face_), 3, 0);
    for (const Face& face : m_.faces) {
      if (!face.there || !(face.height <= out_.most + width_)) continue;
      const OnSimplex<double> here = closest_on_simplex(corners_of(face.corner), 3, 0);
      if (here.squared < on.squared) on = here, best_face_ = face.corner;
    }
    Point3 on_a, on_b;
    for (std::uint32_t i = 0; i < on.count; ++i) {
      const DifferencePoint& corner = m_.corners[best_face_[on.corner[i]]];
      on_a = on_a + on.share[i] * corner.on_a, on_b = on_b + on.share[i] * corner.on_b;
    }
    out_.on_a = on_a, out_.on_b = on_b;
  }

  const Convex& a_;
  const Convex& b_;
  DepthMemory& m_;
  const double width_;
  DepthBounds out_;
  bool from_face_ = false;
  std::array<std::uint32_t, 3> best_face_{};
};

}  // namespace

void find_touch(const Convex& a, const Convex& b, DepthBounds& depth) noexcept {
  Convex moved = a;
  const Vec3 way = depth.most * depth.normal;
  moved.shift(way);
  const Gap touch = gap_between(moved, b, {.touching = 0x1p-44});
  depth.on_a = touch.on_a - way, depth.on_b = touch.on_b;
}

DepthBounds depth_between(const Convex& a, const Convex& b, DepthMemory& memory, double width) {
  return DepthSearch(a, b, memory, width).run();
}

}  // namespace snug::query
