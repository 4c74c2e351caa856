#include "geometry/ccd/filter.hpp"

#include "geometry/ccd/instant.hpp"
#include "geometry/orient.hpp"
#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cmath>

// The bounds are derived in docs/continuous.md. Comparisons are written so that infinities and NaN leave an answer unsure.

namespace snug::detail::ccd {

namespace {

constexpr int k_deepest = 10;  ///< halvings of the time before exact arithmetic takes over
/// All errors of a Bernstein coefficient of the volume, of halving it k_deepest times and of evaluating the cubic, in units of
/// 2^-53 of the largest sum of products.
constexpr double k_cubic_error = 256 * k_unit_roundoff;

struct Ends {
  Vec3 t0, t1;
};

Vec3 larger_magnitudes(const Ends& e) noexcept {
  return {std::max(std::abs(e.t0.x), std::abs(e.t1.x)), std::max(std::abs(e.t0.y), std::abs(e.t1.y)),
          std::max(std::abs(e.t0.z), std::abs(e.t1.z))};
}

using Bernstein = std::array<double, 4>;

double value_at(const Bernstein& b, double s) noexcept {
  const double r = 1 - s;
  return r * r * (r * b[0] + 3 * s * b[1]) + s * s * (3 * r * b[2] + s * b[3]);
}
double slope_at(const Bernstein& b, double s) noexcept {
  const double r = 1 - s;
  return 3 * (r * r * (b[1] - b[0]) + 2 * r * s * (b[2] - b[1]) + s * s * (b[3] - b[2]));
}

/// A stretch of time, and the volume over it.
struct Piece {
  double lo, hi;
  Bernstein volume;
};

void halve(const Piece& piece, Piece& left, Piece& right) noexcept {
  const Bernstein& b = piece.volume;
  const double middle = 0.5 * (piece.lo + piece.hi);
  const double b01 = 0.5 * (b[0] + b[1]), b12 = 0.5 * (b[1] + b[2]), b23 = 0.5 * (b[2] + b[3]);
  const double b012 = 0.5 * (b01 + b12), b123 = 0.5 * (b12 + b23);
  const double b0123 = 0.5 * (b012 + b123);
  left = {piece.lo, middle, {b[0], b01, b012, b0123}};
  right = {middle, piece.hi, {b0123, b123, b23, b[3]}};
}

enum class Place : std::uint8_t { inside, outside, unsure };

/// N corners: 3 for a vertex and a face, 4 for two edges.
template <std::size_t N>
class Filter {
 public:
  explicit Filter(const MovingPolygon& polygon) noexcept : polygon_(polygon) {
    for (std::size_t k = 0; k < N; ++k) corner_[k] = ends(polygon.corner[k]);
  }

  /// The sign of a rounded difference is exact, and corners move linearly: on one side at both ends means always.
  [[nodiscard]] bool apart_along_an_axis() const noexcept {
    Vec3 lo = corner_[0].t0, hi = lo;
    const auto include = [&](const Vec3& p) {
      lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
      hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    };
    include(corner_[0].t1);
    for (std::size_t k = 1; k < N; ++k) {
      include(corner_[k].t0);
      include(corner_[k].t1);
    }
    return lo.x > 0 || lo.y > 0 || lo.z > 0 || hi.x < 0 || hi.y < 0 || hi.z < 0;
  }

  [[nodiscard]] Filtered decide() noexcept {
    if (apart_along_an_axis()) return {Certainty::no_contact, {}};
    const Piece whole{0, 1, make_volume()};
    const Bernstein& b = whole.volume;
    if (sign(b[0]) != 0 && sign(b[3]) != 0) [[likely]]
      return search(whole, 0);
    return search_with_doubtful_ends(whole);
  }

 private:
  [[nodiscard]] Ends ends(const MovingPolygon::Difference& d) const noexcept {
    return {polygon_.point[d.to].t0 - polygon_.point[d.from].t0, polygon_.point[d.to].t1 - polygon_.point[d.from].t1};
  }

