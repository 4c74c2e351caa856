#pragma once

#include "contact/regions/curves.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::contact {

/// Numbers that are forgotten all at once, so that a call costs what it looks at and not the size of the mesh.
class Stamps {
 public:
  void begin(std::size_t count) {
    if (at_.size() < count) at_.resize(count);
    if (++now_ == 0) at_.assign(at_.size(), {}), now_ = 1;
  }
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t get(std::uint32_t i) const noexcept {
    return at_[i].when == now_ ? at_[i].value : k_none;
  }
  void set(std::uint32_t i, std::uint32_t value) noexcept { at_[i] = {now_, value}; }

 private:
  struct Stamp {
    std::uint32_t when = 0, value = 0;
  };
  std::vector<Stamp> at_;
  std::uint32_t now_ = 0;
};

/// Triangles of one body that bound a region.
using Patch = std::vector<std::uint32_t>;

/// A connected part of the overlap of two bodies, or of one sheet's crossing with another body.
struct Region {
  std::vector<std::uint32_t> segments;  ///< of its curves
  std::array<Patch, 2> patch;
  Vec3 area;          ///< of a's patch: the sum of its outward normals times area, from the curves by Stokes' theorem
  double loops = 0;   ///< sum of the magnitudes of the area vectors of its curves: more than |area| if they cancel
  bool open = false;  ///< a curve ends at a rim: the patches are no more than the triangles that cross
};

/// Puts curves together to regions. A region's vertices are those of each body that lie inside the other, found from the ends of edges that
/// curves cut and on across edges that they do not cut. No triangle is clipped.
///
/// Sheets: a curve that ends at a rim encloses nothing. The same holds for a flood that arrives at a vertex which a cut edge knows to be
/// outside, as on a ring that is cut once. Bodies that cross themselves: inside is where their closed shells wind around. Each edge is
/// followed with the winding number, which begins with that of its smaller vertex; see RayTarget::winding().
class Regions {
 public:
  void find(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves);

  [[nodiscard]] std::vector<Region>& all() noexcept { return regions_; }
  /// True if a triangle is part of the patch of any region.
  [[nodiscard]] bool is_taken(std::size_t side, std::uint32_t triangle) const noexcept {
    return taken_[side].get(triangle) != Stamps::k_none;
  }
  /// Calls visit(from, to) for each part of an edge that lies inside the other body, from its smaller vertex on.
  template <class Visit>
  void inside_parts(const RegionBodies& bodies, const Curves& curves, std::uint8_t side, std::uint64_t edge,
                    Visit&& visit) const;

 private:
  struct Node {
    std::uint32_t vertex;
    std::uint8_t side;
  };
  void join_loops(const Curves& curves);
  void join_edge(const RegionBodies& bodies, std::span<const CurvePoint> on, std::uint32_t first);
  void flood(const RegionBodies& bodies, const Curves& curves);
  void list(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves);
  std::uint32_t node_of(std::uint8_t side, std::uint32_t vertex);
  std::uint32_t find_root(std::uint32_t i) noexcept {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) noexcept {
    i = find_root(i), j = find_root(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }
  /// The winding number of the other body around the edge's smaller vertex. A vertex on the surface counts as inside.
  static int winding_before(const RegionBodies& bodies, std::span<const CurvePoint> on);

  std::vector<Region> regions_;
  std::vector<std::uint32_t> parent_;  ///< points of curves, then vertices
  std::vector<Node> vertices_;
  std::vector<std::uint32_t> loop_;  ///< per point: the first of its curve
  std::vector<bool> open_;           ///< by the first point of a curve
  std::vector<std::uint32_t> leaks_;
  std::array<Stamps, 2> node_, outside_, crossed_, taken_;
};

template <class Visit>
void Regions::inside_parts(const RegionBodies& bodies, const Curves& curves, std::uint8_t side, std::uint64_t edge,
                           Visit&& visit) const {
  const RayTarget& body = *bodies[side];
  const Point3 lo = body.pose().apply(body.mesh().vertices()[edge_lo(edge)]);
  const Point3 hi = body.pose().apply(body.mesh().vertices()[edge_hi(edge)]);
  const auto on = curves.on_edge(side, edge);
  if (on.empty()) {
    if (node_[side].get(edge_lo(edge)) != Stamps::k_none) visit(lo, hi);
    return;
  }
  int winding = winding_before(bodies, on);
  Point3 from = lo;
  for (const CurvePoint& p : on) {
    if (winding > 0) visit(from, p.point);
    winding += p.enters ? 1 : -1;
    from = p.point;
  }
  if (winding > 0) visit(from, hi);
}

}  // namespace snug::contact
