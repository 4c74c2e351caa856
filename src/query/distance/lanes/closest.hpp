#pragma once

#include "query/distance/closest_search.hpp"
#include "query/pairs/obb/lanes/separation.hpp"
#include "query/pairs/obb/lanes/triangles.hpp"

// The walk for the closest two triangles: depth first, the nearest boxes on top, whatever is further away than the best so
// far left out.

namespace snug::lanes::SNUG_LANES {

/// Lower bounds on the distances of eight boxes from one: in the frame of either, the other lies in a box of that frame, and
/// the gaps along its axes add up as squares. Rounded; see separation_error().
inline Float8 box_distance(const Boxes& eight, const Boxes& other, std::uint32_t lane,
                           const Float8 between[3]) noexcept {
  const Float8 zero(0.0F);
  Float8 along_eight[3], in_eight(0.0F), in_one(0.0F);
  gaps_between(eight, other, lane, between, along_eight, [&](int, const Float8& along) {
    const Float8 gap = max(along, zero);
    in_one = in_one + gap * gap;
  });
  for (const Float8& along : along_eight) {
    const Float8 gap = max(along, zero);
    in_eight = in_eight + gap * gap;
  }
  return sqrt(max(in_eight, in_one));
}

/// Where boxes end along a direction, on its side (1) or the other (-1), seen from their node's origin.
inline Float8 end_along(const float direction[3], const Boxes& boxes, float side) noexcept {
  const Float8 n[3] = {Float8(direction[0]), Float8(direction[1]), Float8(direction[2])};
  Float8 reach(0.0F);
  for (int i = 0; i < 3; ++i) reach = reach + abs(dot(n, boxes.axis[i])) * boxes.half[i];
  return dot(n, boxes.centre) + Float8(side) * reach;
}
/// How far an origin in b is ahead of one in a along the search's direction, beyond the base, and how much of that and of what
/// is measured along the direction near the origins may be rounding.
struct Ahead {
  float distance, error;

  template <class FramedA, class FramedB>
  Ahead(const ClosestSearch& search, const FramedA& a, const FramedB& b) noexcept {
    double ahead = 0, lengths = 0;
    for (int i = 0; i < 3; ++i) {
      const double offset = b.origin[i] - a.origin[i];
      ahead += search.direction[i] * offset;
      lengths += __builtin_fabs(offset);
    }
    distance = static_cast<float>(ahead - search.base);
    error = 0x1p-20F * __builtin_fabsf(distance) + static_cast<float>(0x1p-48 * lengths + 2 * search.pose.error);
  }
};

/// Lower bounds on the distances of eight pairs of triangles, by the method of Gilbert (1966): any direction yields a true
/// bound, the gap between what reaches furthest from both sides, and each round turns the direction towards the best.
inline Float8 gap_of(const float a[3][3][8], const float b[3][3][8]) noexcept {
  Float8 p[3][3], q[3][3], v[3];
  const Float8 third(1.0F / 3), zero(0.0F), tiny(0x1p-100F);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) p[k][i] = Float8::load(a[k][i]), q[k][i] = Float8::load(b[k][i]);
    v[i] = (((q[0][i] + q[1][i]) + q[2][i]) - ((p[0][i] + p[1][i]) + p[2][i])) * third;
  }
  Float8 best(0.0F);
  for (int round = 0; round < 6; ++round) {
    const Float8 along_p[3] = {dot(v, p[0]), dot(v, p[1]), dot(v, p[2])};
    const Float8 along_q[3] = {dot(v, q[0]), dot(v, q[1]), dot(v, q[2])};
    const Float8 furthest_p = max(max(along_p[0], along_p[1]), along_p[2]);
    const Float8 furthest_q = min(min(along_q[0], along_q[1]), along_q[2]);
    const Float8 squared = dot(v, v);
    best = max((furthest_q - furthest_p) / sqrt(max(squared, tiny)), best);
    // Towards the difference of those two corners, as far as it brings the origin nearer.
    Float8 w[3], d[3];
    for (int i = 0; i < 3; ++i) {
      const Float8 from = choose(furthest_p, along_p[0], choose(furthest_p, along_p[1], p[2][i], p[1][i]), p[0][i]);
      const Float8 to = choose(along_q[0], furthest_q, choose(along_q[1], furthest_q, q[2][i], q[1][i]), q[0][i]);
      w[i] = to - from;
      d[i] = v[i] - w[i];
    }
    const Float8 t = min(max(dot(v, d) / max(dot(d, d), tiny), zero), Float8(1.0F));
    for (int i = 0; i < 3; ++i) v[i] = v[i] - t * d[i];
  }
  return best;
}

