#include "penetration/thickness.hpp"

#include "geometry/vec_ops.hpp"
#include "penetration/escape.hpp"
#include "penetration/shrink.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace snug::penetration {

namespace {

/// What the second body shrinks, beside the first: walls that share a plane must not again when shrunk.
constexpr double k_second = 0.9;
/// Bounds tried, in multiples of the least. Faces of a box recede by 0.57 of what its corners move.
constexpr std::array<double, 6> k_tried_multiples{1.05, 1.25, 1.5, 2, 3, 5};

/// The body with its corners drawn in by no more than half of the width, rounding included; nothing if that leaves nothing.
std::optional<PosedSolid> drawn_in(const PosedSolid& of, double half_width, const std::vector<bool>* only) {
  const Aabb box = of.body().bounds();
  const double rounding = 0x1p-50 * std::max(max_abs(box.lo), max_abs(box.hi)), by = half_width - rounding;
  if (!(by > 0)) return std::nullopt;
  return of.with_vertices(shrunk(of.shape(), of.body().vertices(), by, {}, only, of.body().watched()).vertices);
}

bool apart_when_shrunk(const PosedSolid& a, const PosedSolid& b, double width, const std::vector<bool>* only_a,
                       const std::vector<bool>* only_b) {
  const auto first = drawn_in(a, 0.5 * width, only_a), second = drawn_in(b, 0.5 * k_second * width, only_b);
  return first && second && wholly_apart(*first, *second);
}

std::vector<bool> met(const PosedSolid& of, std::span<const TrianglePair> pairs, std::uint32_t TrianglePair::* side) {
  std::vector<bool> out(of.mesh().triangles().size());
  for (const TrianglePair& pair : pairs) out[pair.*side] = true;
  return out;
}

}  // namespace

bool no_thicker_than(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs, double width) {
  // All faces first, which keeps the bodies' form; then those alone that meet, which recede further.
  if (apart_when_shrunk(a, b, width, nullptr, nullptr)) return true;
  const std::vector<bool> met_a = met(a, pairs, &TrianglePair::a), met_b = met(b, pairs, &TrianglePair::b);
  return apart_when_shrunk(a, b, width, &met_a, &met_b);
}

std::optional<double> thickness_bound(const PosedSolid& a, const PosedSolid& b, std::span<const TrianglePair> pairs,
                                      double from, double to) {
  SNUG_ASSERT(from >= 0);
  for (const double multiple : k_tried_multiples) {
    const double width = multiple * from;
    if (!(width < to)) break;
    if (no_thicker_than(a, b, pairs, width)) return width;
  }
  return std::nullopt;
}

}  // namespace snug::penetration
