#include "degenerate_pairs.hpp"

#include "grid_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug::judge {
namespace {

using Pair = std::array<Triangle, 2>;

template <class Change>
void for_each_coordinate(Pair& pair, Change change) {
  for (Triangle& t : pair)
    for (Point3& p : t.corner) {
      change(p.x);
      change(p.y);
      change(p.z);
    }
}

/// Adds the same offset to every corner. Without `rounding`, leaves the pair alone and says no if that is inexact.
bool move(Pair& pair, const Vec3& offset, bool rounding) {
  Pair moved = pair;
  for (std::size_t t = 0; t != 2; ++t)
    for (std::size_t i = 0; i != 3; ++i) {
      const Point3& from = pair[t][i];
      const Point3 to = from + offset;
      if (!rounding && !(to - offset == from && to - from == offset)) return false;
      moved[t].corner[i] = to;
    }
  pair = moved;
  return true;
}

Vec3 random_offset(Random& random) {
  static constexpr std::array<double, 4> sizes{0, 1, 1e3, 1e7};
  const auto signed_size = [&](double size) { return random.one_in(2) ? size : -size; };
  const double size = sizes[static_cast<std::size_t>(random.integer(0, 3))];
  const double x = signed_size(size);
  const double y = signed_size(size);
  return random.one_in(3) ? Vec3{x, 0, 0} : Vec3{x, y, signed_size(size)};
}

/// A rotation by a random unit quaternion, rounded like any other computation.
void rotate(Pair& pair, Random& random) {
  double w = random.between(-1, 1);
  Vec3 v = random.in_cube(1);
  const double length = std::sqrt(w * w + v.x * v.x + v.y * v.y + v.z * v.z) + 1e-300;
  w /= length;
  v = (1 / length) * v;
  for (Triangle& t : pair)
    for (Point3& p : t.corner) {
      const auto cross = [](Vec3 a, Vec3 b) {
        return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
      };
      p = p + 2 * cross(v, cross(v, p) + w * p);
    }
}

double largest(Pair pair) {
  double most = 0;
  for_each_coordinate(pair, [&](double c) { most = std::max(most, std::abs(c)); });
  return most;
}

/// Moves a few coordinates by an ulp or two, a zero by ulps of the largest coordinate: next to zero lie only numbers
/// too small for any filter.
void nudge_some(Pair& pair, Random& random) {
  const double most = largest(pair);
  for (std::int64_t n = random.integer(1, 6); n != 0; --n) {
    const std::int64_t chosen = random.integer(0, 17);
    const int ulps = std::array{-2, -1, 1, 2}[static_cast<std::size_t>(random.integer(0, 3))];
    std::int64_t at = 0;
    for_each_coordinate(pair, [&](double& c) {
      if (at++ == chosen) c = c != 0 ? nudge(c, ulps) : ulps * (nudge(most, 1) - most);
    });
  }
}

Triangle unit_triangle(Random& random) {
  Triangle t{{random.in_cube(1), random.in_cube(1), random.in_cube(1)}};
  // Slivers: two corners close together, or the third close to the line of the others.
  if (random.one_in(8)) t.corner[1] = t[0] + random.between(1e-6, 0.1) * (t[1] - t[0]);
  if (random.one_in(8)) {
    const Vec3 height = random.between(1e-6, 0.1) * t[2];
    t.corner[2] = t[0] + random.between(-1, 2) * (t[1] - t[0]) + height;
  }
  return t;
}

}  // namespace

std::string_view to_string(PairClass pair_class) {
  static constexpr std::array<std::string_view, 10> names{
      "near-coplanar",  "coplanar overlapping", "coplanar touching", "shared vertex", "shared edge",
      "vertex on face", "edge on face",         "collinear edges",   "degenerate",    "equal intervals"};
  return names[static_cast<std::size_t>(pair_class)];
}

TrianglePair degenerate_pair(PairClass pair_class, Random& random) {
  const CellPair cells = grid_pair(pair_class, random);
  // Cells reach to about 2^7, so this spans sizes of about 1e-9 to 1e9.
  const int exponent = static_cast<int>(random.integer(-37, 23));
  const double unit = std::ldexp(1.0, exponent);
  const auto point = [&](const Cell& c) {
    const double cell_unit = std::ldexp(unit, -cells.fraction_bits);
    return Point3{static_cast<double>(c[0]) * cell_unit, static_cast<double>(c[1]) * cell_unit,
                  static_cast<double>(c[2]) * cell_unit};
  };
  Pair pair{{{{point(cells.a[0]), point(cells.a[1]), point(cells.a[2])}},
             {{point(cells.b[0]), point(cells.b[1]), point(cells.b[2])}}}};

  static constexpr std::array<Placement, 4> placements{Placement::exact, Placement::exact, Placement::nudged,
                                                       Placement::rotated};
  const Placement placement = placements[static_cast<std::size_t>(random.integer(0, 3))];
  const bool rounding = placement == Placement::rotated;
  if (rounding) rotate(pair, random);
  // The offset as it is, or in units of the grid where it would otherwise round (or swallow the triangles whole).
  const Vec3 offset = random_offset(random);
  const bool swallowed = std::abs(offset.x) > 0x1p40 * unit;
  if (swallowed || !move(pair, offset, rounding)) move(pair, unit * offset, rounding);
  if (placement == Placement::nudged) nudge_some(pair, random);

  TrianglePair result{reordered(pair[0], static_cast<std::size_t>(random.integer(0, 5))),
                      reordered(pair[1], static_cast<std::size_t>(random.integer(0, 5))), placement};
  if (random.one_in(2)) std::swap(result.a, result.b);
  return result;
}

TrianglePair generic_pair(Random& random) {
  Pair pair{unit_triangle(random), unit_triangle(random)};
  if (random.one_in(4)) {
    const double smaller = random.between(0.05, 1);
    for (Point3& p : pair[1].corner) p = smaller * p;
  }
  if (random.one_in(2)) {
    // Aim a point of b at a point of a.
    const double s = random.between(0, 0.7);
    const double t = random.between(0, 0.7);
    const Vec3 shift = pair[0][0] + s * (pair[0][1] - pair[0][0]) + t * (pair[0][2] - pair[0][1]) -
                       (pair[1][0] + t * (pair[1][1] - pair[1][0]) + s * (pair[1][2] - pair[1][0]));
    for (Point3& p : pair[1].corner) p = p + shift;
  }
  const double size = std::ldexp(random.between(1, 2), static_cast<int>(random.integer(-30, 29)));
  for_each_coordinate(pair, [&](double& c) { c *= size; });
  if (random.one_in(3)) move(pair, size * random_offset(random), true);
  return {pair[0], pair[1], Placement::rotated};
}

}  // namespace snug::judge