/// Unit normals of eight triangles, and where the triangles begin and end along them. Of one without area the normal is shorter, which
/// makes gaps along it smaller, not larger.
struct Normals {
  Float8 n[3], lo, hi;

  void find(const Float8 corner[3][3]) noexcept {
    Float8 u[3], v[3];
    for (int i = 0; i < 3; ++i) u[i] = corner[1][i] - corner[0][i], v[i] = corner[2][i] - corner[0][i];
    for (int i = 0; i < 3; ++i) n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    const Float8 size = sqrt(max(dot(n, n), Float8(0x1p-100F)));
    for (Float8& component : n) component = component / size;
    const Float8 along[3] = {dot(n, corner[0]), dot(n, corner[1]), dot(n, corner[2])};
    lo = min(min(along[0], along[1]), along[2]), hi = max(max(along[0], along[1]), along[2]);
  }
};

class ClosestWalk {
 public:
  explicit ClosestWalk(ClosestSearch& search) noexcept
      : s_(search), pose_(search.pose), frames_(search), base_(static_cast<float>(search.base * (1 + 0x1p-23))) {}

  /// False if ended early; what was not looked at is then on the stack.
  bool run() {
    while (s_.stack_size > 0) {
      const SlotPairBound next = s_.stack[s_.stack_size - 1];
      if (next.bound > s_.best || (next.bound >= s_.as_close && !has_smaller_ids(next.pair))) {
        --s_.stack_size;
        continue;
      }
      if (s_.node_pairs_left == 0) return false;
      --s_.node_pairs_left, --s_.stack_size;
      if (!step(next.pair)) return false;
    }
    return true;
  }

 private:
  static constexpr float k_much_larger = 3;

  /// False if no two triangles below come before the best by their ids.
  [[nodiscard]] bool has_smaller_ids(SlotPair pair) const noexcept {
    const std::uint32_t a = is_block(s_.nodes_a, pair.a) ? s_.blocks_a[block_of(s_.nodes_a, pair.a)].id[0]
                                                         : s_.least_a[node_of(s_.nodes_a, pair.a)];
    if (a != s_.best_a) return a < s_.best_a;
    const std::uint32_t b = is_block(s_.nodes_b, pair.b) ? s_.blocks_b[block_of(s_.nodes_b, pair.b)].id[0]
                                                         : s_.least_b[node_of(s_.nodes_b, pair.b)];
    return b < s_.best_b;
  }

  bool step(SlotPair pair) {
    ++s_.counts.node_pairs;
    const bool block_a = is_block(s_.nodes_a, pair.a), block_b = is_block(s_.nodes_b, pair.b);
    if (block_a && block_b) return compare(pair);
    begin_ = s_.stack_size;
    if (block_b) {
      open_a(pair);
    } else if (block_a) {
      open_b(pair);
    } else {
      const float step_a = s_.nodes_a[node_of(s_.nodes_a, pair.a)].step * pose_.scale_a;
      const float step_b = s_.nodes_b[node_of(s_.nodes_b, pair.b)].step * pose_.scale_b;
      if (step_a > k_much_larger * step_b)
        open_a(pair);
      else if (step_b > k_much_larger * step_a)
        open_b(pair);
      else
        open_both(pair);
    }
    return true;
  }

