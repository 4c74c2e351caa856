#include "rational_judge.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace snug::judge {
namespace {

struct RationalVec {
  mpq_class x, y, z;
  friend bool operator==(const RationalVec& a, const RationalVec& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};
RationalVec exact(const Vec3& p) { return {mpq_class(p.x), mpq_class(p.y), mpq_class(p.z)}; }
RationalVec difference(const RationalVec& a, const RationalVec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
RationalVec cross(const RationalVec& a, const RationalVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
mpq_class dot(const RationalVec& a, const RationalVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
bool is_zero(const RationalVec& v) { return sgn(v.x) == 0 && sgn(v.y) == 0 && sgn(v.z) == 0; }
/// p + s (q - p)
RationalVec along(const RationalVec& p, const RationalVec& q, const mpq_class& s) {
  const RationalVec d = difference(q, p);
  return {p.x + s * d.x, p.y + s * d.y, p.z + s * d.z};
}

/// The points p with normal · (p - base) >= 0.
struct HalfSpace {
  RationalVec normal, base;
  [[nodiscard]] mpq_class height(const RationalVec& p) const { return dot(normal, difference(p, base)); }
};

/// A triangle, whatever its dimension, as an intersection of closed half-spaces. The first `sides` bound it within its
/// plane or line, the rest come in opposite pairs and tie it to that plane, line or point.
struct Bounded {
  std::array<RationalVec, 3> corner;
  RationalVec normal;
  std::vector<HalfSpace> half_spaces;
  std::size_t sides = 0;
  bool degenerate = false;

  explicit Bounded(const Triangle& t) : corner{exact(t[0]), exact(t[1]), exact(t[2])} {
    normal = cross(difference(corner[1], corner[0]), difference(corner[2], corner[0]));
    degenerate = is_zero(normal);
    if (!degenerate) {
      for (std::size_t i = 0; i != 3; ++i)
        half_spaces.push_back({cross(normal, difference(corner[(i + 1) % 3], corner[i])), corner[i]});
      sides = 3;
      tie(normal, corner[0]);
      return;
    }
    // All on one line: the two corners furthest apart are its ends.
    std::array<RationalVec, 3> p = corner;
    std::ranges::sort(p, [](const RationalVec& a, const RationalVec& b) {
      return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
    });
    const RationalVec direction = difference(p[2], p[0]);
    const std::array<RationalVec, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (is_zero(direction)) {
      for (const RationalVec& axis : axes) tie(axis, p[0]);
      return;
    }
    half_spaces.push_back({direction, p[0]});
    half_spaces.push_back({difference(p[0], p[2]), p[2]});
    sides = 2;
    for (const RationalVec& axis : axes) tie(cross(direction, axis), p[0]);  // one of the three may be null: harmless
  }

 private:
  void tie(const RationalVec& n, const RationalVec& base) {
    half_spaces.push_back({n, base});
    half_spaces.push_back({difference({}, n), base});
  }
};

/// Sutherland–Hodgman, on a cyclic list of corners of a convex set of any dimension up to two.
std::vector<RationalVec> clipped(const std::vector<RationalVec>& polygon, const HalfSpace& half_space) {
  std::vector<RationalVec> kept;
  for (std::size_t i = 0; i != polygon.size(); ++i) {
    const RationalVec& p = polygon[i];
    const RationalVec& q = polygon[(i + 1) % polygon.size()];
    const mpq_class hp = half_space.height(p);
    const mpq_class hq = half_space.height(q);
    if (sgn(hp) >= 0) kept.push_back(p);
    if (sgn(hp) * sgn(hq) < 0) kept.push_back(along(p, q, hp / (hp - hq)));
  }
  return kept;
}

/// Drops repeated corners and corners in the middle of an edge.
void reduce(std::vector<RationalVec>& polygon) {
  std::vector<RationalVec> distinct;
  for (const RationalVec& p : polygon)
    if (std::ranges::find(distinct, p) == distinct.end()) distinct.push_back(p);
  polygon.clear();
  for (const RationalVec& p : distinct) {
    const bool between = std::ranges::any_of(distinct, [&](const RationalVec& q) {
      return std::ranges::any_of(distinct, [&](const RationalVec& r) {
        const RationalVec to_q = difference(q, p);
        const RationalVec to_r = difference(r, p);
        return sgn(dot(to_q, to_r)) < 0 && is_zero(cross(to_q, to_r));
      });
    });
    if (!between) polygon.push_back(p);
  }
}

bool strictly_inside(const Bounded& t, const RationalVec& p) {
  for (std::size_t i = 0; i != t.sides; ++i)
    if (sgn(t.half_spaces[i].height(p)) <= 0) return false;
  return true;
}

/// value / 2^exponent_of_one, which must be an integer.
mpz_class scaled_integer(double value, int exponent_of_one) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return mpz_class(std::ldexp(fraction, 53)) << static_cast<unsigned>(exponent - 53 - exponent_of_one);
}

/// The values over one power of two that makes all of them integers: no rational arithmetic, no divisors to cancel.
template <std::size_t N>
std::array<mpz_class, N> to_common_scale(const std::array<double, N>& values) {
  int lowest = std::numeric_limits<int>::max();
  for (const double v : values) {
    int exponent = 0;
    static_cast<void>(std::frexp(v, &exponent));
    if (v != 0) lowest = std::min(lowest, exponent - 53);
  }
  std::array<mpz_class, N> integers;
  for (std::size_t i = 0; i != N; ++i) integers[i] = values[i] == 0 ? mpz_class(0) : scaled_integer(values[i], lowest);
  return integers;
}

}  // namespace

int rational_orient3d(const Point3& a, const Point3& b, const Point3& c, const Point3& d) {
  const auto v = to_common_scale<12>({a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z});
  std::array<mpz_class, 9> m;
  for (std::size_t i = 0; i != 9; ++i) m[i] = v[i] - v[9 + i % 3];
  const mpz_class determinant =
      m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  return sgn(determinant);
}

int rational_orient2d(Point2 a, Point2 b, Point2 c) {
  const auto v = to_common_scale<6>({a.x, a.y, b.x, b.y, c.x, c.y});
  const mpz_class determinant = (v[2] - v[0]) * (v[5] - v[1]) - (v[3] - v[1]) * (v[4] - v[0]);
  return sgn(determinant);
}

bool rational_is_degenerate(const Triangle& t) { return Bounded(t).degenerate; }

RationalIntersection rational_intersection(const Triangle& a, const Triangle& b) {
  const Bounded s(a);
  const Bounded t(b);
  std::vector<RationalVec> common(s.corner.begin(), s.corner.end());
  for (const HalfSpace& half_space : t.half_spaces) common = clipped(common, half_space);
  reduce(common);
  RationalIntersection answer{Relation::disjoint, static_cast<int>(common.size())};
  if (common.empty()) return answer;
  answer.relation = Relation::touching;
  // Not coplanar: the shared points form at most a segment, and its middle is inside whatever it can be inside of.
  if (!s.degenerate && !t.degenerate && common.size() == 2 && !is_zero(cross(s.normal, t.normal))) {
    const RationalVec middle = along(common[0], common[1], mpq_class(1, 2));
    if (strictly_inside(s, middle) && strictly_inside(t, middle)) answer.relation = Relation::crossing;
  }
  return answer;
}

std::optional<RationalHit> rational_ray_hit(const Ray& ray, const Triangle& triangle) {
  const Bounded t(triangle);
  const RationalVec origin = exact(ray.origin);
  const RationalVec direction = exact(ray.direction);
  mpq_class enter(0);
  std::optional<mpq_class> leave;
  for (const HalfSpace& half_space : t.half_spaces) {
    const mpq_class height = half_space.height(origin);
    const mpq_class slope = dot(half_space.normal, direction);
    if (sgn(slope) == 0) {
      if (sgn(height) < 0) return std::nullopt;
      continue;
    }
    const mpq_class at = -height / slope;
    if (sgn(slope) > 0) enter = std::max(enter, at);
    if (sgn(slope) < 0 && (!leave || at < *leave)) leave = at;
  }
  if (leave && *leave < enter) return std::nullopt;
  RationalHit hit{enter.get_d(), RayHitKind::grazing, false};
  const int rise = sgn(dot(t.normal, direction));
  if (t.degenerate || rise == 0) return hit;
  const RationalVec place{origin.x + enter * direction.x, origin.y + enter * direction.y,
                          origin.z + enter * direction.z};
  hit.kind = strictly_inside(t, place) ? RayHitKind::inner : RayHitKind::border;
  hit.from_inside = rise > 0;
  return hit;
}

}  // namespace snug::judge