  /// Three times the volume's Bernstein coefficients, and the bound on their error.
  [[nodiscard]] Bernstein make_volume() noexcept {
    u_ = ends(polygon_.first_edge);
    v_ = ends(polygon_.second_edge);
    const Ends& x = corner_[0];
    const Vec3 normal00 = cross(u_.t0, v_.t0), normal11 = cross(u_.t1, v_.t1);
    const Vec3 mixed = cross(u_.t0, v_.t1) + cross(u_.t1, v_.t0);
    const Vec3 a = larger_magnitudes(x), b = larger_magnitudes(u_), c = larger_magnitudes(v_);
    const double most = a.x * (b.y * c.z + b.z * c.y) + a.y * (b.z * c.x + b.x * c.z) + a.z * (b.x * c.y + b.y * c.x);
    error_ = k_cubic_error * most + k_underflow * (1 + (a.x + a.y + a.z));
    return {3 * dot(x.t0, normal00), dot(x.t1, normal00) + dot(x.t0, mixed), dot(x.t1, mixed) + dot(x.t0, normal11),
            3 * dot(x.t1, normal11)};
  }

  [[nodiscard]] int sign(double volume) const noexcept { return filtered_sign(volume, error_); }

  /// Exactly one sign change, whatever the doubtful coefficients are.
  [[nodiscard]] bool changes_once(const Bernstein& b) const noexcept {
    const int first = sign(b[0]), last = sign(b[3]);
    return first * last < 0 && (sign(b[1]) == first || sign(b[2]) == last);
  }

  /// Contacts that begin or end a step are common and would all be left to exact arithmetic: at these two instants the
  /// predicates for resting points settle them.
  [[nodiscard]] Filtered search_with_doubtful_ends(const Piece& whole) noexcept {
    const Bernstein& b = whole.volume;
    const int first = volume_sign(polygon_, Instant::start);
    if (first == 0 && flat_contact(polygon_, Instant::start)) return {Certainty::contact, {0, 0}};
    const int inner = sign(b[1]);
    if (inner == 0 || sign(b[2]) != inner || first == -inner) return search(whole, 0);
    const int last = volume_sign(polygon_, Instant::end);
    if (last == -inner) return search(whole, 0);
    // No root but at the ends.
    if (last == 0 && flat_contact(polygon_, Instant::end)) return {Certainty::contact, {1, 1}};
    return {Certainty::no_contact, {}};
  }

  /// From left to right, so that the first contact found is the first there is.
  [[nodiscard]] Filtered search(const Piece& piece, int depth) noexcept {
    const Bernstein& b = piece.volume;
    const double least = std::min(std::min(b[0], b[1]), std::min(b[2], b[3]));
    const double most = std::max(std::max(b[0], b[1]), std::max(b[2], b[3]));
    if (least > error_ || most < -error_) return {Certainty::no_contact, {}};
    if (changes_once(b)) {
      const std::optional<ContactTime> root = bracket(piece);
      if (root) {
        const Place place = place_of_origin(root->t_lo, root->t_hi);
        if (place == Place::outside) return {Certainty::no_contact, {}};
        return {place == Place::inside ? Certainty::contact : Certainty::unsure, *root};
      }
    }
    if (place_of_origin(piece.lo, piece.hi) == Place::outside) return {Certainty::no_contact, {}};
    if (depth == k_deepest) return {};
    Piece left, right;
    halve(piece, left, right);
    const Filtered first = search(left, depth + 1);
    return first.certainty != Certainty::no_contact ? first : search(right, depth + 1);
  }

