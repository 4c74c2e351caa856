#pragma once

#include "query/surface/pair_search.hpp"
#include "tree/lanes/boxes.hpp"

// Eight pairs of triangles at once, from anywhere. Two triangles share a point exactly if an edge of one meets the other,
// and an edge meets a triangle exactly if its ends lie on both sides of the plane and the line through it passes the three
// edges on the same side. All fifteen signs come from floats with a bound on their error; a pair for which they do not
// settle it goes to the exact test.

namespace snug::detail::SNUG_LANES {

struct TriangleBatch {
  alignas(32) float a[3][3][8], b[3][3][8];            ///< [corner][axis][pair]
  alignas(32) float error_a[8] = {}, error_b[8] = {};  ///< how far the corners may lie from where they belong
  CandidatePair pair[8];
  std::uint32_t count = 0;
};

/// Lanes in which a number is certainly positive, and those in which it is certainly negative.
struct Signs {
  unsigned plus, minus;

  Signs(const Float8& value, const Float8& doubt) noexcept
      : plus(greater(value, doubt)), minus(greater(Float8(0.0F) - value, doubt)) {}
};

inline void cross(const Float8 u[3], const Float8 v[3], Float8 out[3]) noexcept {
  out[0] = u[1] * v[2] - u[2] * v[1];
  out[1] = u[2] * v[0] - u[0] * v[2];
  out[2] = u[0] * v[1] - u[1] * v[0];
}

/// Of a triangle with these edges.
inline Float8 longest_edge(const Float8 u[3], const Float8 v[3]) noexcept {
  const Float8 w[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
  return sqrt(max(max(dot(u, u), dot(v, v)), dot(w, w)));
}

/// Lanes in which an edge with ends of these signs meets, and those in which it misses, a triangle whose edges its line
/// passes with these signs.
inline void edge_against_triangle(const Signs& from, const Signs& to, const Signs& s0, const Signs& s1, const Signs& s2,
                                  unsigned& meets, unsigned& misses) noexcept {
  const unsigned passes = (from.plus & to.minus) | (from.minus & to.plus);
  const unsigned inside = (s0.plus & s1.plus & s2.plus) | (s0.minus & s1.minus & s2.minus);
  const unsigned beside = (from.plus & to.plus) | (from.minus & to.minus);
  const unsigned outside = (s0.plus | s1.plus | s2.plus) & (s0.minus | s1.minus | s2.minus);
  meets |= passes & inside;
  misses &= beside | outside;
}

/// Moves the batch to the candidates: what certainly crosses, marked so, and what is open; what is disjoint is dropped.
inline void decide(PairSearch& search, TriangleBatch& batch) noexcept {
  // Seen from a's first corner.
  Float8 a1[3], a2[3], b[3][3];
  for (int i = 0; i < 3; ++i) {
    const Float8 from = Float8::load(batch.a[0][i]);
    a1[i] = Float8::load(batch.a[1][i]) - from;
    a2[i] = Float8::load(batch.a[2][i]) - from;
    for (int k = 0; k < 3; ++k) b[k][i] = Float8::load(batch.b[k][i]) - from;
  }
  // Bounds on the error of a volume spanned by two edges and what lies between them: see docs/exactness.md.
  const Float8 error_a = Float8::load(batch.error_a), error_b = Float8::load(batch.error_b), both = error_a + error_b;
  const Float8 four(4.0F);
  const Float8 length_a = longest_edge(a1, a2) + four * error_a;
  Float8 v[3], w[3];
  for (int i = 0; i < 3; ++i) v[i] = b[1][i] - b[0][i], w[i] = b[2][i] - b[0][i];
  const Float8 length_b = longest_edge(v, w) + four * error_b;
  const Float8 far = sqrt(max(max(dot(b[0], b[0]), dot(b[1], b[1])), dot(b[2], b[2]))) + length_a + both;
  const Float8 rounding = Float8(0x1p-18F) * (far * far * far);
  const Float8 doubt_pass =
      both * length_a * length_b + (far + far) * (error_a * length_b + error_b * length_a) + rounding;
  const Float8 doubt_b = length_a * (both * length_a + four * far * error_a) + rounding;
  const Float8 doubt_a = length_b * (both * length_b + four * far * error_b) + rounding;
  Float8 normal_a[3], moment[3][3], normal_b[3];
  cross(a1, a2, normal_a);
  for (int j = 0; j < 3; ++j) cross(b[j], b[(j + 1) % 3], moment[j]);
  for (int i = 0; i < 3; ++i) normal_b[i] = (moment[0][i] + moment[1][i]) + moment[2][i];
  // Heights of corners over the other's plane.
  const Float8 hb[3] = {dot(normal_a, b[0]), dot(normal_a, b[1]), dot(normal_a, b[2])};
  const Float8 base = dot(normal_b, b[0]);
  const Signs side_b[3] = {{hb[0], doubt_b}, {hb[1], doubt_b}, {hb[2], doubt_b}};
  const Signs side_a[3] = {
      {Float8(0.0F) - base, doubt_a}, {dot(normal_b, a1) - base, doubt_a}, {dot(normal_b, a2) - base, doubt_a}};
  // How edge i of a passes edge j of b. The three edges of a sum up to nothing, which spares a third of the products.
  Float8 pass[3][3];
  for (int j = 0; j < 3; ++j) {
    pass[0][j] = dot(a1, moment[j]);
    pass[2][j] = Float8(0.0F) - dot(a2, moment[j]);
    pass[1][j] = (hb[(j + 1) % 3] - hb[j]) - (pass[0][j] + pass[2][j]);
  }
  const Signs s[3][3] = {{{pass[0][0], doubt_pass}, {pass[0][1], doubt_pass}, {pass[0][2], doubt_pass}},
                         {{pass[1][0], doubt_pass}, {pass[1][1], doubt_pass}, {pass[1][2], doubt_pass}},
                         {{pass[2][0], doubt_pass}, {pass[2][1], doubt_pass}, {pass[2][2], doubt_pass}}};
  unsigned meets = 0, misses = 0xFF;
  for (int i = 0; i < 3; ++i) {
    edge_against_triangle(side_a[i], side_a[(i + 1) % 3], s[i][0], s[i][1], s[i][2], meets, misses);
    edge_against_triangle(side_b[i], side_b[(i + 1) % 3], s[0][i], s[1][i], s[2][i], meets, misses);
  }
  // A triangle without area never crosses another. A corner certainly off a plane shows that the plane's triangle has area.
  unsigned has_area_a = 0, has_area_b = 0;
  for (int i = 0; i < 3; ++i)
    has_area_a |= side_b[i].plus | side_b[i].minus, has_area_b |= side_a[i].plus | side_a[i].minus;
  meets &= has_area_a & has_area_b;
  unsigned left = ((1U << batch.count) - 1U) & ~misses;
  for (; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    CandidatePair pair = batch.pair[lane];
    pair.certain = ((meets >> lane) & 1U) != 0;
    search.candidates[search.candidate_count++] = pair;
  }
  batch.count = 0;
}

}  // namespace snug::detail::SNUG_LANES
