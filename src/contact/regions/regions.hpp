#pragma once

#include "contact/regions/curves.hpp"
#include "support/rooms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <optional>
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

/// Triangles of one body that bound a region. Lives as long as the call.
using Patch = std::pmr::vector<std::uint32_t>;

/// A connected part of the overlap of two bodies, or of one sheet's crossing with another body.
struct Region {
  explicit Region(std::pmr::memory_resource* memory) : segments(memory), patch{Patch(memory), Patch(memory)} {}

  std::pmr::vector<std::uint32_t> segments;  ///< of its curves
  std::array<Patch, 2> patch;
  Vec3 area;          ///< of a's patch: the sum of its outward normals times area, from the curves by Stokes' theorem
  double loops = 0;   ///< sum of the magnitudes of the area vectors of its curves: more than |area| if they cancel
  bool open = false;  ///< a curve ends at a rim: the patches are no more than the triangles that cross
};

/// What two triangles that lie in one plane and face the same way share.
struct FlushFace {
  std::uint32_t region = 0, pair = 0;
  /// To be added to the area vector of a's patch, and of b's: half of the face, with the sign that takes it from the body that the
  /// infinitely small translation gave it to, and gives it to the other.
  Vec3 area_a, area_b;
};

/// Puts curves together to regions. A region's vertices are those of each body that lie inside the other, found from the ends of edges that
/// curves cut and on across edges that they do not cut. No triangle is clipped.
///
/// Sheets: a curve that ends at a rim encloses nothing. The same holds for a flood that arrives at a vertex which a cut edge knows to be
/// outside, as on a ring that is cut once. Bodies that cross themselves: inside is where their closed shells wind around. Each edge is
/// followed with the winding number, which begins with that of its smaller vertex; see RayTarget::winding().
class Regions {
 public:
  /// Drops the regions of the last call; before their memory is used again.
  void clear() noexcept { regions_.reset(); }
  /// `memory` must outlive the regions.
  void find(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves,
            std::pmr::memory_resource* memory);

  [[nodiscard]] std::span<const Region> all() const noexcept { return *regions_; }
  /// A region whose patch has the triangle; Stamps::k_none if none has.
  [[nodiscard]] std::uint32_t region_of(std::size_t side, std::uint32_t triangle) const noexcept {
    return taken_[side].get(triangle);
  }
  /// True if a vertex, the first at its place, is of the region: inside the other body.
  [[nodiscard]] bool holds(std::uint32_t region, std::size_t side, std::uint32_t place) const noexcept {
    const std::uint32_t node = node_[side].get(place);
    return node != Stamps::k_none && region_of_node(node) == region;
  }
  /// Of the regions, in their order.
  [[nodiscard]] std::span<const FlushFace> flush_faces() const noexcept { return flush_; }
  /// Calls visit(from, to) for each part of an edge that lies in the region, from its smaller vertex on.
  template <class Visit>
  void inside_parts(const RegionBodies& bodies, const Curves& curves, std::uint32_t region, std::uint8_t side,
                    std::uint64_t edge, Visit&& visit) const;

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
  /// The region of a point of a curve or of a vertex inside the other body.
  [[nodiscard]] std::uint32_t region_of_node(std::uint32_t i) const noexcept {
    while (parent_[i] != i) i = parent_[i];
    return number_[i];
  }
  /// The winding number of the other body around the edge's smaller vertex. A vertex on the surface counts as inside.
  static int winding_before(const RegionBodies& bodies, std::span<const CurvePoint> on);

  /// Where two faces lie in each other and face the same way, the infinitely small translation leaves one of them to the region; it bounds
  /// the region of both bodies by halves, or the area vector would lean that way.
  void share_flush_faces(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves);

  std::optional<std::pmr::vector<Region>> regions_;
  std::vector<FlushFace> flush_;
  std::vector<std::uint32_t> parent_;  ///< points of curves, then vertices
  std::vector<Node> vertices_;
  std::vector<std::uint32_t> loop_;  ///< per point: the first of its curve
  std::vector<char> open_;           ///< by the first point of a curve
  std::vector<int> balance_;         ///< per point: segments that begin less those that end there
  std::vector<std::uint32_t> number_, leaks_;
  std::vector<Vec3> loop_area_;
  std::array<Stamps, 2> node_, outside_, crossed_, taken_;
};

template <class Visit>
void Regions::inside_parts(const RegionBodies& bodies, const Curves& curves, std::uint32_t region, std::uint8_t side,
                           std::uint64_t edge, Visit&& visit) const {
  const RayTarget& body = *bodies[side];
  const Point3 lo = body.pose().apply(body.mesh().vertices()[edge_lo(edge)]);
  const Point3 hi = body.pose().apply(body.mesh().vertices()[edge_hi(edge)]);
  const auto on = curves.on_edge(side, edge);
  if (on.empty()) {
    const std::uint32_t node = node_[side].get(edge_lo(edge));
    if (node != Stamps::k_none && region_of_node(node) == region) visit(lo, hi);
    return;
  }
  // Both ends of a part are of one region.
  const auto first = static_cast<std::uint32_t>(on.data() - curves.points.data());
  int winding = winding_before(bodies, on);
  Point3 from = lo;
  bool own = region_of_node(first) == region;
  for (std::uint32_t i = 0; i < on.size(); ++i) {
    const bool here = region_of_node(first + i) == region;
    if (winding > 0 && (i == 0 ? here : own)) visit(from, on[i].point);
    winding += on[i].enters ? 1 : -1;
    from = on[i].point;
    own = here;
  }
  if (winding > 0 && own) visit(from, hi);
}

}  // namespace snug::contact
