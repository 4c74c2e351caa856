#include "moving_judge.hpp"

#include <CGAL/Algebraic_kernel_d_1.h>
#include <CGAL/Gmpq.h>
#include <CGAL/Gmpz.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace snug::judge {
namespace {

using Kernel = CGAL::Algebraic_kernel_d_1<CGAL::Gmpz>;
using Polynomial = Kernel::Polynomial_1;
using Time = Kernel::Algebraic_real_1;

/// Over time.
struct PolynomialVec {
  Polynomial x, y, z;
  friend PolynomialVec operator-(const PolynomialVec& a, const PolynomialVec& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
};
PolynomialVec cross(const PolynomialVec& a, const PolynomialVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Polynomial dot(const PolynomialVec& a, const PolynomialVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Coordinates as integers on one scale.
class Scale {
 public:
  template <std::size_t N>
  explicit Scale(const std::array<MovingPoint, N>& points) {
    for (const MovingPoint& p : points)
      for (const Point3& q : {p.t0, p.t1})
        for (const double c : {q.x, q.y, q.z})
          if (const CGAL::Gmpz d = CGAL::Gmpq(c).denominator(); d > denominator_) denominator_ = d;  // powers of two
  }
  [[nodiscard]] PolynomialVec operator()(const MovingPoint& p) const {
    return {line(p.t0.x, p.t1.x), line(p.t0.y, p.t1.y), line(p.t0.z, p.t1.z)};
  }

 private:
  [[nodiscard]] CGAL::Gmpz integer(double c) const { return (CGAL::Gmpq(c) * CGAL::Gmpq(denominator_)).numerator(); }
  [[nodiscard]] Polynomial line(double t0, double t1) const {
    const CGAL::Gmpz start = integer(t0);
    return Polynomial(start, integer(t1) - start);
  }
  CGAL::Gmpz denominator_ = 1;
};

/// A condition on the signs of polynomials at one time, which lists the polynomials it may ask for.
struct Condition {
  std::function<bool(const std::function<int(const Polynomial&)>&)> holds;
  std::vector<Polynomial> asked;
};

/// p on the segment between a and b, also if these are one point.
Condition on_segment(const PolynomialVec& p, const PolynomialVec& a, const PolynomialVec& b) {
  const PolynomialVec beside = cross(p - a, p - b);
  const Polynomial between = dot(p - a, p - b);
  return {[=](const auto& sign) {
            return sign(beside.x) == 0 && sign(beside.y) == 0 && sign(beside.z) == 0 && sign(between) <= 0;
          },
          {beside.x, beside.y, beside.z, between}};
}

Condition any_of(std::vector<Condition> conditions) {
  std::vector<Polynomial> asked;
  for (const Condition& c : conditions) asked.insert(asked.end(), c.asked.begin(), c.asked.end());
  return {[conditions = std::move(conditions)](const auto& sign) {
            for (const Condition& c : conditions)
              if (c.holds(sign)) return true;
            return false;
          },
          std::move(asked)};
}

Condition all_not_negative(std::vector<Polynomial> polynomials) {
  return {[polynomials](const auto& sign) {
            for (const Polynomial& p : polynomials)
              if (sign(p) < 0) return false;
            return true;
          },
          polynomials};
}

/// `if_zero` where the vector vanishes, `otherwise` elsewhere.
Condition by_vector(const PolynomialVec& v, const Condition& if_zero, const Condition& otherwise) {
  std::vector<Polynomial> asked{v.x, v.y, v.z};
  asked.insert(asked.end(), if_zero.asked.begin(), if_zero.asked.end());
  asked.insert(asked.end(), otherwise.asked.begin(), otherwise.asked.end());
  return {[=](const auto& sign) {
            const bool zero = sign(v.x) == 0 && sign(v.y) == 0 && sign(v.z) == 0;
            return zero ? if_zero.holds(sign) : otherwise.holds(sign);
          },
          std::move(asked)};
}

// CGAL 5.5 stops where refining a time meets it exactly, in the middle of an operation. The time is known to be rational from
// then on, and is dealt with here.
bool is_rational(const Time& t) { return t.low() == t.high(); }

template <class F>
int asked_again(const F& ask) {
  try {
    return ask();
  } catch (const CGAL::Failure_exception&) {
    return ask();
  }
}

int sign_at(const Polynomial& q, const Time& t) {
  if (CGAL::is_zero(q)) return 0;
  return asked_again([&] {
    if (!is_rational(t)) return static_cast<int>(Kernel().sign_at_1_object()(q, t));
    CGAL::Gmpq sum = 0;
    for (int i = q.degree(); i >= 0; --i) sum = sum * t.low() + CGAL::Gmpq(q[i]);
    return static_cast<int>(CGAL::sign(sum));
  });
}
int compared_with(const Time& t, const CGAL::Gmpq& bound) {
  return asked_again([&] {
    return static_cast<int>(is_rational(t) ? CGAL::compare(t.low(), bound) : Kernel().compare_1_object()(t, bound));
  });
}
int compared(const Time& t, const Time& other) {
  return asked_again([&] {
    if (is_rational(other)) return compared_with(t, other.low());
    return is_rational(t) ? -compared_with(other, t.low()) : static_cast<int>(Kernel().compare_1_object()(t, other));
  });
}

/// Goes through all times at which contact can begin.
MovingTruth decide(const Polynomial& volume, const Condition& contact, const std::optional<ContactTime>& claim) {
  CGAL::set_error_handler([](const char*, const char*, const char*, int, const char*) {});  // the exception says it all
  std::vector<Polynomial> sources{volume};
  if (CGAL::is_zero(volume)) {
    sources = contact.asked;
    sources.push_back(Polynomial(CGAL::Gmpz(0), CGAL::Gmpz(1), CGAL::Gmpz(-1)));  // its roots are 0 and 1
  }
  std::optional<Time> first;
  for (const Polynomial& p : sources) {
    if (p.degree() < 1) continue;
    std::vector<std::pair<Time, Kernel::Multiplicity_type>> roots;
    Kernel().solve_1_object()(p, std::back_inserter(roots));
    for (const auto& root : roots) {
      const Time& t = root.first;
      if (compared_with(t, 0) < 0 || compared_with(t, 1) > 0 || (first && compared(t, *first) >= 0)) continue;
      if (contact.holds([&](const Polynomial& q) { return sign_at(q, t); })) first = t;
    }
  }
  if (!first || !claim) return {first.has_value(), first.has_value() == claim.has_value()};
  return {true,
          compared_with(*first, CGAL::Gmpq(claim->t_lo)) >= 0 && compared_with(*first, CGAL::Gmpq(claim->t_hi)) <= 0};
}

}  // namespace

MovingTruth moving_truth(const MovingPoint& vertex, const MovingTriangle& face,
                         const std::optional<ContactTime>& claim) {
  const Scale scale(std::array{vertex, face[0], face[1], face[2]});
  const PolynomialVec v = scale(vertex);
  const std::array<PolynomialVec, 3> f{scale(face[0]), scale(face[1]), scale(face[2])};
  const PolynomialVec normal = cross(f[1] - f[0], f[2] - f[0]);
  std::vector<Polynomial> sides;
  std::vector<Condition> edges;
  for (std::size_t k = 0; k < 3; ++k) {
    const PolynomialVec &a = f[k], &b = f[(k + 1) % 3];
    sides.push_back(dot(normal, cross(b - a, v - a)));
    edges.push_back(on_segment(v, a, b));
  }
  return decide(dot(normal, v - f[0]), by_vector(normal, any_of(edges), all_not_negative(sides)), claim);
}

MovingTruth moving_truth(const MovingEdge& edge_a, const MovingEdge& edge_b, const std::optional<ContactTime>& claim) {
  const Scale scale(std::array{edge_a[0], edge_a[1], edge_b[0], edge_b[1]});
  const PolynomialVec a0 = scale(edge_a[0]), a1 = scale(edge_a[1]), b0 = scale(edge_b[0]), b1 = scale(edge_b[1]);
  const PolynomialVec normal = cross(a1 - a0, b1 - b0);
  // Where the lines meet: a0 + s (a1 - a0) = b0 + r (b1 - b0), s and r multiplied by the square of the normal.
  const Polynomial squared = dot(normal, normal);
  const Polynomial s = dot(cross(b0 - a0, b1 - b0), normal), r = dot(cross(b0 - a0, a1 - a0), normal);
  const Condition ends =
      any_of({on_segment(a0, b0, b1), on_segment(a1, b0, b1), on_segment(b0, a0, a1), on_segment(b1, a0, a1)});
  return decide(dot(normal, b0 - a0), by_vector(normal, ends, all_not_negative({s, squared - s, r, squared - r})),
                claim);
}

}  // namespace snug::judge
