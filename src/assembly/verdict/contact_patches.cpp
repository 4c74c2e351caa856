#include "assembly/verdict/contact_patches.hpp"

#include "assembly/verdict/outline.hpp"
#include "geometry/vec_ops.hpp"
#include "penetration/places.hpp"
#include "query/posed/descend.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace snug::assembly {

namespace {

/// A polygon cut from a triangle by the three sides of another. A cut at most doubles the corners, whatever rounding does.
class Polygon {
 public:
  void start(const Triangle& t) noexcept {
    count_ = 3;
    std::ranges::copy(t.corner, corners_.begin());
  }

  [[nodiscard]] std::span<const Point3> corners() const noexcept { return {corners_.data(), count_}; }
  /// Leaves the part on the side of the plane to which the normal points.
  void cut(const Point3& on_plane, const Vec3& normal) noexcept {
    bool outside = false;
    for (std::size_t i = 0; i < count_; ++i) {
      height_[i] = dot(corners_[i] - on_plane, normal);
      outside |= !(height_[i] >= 0);
    }
    if (!outside) return;
    const std::size_t count = std::exchange(count_, 0);
    std::copy_n(corners_.begin(), count, before_.begin());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t next = i + 1 == count ? 0 : i + 1;
      const double v0 = height_[i], v1 = height_[next];
      if (v0 >= 0) add(before_[i]);
      if ((v0 > 0 && v1 < 0) || (v0 < 0 && v1 > 0)) add(lerp(before_[i], before_[next], v0 / (v0 - v1)));
    }
  }

 private:
  static constexpr std::size_t k_most = 3 * 2 * 2 * 2;

  void add(const Point3& p) noexcept {
    SNUG_ASSERT(count_ < k_most);
    corners_[count_++] = p;
  }

  std::array<Point3, k_most> corners_, before_;
  std::array<double, k_most> height_;
  std::size_t count_ = 0;
};

/// A flat piece of contact: the overlap of two triangles, turning counter-clockwise about a's normal.
struct Piece {
  Loop corners;
  Vec3 normal;
  double area = 0;
};

Vec3 area_vector(const Triangle& t) noexcept { return 0.5 * cross(t[1] - t[0], t[2] - t[0]); }
double length(const Vec3& v) noexcept { return std::sqrt(dot(v, v)); }

/// How two triangles have to lie to be in contact.
struct Contact {
  double gap = 0, overlap = 0;
  bool either_side = false;  ///< one of them belongs to a sheet, which has no inside
};

/// Planes that differ by more (some 8 degrees) do not lie flat against each other.
constexpr double k_flat = 0.99;

/// A triangle with what each comparison needs of it.
class Face {
 public:
  Face() = default;
  explicit Face(const Triangle& of) noexcept : triangle(of), area(area_vector(of)), size(length(area)) {}

  Triangle triangle;
  Vec3 area;
  double size = 0;
  /// See width_of().
  [[nodiscard]] double width() noexcept {
    if (width_ < 0) width_ = width_of(triangle);
    return width_;
  }

 private:
  double width_ = -1;
};

/// The cosine between their normals.
double cosine_of(const Face& a, const Face& b) noexcept { return dot(a.area, b.area) / (a.size * b.size); }

bool lie_flat(const Face& a, const Face& b, const Contact& contact) noexcept {
  if (!(a.size > 0) || !(b.size > 0)) return false;
  const double cosine = cosine_of(a, b);
  return (contact.either_side ? -std::abs(cosine) : cosine) < -k_flat;
}

/// The overlap of two triangles that lie flat, as a polygon of t; empty if they are not in contact. Distances are taken from
/// the other triangle's plane, so it should not be the narrower one.
Piece overlap_on(const Face& t, const Face& other, const Contact& contact, Polygon& polygon) {
  const Vec3 normal = (1 / t.size) * t.area;
  const double turn = cosine_of(t, other) < 0 ? 1 : -1;  // which way round the other one goes, seen along the normal
  polygon.start(t.triangle);
  for (std::size_t i = 0; i < 3 && polygon.corners().size() >= 3; ++i) {
    const Point3& corner = other.triangle[i];
    polygon.cut(corner, turn * cross(other.triangle[(i + 1) % 3] - corner, normal));
  }
  const std::span<const Point3> corners = polygon.corners();
  const double lowest = contact.either_side ? -std::max(contact.gap, contact.overlap) : -contact.overlap;
  const double highest = std::max(contact.gap, contact.either_side ? contact.overlap : 0);
  for (const Point3& p : corners) {
    const double height = dot(p - other.triangle[0], other.area) / other.size;
    if (!(height <= highest && height >= lowest)) return {};
  }
  if (corners.size() < 3) return {};
  Vec3 twice{};
  for (std::size_t i = 2; i < corners.size(); ++i)
    twice = twice + cross(corners[i - 1] - corners[0], corners[i] - corners[0]);
  const double area = 0.5 * dot(twice, normal);
  // Slivers along shared edges are rounding, not contact.
  if (!(area > 1e-12 * std::min(t.size, other.size))) return {};
  return {Loop(corners.begin(), corners.end()), normal, area};
}