  /// A short interval around the only root of a piece, at whose ends the volume certainly has opposite signs.
  [[nodiscard]] std::optional<ContactTime> bracket(const Piece& piece) const noexcept {
    const Bernstein& b = piece.volume;
    const int first = sign(b[0]);
    double lo = 0, hi = 1;
    double s = b[0] / (b[0] - b[3]);
    for (int round = 0; round < 12; ++round) {
      const double value = value_at(b, s);
      (value > 0) == (first > 0) ? lo = s : hi = s;
      double next = s - value / slope_at(b, s);
      if (!(next >= lo && next <= hi)) next = 0.5 * (lo + hi);
      const double step = std::abs(next - s);
      s = next;
      if (step < 0x1p-40) break;
    }
    double reach = 4 * error_ / std::abs(slope_at(b, s)) + 0x1p-50;
    for (int round = 0; round < 4; ++round, reach *= 8) {
      const double left = std::max(0.0, s - reach), right = std::min(1.0, s + reach);
      if ((left == 0 || sign(value_at(b, left)) == first) && (right == 1 || sign(value_at(b, right)) == -first)) {
        // Ends of pieces are exact, times within them are rounded.
        const double length = piece.hi - piece.lo;
        return ContactTime{std::max(piece.lo, piece.lo + left * length - 0x1p-51),
                           std::min(piece.hi, piece.lo + right * length + 0x1p-51)};
      }
    }
    return std::nullopt;
  }

  /// Where the origin is at every instant from lo to hi at which it lies in the plane of the polygon.
  [[nodiscard]] Place place_of_origin(double lo, double hi) const noexcept {
    const double t = 0.5 * (lo + hi), half = 0.5 * (hi - lo) + 0x1p-52;
    const Vec3 normal = cross(between(u_, t), between(v_, t));
    const double nx = std::abs(normal.x), ny = std::abs(normal.y), nz = std::abs(normal.z);
    if (nx >= ny && nx >= nz) return place_along<1, 2>(t, half);
    return ny >= nz ? place_along<2, 0>(t, half) : place_along<0, 1>(t, half);
  }

  [[nodiscard]] static Vec3 between(const Ends& e, double t) noexcept { return (1 - t) * e.t0 + t * e.t1; }

  /// Cross products of consecutive corners, seen along the axis that is neither I nor J.
  template <std::size_t I, std::size_t J>
  [[nodiscard]] Place place_along(double t, double half) const noexcept {
    std::array<double, N + 1> x, y, dx, dy;
    for (std::size_t k = 0; k < N; ++k) {
      const auto [x0, x1, y0, y1] =
          std::array{corner_[k].t0[I], corner_[k].t1[I], corner_[k].t0[J], corner_[k].t1[J]};
      x[k] = (1 - t) * x0 + t * x1;
      y[k] = (1 - t) * y0 + t * y1;
      dx[k] = half * std::abs(x1 - x0) + 8 * k_unit_roundoff * std::max(std::abs(x0), std::abs(x1));
      dy[k] = half * std::abs(y1 - y0) + 8 * k_unit_roundoff * std::max(std::abs(y0), std::abs(y1));
    }
    x[N] = x[0], y[N] = y[0], dx[N] = dx[0], dy[N] = dy[0];
    bool left = false, right = false, sure = true;
    for (std::size_t k = 0; k < N; ++k) {
      const double forth = x[k] * y[k + 1], back = y[k] * x[k + 1];
      const double spread = dx[k] * (std::abs(y[k + 1]) + dy[k + 1]) + std::abs(x[k]) * dy[k + 1] +
                            dy[k] * (std::abs(x[k + 1]) + dx[k + 1]) + std::abs(y[k]) * dx[k + 1];
      const int s = filtered_sign(
          forth - back,
          (1 + 0x1p-40) * spread + 8 * k_unit_roundoff * (std::abs(forth) + std::abs(back)) + k_underflow);
      left = left || s > 0;
      right = right || s < 0;
      sure = sure && s != 0;
    }
    if (left && right) return Place::outside;
    return sure ? Place::inside : Place::unsure;
  }

  const MovingPolygon& polygon_;
  std::array<Ends, N> corner_;
  Ends u_, v_;
  double error_ = 0;
};

}  // namespace

Filtered filtered_contact(const MovingPolygon& polygon) noexcept {
  return polygon.corners == 3 ? Filter<3>(polygon).decide() : Filter<4>(polygon).decide();
}

}  // namespace snug::detail::ccd
