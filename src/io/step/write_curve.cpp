#include "io/step/write_curve.hpp"

#include "geometry/analytic/deviation.hpp"
#include "geometry/analytic/meridian.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace snug::io {

namespace {

using geometry::cross;
using model::dot;

double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

struct Circle {
  Point3 centre;
  Vec3 axis;
  double radius = 0;
};

class Fitter {
 public:
  Fitter(std::span<const Point3> places, const FaceForm* left, const FaceForm* right, double tolerance)
      : places_(places), sides_{left, right}, tolerance_(tolerance) {
    for (const FaceForm* side : sides_)
      if (side != nullptr) slack_ = std::max(slack_, 2 * side->off);
    slack_ = std::max(slack_, tolerance);
    facetted_ =
        std::ranges::any_of(sides_, [](const FaceForm* side) { return side != nullptr && side->is_flat_triangles(); });
    curved_ = std::ranges::any_of(sides_, [](const FaceForm* side) { return side != nullptr && side->is_curved(); });
  }

  void fit(std::vector<std::uint32_t> chain, bool is_ring) {
    if (facetted_) return chords(chain);
    const bool closed = chain.front() == chain.back();
    if (!closed && is_line(chain)) return add(std::move(chain), {});
    if (curved_)
      for (const Circle& circle : circles(chain))
        if (const auto curve = along(circle, chain)) return add(std::move(chain), *curve);
    if (chain.size() == 2) return add(std::move(chain), {});
    if (curved_)
      if (auto curve = spline(chain, k_cos_of_bends)) return add(std::move(chain), std::move(*curve));
    if (split_at_corners(chain, is_ring)) return;
    lines(chain);
  }

  std::vector<CurvePiece> take() { return std::move(pieces_); }

 private:
  static constexpr double k_cos_of_bends = 0.25;    // 75 degrees: coarse meshes of curves still turn by less
  static constexpr double k_cos_of_corner = 0.819;  // 35 degrees

  [[nodiscard]] const Point3& at(std::uint32_t v) const { return places_[v]; }
  void add(std::vector<std::uint32_t> chain, BrepCurve curve) {
    pieces_.push_back({std::move(chain), std::move(curve)});
  }

  [[nodiscard]] double distance(std::size_t side, const Point3& p) const {
    const FaceForm* face = sides_.at(side);
    if (face == nullptr) return 0;
    return std::abs(geometry::distance_to(face->kind, face->surface, p));
  }
  [[nodiscard]] bool on_both(const Point3& p) const { return distance(0, p) <= slack_ && distance(1, p) <= slack_; }

  /// All vertices on the straight line between the ends, in order.
  [[nodiscard]] bool is_straight(std::span<const std::uint32_t> chain) const {
    const Point3& from = at(chain.front());
    const Vec3 whole = at(chain.back()) - from;
    const double far = length(whole);
    if (chain.size() == 2) return true;
    if (!(far > tolerance_)) return false;
    double reached = 0;
    for (const std::uint32_t v : chain.subspan(1)) {
      const Vec3 step = at(v) - from;
      const double along = dot(step, whole) / far;
      if (!(along > reached) || !(length(cross(step, whole)) / far <= tolerance_)) return false;
      reached = along;
    }
    return true;
  }
  [[nodiscard]] bool is_line(std::span<const std::uint32_t> chain) const {
    if (!is_straight(chain)) return false;
    if (!curved_) return true;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      if (!on_both(geometry::lerp(at(chain[i]), at(chain[i + 1]), 0.5))) return false;
    return true;
  }

