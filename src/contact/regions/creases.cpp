#include "contact/regions/creases.hpp"

#include "geometry/vec_ops.hpp"
#include "support/disjoint_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

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

bool has_crease(const RayTarget& body, const Patch& patch) noexcept {
  const MeshLinks& links = body.contact_mesh().links();
  return std::ranges::any_of(patch, [&](std::uint32_t t) {
    const std::uint8_t flat = body.contact_mesh().flat_sides(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t n = links.neighbour[t][k];
      if (n == MeshLinks::k_none || n < t || (flat >> k & 1U) != 0 || !std::ranges::binary_search(patch, n)) continue;
      if (is_concave(body, t, n)) return true;
    }
    return false;
  });
}

/// The patch as faces: sets of triangles that continue smoothly, and the sharp edges between them.
class Faces {
 public:
  struct Edge {
    std::uint32_t low, high;  ///< faces
    double length;            ///< of its part inside the other body
    bool concave;
  };

  Faces(const RegionBodies& bodies, std::span<const TrianglePair> pairs, const Curves& curves, const Regions& regions,
        std::uint32_t region, std::uint8_t side, std::pmr::memory_resource* memory)
      : body_(*bodies[side]), patch_(regions.all()[region].patch[side]), face_(memory), area(memory), edges(memory) {
    find_faces(memory);
    const Region& whole = regions.all()[region];
    const Point3 origin = curves.points[curves.segments[whole.segments[0]].from].point;
    const double sign = side == 0 ? 1 : -1;
    const auto add = [&](std::uint32_t face, double turned, const Point3& from, const Point3& to) {
      area[face] = area[face] + (0.5 * turned) * cross(from - origin, to - origin);
    };
    for (const std::uint32_t s : whole.segments) {
      const CurveSegment& segment = curves.segments[s];
      const TrianglePair& pair = pairs[segment.pair];
      add(face_[index_of(side == 0 ? pair.a : pair.b)], sign, curves.points[segment.from].point,
          curves.points[segment.to].point);
    }
    const auto flush = std::ranges::equal_range(regions.flush_faces(), region, {}, &FlushFace::region);
    for (const FlushFace& f : flush)
      if (const std::uint32_t i = index_of(side == 0 ? pairs[f.pair].a : pairs[f.pair].b); i != MeshLinks::k_none)
        area[face_[i]] = area[face_[i]] + (side == 0 ? f.area_a : f.area_b);
    const MeshLinks& links = body_.contact_mesh().links();
    for (std::uint32_t i = 0; i < patch_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t n = links.neighbour[patch_[i]][k];
        const std::uint32_t j = n == MeshLinks::k_none ? n : index_of(n);
        if (j == MeshLinks::k_none || face_[j] == face_[i]) continue;
        // The edge bounds both faces, each the other way round.
        const Index3& corners = body_.mesh().triangles()[patch_[i]];
        const std::uint32_t from = links.place[corners[k]], to = links.place[corners[(k + 1) % 3]];
        const double turned = (from < to ? 1 : -1) * body_.contact_mesh().facing(patch_[i]);
        double length = 0;
        regions.inside_parts(bodies, curves, region, side, edge_key(from, to), [&](const Point3& p, const Point3& q) {
          add(face_[i], turned, p, q);
          length += length_of(q - p);
        });
        if (i < j)
          edges.push_back(
              {std::min(face_[i], face_[j]), std::max(face_[i], face_[j]), length, is_concave(body_, patch_[i], n)});
      }
  }

  [[nodiscard]] std::uint32_t of(std::uint32_t index) const noexcept { return face_[index]; }
  [[nodiscard]] const Patch& patch() const noexcept { return patch_; }

