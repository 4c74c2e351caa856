#pragma once

#include "contact/ray_target.hpp"
#include "contact/regions/perturbed_signs.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::contact {

/// A share of a length that may be rounding alone, no dimension: 2^12 times the rounding of doubles. Points of an edge that are closer than
/// this share of it have no order, a depth that shrinks by less has not shrunk, an overlap of less than this share of a triangle is none.
inline constexpr double k_rounding = 0x1p-40;

/// Both bodies, a first.
using RegionBodies = std::array<const RayTarget*, 2>;

/// An edge by its two welded vertices, the smaller number first.
[[nodiscard]] inline std::uint64_t edge_key(std::uint32_t v, std::uint32_t w) noexcept {
  return v < w ? (std::uint64_t{v} << 32) | w : (std::uint64_t{w} << 32) | v;
}
[[nodiscard]] inline std::uint32_t edge_lo(std::uint64_t edge) noexcept {
  return static_cast<std::uint32_t>(edge >> 32);
}
[[nodiscard]] inline std::uint32_t edge_hi(std::uint64_t edge) noexcept { return static_cast<std::uint32_t>(edge); }

/// Where an edge of one body passes through a triangle of the other. The two identify it: points of curves are the same if these are,
/// whatever rounding makes of their coordinates.
struct CurvePoint {
  std::uint64_t edge = 0;
  std::uint32_t triangle = 0;
  std::uint8_t side = 0;  ///< the body that has the edge
  bool enters = false;    ///< the edge, from its smaller vertex, goes into the body that has the triangle
  double at = 0;          ///< share of the edge
  Point3 point;

  [[nodiscard]] bool same_edge(const CurvePoint& o) const noexcept { return side == o.side && edge == o.edge; }
};

/// What a pair of triangles contributes: runs so that a's part inside b lies to its left, seen from outside of a.
struct CurveSegment {
  std::uint32_t pair = 0;  ///< into the pairs
  std::uint32_t from = 0, to = 0;
};

/// The curves along which two surfaces cross, exact in every decision. See PerturbedSigns for those that touch.
class Curves {
 public:
  /// `pairs`: all pairs of triangles that share a point.
  void find(const RegionBodies& bodies, std::span<const TrianglePair> pairs);

  std::vector<CurvePoint> points;  ///< by body and edge, along the edge
  std::vector<CurveSegment> segments;

  /// How the last find() decided what touches.
  [[nodiscard]] const PerturbedSigns& signs() const noexcept { return signs_; }
  /// The points of an edge; none if it is not cut.
  [[nodiscard]] std::span<const CurvePoint> on_edge(std::uint8_t side, std::uint64_t edge) const noexcept;

 private:
  struct Use {
    CurvePoint point;
    std::uint32_t segment;
    bool is_end;
  };
  void add(const RegionBodies& bodies, const TrianglePair& pair, std::uint32_t index);
  void join(const RegionBodies& bodies);

  PerturbedSigns signs_;
  std::vector<Use> uses_;
};

}  // namespace snug::contact
