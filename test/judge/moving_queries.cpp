#include "moving_queries.hpp"

#include <cmath>

namespace snug::judge {
namespace {

Point3 on_grid(Random& random, int half = 3) {
  const auto c = [&] { return static_cast<double>(random.integer(-half, half)); };
  const double x = c(), y = c();
  return {x, y, c()};
}

MovingPoints grid(Random& random, int half = 3) {
  MovingPoints p;
  for (MovingPoint& q : p) q = {on_grid(random, half), on_grid(random, half)};
  return p;
}

MovingPoints anywhere(Random& random) {
  MovingPoints p;
  for (MovingPoint& q : p) q = {random.in_cube(1), random.in_cube(1)};
  return p;
}

/// Puts the four points into the plane z = x + 2 y + 1 at the given end.
void flatten(MovingPoints& points, bool start, bool end) {
  for (MovingPoint& p : points) {
    if (start) p.t0.z = p.t0.x + 2 * p.t0.y + 1;
    if (end) p.t1.z = p.t1.x + 2 * p.t1.y + 1;
  }
}

/// A contact at a random time whose place is found in doubles, then nudged.
MovingPoints near_miss(bool vertex_face, Random& random) {
  MovingPoints p = anywhere(random);
  const double t = random.one_in(4) ? 0.5 : random.unit();
  const auto at = [&](std::size_t i) { return (1 - t) * p[i].t0 + t * p[i].t1; };
  // Weights on the border now and then.
  const double a = random.one_in(3) ? 0.0 : random.unit(), b = random.one_in(3) ? 0.0 : random.unit() * (1 - a);
  const Point3 goal = vertex_face ? (1 - a - b) * at(1) + a * at(2) + b * at(3) : (1 - a) * at(0) + a * at(1);
  // The vertex, or a point of the second edge, is brought there by moving one of its ends.
  const std::size_t mover = vertex_face ? 0 : 2;
  const double share = vertex_face ? 1.0 : random.one_in(3) ? 1.0 : 0.25 + 0.75 * random.unit();
  const Point3 here = vertex_face ? at(0) : share * at(2) + (1 - share) * at(3);
  const Vec3 shift = (1 / share) * (goal - here);
  p[mover].t0 = p[mover].t0 + shift;
  p[mover].t1 = p[mover].t1 + shift;
  if (random.one_in(2)) {
    double& c = random.one_in(2) ? p[mover].t0.x : p[mover].t1.z;
    c = nudge(c, static_cast<int>(random.integer(-4, 4)));
  }
  return p;
}

MovingPoints mixed_scales(Random& random) {
  MovingPoints p = random.one_in(2) ? grid(random) : anywhere(random);
  const int spread = random.one_in(10) ? 300 : random.one_in(3) ? 60 : 12;
  const auto rescale = [&](Point3& q) {
    q.x = std::ldexp(q.x, static_cast<int>(random.integer(-spread, spread)));
    if (random.one_in(3)) q.y = std::ldexp(q.y, static_cast<int>(random.integer(-spread, spread)));
    if (random.one_in(5)) q.z = std::ldexp(q.z, static_cast<int>(random.integer(-spread, spread)));
  };
  for (MovingPoint& q : p) {
    if (random.one_in(2)) rescale(q.t0);
    if (random.one_in(2)) rescale(q.t1);
  }
  return p;
}

MovingPoints unscaled(MovingKind kind, bool vertex_face, Random& random) {
  MovingPoints p = grid(random);
  switch (kind) {
    case MovingKind::random:
      return anywhere(random);
    case MovingKind::grid:
      return random.one_in(2) ? grid(random, 1) : p;
    case MovingKind::resting:
      for (MovingPoint& q : p) q.t1 = q.t0;
      if (random.one_in(2)) flatten(p, true, true);
      return p;
    case MovingKind::touch_start:
      flatten(p, true, false);
      return p;
    case MovingKind::touch_end:
      flatten(p, false, true);
      return p;
    case MovingKind::sliding:
      flatten(p, true, true);
      return p;
    case MovingKind::flat_random:
      p = anywhere(random);
      for (MovingPoint& q : p) q.t0.z = q.t1.z = 0;
      return p;
    case MovingKind::parallel: {
      const Vec3 d = on_grid(random), e = random.one_in(2) ? d : on_grid(random);
      p[1] = {p[0].t0 + d, p[0].t1 + e};
      p[3] = {p[2].t0 + 2 * d, p[2].t1 + 2 * e};
      return p;
    }
    case MovingKind::collapsing: {
      const double s = static_cast<double>(random.integer(-1, 2));
      const bool start = random.one_in(2);
      if (start || random.one_in(3)) p[3].t0 = p[1].t0 + s * (p[2].t0 - p[1].t0);
      if (!start || random.one_in(3)) p[3].t1 = p[1].t1 + s * (p[2].t1 - p[1].t1);
      if (random.one_in(8)) p[2] = p[1];
      return p;
    }
    case MovingKind::near_miss:
      return near_miss(vertex_face, random);
    case MovingKind::far_away:
      for (MovingPoint& q : p)
        for (Point3* c : {&q.t0, &q.t1}) *c = *c + Vec3{1e6, -1e6, 5e5};
      return p;
    case MovingKind::translated: {
      const std::size_t first = vertex_face ? 1 : 2;
      const Vec3 u = on_grid(random), v = on_grid(random);
      for (std::size_t i = 0; i < 4; ++i) p[i].t1 = p[i].t0 + (i < first ? u : v);
      return p;
    }
    case MovingKind::mixed_scales:
      return mixed_scales(random);
    case MovingKind::count_:
      break;
  }
  return p;
}

}  // namespace

std::string_view to_string(MovingKind kind) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(MovingKind::count_)> names{
      "random",   "grid",       "resting",   "touch_start", "touch_end",  "sliding",     "flat_random",
      "parallel", "collapsing", "near_miss", "far_away",    "translated", "mixed_scales"};
  return names[static_cast<std::size_t>(kind)];
}

MovingPoints moving_query(MovingKind kind, bool vertex_face, Random& random) {
  MovingPoints p = unscaled(kind, vertex_face, random);
  const double scale = random.one_in(3)   ? 1
                       : random.one_in(2) ? std::ldexp(1.0, static_cast<int>(random.integer(-20, 20)))
                                          : std::pow(10.0, static_cast<double>(random.integer(-6, 6)));
  for (MovingPoint& q : p) q = {scale * q.t0, scale * q.t1};
  return p;
}

std::string to_hex(const MovingPoints& points) {
  std::string text;
  for (const MovingPoint& p : points) text += "{" + to_hex(p.t0) + ", " + to_hex(p.t1) + "},\n";
  return text;
}

}  // namespace snug::judge