 private:
  [[nodiscard]] std::uint32_t index_of(std::uint32_t t) const noexcept {
    const auto found = std::ranges::lower_bound(patch_, t);
    return found != patch_.end() && *found == t ? static_cast<std::uint32_t>(found - patch_.begin())
                                                : MeshLinks::k_none;
  }
  void find_faces(std::pmr::memory_resource* memory) {
    DisjointSets sets(patch_.size(), memory);
    for (std::uint32_t i = 0; i < patch_.size(); ++i)
      for (const std::uint32_t n : body_.contact_mesh().links().neighbour[patch_[i]]) {
        const std::uint32_t j = n == MeshLinks::k_none ? n : index_of(n);
        if (j == MeshLinks::k_none || j < i) continue;
        if (dot(body_.outward(patch_[i]), body_.outward(n)) > k_same_direction) sets.join(i, j);
      }
    std::uint32_t count = 0;
    face_.resize(patch_.size());
    for (std::uint32_t i = 0; i < patch_.size(); ++i) face_[i] = sets.find(i) == i ? count++ : face_[sets.find(i)];
    area.resize(count);
  }

  const RayTarget& body_;
  const Patch& patch_;
  std::pmr::vector<std::uint32_t> face_;  ///< per triangle of the patch

 public:
  std::pmr::vector<Vec3> area;  ///< per face: outward normals times area of its part inside the other body
  std::pmr::vector<Edge> edges;
};

/// Puts faces together to walls: never those on both sides of a concave crease.
class Walls {
 public:
  Walls(const Faces& faces, std::pmr::memory_resource* memory)
      : faces_(faces), sets_(faces.area.size(), memory), creased_(faces.area.size(), 0, memory), order_(memory) {
    order_.resize(faces.edges.size());
    std::iota(order_.begin(), order_.end(), 0U);
    // The longest first; among equals, the order of triangles.
    std::ranges::sort(order_, [&](std::uint32_t i, std::uint32_t j) {
      return std::pair(-faces.edges[i].length, i) < std::pair(-faces.edges[j].length, j);
    });
    for (const Faces::Edge& e : faces.edges)
      if (e.concave) creased_[e.low] = creased_[e.high] = 1;
    join_creased();
    join_free();
  }

  /// A face beside no crease that is connected to walls on both sides of one.
  [[nodiscard]] bool is_shared(std::uint32_t face) noexcept { return creased_[sets_.find(face)] == 0; }
  [[nodiscard]] std::uint32_t of(std::uint32_t face) noexcept { return sets_.find(face); }

 private:
  [[nodiscard]] bool conflict(std::uint32_t x, std::uint32_t y) noexcept {
    return std::ranges::any_of(faces_.edges, [&](const Faces::Edge& e) {
      const std::uint32_t low = sets_.find(e.low), high = sets_.find(e.high);
      return e.concave && ((low == x && high == y) || (low == y && high == x));
    });
  }
  void join(std::uint32_t x, std::uint32_t y) noexcept {
    const char any = static_cast<char>(creased_[x] | creased_[y]);
    sets_.join(x, y);
    creased_[sets_.find(x)] = any;
  }
  void join_creased() noexcept {
    for (const std::uint32_t i : order_) {
      const Faces::Edge& e = faces_.edges[i];
      const std::uint32_t x = sets_.find(e.low), y = sets_.find(e.high);
      if (!e.concave && x != y && creased_[x] != 0 && creased_[y] != 0 && !conflict(x, y)) join(x, y);
    }
  }
  /// A free face joins all walls it is connected to, unless two of them have a crease between them.
  void join_free() noexcept {
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t f = 0; f < creased_.size(); ++f) {
        if (sets_.find(f) != f || creased_[f] != 0) continue;
        std::uint32_t wall = MeshLinks::k_none;
        bool contested = false;
        const auto each_wall = [&](auto&& visit) {
          for (const std::uint32_t i : order_) {
            const Faces::Edge& e = faces_.edges[i];
            const std::uint32_t x = sets_.find(e.low), y = sets_.find(e.high);
            if (e.concave || (x == f) == (y == f)) continue;
            if (const std::uint32_t other = x == f ? y : x; creased_[other] != 0) visit(other);
          }
        };
        each_wall([&](std::uint32_t one) {
          each_wall([&](std::uint32_t other) { contested = contested || conflict(one, other); });
          wall = std::min(wall, one);
        });
        if (contested || wall == MeshLinks::k_none) continue;
        join(f, wall);
        again = true;
        break;
      }
    }
  }

  const Faces& faces_;
  DisjointSets sets_;
  std::pmr::vector<char> creased_;  ///< by the representative: beside a concave crease
  std::pmr::vector<std::uint32_t> order_;
};

}  // namespace

