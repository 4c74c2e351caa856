#include "verdict/contact_patches.hpp"

#include "geometry/vec_ops.hpp"
#include "query/surface/descend.hpp"
#include "verdict/outline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace snug::detail {

namespace {

/// A flat piece of contact: the overlap of two triangles, turning counter-clockwise about a's normal.
struct Piece {
  Loop corners;
  Vec3 normal;
  double area = 0;
};

Vec3 area_vector(const Triangle& t) noexcept { return 0.5 * cross(t[1] - t[0], t[2] - t[0]); }
double length(const Vec3& v) noexcept { return std::sqrt(dot(v, v)); }

/// The part of a polygon on the side of the plane to which the normal points.
Loop cut(const Loop& in, const Point3& on_plane, const Vec3& normal) {
  Loop out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Point3 &from = in[i], &to = in[(i + 1) % in.size()];
    const double v0 = dot(from - on_plane, normal), v1 = dot(to - on_plane, normal);
    if (v0 >= 0) out.push_back(from);
    if ((v0 > 0 && v1 < 0) || (v0 < 0 && v1 > 0)) out.push_back(lerp(from, to, v0 / (v0 - v1)));
  }
  return out;
}

/// What lies over one another of two triangles that face each other closer than `band`; empty if they do not.
Piece overlap(const Triangle& a, const Triangle& b, double band) {
  Piece piece;
  const Vec3 area_a = area_vector(a), area_b = area_vector(b);
  const double size_a = length(area_a), size_b = length(area_b);
  if (!(size_a > 0) || !(size_b > 0) || !(dot(area_a, area_b) < -0.5 * size_a * size_b)) return piece;
  const Vec3 normal = (1 / size_a) * area_a;
  piece.corners.assign(a.corner.begin(), a.corner.end());
  // b turns the other way round, so the walls on its sides, seen along a's normal, have their insides reversed.
  for (std::size_t i = 0; i < 3 && piece.corners.size() >= 3; ++i)
    piece.corners = cut(piece.corners, b[i], cross(b[(i + 1) % 3] - b[i], normal));
  for (const Point3& p : piece.corners)
    if (!(std::abs(dot(p - b[0], area_b)) <= band * size_b)) piece.corners.clear();
  if (piece.corners.size() < 3) return {};
  Vec3 twice{};
  for (std::size_t i = 2; i < piece.corners.size(); ++i)
    twice = twice + cross(piece.corners[i - 1] - piece.corners[0], piece.corners[i] - piece.corners[0]);
  piece.area = 0.5 * dot(twice, normal);
  piece.normal = normal;
  // Slivers along shared edges are rounding, not contact.
  if (!(piece.area > 1e-12 * std::min(size_a, size_b))) return {};
  return piece;
}

ContactPatch joined(std::uint32_t surface_a, std::uint32_t surface_b, const std::vector<Piece>& pieces,
                    int orientation) {
  ContactPatch patch;
  patch.surface_a = surface_a, patch.surface_b = surface_b;
  std::vector<Loop> loops;
  Vec3 sum;
  Aabb box;
  for (const Piece& piece : pieces) {
    patch.area += piece.area;
    sum = sum + piece.area * piece.normal;
    loops.push_back(piece.corners);
    for (const Point3& p : piece.corners) box.include(p);
  }
  if (const double size = length(sum); size > 0) patch.normal = (orientation / size) * sum;
  patch.loops = outline(loops, 1e-9 * max_abs(box.hi - box.lo));
  return patch;
}

}  // namespace

std::vector<ContactPatch> contact_patches(const PosedSolid& a, const PosedSolid& b, double band) {
  if (a.body().empty() || b.body().empty()) return {};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::pair<std::uint32_t, std::uint32_t>, Piece>> found;
  descend(a.body(), b.body(), {0, 0}, band, [&](std::uint32_t ta, std::uint32_t tb) {
    Piece piece = overlap(a.body().triangle(ta), b.body().triangle(tb), band);
    if (!piece.corners.empty())
      found[{a.mesh().surface_of(ta), b.mesh().surface_of(tb)}].emplace(std::pair(ta, tb), std::move(piece));
    return true;
  });
  std::vector<ContactPatch> patches;
  for (auto& [surfaces, by_pair] : found) {
    std::vector<Piece> pieces;
    for (auto& [pair, piece] : by_pair) pieces.push_back(std::move(piece));
    patches.push_back(joined(surfaces.first, surfaces.second, pieces, a.orientation()));
  }
  return patches;
}

}  // namespace snug::detail