  /// Lower bounds, beyond the base, on the distances of a node's children from a child of the other tree's node: of a's children
  /// from one of b, or the other way round.
  template <bool of_a>
  Float8 distances_from(const FramedNode& node, std::uint32_t count, const FramedNode& other,
                        std::uint32_t lane) noexcept {
    float offset[3];
    offset_between(node, other, offset);
    Float8 between[3];
    between_centres(node.boxes, other.boxes, lane, offset, between);
    s_.counts.box_tests += count;
    const Ahead ahead = of_a ? Ahead(s_, node, other) : Ahead(s_, other, node);
    constexpr float side = of_a ? 1.0F : -1.0F;
    alignas(32) float ends[8];
    end_along(s_.along, other.boxes, -side).store(ends);
    const Float8 gap = Float8(side) * (Float8(ends[lane]) - end_along(s_.along, node.boxes, side));
    return bounds_of(box_distance(node.boxes, other.boxes, lane, between),
                     separation_error(pose_, offset, node.step, other.step), gap, ahead, node.step + other.step);
  }

  /// The better one of two bounds: by boxes, of which each of three gaps may be too large by the error, and along the
  /// direction.
  Float8 bounds_of(const Float8& by_boxes, float error, const Float8& gap, const Ahead& ahead,
                   float steps) const noexcept {
    const float slack = ahead.error + 0x1p-18F * (4 * 32768.0F * steps);
    const Float8 along = gap + Float8(ahead.distance - slack);
    return max(max(shortened(by_boxes) - Float8(2 * error + base_), along), Float8(0.0F));
  }

  /// Children of a from the box of b.
  void open_a(SlotPair pair) noexcept {
    const std::uint32_t index = node_of(s_.nodes_a, pair.a), count = s_.nodes_a[index].count;
    push((1U << count) - 1U,
         distances_from<true>(frames_.node_a(index), count, frames_.node_b(pair.b >> 3), pair.b & 7),
         [&](std::uint32_t lane) { return SlotPair{index * 8 + lane, pair.b}; });
  }

  /// Children of b from the box of a.
  void open_b(SlotPair pair) noexcept {
    const std::uint32_t index = node_of(s_.nodes_b, pair.b), count = s_.nodes_b[index].count;
    push((1U << count) - 1U,
         distances_from<false>(frames_.node_b(index), count, frames_.node_a(pair.a >> 3), pair.a & 7),
         [&](std::uint32_t lane) { return SlotPair{pair.a, index * 8 + lane}; });
  }

  void open_both(SlotPair pair) noexcept {
    const std::uint32_t index_a = node_of(s_.nodes_a, pair.a), index_b = node_of(s_.nodes_b, pair.b);
    const std::uint32_t count_a = s_.nodes_a[index_a].count, count_b = s_.nodes_b[index_b].count;
    const FramedNode& b = frames_.node_b(index_b);
    const Float8 around = distances_from<false>(b, count_b, frames_.node_a(pair.a >> 3), pair.a & 7);
    unsigned of_b = ((1U << count_b) - 1U) & ~greater(around, Float8(s_.best));
    if (of_b == 0) return;
    const FramedNode& a = frames_.node_a(index_a);
    float offset[3];
    offset_between(a, b, offset);
    const float error = separation_error(pose_, offset, a.step, b.step);
    const Ahead ahead(s_, a, b);
    const Float8 end_a = end_along(s_.along, a.boxes, 1);
    alignas(32) float end_b[8];
    end_along(s_.along, b.boxes, -1).store(end_b);
    Float8 from[3];
    for (int i = 0; i < 3; ++i) from[i] = a.boxes.centre[i] - Float8(offset[i]);
    const float* const centre_b = numbers_of(b.boxes) + 8 * 9;
    for (; of_b != 0; of_b &= of_b - 1) {
      const auto j = static_cast<std::uint32_t>(__builtin_ctz(of_b));
      s_.counts.box_tests += count_a;
      const Float8 between[3] = {Float8(centre_b[j]) - from[0], Float8(centre_b[8 + j]) - from[1],
                                 Float8(centre_b[16 + j]) - from[2]};
      const Float8 apart = box_distance(a.boxes, b.boxes, j, between);
      push((1U << count_a) - 1U, bounds_of(apart, error, Float8(end_b[j]) - end_a, ahead, a.step + b.step),
           [&](std::uint32_t lane) { return SlotPair{index_a * 8 + lane, index_b * 8 + j}; });
    }
  }