std::pmr::vector<Piece> split_at_creases(const RegionBodies& bodies, std::span<const TrianglePair> pairs,
                                         const Curves& curves, const Regions& regions, std::uint32_t region,
                                         std::uint8_t side, std::pmr::memory_resource* memory) {
  std::pmr::vector<Piece> pieces(memory);
  if (!has_crease(*bodies[side], regions.all()[region].patch[side])) return pieces;
  const Faces faces(bodies, pairs, curves, regions, region, side, memory);
  Walls walls(faces, memory);
  const auto count = static_cast<std::uint32_t>(faces.area.size());
  std::pmr::vector<std::uint32_t> piece_of(count, MeshLinks::k_none, memory), found(memory);
  for (std::uint32_t f = 0; f < count; ++f) {
    if (walls.is_shared(f)) continue;
    std::uint32_t& piece = piece_of[walls.of(f)];
    if (piece == MeshLinks::k_none) piece = static_cast<std::uint32_t>(pieces.size()), pieces.emplace_back(memory);
    piece_of[f] = piece;
    pieces[piece].area = pieces[piece].area + faces.area[f];
    found.push_back(f);
  }
  // Shares of each face in the pieces. A shared face has those of its neighbours, by the lengths of its edges with them: first the faces
  // beside walls, then those beside these, and so on.
  std::pmr::vector<double> shares(count * pieces.size(), 0.0, memory);
  std::pmr::vector<char> known(count, 0, memory);
  const auto shares_of = [&](std::uint32_t f) { return std::span(shares).subspan(f * pieces.size(), pieces.size()); };
  for (const std::uint32_t f : found) shares_of(f)[piece_of[f]] = 1;
  while (!found.empty()) {
    for (const std::uint32_t f : found) known[f] = 1;
    found.clear();
    for (std::uint32_t f = 0; f < count; ++f) {
      if (known[f] != 0) continue;
      double sum = 0;
      for (const Faces::Edge& e : faces.edges) {
        if (e.concave || (e.low == f) == (e.high == f)) continue;
        const std::uint32_t other = e.low == f ? e.high : e.low;
        if (known[other] == 0) continue;
        sum += e.length;
        for (std::size_t p = 0; p < pieces.size(); ++p) shares_of(f)[p] += e.length * shares_of(other)[p];
      }
      if (!(sum > 0)) continue;
      for (double& share : shares_of(f)) share /= sum;
      found.push_back(f);
    }
    for (const std::uint32_t f : found)
      for (std::size_t p = 0; p < pieces.size(); ++p) pieces[p].area = pieces[p].area + shares_of(f)[p] * faces.area[f];
  }
  // Where a shared face has the direction of a piece, it bounds the depth along it: as of a body that is pressed on the end of a step and
  // reaches over the corner of its ledge a little.
  const auto bounds = [&](std::uint32_t f, std::size_t p) {
    return shares_of(f)[p] > 0 && dot(to_unit(faces.area[f]), to_unit(pieces[p].area)) > k_same_direction;
  };
  for (std::uint32_t i = 0; i < faces.patch().size(); ++i) {
    const std::uint32_t f = faces.of(i);
    for (std::size_t p = 0; p < pieces.size(); ++p)
      if (piece_of[f] == p || bounds(f, p)) pieces[p].patch.push_back(faces.patch()[i]);
  }
  // A gear that lies on its end has creases in its rim, but one direction.
  const bool one_way = std::ranges::all_of(pieces, [&](const Piece& piece) {
    return std::ranges::all_of(pieces, [&, way = to_unit(piece.area)](const Piece& other) {
      return way == Vec3{} || other.area == Vec3{} || dot(way, to_unit(other.area)) > k_same_direction;
    });
  });
  if (pieces.size() == 1 || one_way) pieces.clear();
  return pieces;
}

}  // namespace snug::contact