  /// Those that the faces suggest, and the one through three vertices.
  [[nodiscard]] std::vector<Circle> circles(std::span<const std::uint32_t> chain) const {
    std::vector<Circle> out;
    const Point3& p = at(chain.front());
    for (std::size_t s = 0; s < 2; ++s) {
      if (sides_.at(s) == nullptr || !sides_.at(s)->is_curved()) continue;
      const AnalyticSurface& form = sides_.at(s)->surface;
      const FaceForm* other = sides_.at(1 - s);
      if (sides_.at(s)->kind == SurfaceKind::sphere) {
        if (other == nullptr || other->kind != SurfaceKind::plane) continue;
        const Vec3& n = other->surface.axis;
        const Point3 centre = form.origin + dot(p - form.origin, n) * n;
        out.push_back({centre, n, length(p - centre)});
        continue;
      }
      const geometry::Meridian m = geometry::meridian_of(form, p);
      out.push_back({form.origin + m.z * form.axis, form.axis, m.rho});
      if (sides_.at(s)->kind == SurfaceKind::torus)
        out.push_back({form.origin + form.radius * m.outward, cross(form.axis, m.outward), form.minor_radius});
    }
    const bool closed = chain.front() == chain.back();
    const std::size_t last = chain.size() - 1;
    if (last >= (closed ? 3U : 2U)) {
      const std::size_t j = closed ? last / 3 : last / 2, k = closed ? 2 * last / 3 : last;
      if (const auto circle = through(p, at(chain[j]), at(chain[k]))) out.push_back(*circle);
    }
    return out;
  }

  [[nodiscard]] static std::optional<Circle> through(const Point3& a, const Point3& b, const Point3& c) {
    const Vec3 u = b - a, v = c - a, n = cross(u, v);
    const double nn = dot(n, n);
    if (!(nn > 0) || !std::isfinite(nn)) return std::nullopt;
    const Vec3 to_centre = (1 / (2 * nn)) * (dot(u, u) * cross(v, n) + dot(v, v) * cross(n, u));
    return Circle{a + to_centre, (1 / std::sqrt(nn)) * n, length(to_centre)};
  }

  /// The circle as a curve along the chain; none if a vertex is off it, the chain turns back or jumps, or the arc leaves
  /// the faces between the vertices.
  [[nodiscard]] std::optional<BrepCurve> along(const Circle& circle, std::span<const std::uint32_t> chain) const {
    if (!(circle.radius > slack_)) return std::nullopt;
    double sense = 0;
    Vec3 previous;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const Vec3 arm = at(chain[i]) - circle.centre;
      const double height = dot(arm, circle.axis);
      const Vec3 flat = arm - height * circle.axis;
      const double rho = length(flat);
      if (!(std::abs(height) <= slack_) || !(std::abs(rho - circle.radius) <= slack_)) return std::nullopt;
      const Vec3 here = (1 / rho) * flat;
      if (i > 0) {
        const double turn = dot(circle.axis, cross(previous, here));
        if (turn == 0 || dot(previous, here) < -0.98 || turn * sense < 0) return std::nullopt;
        sense = turn;
        const Vec3 half = previous + here;
        if (!on_both(circle.centre + (circle.radius / length(half)) * half)) return std::nullopt;
      }
      previous = here;
    }
    return BrepCurve{BrepCurve::Kind::circle, circle.centre, sense > 0 ? circle.axis : -circle.axis, circle.radius};
  }

  /// Cosine of the angle by which the chain turns at a vertex.
  [[nodiscard]] double cos_turn(std::uint32_t before, std::uint32_t v, std::uint32_t after) const {
    const Vec3 in = at(v) - at(before), out = at(after) - at(v);
    return dot(in, out) / (length(in) * length(out));
  }

