#include "query/convex/gap.hpp"

#include "query/convex/simplex.hpp"
#include "support/assert.hpp"

#include <array>
#include <cmath>

namespace snug::query {

namespace {

// Polytopes take a handful of rounds, cylinders edge to edge some dozens.
constexpr int k_rounds_double = 64, k_rounds_precise = 256;

double root(double x) noexcept { return std::sqrt(x); }
double root(const DoubleDouble& x) noexcept { return std::sqrt(static_cast<double>(x)); }

/// Bounds on the distance of the cores, narrowed round by round.
template <class Real>
class Rounds {
 public:
  Rounds(const Convex& a, const Convex& b, const GapAim& aim, Gap& gap) noexcept
      : a_(a), b_(b), aim_(aim), radii_(a.radius() + b.radius()), gap_(gap) {}

  /// True if the aim was reached.
  bool run(Vec3 direction, int rounds) noexcept {
    add(direction);
    take(closest_on_simplex(y_, count_, k_gap_rounding));
    for (int round = 0; round < rounds; ++round) {
      if (done()) return true;
      const double length = root(squared_);
      // Only rounding lets this happen: the corners are as good as at the origin.
      if (!(length > 0)) return true;
      const Vec3 v = static_cast<Vec3>(point_);
      const double largest = max_abs(v);
      const Vec3 scaled = (1 / largest) * v;
      const Vec3 normal = (1 / length_of(scaled)) * scaled;
      if (!add(normal)) return done();
      // The new corner is the last of the difference in this direction: all of it lies beyond.
      const double lower = dot(normal, static_cast<Vec3>(y_[count_ - 1])) - k_gap_rounding - radii_;
      if (lower > gap_.lower) gap_.lower = lower, gap_.normal = normal;
      if (done()) return true;
      const OnSimplex<Real> on = closest_on_simplex(y_, count_, k_gap_rounding);
      if (!(on.squared < squared_)) return done();
      take(on);
    }
    return done();
  }

 private:
  [[nodiscard]] bool done() const noexcept {
    return gap_.upper <= aim_.touching || gap_.lower > aim_.clear || gap_.upper - gap_.lower <= aim_.width ||
           (gap_.lower > 0 && gap_.lower >= aim_.share * gap_.upper);
  }

  /// A corner furthest against the direction; false if it is one already.
  bool add(const Vec3& direction) noexcept {
    const Point3 on_a = a_.support(direction), on_b = b_.support(-direction);
    for (std::uint32_t i = 0; i < count_; ++i)
      if (on_a_[i] == on_a && on_b_[i] == on_b) return lower_from(direction, i);
    SNUG_ASSERT(count_ < on_a_.size());
    on_a_[count_] = on_a, on_b_[count_] = on_b;
    y_[count_++] = RealVec<Real>(on_b - on_a);
    return true;
  }
  bool lower_from(const Vec3& direction, std::uint32_t i) noexcept {
    const double lower = dot(direction, static_cast<Vec3>(y_[i])) - k_gap_rounding - radii_;
    if (lower > gap_.lower) gap_.lower = lower, gap_.normal = direction;
    return false;
  }

  /// Keeps the corners that hold the closest point.
  void take(const OnSimplex<Real>& on) noexcept {
    std::array<Point3, 4> on_a{}, on_b{};
    Corners4<Real> y{};
    Point3 from, to;
    SNUG_ASSERT(on.count > 0 && on.count <= count_);
    for (std::uint32_t k = 0; k < on.count; ++k) {
      on_a[k] = on_a_[on.corner[k]], on_b[k] = on_b_[on.corner[k]], y[k] = y_[on.corner[k]];
      const double share = static_cast<double>(on.share[k]);
      from = from + share * on_a[k], to = to + share * on_b[k];
    }
    on_a_ = on_a, on_b_ = on_b, y_ = y;
    count_ = on.count, point_ = on.point, squared_ = on.squared;
    // Of the two points, not of the one that the simplex claims: slivers err.
    const double upper = std::max(length_of(to - from) - radii_, 0.0);
    if (upper < gap_.upper) gap_.upper = upper, gap_.on_a = from, gap_.on_b = to;
  }

  const Convex& a_;
  const Convex& b_;
  const GapAim& aim_;
  const double radii_;
  Gap& gap_;
  std::uint32_t count_ = 0;
  std::array<Point3, 4> on_a_{}, on_b_{};
  Corners4<Real> y_{};
  RealVec<Real> point_;
  Real squared_{};
};

/// From the cores' points to the bodies'.
void round_off(const Convex& a, const Convex& b, Gap& gap) noexcept {
  const double radii = a.radius() + b.radius();
  if (!(radii > 0)) return;
  const Vec3 between = gap.on_b - gap.on_a;
  const double length = length_of(between);
  if (length > radii) {
    gap.on_a = gap.on_a + (a.radius() / length) * between;
    gap.on_b = gap.on_b - (b.radius() / length) * between;
  } else {
    gap.on_a = gap.on_a + (a.radius() / radii) * between;
    gap.on_b = gap.on_a;
  }
}

}  // namespace

Gap gap_between(const Convex& a, const Convex& b, const GapAim& aim, const Vec3& guess) noexcept {
  Gap gap;
  const auto is_direction = [](const Vec3& v) { return max_abs(v) > 0; };
  Vec3 first = is_direction(guess) ? guess : b.centre() - a.centre();
  if (!is_direction(first)) first = {1, 0, 0};
  bool done = Rounds<double>(a, b, aim, gap).run(first, k_rounds_double) ||
              Rounds<DoubleDouble>(a, b, aim, gap).run(is_direction(gap.normal) ? gap.normal : first, k_rounds_precise);
  // Corners are rounded, and thin bodies that all but touch may make slivers of them from which there is no way on. From
  // elsewhere there is: both bounds are kept.
  constexpr std::array<Vec3, 6> elsewhere{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  for (std::size_t i = 0; i < elsewhere.size() && !done; ++i)
    done = Rounds<DoubleDouble>(a, b, aim, gap).run(elsewhere[i], k_rounds_precise);
  round_off(a, b, gap);
  return gap;
}

}  // namespace snug::query
