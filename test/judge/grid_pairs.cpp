#include "grid_pairs.hpp"

#include <algorithm>
#include <utility>

namespace snug::judge {
namespace {

// How two triangles intersect does not change under affine maps. So every class is built here around the plane k = 0 or
// the line j = k = 0 of a small grid, and a random integer matrix then turns it to where no axis is special.

Cell cell(Random& random, std::int64_t lo, std::int64_t hi) {
  const std::int64_t i = random.integer(lo, hi);
  const std::int64_t j = random.integer(lo, hi);
  return {i, j, random.integer(lo, hi)};
}
Cell flat_cell(Random& random, std::int64_t lo, std::int64_t hi) {
  const std::int64_t i = random.integer(lo, hi);
  return {i, random.integer(lo, hi), 0};
}
CellTriangle flat_triangle(Random& random, std::int64_t lo, std::int64_t hi) {
  const Cell p = flat_cell(random, lo, hi);
  const Cell q = flat_cell(random, lo, hi);
  return {p, q, flat_cell(random, lo, hi)};
}
/// A cell off the plane k = 0.
Cell raised_cell(Random& random, std::int64_t lo, std::int64_t hi) {
  Cell c = flat_cell(random, lo, hi);
  c[2] = random.integer(1, 4);
  if (random.one_in(2)) c[2] = -c[2];
  return c;
}

std::int64_t turn(const Cell& p, const Cell& q, const Cell& r) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/// Of two triangles with area in the plane k = 0: 1 if their interiors meet, 0 if only their borders do, -1 if disjoint.
/// The edges of one of them give a separating line if there is one.
int flat_overlap(const CellTriangle& a, const CellTriangle& b) {
  int overlap = 1;
  for (const auto& [s, t] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    const std::int64_t sense = turn((*s)[0], (*s)[1], (*s)[2]) > 0 ? 1 : -1;
    for (std::size_t i = 0; i != 3; ++i) {
      std::int64_t highest = sense * turn((*s)[i], (*s)[(i + 1) % 3], (*t)[0]);
      for (const Cell& c : *t) highest = std::max(highest, sense * turn((*s)[i], (*s)[(i + 1) % 3], c));
      overlap = std::min(overlap, highest > 0 ? 1 : highest == 0 ? 0 : -1);
    }
  }
  return overlap;
}

CellPair coplanar(Random& random, int overlap, std::int64_t size) {
  for (;;) {
    const CellPair pair{flat_triangle(random, 0, size), flat_triangle(random, 0, size)};
    if (turn(pair.a[0], pair.a[1], pair.a[2]) != 0 && turn(pair.b[0], pair.b[1], pair.b[2]) != 0 &&
        flat_overlap(pair.a, pair.b) == overlap)
      return pair;
  }
}

CellPair near_coplanar(Random& random) {
  CellPair pair{flat_triangle(random, 0, 8), flat_triangle(random, 0, 8)};
  pair.fraction_bits = static_cast<int>(random.integer(0, random.one_in(2) ? 40 : 14));
  for (CellTriangle* t : {&pair.a, &pair.b})
    for (Cell& c : *t) {
      for (std::int64_t& x : c) x *= std::int64_t{1} << pair.fraction_bits;
      if (t == &pair.b || random.one_in(8)) c[2] += random.integer(-1, 1);
    }
  return pair;
}

CellPair shared_vertex(Random& random) {
  CellPair pair{{cell(random, 0, 6), cell(random, 0, 6), cell(random, 0, 6)},
                {cell(random, 0, 6), cell(random, 0, 6), cell(random, 0, 6)}};
  pair.b[0] = pair.a[0];
  return pair;
}

CellPair shared_edge(Random& random) {
  CellPair pair = shared_vertex(random);
  pair.b[1] = pair.a[1];
  return pair;
}

CellPair vertex_on_face(Random& random) {
  const std::int64_t size = 6;
  const std::int64_t i = random.integer(0, size);
  const std::int64_t j = random.integer(0, size - i);
  CellPair pair{{Cell{i, j, 0}, raised_cell(random, -2, 8), raised_cell(random, -2, 8)},
                {Cell{0, 0, 0}, Cell{size, 0, 0}, Cell{0, size, 0}}};
  if (random.one_in(3)) pair.a[2] = {i - random.integer(-3, 3), j - random.integer(-3, 3), -pair.a[1][2]};
  return pair;
}

CellPair edge_on_face(Random& random) {
  const Cell p = flat_cell(random, -2, 6);
  const Cell q = flat_cell(random, -2, 6);
  return {{p, q, raised_cell(random, -2, 6)}, {Cell{0, 0, 0}, Cell{6, 0, 0}, Cell{0, 6, 0}}};
}

CellPair collinear_edges(Random& random) {
  const auto on_line = [&] { return Cell{random.integer(0, 8), 0, 0}; };
  CellPair pair{{on_line(), on_line(), cell(random, -4, 8)}, {on_line(), on_line(), cell(random, -4, 8)}};
  // Often one falls short of the other, or a third corner is in line as well.
  if (random.one_in(4)) pair.b[2] = {pair.b[2][0], pair.a[2][1], pair.a[2][2]};
  return pair;
}

CellPair degenerate(Random& random) {
  const auto collapsed = [&] {
    const Cell p = cell(random, -1, 4);
    const Cell d = cell(random, -2, 2);
    const std::int64_t first = random.integer(0, 2);
    const std::int64_t second = random.integer(-2, 3);
    CellTriangle t{p, p, p};
    for (std::size_t axis = 0; axis != 3; ++axis) {
      t[1][axis] += first * d[axis];
      t[2][axis] += second * d[axis];
    }
    return t;
  };
  CellPair pair{collapsed(), flat_triangle(random, 0, 4)};
  if (random.one_in(3)) pair.b = collapsed();
  if (random.one_in(4)) pair.a[1] = pair.a[2] = pair.a[0];
  // Otherwise nearly all would pass one another by.
  if (random.one_in(2)) {
    const Cell target = pair.b[static_cast<std::size_t>(random.integer(0, 2))];
    const Cell from = pair.a[0];
    for (Cell& c : pair.a)
      for (std::size_t axis = 0; axis != 3; ++axis) c[axis] += target[axis] - from[axis];
  }
  return pair;
}

CellPair equal_intervals(Random& random) {
  // A triangle whose edges pass through two given points of the line j = k = 0 on the way from an apex.
  const auto through = [&](std::int64_t start, std::int64_t end) {
    Cell apex = cell(random, -3, 3);
    if (apex[1] == 0 && apex[2] == 0) apex[1] = 1;
    const std::int64_t f = random.integer(1, 2);
    const std::int64_t g = random.integer(1, 2);
    return CellTriangle{apex, Cell{start + f * (start - apex[0]), -f * apex[1], -f * apex[2]},
                        Cell{end + g * (end - apex[0]), -g * apex[1], -g * apex[2]}};
  };
  const std::int64_t p = random.integer(-2, 2);
  const std::int64_t q = p + random.integer(1, 4);
  const std::int64_t longer = random.integer(1, 3);
  switch (random.integer(0, 4)) {
    case 0:
      return {through(p, q), through(p, q)};
    case 1:
      return {through(p, q), through(p, q + longer)};
    case 2:
      return {through(p, q), through(p - longer, q)};
    case 3:
      return {through(p, q), through(q, q + longer)};
    default:
      return {through(p, q), through(q + 1, q + 1 + longer)};
  }
}

CellPair on_grid(PairClass pair_class, Random& random) {
  switch (pair_class) {
    case PairClass::near_coplanar:
      return near_coplanar(random);
    case PairClass::coplanar_overlapping:
      return coplanar(random, 1, 8);
    case PairClass::coplanar_touching:
      return coplanar(random, 0, 4);
    case PairClass::shared_vertex:
      return shared_vertex(random);
    case PairClass::shared_edge:
      return shared_edge(random);
    case PairClass::vertex_on_face:
      return vertex_on_face(random);
    case PairClass::edge_on_face:
      return edge_on_face(random);
    case PairClass::collinear_edges:
      return collinear_edges(random);
    case PairClass::degenerate:
      return degenerate(random);
    case PairClass::equal_intervals:
      return equal_intervals(random);
  }
  return {};
}

/// Maps the grid by a random integer matrix of rank three; a quarter keep the axes.
void turn_grid(CellPair& pair, Random& random) {
  std::array<Cell, 3> m{Cell{1, 0, 0}, Cell{0, 1, 0}, Cell{0, 0, 1}};
  const auto determinant = [&] {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  if (random.one_in(4)) {
    std::rotate(m.begin(), m.begin() + random.integer(0, 2), m.end());
  } else {
    do {
      for (Cell& row : m) row = cell(random, -4, 4);
    } while (determinant() == 0);
  }
  for (CellTriangle* t : {&pair.a, &pair.b})
    for (Cell& c : *t) {
      const Cell old = c;
      for (std::size_t row = 0; row != 3; ++row) c[row] = m[row][0] * old[0] + m[row][1] * old[1] + m[row][2] * old[2];
    }
}

}  // namespace

CellPair grid_pair(PairClass pair_class, Random& random) {
  CellPair pair = on_grid(pair_class, random);
  turn_grid(pair, random);
  return pair;
}

}  // namespace snug::judge
