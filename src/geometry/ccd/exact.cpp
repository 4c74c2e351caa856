#include "geometry/ccd/exact.hpp"

#include "geometry/ccd/polynomial.hpp"
#include "geometry/scaled_double.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Contact at an instant is a matter of the signs of polynomials in time: the volume spanned by origin and polygon (cubic),
// the cross products of consecutive corners along each axis (quadratic) and the corners' coordinates (linear). Each axis may
// be scaled by a power of two of its own, which leaves all these signs alone and makes all coordinates integers. Contact can
// only begin at time 0 or at a root of one of those that are not zero throughout; of the volume, if that is one of them. Roots
// are isolated by Sturm's theorem, and the other signs at a root are found by Tarski's.

namespace snug::geometry::moving {

namespace {

thread_local std::uint64_t t_exact_calls = 0;

using Corners = std::array<Polynomial, 4>;

class Decision {
 public:
  Decision(const MovingPolygon& polygon, double time_tolerance) : corners_(polygon.corners) {
    for (std::size_t axis = 0; axis < 3; ++axis) coordinates_[axis] = make_coordinates(polygon, axis);
    while (finest_ < 48 && std::ldexp(1.0, -static_cast<int>(finest_)) > time_tolerance) ++finest_;
    start_ = {{}, 0};
    end_ = {LongInt::make(arena_, 1), 0};
    choose_axes(polygon);
  }

  std::optional<ContactTime> first_contact() {
    const Polynomial volume = make_volume();
    if (sign_at_zero(volume) == 0 && contact_at(start_)) return ContactTime{0, 0};
    if (!volume.is_zero()) {
      visit_roots(volume);
      if (!found_ && sign_at_one(volume) == 0 && contact_at(end_)) return ContactTime{1, 1};
    } else {
      visit_all_roots();
      if (!found_ && contact_at(end_)) return ContactTime{1, 1};
    }
    return found_;
  }

 private:
  /// One axis of all corners, as linear polynomials.
  Corners make_coordinates(const MovingPolygon& polygon, std::size_t axis) {
    std::array<ScaledDouble, 8> value;
    int lowest = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < 4; ++i) {
      SNUG_ASSERT(std::isfinite(polygon.point[i].t0[axis]) && std::isfinite(polygon.point[i].t1[axis]));
      value[i] = decompose(polygon.point[i].t0[axis]);
      value[i + 4] = decompose(polygon.point[i].t1[axis]);
    }
    for (const ScaledDouble& v : value)
      if (v.mantissa != 0) lowest = std::min(lowest, v.exponent);
    std::array<LongInt, 8> integer;
    for (std::size_t i = 0; i < 8; ++i)
      if (value[i].mantissa != 0)
        integer[i] = LongInt::make(arena_, value[i].mantissa, static_cast<unsigned>(value[i].exponent - lowest));
    Corners corners;
    for (std::size_t k = 0; k < polygon.corners; ++k) {
      const auto [to, from] = polygon.corner[k];
      const LongInt t0 = integer[to] - integer[from];
      const LongInt slope = (integer[to + 4] - integer[from + 4]) - t0;
      corners[k].coefficient = {t0, slope};
      corners[k].degree = slope.sign() != 0 ? 1 : t0.sign() != 0 ? 0 : -1;
    }
    return corners;
  }

  /// The axis first that probably settles it: along one that flattens the polygon all signs are zero, the dearest to find.
  void choose_axes(const MovingPolygon& polygon) noexcept {
    const auto halfway = [&](const MovingPolygon::Difference& d) {
      return (polygon.point[d.to].t0 - polygon.point[d.from].t0) + (polygon.point[d.to].t1 - polygon.point[d.from].t1);
    };
    const Vec3 normal = cross(halfway(polygon.first_edge), halfway(polygon.second_edge));
    for (std::size_t axis = 1; axis < 3; ++axis)
      if (std::abs(normal[axis]) > std::abs(normal[axes_[0]])) std::swap(axes_[0], axes_[axis]);
  }

  /// Along an axis, the cross product of corners k and l.
  [[nodiscard]] Polynomial crossed(std::size_t axis, std::size_t k, std::size_t l) const {
    const Corners& u = coordinates_[(axis + 1) % 3];
    const Corners& v = coordinates_[(axis + 2) % 3];
    return u[k] * v[l] - v[k] * u[l];
  }
  [[nodiscard]] Polynomial crossed(std::size_t axis, std::size_t k) const {
    return crossed(axis, k, k + 1 < corners_ ? k + 1 : 0);
  }