  /// Axes are orthonormal, and roots rounded, to far less than this. Of distances whose squares overflow it is only known that
  /// they are large.
  static Float8 shortened(const Float8& distance) noexcept {
    return min(distance * Float8(1 - 0x1p-18F), Float8(0x1p60F));
  }

  /// Puts pairs on the stack, those pushed since the step began kept in order, the nearest on top.
  template <class PairOf>
  void push(unsigned lanes, const Float8& bounds, PairOf&& pair_of) noexcept {
    alignas(32) float bound[8];
    bounds.store(bound);
    lanes &= ~greater(bounds, Float8(s_.best));
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
      const SlotPair pair = pair_of(lane);
      Below(s_.nodes_a, s_.blocks_a, pair.a >> 3).fetch(pair.a & 7);
      Below(s_.nodes_b, s_.blocks_b, pair.b >> 3).fetch(pair.b & 7);
      std::uint32_t at = s_.stack_size++;
      for (; at > begin_ && s_.stack[at - 1].bound < bound[lane]; --at) s_.stack[at] = s_.stack[at - 1];
      s_.stack[at] = {pair, bound[lane]};
    }
  }

  /// Triangle pairs of two blocks whose boxes and planes allow them to be near enough.
  bool compare(SlotPair pair) {
    const FramedBlock &a = frames_.block_a(pair.a), &b = frames_.block_b(pair.b);
    const TriangleBlock& block_a = s_.blocks_a[block_of(s_.nodes_a, pair.a)];
    const TriangleBlock& block_b = s_.blocks_b[block_of(s_.nodes_b, pair.b)];
    float offset[3];
    offset_between(a, b, offset);
    const BlockBounds bounds(pose_, a, b, offset);
    const Float8 both(bounds.error_a + bounds.error_b), zero(0.0F);
    s_.counts.triangle_tests += std::uint64_t{block_a.count} * block_b.count;
    struct alignas(32) {
      float lo[3][8], hi[3][8];
    } of_b;
    for (int i = 0; i < 3; ++i) {
      (b.lo[i] + Float8(offset[i])).store(of_b.lo[i]);
      (b.hi[i] + Float8(offset[i])).store(of_b.hi[i]);
    }
    const Float8 rounding = both + Float8(0x1p-19F * bounds.reach), base(base_);
    // One side's planes keep the blocks apart mostly where they did so for the blocks before.
    if (tells_ == Side::a) {
      if (planes_keep_away(a, block_a.count, b, block_b.count, offset, 1, rounding)) return true;
    } else if (tells_ == Side::b) {
      if (planes_keep_away(b, block_b.count, a, block_a.count, offset, -1, rounding)) return true;
    }
    tells_ = Side::none;
    const Float8 n[3] = {Float8(s_.along[0]), Float8(s_.along[1]), Float8(s_.along[2])};
    const Float8 nearest_a = max(max(dot(n, a.corner[0]), dot(n, a.corner[1])), dot(n, a.corner[2]));
    const Ahead ahead(s_, a, b);
    const float nowhere[3] = {0, 0, 0};
    const BlockBounds near(pose_, a, b, nowhere);
    const float slack = ((near.error_a + near.error_b) + 0x1p-19F * near.reach) + ahead.error;
    const Float8 shift(ahead.distance - slack);
    alignas(32) float nearest_b[8];
    (min(min(dot(n, b.corner[0]), dot(n, b.corner[1])), dot(n, b.corner[2])) + shift).store(nearest_b);
    struct alignas(32) {
      float a[3][3][8], b[3][3][8];
      std::uint32_t lane_a[8], lane_b[8];
      float along[8];
      std::uint32_t count = 0;
    } some;
    for (std::uint32_t l = 0; l < 8; ++l) some.lane_a[l] = some.lane_b[l] = 0, some.along[l] = 0;
    const float* const corners_a = reinterpret_cast<const float*>(a.corner);
    const float* const corners_b = reinterpret_cast<const float*>(b.corner);
    std::uint32_t count = 0;
    // Around a ball within a ball all triangles are nearly as close, and boxes can not tell; but no corner of one is nearer than the plane
    // of another that faces it. Looking at a row of eight pairs so costs far less than refining them.
    struct alignas(32) {
      Normals of_a;
      float n[3][8], lo[8], hi[8];
      bool known = false;  // only once they are needed

      void find(const FramedBlock& block_a, const FramedBlock& block_b, const float offset[3]) noexcept {
        known = true;
        of_a.find(block_a.corner);
        Normals of_b;
        of_b.find(block_b.corner);
        const Float8 away[3] = {Float8(offset[0]), Float8(offset[1]), Float8(offset[2])};
        const Float8 moved = dot(of_b.n, away);
        for (int i = 0; i < 3; ++i) of_b.n[i].store(n[i]);
        (of_b.lo + moved).store(lo), (of_b.hi + moved).store(hi);
      }
    } planes;
    bool row_told = false;
    const auto gap_of_planes = [&](std::uint32_t j) {
      if (!planes.known) planes.find(a, b, offset);
      const Normals& of_a = planes.of_a;
      const Float8 normal_b[3] = {Float8(planes.n[0][j]), Float8(planes.n[1][j]), Float8(planes.n[2][j])};
      Float8 own[3], other[3];
      for (int k = 0; k < 3; ++k) {
        own[k] = dot(normal_b, a.corner[k]);
        const Float8 c[3] = {Float8(corners_b[(3 * k + 0) * 8 + j] + offset[0]),
                             Float8(corners_b[(3 * k + 1) * 8 + j] + offset[1]),
                             Float8(corners_b[(3 * k + 2) * 8 + j] + offset[2])};
        other[k] = dot(of_a.n, c);
      }
      const auto least = [](const Float8 x[3]) { return min(min(x[0], x[1]), x[2]); };
      const auto most = [](const Float8 x[3]) { return max(max(x[0], x[1]), x[2]); };
      return max(max(least(own) - Float8(planes.hi[j]), Float8(planes.lo[j]) - most(own)),
                 max(least(other) - of_a.hi, of_a.lo - most(other)));
    };
    const auto refine = [&] {
      alignas(32) float bound[8];
      max(shortened(gap_of(some.a, some.b) - rounding) - base, Float8::load(some.along)).store(bound);
      for (std::uint32_t l = 0; l < some.count; ++l) {
        if (bound[l] > s_.best) continue;
        // The nearest first, so that it may spare the others.
        std::uint32_t at = count++;
        for (; at > 0 && s_.candidates[at - 1].bound > bound[l]; --at) s_.candidates[at] = s_.candidates[at - 1];
        s_.candidates[at] = {block_a.id[some.lane_a[l]], block_b.id[some.lane_b[l]], bound[l]};
      }
      some.count = 0;
    };
    for (std::uint32_t j = 0; j < block_b.count; ++j) {
      Float8 squares(0.0F);
      for (int i = 0; i < 3; ++i) {
        const Float8 gap = max(max(Float8(of_b.lo[i][j]) - a.hi[i], a.lo[i] - Float8(of_b.hi[i][j])) - both, zero);
        squares = squares + gap * gap;
      }
      const Float8 along = max(Float8(nearest_b[j]) - nearest_a, zero);
      unsigned left =
          ((1U << block_a.count) - 1U) & ~greater(max(shortened(sqrt(squares)) - base, along), Float8(s_.best));
      if (left == 0) continue;
      left &= ~greater(shortened(gap_of_planes(j) - rounding) - base, Float8(s_.best));
      if (left == 0) {
        row_told = true;
        continue;
      }
      alignas(32) float along_of[8];
      along.store(along_of);
      for (; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctz(left));
        for (int k = 0; k < 3; ++k)
          for (int axis = 0; axis < 3; ++axis) {
            some.a[k][axis][some.count] = corners_a[(3 * k + axis) * 8 + i];
            some.b[k][axis][some.count] = corners_b[(3 * k + axis) * 8 + j] + offset[axis];
          }
        some.lane_a[some.count] = i, some.lane_b[some.count] = j, some.along[some.count] = along_of[i];
        if (++some.count == 8) refine();
      }
    }
    if (some.count != 0) {
      // Lanes that are left over repeat the first.
      for (std::uint32_t l = some.count; l < 8; ++l)
        for (int k = 0; k < 3; ++k)
          for (int axis = 0; axis < 3; ++axis)
            some.a[k][axis][l] = some.a[k][axis][0], some.b[k][axis][l] = some.b[k][axis][0];
      refine();
    }
    if (row_told && count == 0) {
      if (planes_keep_away(a, block_a.count, b, block_b.count, offset, 1, rounding))
        tells_ = Side::a;
      else if (planes_keep_away(b, block_b.count, a, block_a.count, offset, -1, rounding))
        tells_ = Side::b;
    }
    return count == 0 || s_.take(s_, count);
  }

  /// True if the plane of each triangle of a block keeps all triangles of the other too far away to matter. `side` is 1 if the offset
  /// leads from the first block to the other, -1 if it leads back.
  [[nodiscard]] bool planes_keep_away(const FramedBlock& block, std::uint32_t count, const FramedBlock& other,
                                      std::uint32_t count_other, const float offset[3], float side,
                                      const Float8& rounding) const noexcept {
    Normals planes;
    planes.find(block.corner);
    const Float8 away[3] = {Float8(side * offset[0]), Float8(side * offset[1]), Float8(side * offset[2])};
    const Float8 moved = dot(planes.n, away);
    struct alignas(32) {
      float n[3][8], lo[8], hi[8];
    } of;
    for (int i = 0; i < 3; ++i) planes.n[i].store(of.n[i]);
    (planes.lo - moved).store(of.lo), (planes.hi - moved).store(of.hi);
    Float8 least_gap(0x1p100F);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Float8 n[3] = {Float8(of.n[0][i]), Float8(of.n[1][i]), Float8(of.n[2][i])};
      const Float8 along[3] = {dot(n, other.corner[0]), dot(n, other.corner[1]), dot(n, other.corner[2])};
      const Float8 gap = max(min(min(along[0], along[1]), along[2]) - Float8(of.hi[i]),
                             Float8(of.lo[i]) - max(max(along[0], along[1]), along[2]));
      least_gap = min(least_gap, gap);
    }
    const unsigned lanes = (1U << count_other) - 1U;
    return (greater(shortened(least_gap - rounding) - Float8(base_), Float8(s_.best)) & lanes) == lanes;
  }

  ClosestSearch& s_;
  const RelativePose& pose_;
  Frames frames_;
  float base_;  ///< no less than the search's
  enum class Side { none, a, b };
  Side tells_ = Side::none;  ///< whose planes kept the last blocks compared apart
  std::uint32_t begin_ = 0;
};

inline bool closest(ClosestSearch& search) { return ClosestWalk(search).run(); }

}  // namespace snug::lanes::SNUG_LANES