/// Turning counter-clockwise about a's normal.
Piece overlap(Face& a, Face& b, const Contact& contact, Polygon& polygon) {
  if (!lie_flat(a, b, contact)) return {};
  if (b.width() >= a.width()) return overlap_on(a, b, contact, polygon);
  Piece piece = overlap_on(b, a, contact, polygon);
  if (piece.corners.empty()) return piece;
  if (dot(piece.normal, a.area) < 0) std::ranges::reverse(piece.corners);
  piece.normal = (1 / a.size) * a.area;
  // Back onto a, so that pieces on both sides of a gap still lie edge to edge.
  for (Point3& p : piece.corners) p = p - dot(p - a.triangle[0], piece.normal) * piece.normal;
  return piece;
}

/// An inside-out body's triangle the right way round.
Triangle outward(const Triangle& t, int orientation) noexcept {
  return orientation > 0 ? t : Triangle{{t[0], t[2], t[1]}};
}

/// The faces of a body that were asked for lately: a walk comes back to each triangle with a dozen neighbours of the other body.
class RecentFaces {
 public:
  explicit RecentFaces(const PosedSolid& of) : of_(of) {}

  [[nodiscard]] Face& operator[](std::uint32_t triangle) {
    Kept& kept = kept_[triangle % k_kept];
    if (kept.triangle != triangle) kept = {triangle, Face(outward(of_.body().triangle(triangle), of_.orientation()))};
    return kept.face;
  }

 private:
  static constexpr std::size_t k_kept = 64;
  struct Kept {
    std::uint32_t triangle = ~std::uint32_t{0};
    Face face;
  };
  const PosedSolid& of_;
  std::array<Kept, k_kept> kept_;
};

/// A piece, and the surfaces and triangles that it is of.
struct FoundPiece {
  std::array<std::uint32_t, 2> surfaces, triangles;
  Piece piece;
};

/// The patch of pieces of the same two surfaces.
ContactPatch joined(std::span<FoundPiece> pieces, const CancelToken* cancel) {
  ContactPatch patch;
  patch.surface_a = pieces.front().surfaces[0], patch.surface_b = pieces.front().surfaces[1];
  std::vector<Loop> loops;
  Vec3 sum;
  Aabb box;
  for (FoundPiece& found : pieces) {
    patch.area += found.piece.area;
    sum = sum + found.piece.area * found.piece.normal;
    for (const Point3& p : found.piece.corners) box.include(p);
    loops.push_back(std::move(found.piece.corners));
  }
  if (const double size = length(sum); size > 0) patch.normal = (1 / size) * sum;
  patch.loops = outline(loops, 1e-9 * max_abs(box.hi - box.lo), cancel);
  return patch;
}

}  // namespace

std::vector<ContactPatch> contact_patches(const PosedSolid& a, const PosedSolid& b, double gap, double overlap_depth) {
  if (a.body().empty() || b.body().empty()) return {};
  std::vector<FoundPiece> found;
  RecentFaces faces_a(a), faces_b(b);
  Polygon polygon;
  descend(a.body(), b.body(), {0, 0}, gap, [&](std::uint32_t ta, std::uint32_t tb) {
    const bool sheet = !a.topology().in_closed_shell(ta) || !b.topology().in_closed_shell(tb);
    Piece piece = overlap(faces_a[ta], faces_b[tb], {gap, overlap_depth, sheet}, polygon);
    if (!piece.corners.empty())
      found.push_back({{a.mesh().surface_of(ta), b.mesh().surface_of(tb)}, {ta, tb}, std::move(piece)});
    return true;
  });
  std::ranges::sort(found, {}, [](const FoundPiece& f) { return std::pair(f.surfaces, f.triangles); });

  std::vector<ContactPatch> patches;
  for (std::size_t begin = 0, end = 0; begin < found.size() && !a.body().stopped(); begin = end) {
    while (end < found.size() && found[end].surfaces == found[begin].surfaces) ++end;
    patches.push_back(joined(std::span(found).subspan(begin, end - begin), a.body().watched()));
  }
  return patches;
}

}  // namespace snug::assembly