  [[nodiscard]] Polynomial make_volume() const {
    Polynomial sum;
    for (std::size_t axis = 0; axis < 3; ++axis) sum = sum + coordinates_[axis][0] * crossed(axis, 1, 2);
    return sum;
  }

  /// Given the signs of polynomials at an instant at which polygon and origin lie in one plane.
  template <class Sign>
  [[nodiscard]] bool contact(Sign&& sign) const {
    for (const std::size_t axis : axes_) {
      bool left = false, right = false;
      for (std::size_t k = 0; k < corners_; ++k) {
        const int s = sign(crossed(axis, k));
        left = left || s > 0;
        right = right || s < 0;
        if (left && right) return false;
      }
      if (left || right) return true;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      int sum = 0;
      for (std::size_t k = 0; k < corners_; ++k) sum += sign(coordinates_[axis][k]);
      if (std::abs(sum) == static_cast<int>(corners_)) return false;
    }
    return true;
  }

  [[nodiscard]] bool contact_at(const Dyadic& t) {
    return contact([&](const Polynomial& q) { return sign_at(q, t, arena_); });
  }

  /// At the only root of p between two places, which are none and have as many binary places.
  [[nodiscard]] bool contact_at_root(const Polynomial& p, const Dyadic& lo, const Dyadic& hi) {
    const int at_lo = sign_at(p, lo, arena_), at_hi = sign_at(p, hi, arena_);
    return contact([&](const Polynomial& q) {
      if (const int sign = sign_throughout(q, lo, hi)) return sign;
      const Polynomial rest = q.degree < p.degree ? q : remainder(q, p);
      if (rest.degree <= 0) return sign_at_zero(rest);
      if (rest.degree == 1 && at_lo != at_hi) return sign_of_line(rest, p, lo, hi, at_lo);
      const RemainderSequence tarski(p, rest);
      return tarski.variations(lo, arena_) - tarski.variations(hi, arena_);
    });
  }

  /// The sign of a line at the only root of p, where p changes sign: p's sign at the line's own root tells the order of both.
  [[nodiscard]] int sign_of_line(const Polynomial& line, const Polynomial& p, const Dyadic& lo, const Dyadic& hi,
                                 int p_at_lo) {
    const int left = sign_at(line, lo, arena_), right = sign_at(line, hi, arena_);
    if (left == right || right == 0) return left;
    if (left == 0) return right;
    LongInt value = p.leading(), power = line.leading();  // times the degree-th power of the line's slope, after all
    const LongInt root = -line.coefficient[0];
    for (int i = p.degree - 1; i >= 0; --i) {
      value = value * root + p.coefficient[static_cast<std::size_t>(i)] * power;
      power = power * line.leading();
    }
    const int p_at_root = p.degree % 2 == 0 ? value.sign() : value.sign() * line.leading().sign();
    return p_at_root == 0 ? 0 : p_at_root == p_at_lo ? right : left;
  }

  /// The sign of q from lo to hi if its Bernstein coefficients there agree, otherwise 0. Degree at most 2.
  [[nodiscard]] int sign_throughout(const Polynomial& q, const Dyadic& lo, const Dyadic& hi) {
    const int left = sign_at(q, lo, arena_);
    if (left == 0 || sign_at(q, hi, arena_) != left) return 0;
    if (q.degree <= 1) return left;
    // The middle coefficient is the blossom q0 + q1 (lo + hi) / 2 + q2 lo hi.
    const LongInt middle = q.coefficient[0].shifted_left(2 * lo.places + 1) +
                           (q.coefficient[1] * (lo.numerator + hi.numerator)).shifted_left(lo.places) +
                           (q.coefficient[2] * (lo.numerator * hi.numerator)).shifted_left(1);
    return middle.sign() == left ? left : 0;
  }

  [[nodiscard]] Dyadic after(const Dyadic& t) const { return {t.numerator + end_.numerator, t.places}; }
  [[nodiscard]] Dyadic halved(const Dyadic& lo) const {  // the middle of the cell that begins there
    return {lo.numerator.shifted_left(1) + end_.numerator, lo.places + 1};
  }
  [[nodiscard]] static Dyadic finer(const Dyadic& t) { return {t.numerator.shifted_left(1), t.places + 1}; }

  /// The first contact at a root of p inside (0, 1). Precondition: p is not zero.
  void visit_roots(const Polynomial& p) {
    const Polynomial inner = without_root(without_root(p, start_, arena_), end_, arena_);
    const int changes = sign_changes(inner);
    if (changes == 1)
      visit_guessed_root(inner);
    else if (changes > 1)
      visit_cell(inner, RemainderSequence(inner), start_);
  }

