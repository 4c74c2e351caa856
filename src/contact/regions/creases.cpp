#include "contact/regions/creases.hpp"

#include "geometry/vec_ops.hpp"
#include "support/disjoint_sets.hpp"

#include <algorithm>
#include <cmath>

namespace snug::contact {

namespace {

/// True if the surface turns towards its outside by more than 30 degrees from t to its neighbour.
bool is_concave(const RayTarget& body, std::uint32_t t, std::uint32_t neighbour) noexcept {
  const Vec3 own = body.outward(t), other = body.outward(neighbour);
  if (dot(own, other) > k_same_direction) return false;
  const Triangle here = body.posed(t), there = body.posed(neighbour);
  double reach = 0;
  for (const Point3& p : there.corner)
    if (const double height = dot(own, p - here[0]); std::abs(height) > std::abs(reach)) reach = height;
  return reach > 0;
}

}  // namespace

std::vector<Piece> split_at_creases(const RegionBodies& bodies, std::span<const TrianglePair> pairs,
                                    const Curves& curves, const Regions& regions, const Region& region,
                                    std::uint8_t side) {
  const RayTarget& body = *bodies[side];
  const MeshLinks& links = body.contact_mesh().links();
  const Patch& patch = region.patch[side];
  const double sign = side == 0 ? 1 : -1;
  const auto index_of = [&](std::uint32_t t) {
    const auto found = std::ranges::lower_bound(patch, t);
    return found != patch.end() && *found == t ? static_cast<std::uint32_t>(found - patch.begin()) : MeshLinks::k_none;
  };
  const auto has_crease = [&](std::uint32_t t) {
    const std::uint8_t flat = body.contact_mesh().flat_sides(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t n = links.neighbour[t][k];
      if (n == MeshLinks::k_none || n < t || (flat >> k & 1U) != 0 || index_of(n) == MeshLinks::k_none) continue;
      if (is_concave(body, t, n)) return true;
    }
    return false;
  };
  std::vector<Piece> pieces;
  if (std::ranges::none_of(patch, has_crease)) {
    pieces.push_back({patch, sign * region.area});
    return pieces;
  }
  DisjointSets sets(patch.size());
  for (std::uint32_t i = 0; i < patch.size(); ++i)
    for (const std::uint32_t n : links.neighbour[patch[i]]) {
      const std::uint32_t j = n == MeshLinks::k_none ? n : index_of(n);
      if (j != MeshLinks::k_none && j > i && !is_concave(body, patch[i], n)) sets.join(i, j);
    }
  const auto number = sets.numbered();
  pieces.resize(*std::ranges::max_element(number) + 1);
  const Point3 origin = curves.points[curves.segments[region.segments[0]].from].point;
  const auto add = [&](Piece& piece, double turned, const Point3& from, const Point3& to) {
    piece.area = piece.area + (0.5 * turned) * cross(from - origin, to - origin);
  };
  for (const std::uint32_t s : region.segments) {
    const CurveSegment& segment = curves.segments[s];
    const TrianglePair& pair = pairs[segment.pair];
    add(pieces[number[index_of(side == 0 ? pair.a : pair.b)]], sign, curves.points[segment.from].point,
        curves.points[segment.to].point);
  }
  for (std::uint32_t i = 0; i < patch.size(); ++i) {
    Piece& piece = pieces[number[i]];
    piece.patch.push_back(patch[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t n = links.neighbour[patch[i]][k];
      const std::uint32_t j = n == MeshLinks::k_none ? n : index_of(n);
      if (j == MeshLinks::k_none || number[j] == number[i]) continue;
      // The crease bounds both pieces, each the other way round.
      const Index3& corners = body.mesh().triangles()[patch[i]];
      const std::uint32_t from = links.place[corners[k]], to = links.place[corners[(k + 1) % 3]];
      const double turned = (from < to ? 1 : -1) * body.contact_mesh().facing(patch[i]);
      regions.inside_parts(bodies, curves, side, edge_key(from, to),
                           [&](const Point3& p, const Point3& q) { add(piece, turned, p, q); });
    }
  }
  return pieces;
}

}  // namespace snug::contact