  [[nodiscard]] std::optional<BrepCurve> spline(std::span<const std::uint32_t> chain, double least_cos) const {
    for (std::size_t i = 1; i + 1 < chain.size(); ++i)
      if (!(cos_turn(chain[i - 1], chain[i], chain[i + 1]) >= least_cos)) return std::nullopt;
    if (chain.front() == chain.back() && !(cos_turn(chain[chain.size() - 2], chain[0], chain[1]) >= least_cos))
      return std::nullopt;
    std::vector<Point3> points{at(chain.front())};
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      const Point3 &from = at(chain[i]), &to = at(chain[i + 1]);
      const double step = length(to - from);
      for (const double share : {0.25, 0.5, 0.75}) {
        const Point3 chord = geometry::lerp(from, to, share), p = onto_both(chord);
        // Where the faces meet at a small angle, what is near both may be far along them.
        if (length(p - chord) > 0.3 * step) return std::nullopt;
        for (const std::size_t side : {0U, 1U})
          if (!(distance(side, p) <= std::max(slack_, distance(side, chord)))) return std::nullopt;
        points.push_back(p);
      }
      points.push_back(to);
    }
    return BrepCurve{BrepCurve::Kind::spline, {}, {}, 0, std::move(points)};
  }

  /// By turns to the closest point of either face, which ends where both meet.
  [[nodiscard]] Point3 onto_both(Point3 p) const {
    for (int round = 0; round < 64; ++round) {
      double moved = 0;
      for (const FaceForm* face : sides_) {
        if (face == nullptr) continue;
        AnalyticSurface form = face->surface;
        form.hollow = false;
        const double d = geometry::distance_to(face->kind, form, p);
        p = p - d * geometry::normal_at(face->kind, form, p);
        moved = std::max(moved, std::abs(d));
      }
      if (moved <= 0.01 * tolerance_) break;
    }
    return p;
  }

  /// Fits the runs between sharp turns one by one; false if there are none.
  bool split_at_corners(std::span<const std::uint32_t> chain, bool is_ring) {
    std::vector<std::uint32_t> ring(chain.begin(), chain.end());
    if (is_ring) {  // begin at a corner
      const std::size_t n = ring.size() - 1;
      std::size_t first = 0;
      while (first < n && cos_turn(ring[(first + n - 1) % n], ring[first], ring[first + 1]) >= k_cos_of_corner) ++first;
      if (first == n) return false;
      ring.pop_back();
      std::ranges::rotate(ring, ring.begin() + static_cast<std::ptrdiff_t>(first));
      ring.push_back(ring.front());
    }
    std::vector<std::size_t> ends{0};
    for (std::size_t i = 1; i + 1 < ring.size(); ++i)
      if (!(cos_turn(ring[i - 1], ring[i], ring[i + 1]) >= k_cos_of_corner)) ends.push_back(i);
    ends.push_back(ring.size() - 1);
    if (ends.size() == 2) {
      if (!is_ring) return false;
      lines(ring);  // a drop: smooth but for one corner
      return true;
    }
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
      fit({ring.begin() + static_cast<std::ptrdiff_t>(ends[i]),
           ring.begin() + static_cast<std::ptrdiff_t>(ends[i + 1]) + 1},
          false);
    return true;
  }

  void chords(std::span<const std::uint32_t> chain) {
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) add({chain[i], chain[i + 1]}, {});
  }

  void lines(std::span<const std::uint32_t> chain) {
    for (std::size_t first = 0; first + 1 < chain.size();) {
      std::size_t last = first + 1;
      while (last + 1 < chain.size() && chain[first] != chain[last + 1] &&
             is_line(chain.subspan(first, last + 2 - first)))
        ++last;
      add({chain.begin() + static_cast<std::ptrdiff_t>(first), chain.begin() + static_cast<std::ptrdiff_t>(last) + 1},
          {});
      first = last;
    }
  }

  std::span<const Point3> places_;
  std::array<const FaceForm*, 2> sides_;
  double tolerance_;
  double slack_ = 0;  ///< no less than what the vertices are off the faces
  bool curved_ = false, facetted_ = false;
  std::vector<CurvePiece> pieces_;
};

}  // namespace

std::vector<CurvePiece> fit_curves(std::span<const Point3> places, std::span<const std::uint32_t> chain, bool is_ring,
                                   const FaceForm* left, const FaceForm* right, double tolerance) {
  Fitter fitter(places, left, right, tolerance);
  fitter.fit({chain.begin(), chain.end()}, is_ring);
  return fitter.take();
}

}  // namespace snug::io
