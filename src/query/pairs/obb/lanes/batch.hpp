#pragma once

#include "bvh/obb8/lanes/boxes.hpp"
#include "query/pairs/obb/pair_search.hpp"

// Eight pairs of triangles at once, from anywhere. Two triangles share a point exactly if an edge of one meets the other,
// and an edge meets a triangle exactly if its ends lie on both sides of the plane and the line through it passes the three
// edges on the same side. All fifteen signs come from floats with a bound on their error; a pair for which they do not
// settle it goes to the exact test.

namespace snug::lanes::SNUG_LANES {

/// Up to eight pairs to decide and up to eight that came with the last of them. Lanes beyond `count` hold anything.
struct TriangleBatch {
  alignas(32) float a[3][3][16], b[3][3][16];  ///< [corner][axis][pair]
  alignas(32) float error_a[16], error_b[16];  ///< how far the corners may lie from where they belong
  alignas(32) float id_a[16], id_b[16];        ///< bits of the ids, which move with the rest
  std::uint32_t count = 0;

  /// After the first eight were decided.
  void drop_eight() noexcept {
    if (count <= 8) {
      count = 0;
      return;
    }
    const auto move = [](float* lanes) { Float8::load(lanes + 8).store(lanes); };
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) move(a[k][i]), move(b[k][i]);
    move(error_a), move(error_b), move(id_a), move(id_b);
    count -= 8;
  }
};

/// What is certain about some numbers, none of which is wrong by more than a doubt.
struct Certain {
  Mask8 some_plus, some_minus, all_plus, all_minus;

  Certain(const Float8& least, const Float8& most, const Float8& doubt, const Float8& minus_doubt) noexcept
      : some_plus(above(most, doubt)),
        some_minus(above(minus_doubt, least)),
        all_plus(above(least, doubt)),
        all_minus(above(minus_doubt, most)) {}

  [[nodiscard]] Mask8 one_sign() const noexcept { return all_plus | all_minus; }
  [[nodiscard]] Mask8 both_signs() const noexcept { return some_plus & some_minus; }
};

/// Of a triangle with these edges.
inline Float8 longest_edge(const Float8 u[3], const Float8 v[3]) noexcept {
  const Float8 w[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
  return sqrt(max(max(dot(u, u), dot(v, v)), dot(w, w)));
}

/// A doubt and its negative.
struct Doubt {
  Float8 plus, minus;

  explicit Doubt(const Float8& doubt) noexcept : plus(doubt), minus(Float8(0.0F) - doubt) {}
  [[nodiscard]] Certain of(const Float8& x, const Float8& y) const noexcept {
    return {min(x, y), max(x, y), plus, minus};
  }
  [[nodiscard]] Certain of(const Float8& x, const Float8& y, const Float8& z) const noexcept {
    return {min(min(x, y), z), max(max(x, y), z), plus, minus};
  }
};

/// Moves eight pairs to the candidates: what certainly crosses, marked so, and what is open; what is disjoint is dropped.
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
  const Float8 rounding = Float8(0x1p-18F) * (far * far * far) + Float8(k_underflow);
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
  const Float8 ha[3] = {Float8(0.0F) - base, dot(normal_b, a1) - base, dot(normal_b, a2) - base};
  // How edge i of a passes edge j of b. The three edges of a sum up to nothing, which spares a third of the products.
  Float8 pass[3][3];
  for (int j = 0; j < 3; ++j) {
    pass[0][j] = dot(a1, moment[j]);
    pass[2][j] = Float8(0.0F) - dot(a2, moment[j]);
    pass[1][j] = (hb[(j + 1) % 3] - hb[j]) - (pass[0][j] + pass[2][j]);
  }
  // An edge meets a triangle if its ends have both signs and it passes all edges with one; it misses if the ends have one, or
  // the edges are passed with both.
  const Doubt over_a(doubt_b), over_b(doubt_a), passing(doubt_pass);
  Mask8 meets{}, misses{};
  for (int i = 0; i < 3; ++i) {
    const Certain ends_a = over_b.of(ha[i], ha[(i + 1) % 3]), edge_a = passing.of(pass[i][0], pass[i][1], pass[i][2]);
    const Certain ends_b = over_a.of(hb[i], hb[(i + 1) % 3]), edge_b = passing.of(pass[0][i], pass[1][i], pass[2][i]);
    const Mask8 met = (ends_a.both_signs() & edge_a.one_sign()) | (ends_b.both_signs() & edge_b.one_sign());
    const Mask8 missed = (ends_a.one_sign() | edge_a.both_signs()) & (ends_b.one_sign() | edge_b.both_signs());
    meets = i == 0 ? met : meets | met;
    misses = i == 0 ? missed : misses & missed;
  }
  // A triangle without area never crosses another. A corner certainly off a plane shows that the plane's triangle has area.
  const Certain all_b = over_a.of(hb[0], hb[1], hb[2]), all_a = over_b.of(ha[0], ha[1], ha[2]);
  const unsigned crossing =
      lanes_in(meets & (all_b.some_plus | all_b.some_minus) & (all_a.some_plus | all_a.some_minus));
  unsigned left = ((1U << (batch.count < 8 ? batch.count : 8U)) - 1U) & ~lanes_in(misses);
  for (; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    search.candidates[search.candidate_count++] = {__builtin_bit_cast(std::uint32_t, batch.id_a[lane]),
                                                   __builtin_bit_cast(std::uint32_t, batch.id_b[lane]),
                                                   ((crossing >> lane) & 1U) != 0};
  }
  batch.drop_eight();
}

}  // namespace snug::lanes::SNUG_LANES
