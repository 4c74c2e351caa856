#include "assembly/verdict/contact_patches.hpp"

#include "geometry/vec_ops.hpp"
#include "query/posed/descend.hpp"
#include "assembly/verdict/outline.hpp"
#include "penetration/places.hpp"

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

/// How two triangles have to lie to be in contact.
struct Contact {
  double gap = 0, overlap = 0;
  bool either_side = false;  ///< one of them belongs to a sheet, which has no inside
};

/// Planes that differ by more (some 8 degrees) do not lie flat against each other.
constexpr double k_flat = 0.99;

/// What lies over one another of two triangles, as a polygon of t; empty if they are not in contact. The other triangle's
/// plane is the one that distances are taken from, so it should not be the narrower one.
Piece overlap_on(const Triangle& t, const Triangle& other, const Contact& contact) {
  Piece piece;
  const Vec3 area_t = area_vector(t), area_o = area_vector(other);
  const double size = length(area_t), size_o = length(area_o);
  const double cosine = dot(area_t, area_o) / (size * size_o);
  if (!(size > 0) || !(size_o > 0) || !((contact.either_side ? -std::abs(cosine) : cosine) < -k_flat)) return piece;
  const Vec3 normal = (1 / size) * area_t;
  const double turn = cosine < 0 ? 1 : -1;  // which way round the other one goes, seen along the normal
  piece.corners.assign(t.corner.begin(), t.corner.end());
  for (std::size_t i = 0; i < 3 && piece.corners.size() >= 3; ++i)
    piece.corners = cut(piece.corners, other[i], turn * cross(other[(i + 1) % 3] - other[i], normal));
  for (const Point3& p : piece.corners) {
    const double height = dot(p - other[0], area_o) / size_o;
    const double lowest = contact.either_side ? -std::max(contact.gap, contact.overlap) : -contact.overlap;
    if (!(height <= std::max(contact.gap, contact.either_side ? contact.overlap : 0) && height >= lowest)) return {};
  }
  if (piece.corners.size() < 3) return {};
  Vec3 twice{};
  for (std::size_t i = 2; i < piece.corners.size(); ++i)
    twice = twice + cross(piece.corners[i - 1] - piece.corners[0], piece.corners[i] - piece.corners[0]);
  piece.area = 0.5 * dot(twice, normal);
  piece.normal = normal;
  // Slivers along shared edges are rounding, not contact.
  if (!(piece.area > 1e-12 * std::min(size, size_o))) return {};
  return piece;
}

/// Turning counter-clockwise about a's normal.
Piece overlap(const Triangle& a, const Triangle& b, const Contact& contact) {
  if (width_of(b) >= width_of(a)) return overlap_on(a, b, contact);
  Piece piece = overlap_on(b, a, contact);
  if (piece.corners.empty()) return piece;
  const Vec3 area_a = area_vector(a);
  if (dot(piece.normal, area_a) < 0) std::ranges::reverse(piece.corners);
  piece.normal = (1 / length(area_a)) * area_a;
  // Back onto a, so that pieces on both sides of a gap still lie edge to edge.
  for (Point3& p : piece.corners) p = p - dot(p - a[0], piece.normal) * piece.normal;
  return piece;
}

/// An inside-out body's triangle the right way round.
Triangle outward(const Triangle& t, int orientation) noexcept {
  return orientation > 0 ? t : Triangle{{t[0], t[2], t[1]}};
}

ContactPatch joined(std::uint32_t surface_a, std::uint32_t surface_b, const std::vector<Piece>& pieces,
                    const CancelToken* cancel) {
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
  if (const double size = length(sum); size > 0) patch.normal = (1 / size) * sum;
  patch.loops = outline(loops, 1e-9 * max_abs(box.hi - box.lo), cancel);
  return patch;
}

}  // namespace

std::vector<ContactPatch> contact_patches(const PosedSolid& a, const PosedSolid& b, double gap, double overlap_depth) {
  if (a.body().empty() || b.body().empty()) return {};
  using Ids = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Ids, std::map<Ids, Piece>> found;
  descend(a.body(), b.body(), {0, 0}, gap, [&](std::uint32_t ta, std::uint32_t tb) {
    const bool sheet = !a.topology().in_closed_shell(ta) || !b.topology().in_closed_shell(tb);
    Piece piece = overlap(outward(a.body().triangle(ta), a.orientation()),
                          outward(b.body().triangle(tb), b.orientation()), {gap, overlap_depth, sheet});
    if (!piece.corners.empty())
      found[{a.mesh().surface_of(ta), b.mesh().surface_of(tb)}].emplace(Ids(ta, tb), std::move(piece));
    return true;
  });
  std::vector<ContactPatch> patches;
  for (auto& [surfaces, by_pair] : found) {
    if (a.body().stopped()) break;
    std::vector<Piece> pieces;
    for (auto& [pair, piece] : by_pair) pieces.push_back(std::move(piece));
    patches.push_back(joined(surfaces.first, surfaces.second, pieces, a.body().watched()));
  }
  return patches;
}

}  // namespace snug::detail
