#include "geometry/ccd/filter.hpp"

#include "geometry/ccd/instant.hpp"
#include "geometry/double_double.hpp"
#include "geometry/orient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

// One search in two precisions: doubles, and pairs of doubles for what those leave open. The bounds are derived in
// docs/continuous.md. Comparisons are written so that infinities and NaN leave an answer unsure.

namespace snug::geometry::moving {

namespace {

/// The type of numbers, and a bound on the relative error of one operation on them.
template <class Number>
inline constexpr double k_roundoff = k_unit_roundoff;
template <>
inline constexpr double k_roundoff<DoubleDouble> = 0x1p-102;
/// Newton's steps in the number's own precision after those in doubles. Each gains about 50 bits.
template <class Number>
inline constexpr int k_polish = 0;
template <>
inline constexpr int k_polish<DoubleDouble> = 2;
/// Halvings of the time before the next stage takes over.
template <class Number>
inline constexpr int k_deepest = 10;
template <>
inline constexpr int k_deepest<DoubleDouble> = 4;

/// More than what products lose by underflow, to be multiplied by the other factor of a cross product.
constexpr double k_tiny = 0x1p-1000;

constexpr double approximate(double x) noexcept { return x; }
constexpr double approximate(const DoubleDouble& x) noexcept { return x.hi; }
template <class Number>
double magnitude(const Number& x) noexcept {
  return std::abs(approximate(x));
}

template <class Number>
struct Vector {
  Number x, y, z;