  /// The only root of p in (0, 1), where p changes sign.
  void visit_guessed_root(const Polynomial& p) {
    const std::size_t places = finest_ + 2;
    const auto k = static_cast<std::int64_t>(std::ldexp(guess_root(p), static_cast<int>(places)));
    const auto last = std::int64_t{1} << places;
    const Dyadic lo{LongInt::make(arena_, std::max<std::int64_t>(k - 1, 0)), places};
    const Dyadic hi{LongInt::make(arena_, std::min(k + 2, last)), places};
    const int at_lo = sign_at(p, lo, arena_), at_hi = sign_at(p, hi, arena_);
    if (at_lo == 0)
      keep_if_contact(lo);
    else if (at_hi == 0)
      keep_if_contact(hi);
    else if (at_lo != at_hi)
      keep_if_contact(p, lo, hi);
    else
      visit_root(p, RemainderSequence(p), start_);
  }

  /// Roots of p in the cell that begins at lo and whose ends are none. True once a contact is found. Calls itself only where
  /// roots part, so at most twice on the way down.
  bool visit_cell(const Polynomial& p, const RemainderSequence& sturm, Dyadic lo) {
    const int at_hi = sturm.variations(after(lo), arena_);
    while (sturm.variations(lo, arena_) - at_hi > 1) {
      const Dyadic middle = halved(lo);
      if (sign_at(p, middle, arena_) == 0) {
        const Polynomial rest = without_root(p, middle, arena_);
        const RemainderSequence rest_sturm(rest);
        return visit_cell(rest, rest_sturm, finer(lo)) || keep_if_contact(middle) ||
               visit_cell(rest, rest_sturm, middle);
      }
      const int at_middle = sturm.variations(middle, arena_);
      if (at_middle != at_hi && at_middle != sturm.variations(lo, arena_))
        return visit_cell(p, sturm, finer(lo)) || visit_cell(p, sturm, middle);
      lo = at_middle == at_hi ? finer(lo) : middle;
    }
    return sturm.variations(lo, arena_) != at_hi && visit_root(p, sturm, lo);
  }

  /// The only root of p in a cell whose ends are none.
  bool visit_root(const Polynomial& p, const RemainderSequence& sturm, Dyadic lo) {
    const int at_lo = sturm.variations(lo, arena_);
    while (lo.places < finest_) {
      const Dyadic middle = halved(lo);
      if (sign_at(p, middle, arena_) == 0) return keep_if_contact(middle);
      lo = sturm.variations(middle, arena_) == at_lo ? middle : finer(lo);
    }
    return keep_if_contact(p, lo, after(lo));
  }

  /// At the only root of p between two places, which are none.
  bool keep_if_contact(const Polynomial& p, const Dyadic& lo, const Dyadic& hi) {
    if (!contact_at_root(p, lo, hi)) return false;
    keep(lo, hi);
    return true;
  }

  bool keep_if_contact(const Dyadic& t) {
    if (!contact_at(t)) return false;
    keep(t, t);
    return true;
  }

  /// Polygon and origin share a plane at all times.
  void visit_all_roots() {
    const auto visit = [&](const Polynomial& p) {
      if (p.degree > 0) visit_roots(p);
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t k = 0; k < corners_; ++k) {
        visit(crossed(axis, k));
        visit(coordinates_[axis][k]);
      }
  }

  /// Contacts come from several polynomials: the first of all lies between the least of both ends.
  void keep(const Dyadic& lo, const Dyadic& hi) {
    const ContactTime time{lo.numerator.rounded_down(lo.places), -(-hi.numerator).rounded_down(hi.places)};
    if (!found_) found_ = time;
    found_->t_lo = std::min(found_->t_lo, time.t_lo);
    found_->t_hi = std::min(found_->t_hi, time.t_hi);
  }

  LimbArena arena_;
  std::size_t corners_;
  std::array<std::size_t, 3> axes_{0, 1, 2};
  std::array<Corners, 3> coordinates_;
  Dyadic start_, end_;
  std::size_t finest_ = 0;  ///< cells of 2^-finest_ are within the tolerance
  std::optional<ContactTime> found_;
};

}  // namespace

std::optional<ContactTime> first_contact_exactly(const MovingPolygon& polygon, double time_tolerance) {
  ++t_exact_calls;
  return Decision(polygon, time_tolerance).first_contact();
}

std::uint64_t exact_calls() noexcept { return t_exact_calls; }

}  // namespace snug::geometry::moving
