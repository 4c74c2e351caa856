#include "geometry/ccd/polynomial.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <cmath>

namespace snug::geometry::moving {

namespace {

std::size_t at(int degree) noexcept { return static_cast<std::size_t>(degree); }

void trim(Polynomial& p) noexcept {
  while (p.degree >= 0 && p.leading().sign() == 0) --p.degree;
}

Polynomial derivative(const Polynomial& p, LimbArena& arena) {
  Polynomial d;
  d.degree = std::max(p.degree - 1, -1);
  for (int i = 1; i <= p.degree; ++i) d.coefficient[at(i - 1)] = LongInt::make(arena, i) * p.coefficient[at(i)];
  return d;
}

Polynomial negated(Polynomial p) noexcept {
  for (int i = 0; i <= p.degree; ++i) p.coefficient[at(i)] = -p.coefficient[at(i)];
  return p;
}

}  // namespace

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial r;
  r.degree = std::max(a.degree, b.degree);
  for (int i = 0; i <= r.degree; ++i) {
    if (i > a.degree)
      r.coefficient[at(i)] = b.coefficient[at(i)];
    else if (i > b.degree)
      r.coefficient[at(i)] = a.coefficient[at(i)];
    else
      r.coefficient[at(i)] = a.coefficient[at(i)] + b.coefficient[at(i)];
  }
  trim(r);
  return r;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + negated(b); }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial r;
  if (a.is_zero() || b.is_zero()) return r;
  r.degree = a.degree + b.degree;
  SNUG_ASSERT(r.degree <= k_max_degree);
  for (int i = 0; i <= a.degree; ++i)
    for (int j = 0; j <= b.degree; ++j)
      r.coefficient[at(i + j)] = r.coefficient[at(i + j)] + a.coefficient[at(i)] * b.coefficient[at(j)];
  return r;
}

int sign_at(const Polynomial& p, const Dyadic& t, LimbArena& arena) {
  if (p.is_zero()) return 0;
  if (p.degree == 0) return p.coefficient[0].sign();
  const LimbArena::Mark mark = arena.mark();
  LongInt sum = p.leading();
  for (int i = p.degree - 1; i >= 0; --i)
    sum = sum * t.numerator + p.coefficient[at(i)].shifted_left(t.places * at(p.degree - i));
  const int sign = sum.sign();
  arena.release(mark);
  return sign;
}

int sign_at_zero(const Polynomial& p) noexcept { return p.is_zero() ? 0 : p.coefficient[0].sign(); }

int sign_at_one(const Polynomial& p) {
  LongInt sum;
  for (int i = 0; i <= p.degree; ++i) sum = sum + p.coefficient[at(i)];
  return sum.sign();
}

Polynomial remainder(Polynomial a, const Polynomial& b) {
  const LongInt& lead = b.leading();
  const LongInt size = lead.sign() < 0 ? -lead : lead;
  while (a.degree >= b.degree) {
    const LongInt factor = lead.sign() < 0 ? -a.leading() : a.leading();
    const int offset = a.degree - b.degree;
    for (int i = 0; i < a.degree; ++i) {
      a.coefficient[at(i)] = size * a.coefficient[at(i)];
      if (i >= offset) a.coefficient[at(i)] = a.coefficient[at(i)] - factor * b.coefficient[at(i - offset)];
    }
    a.coefficient[at(a.degree--)] = {};
    trim(a);
  }
  return a;
}

int sign_changes(const Polynomial& p) {
  const std::array<LongInt, 4> c{p.coefficient[0], p.coefficient[1], p.coefficient[2], p.coefficient[3]};
  SNUG_ASSERT(p.degree <= 3);
  const LongInt twice = c[0] + c[0], thrice = twice + c[0];
  const LongInt sum = c[0] + c[1] + c[2] + c[3];
  int changes = 0, last = 0;
  for (const int sign : {c[0].sign(), (thrice + c[1]).sign(), (thrice + c[1] + c[1] + c[2]).sign(), sum.sign()}) {
    changes += sign * last < 0 ? 1 : 0;
    last = sign != 0 ? sign : last;
  }
  return changes;
}

double guess_root(const Polynomial& p) noexcept {
  std::size_t bits = 0;
  for (int i = 0; i <= p.degree; ++i) bits = std::max(bits, p.coefficient[at(i)].bits());
  std::array<double, 4> c{};
  for (int i = 0; i <= std::min(p.degree, 3); ++i) c[at(i)] = p.coefficient[at(i)].rounded_down(bits);
  double lo = 0, hi = 1, t = 0.5;
  const bool rises = c[0] < 0;
  for (int round = 0; round < 60; ++round) {
    const double value = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    (value < 0) == rises ? lo = t : hi = t;
    double next = t - value / (c[1] + t * (2 * c[2] + t * 3 * c[3]));
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    const double step = std::abs(next - t);
    t = next;
    if (step < 0x1p-53) break;
  }
  return t;
}

Polynomial without_root(Polynomial p, const Dyadic& t, LimbArena& arena) {
  while (p.degree > 0 && sign_at(p, t, arena) == 0) {
    // By Gauss's lemma the quotient by the primitive polynomial 2^places x - numerator has integer coefficients.
    LongInt carried = p.leading().shifted_right(t.places);
    for (int i = p.degree - 1; i >= 0; --i) {
      const LongInt next = i > 0 ? (p.coefficient[at(i)] + t.numerator * carried).shifted_right(t.places) : LongInt{};
      p.coefficient[at(i)] = carried;
      carried = next;
    }
    p.coefficient[at(p.degree--)] = {};
  }
  return p;
}

RemainderSequence::RemainderSequence(const Polynomial& p) {
  LimbArena* const arena = p.leading().arena();
  member_[0] = p;
  member_[1] = derivative(p, *arena);
  extend();
}

RemainderSequence::RemainderSequence(const Polynomial& p, const Polynomial& q) {
  LimbArena* const arena = p.leading().arena();
  member_[0] = p;
  member_[1] = remainder(derivative(p, *arena) * q, p);
  extend();
}

void RemainderSequence::extend() {
  count_ = 1;
  while (!member_[count_].is_zero()) {
    ++count_;
    SNUG_ASSERT(count_ < member_.size());
    member_[count_] = negated(remainder(member_[count_ - 2], member_[count_ - 1]));
  }
}

int RemainderSequence::variations(const Dyadic& t, LimbArena& arena) const {
  int changes = 0, last = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const int sign = sign_at(member_[i], t, arena);
    if (sign == 0) continue;
    changes += last != 0 && sign != last ? 1 : 0;
    last = sign;
  }
  return changes;
}

}  // namespace snug::geometry::moving