  constexpr const Number& operator[](std::size_t axis) const noexcept { return axis == 0 ? x : axis == 1 ? y : z; }
  friend Vector operator+(const Vector& a, const Vector& b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector cross(const Vector& a, const Vector& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend Number dot(const Vector& a, const Vector& b) noexcept { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
};

/// to - from: rounded, or exact in pairs of doubles.
template <class Number>
Number difference(double to, double from) noexcept {
  if constexpr (std::is_same_v<Number, double>)
    return to - from;
  else
    return exact_difference(to, from);
}

template <class Number>
struct Ends {
  Vector<Number> t0, t1;

  [[nodiscard]] Vector<double> larger_magnitudes() const noexcept {
    return {std::max(magnitude(t0.x), magnitude(t1.x)), std::max(magnitude(t0.y), magnitude(t1.y)),
            std::max(magnitude(t0.z), magnitude(t1.z))};
  }
};

template <class Number>
using Bernstein = std::array<Number, 4>;

template <class Number>
Number value_at(const Bernstein<Number>& b, const Number& s) noexcept {
  const Number r = Number(1) - s;
  const Number three(3);
  return r * r * (r * b[0] + three * s * b[1]) + s * s * (three * r * b[2] + s * b[3]);
}
double slope_at(const Bernstein<double>& b, double s) noexcept {
  const double r = 1 - s;
  return 3 * (r * r * (b[1] - b[0]) + 2 * r * s * (b[2] - b[1]) + s * s * (b[3] - b[2]));
}

/// A stretch of time, whose ends are exact, and the volume over it.
template <class Number>
struct Piece {
  double lo, hi;
  Bernstein<Number> volume;
};

template <class Number>
void halve(const Piece<Number>& piece, Piece<Number>& left, Piece<Number>& right) noexcept {
  const Bernstein<Number>& b = piece.volume;
  const Number half(0.5);
  const double middle = 0.5 * (piece.lo + piece.hi);
  const Number b01 = half * (b[0] + b[1]), b12 = half * (b[1] + b[2]), b23 = half * (b[2] + b[3]);
  const Number b012 = half * (b01 + b12), b123 = half * (b12 + b23);
  const Number b0123 = half * (b012 + b123);
  left = {piece.lo, middle, {b[0], b01, b012, b0123}};
  right = {middle, piece.hi, {b0123, b123, b23, b[3]}};
}

/// All times within `reach` of the middle.
template <class Number>
struct Stretch {
  Number middle;
  double reach;
};

enum class Place : std::uint8_t { inside, outside, unsure };

/// N corners: 3 for a vertex and a face, 4 for two edges.
template <std::size_t N, class Number>
class Filter {
 public:
  explicit Filter(const MovingPolygon& polygon) noexcept : polygon_(polygon) {
    for (std::size_t k = 0; k < N; ++k) corner_[k] = ends(polygon.corner[k]);
  }

  /// The sign of a rounded difference is exact, and corners move linearly: on one side at both ends means always.
  [[nodiscard]] bool apart_along_an_axis() const noexcept {
    Vector<Number> lo = corner_[0].t0, hi = lo;
    const auto include = [&](const Vector<Number>& p) {
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

  [[nodiscard]] Filtered search() noexcept { return search({0, 1, make_volume()}, 0); }

  /// Contacts that begin or end a step are common and would all be left to exact arithmetic: at these two instants the
  /// predicates for resting points settle them.
  [[nodiscard]] Filtered search_and_look_at_ends() noexcept {
    const Piece<Number> whole{0, 1, make_volume()};
    const Bernstein<Number>& b = whole.volume;
    if (sign(b[0]) != 0 && sign(b[3]) != 0) [[likely]]
      return search(whole, 0);
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

 private:
  static constexpr double k_u = k_roundoff<Number>;

  [[nodiscard]] Ends<Number> ends(const MovingPolygon::Difference& d) const noexcept {
    const auto [to, from] = std::array{&polygon_.point[d.to], &polygon_.point[d.from]};
    const auto minus = [](const Point3& a, const Point3& b) {
      return Vector<Number>{difference<Number>(a.x, b.x), difference<Number>(a.y, b.y), difference<Number>(a.z, b.z)};
    };
    return {minus(to->t0, from->t0), minus(to->t1, from->t1)};
  }

  /// Three times the volume's Bernstein coefficients, and the bound on their error.
  [[nodiscard]] Bernstein<Number> make_volume() noexcept {
    u_ = ends(polygon_.first_edge);
    v_ = ends(polygon_.second_edge);
    const Ends<Number>& x = corner_[0];
    const Vector<Number> normal0 = cross(u_.t0, v_.t0), normal1 = cross(u_.t1, v_.t1);
    const Vector<Number> mixed = cross(u_.t0, v_.t1) + cross(u_.t1, v_.t0);
    const Vector<double> a = x.larger_magnitudes(), b = u_.larger_magnitudes(), c = v_.larger_magnitudes();
    const double most = a.x * (b.y * c.z + b.z * c.y) + a.y * (b.z * c.x + b.x * c.z) + a.z * (b.x * c.y + b.y * c.x);
    const double largest = std::max(std::max(std::max(a.x, a.y), std::max(a.z, b.x)),
                                    std::max(std::max(b.y, b.z), std::max(std::max(c.x, c.y), c.z)));
    // Errors of the coefficients, of halving them and of evaluating the cubic. Beyond 2^300 products might overflow.
    error_ = largest < 0x1p300 ? 256 * k_u * most + k_underflow * (1 + (a.x + a.y + a.z))
                               : std::numeric_limits<double>::infinity();
    const Number three(3);
    return {three * dot(x.t0, normal0), dot(x.t1, normal0) + dot(x.t0, mixed), dot(x.t1, mixed) + dot(x.t0, normal1),
            three * dot(x.t1, normal1)};
  }

  [[nodiscard]] int sign(const Number& volume) const noexcept { return filtered_sign(approximate(volume), error_); }

  /// Exactly one sign change, whatever the doubtful coefficients are.
  [[nodiscard]] bool changes_once(const Bernstein<Number>& b) const noexcept {
    const int first = sign(b[0]), last = sign(b[3]);
    return first * last < 0 && (sign(b[1]) == first || sign(b[2]) == last);
  }

  /// From left to right, so that the first contact found is the first there is.
  [[nodiscard]] Filtered search(const Piece<Number>& piece, int depth) noexcept {
    const Bernstein<double> b{approximate(piece.volume[0]), approximate(piece.volume[1]), approximate(piece.volume[2]),
                              approximate(piece.volume[3])};
    const double least = std::min(std::min(b[0], b[1]), std::min(b[2], b[3]));
    const double most = std::max(std::max(b[0], b[1]), std::max(b[2], b[3]));
    if (least > error_ || most < -error_) return {Certainty::no_contact, {}};
    if (changes_once(piece.volume)) {
      const std::optional<Stretch<Number>> root = bracket(piece, b);
      if (root) {
        const Place place = place_of_origin(*root);
        if (place == Place::outside) return {Certainty::no_contact, {}};
        if (place == Place::unsure) return {};
        const double t = approximate(root->middle), reach = root->reach + 0x1p-52;
        return {Certainty::contact, {std::max(0.0, t - reach), std::min(1.0, t + reach)}};
      }
    }
    if (place_of_origin({Number(0.5 * (piece.lo + piece.hi)), 0.5 * (piece.hi - piece.lo)}) == Place::outside)
      return {Certainty::no_contact, {}};
    if (depth == k_deepest<Number>) return {};
    Piece<Number> left, right;
    halve(piece, left, right);
    const Filtered first = search(left, depth + 1);
    return first.certainty != Certainty::no_contact ? first : search(right, depth + 1);
  }

  /// A short stretch around the only root of a piece, at whose ends the volume certainly has opposite signs. `b`: the volume
  /// in doubles.
  [[nodiscard]] std::optional<Stretch<Number>> bracket(const Piece<Number>& piece,
                                                       const Bernstein<double>& b) const noexcept {
    const int first = sign(piece.volume[0]);
    double lo = 0, hi = 1, guess = b[0] / (b[0] - b[3]), slope = 0;
    for (int round = 0; round < 12; ++round) {
      const double value = value_at(b, guess);
      (value > 0) == (first > 0) ? lo = guess : hi = guess;
      slope = slope_at(b, guess);
      double next = guess - value / slope;
      if (!(next >= lo && next <= hi)) next = 0.5 * (lo + hi);
      const double step = std::abs(next - guess);
      guess = next;
      if (step < 0x1p-40) break;
    }
    Number s(guess);
    for (int round = 0; round < k_polish<Number>; ++round)
      s = s - Number(approximate(value_at(piece.volume, s)) / slope);

    double reach = 4 * error_ / std::abs(slope) + 8 * k_u;
    for (int round = 0; round < 4; ++round, reach *= 8) {
      const Number left = s - Number(reach), right = s + Number(reach);
      const bool starts = approximate(left) > 0 ? sign(value_at(piece.volume, left)) == first : approximate(s) > -reach;
      const bool ends =
          approximate(right) < 1 ? sign(value_at(piece.volume, right)) == -first : approximate(s) < 1 + reach;
      if (starts && ends) {
        const Number length(piece.hi - piece.lo);
        return Stretch<Number>{Number(piece.lo) + s * length, approximate(length) * reach * (1 + 0x1p-40) + 4 * k_u};
      }
    }
    return std::nullopt;
  }

  /// Where the origin is at every instant of the stretch at which it lies in the plane of the polygon.
  [[nodiscard]] Place place_of_origin(const Stretch<Number>& stretch) const noexcept {
    const double t = approximate(stretch.middle);
    const auto between = [&](const Ends<Number>& e) -> Vector<double> {
      return {(1 - t) * approximate(e.t0.x) + t * approximate(e.t1.x),
              (1 - t) * approximate(e.t0.y) + t * approximate(e.t1.y),
              (1 - t) * approximate(e.t0.z) + t * approximate(e.t1.z)};
    };
    const Vector<double> normal = cross(between(u_), between(v_));
    const double nx = std::abs(normal.x), ny = std::abs(normal.y), nz = std::abs(normal.z);
    if (nx >= ny && nx >= nz) return place_along<1, 2>(stretch);
    return ny >= nz ? place_along<2, 0>(stretch) : place_along<0, 1>(stretch);
  }

  /// Cross products of consecutive corners, seen along the axis that is neither I nor J.
  template <std::size_t I, std::size_t J>
  [[nodiscard]] Place place_along(const Stretch<Number>& stretch) const noexcept {
    const Number &t = stretch.middle, r = Number(1) - t;
    std::array<Number, N> x, y;
    std::array<double, N> dx, dy;
    for (std::size_t k = 0; k < N; ++k) {
      const Number &x0 = corner_[k].t0[I], &x1 = corner_[k].t1[I], &y0 = corner_[k].t0[J], &y1 = corner_[k].t1[J];
      x[k] = r * x0 + t * x1;
      y[k] = r * y0 + t * y1;
      dx[k] = stretch.reach * magnitude(x1 - x0) + 8 * k_u * std::max(magnitude(x0), magnitude(x1)) + k_tiny;
      dy[k] = stretch.reach * magnitude(y1 - y0) + 8 * k_u * std::max(magnitude(y0), magnitude(y1)) + k_tiny;
    }
    bool left = false, right = false, sure = true;
    for (std::size_t k = 0; k < N; ++k) {
      const std::size_t l = k + 1 < N ? k + 1 : 0;
      const Number forth = x[k] * y[l], back = y[k] * x[l];
      const double spread = dx[k] * (magnitude(y[l]) + dy[l]) + magnitude(x[k]) * dy[l] +
                            dy[k] * (magnitude(x[l]) + dx[l]) + magnitude(y[k]) * dx[l];
      const int s =
          filtered_sign(approximate(forth - back),
                        (1 + 0x1p-40) * spread + 8 * k_u * (magnitude(forth) + magnitude(back)) + k_underflow);
      left = left || s > 0;
      right = right || s < 0;
      sure = sure && s != 0;
    }
    if (left && right) return Place::outside;
    return sure ? Place::inside : Place::unsure;
  }

  const MovingPolygon& polygon_;
  std::array<Ends<Number>, N> corner_;
  Ends<Number> u_, v_;
  double error_ = 0;
};

template <std::size_t N>
Filtered filtered(const MovingPolygon& polygon) noexcept {
  Filter<N, double> quick(polygon);
  if (quick.apart_along_an_axis()) return {Certainty::no_contact, {}};
  const Filtered answer = quick.search_and_look_at_ends();
  return answer.certainty != Certainty::unsure ? answer : Filter<N, DoubleDouble>(polygon).search();
}

}  // namespace

Filtered filtered_contact(const MovingPolygon& polygon) noexcept {
  return polygon.corners == 3 ? filtered<3>(polygon) : filtered<4>(polygon);
}

}  // namespace snug::geometry::moving
