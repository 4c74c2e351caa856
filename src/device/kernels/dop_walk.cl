/* Walks through many pairs of DOP-trees at once, breadth first, in fixed point: the overlap test of the golden model
   (src/query/pairs/dop/fixed), bit for bit. Integers only, but with SNUG_KEPT_TREES: trees are kept as they are then, and their
   coefficients rounded to words where they are read. With SNUG_WIDE, words have 64 bits and sums 128. */
#include "group.h"
#include "layout.h"
#if defined(SNUG_KEPT_TREES) && defined(__OPENCL_VERSION__)
#pragma OPENCL FP_CONTRACT OFF
#endif

#ifdef SNUG_WIDE
typedef SnugI64 SnugWord;
typedef SnugDopWideAxis SnugAxis;
typedef SnugWide SnugSum;

SnugSum snug_wide_add(SnugSum a, SnugSum b) {
  SnugSum sum;
  sum.low = a.low + b.low;
  sum.high = a.high + b.high + (sum.low < a.low ? 1 : 0);
  return sum;
}
SnugSum snug_plus_word(SnugSum sum, SnugWord word) {
  SnugSum more;
  more.low = (SnugU64)word;
  more.high = word < 0 ? -1 : 0;
  return snug_wide_add(sum, more);
}
SnugSum snug_plus_product(SnugSum sum, SnugWord weight, SnugWord word) {
  SnugSum more;
  more.low = (SnugU64)weight * (SnugU64)word;
  more.high = mul_hi(weight, word);
  return snug_wide_add(sum, more);
}
bool snug_sum_is_positive(SnugSum a, SnugSum b) {
  const SnugSum sum = snug_wide_add(a, b);
  return sum.high > 0 || (sum.high == 0 && sum.low != 0);
}
#else
typedef SnugI32 SnugWord;
typedef SnugDopAxis SnugAxis;
typedef SnugI64 SnugSum;

SnugSum snug_plus_word(SnugSum sum, SnugWord word) { return sum + word; }
SnugSum snug_plus_product(SnugSum sum, SnugWord weight, SnugWord word) { return sum + (SnugI64)weight * (SnugI64)word; }
bool snug_sum_is_positive(SnugSum a, SnugSum b) { return a + b > 0; }
#endif

#ifdef SNUG_KEPT_TREES
typedef double SnugCoefficient;
typedef SnugDopScenario SnugRounding;

/* Rounded up, guard included. */
SnugWord snug_word(SnugCoefficient c, __global const SnugRounding* how, uint body) {
  const double x = ((c * how->unit[body] + how->enlargement) * how->scale) + how->guard;
  const SnugWord toward_zero = (SnugWord)x;
  return toward_zero + (x > (double)toward_zero ? 1 : 0);
}
bool snug_opens_first(SnugU64 a, SnugU64 b, __global const SnugRounding* how) {
  return as_double(a) * how->unit[0] >= as_double(b) * how->unit[1];
}
#else
typedef SnugWord SnugCoefficient;
typedef SnugDopJob SnugRounding; /* of which there is nothing to say */

SnugWord snug_word(SnugCoefficient c, __global const SnugRounding* how, uint body) { return c; }
bool snug_opens_first(SnugU64 a, SnugU64 b, __global const SnugRounding* how) { return a >= b; }
#endif

/* The sum of weights times coefficients, and of the coefficients below 0. */
SnugSum snug_image(__global const SnugCoefficient* dop, __global const SnugRounding* how, uint body,
                   const SnugAxis* axis, uint turn, SnugSum sum) {
  uint slabs = axis->slabs;
  for (int i = 0; i < 3; ++i, slabs >>= 8) {
    uint slab = (slabs & 31) + turn;
    slab = slab < 24 ? slab : slab - 24;
    const SnugWord c = snug_word(dop[slab], how, body);
    sum = snug_plus_word(snug_plus_product(sum, axis->weight[i], c), c < 0 ? c : 0);
  }
  return sum;
}

/* Groups of axes that were tried on two nodes, and whether one of them tells them apart. */
typedef struct {
  uint tried;
  bool apart;
} SnugTried;

SnugTried snug_apart(const SnugDopJob job, __global const SnugRounding* how, uint a, uint b,
                     __global const SnugCoefficient* coefficients, __global const SnugAxis* axes) {
  __global const SnugCoefficient* dop_a = coefficients + 24 * (size_t)(job.nodes_a + a);
  __global const SnugCoefficient* dop_b = coefficients + 24 * (size_t)(job.nodes_b + b);
  SnugTried out;
  out.apart = false;
  for (out.tried = 0; out.tried < job.groups && !out.apart; ++out.tried)
    for (uint lane = 0; lane < SNUG_AXIS_LANES && !out.apart; ++lane) {
      const uint at = job.axes + SNUG_AXIS_LANES * out.tried + lane;
      const SnugAxis axis_a = axes[at], axis_b = axes[at + SNUG_AXIS_LANES * job.groups];
      out.apart = snug_sum_is_positive(snug_image(dop_a, how, 0, &axis_a, 0, axis_a.lower),
                                       snug_image(dop_b, how, 1, &axis_b, 12, axis_b.upper)) ||
                  snug_sum_is_positive(snug_image(dop_b, how, 1, &axis_b, 0, axis_b.lower),
                                       snug_image(dop_a, how, 0, &axis_a, 12, axis_a.upper));
    }
  return out;
}

SnugDopPair snug_pair(uint a, uint b, uint job) {
  SnugDopPair pair;
  pair.a = a, pair.b = b, pair.job = job, pair.unused = 0;
  return pair;
}

/* Compares the roots of each job; those that overlap become the first level. */
__kernel __attribute__((reqd_work_group_size(SNUG_GROUP, 1, 1))) void snug_dop_roots(
    uint count, __global const SnugDopJob* jobs, __global const SnugRounding* how,
    __global const SnugCoefficient* coefficients, __global const SnugAxis* axes, __global SnugDopPair* next,
    __global uint* did) {
  const uint id = (uint)get_global_id(0);
  if (id >= count) return;
  const SnugTried tried = snug_apart(jobs[id], how + id, 0, 0, coefficients, axes);
  did[SNUG_DOP_JOBS + 2 * id] = 1;
  did[SNUG_DOP_JOBS + 2 * id + 1] = tried.tried;
  if (!tried.apart) next[atomic_add(&did[SNUG_DOP_PAIRS], 1u)] = snug_pair(0, 0, id);
}

/* Opens pairs of nodes. Children that overlap go to `next`, as long as there is room, and leaves to `leaves`, where there is
   room for as many as there are pairs; `did` tells how many there are, or would have been. A group takes its
   places at once, so that few items meet at the counters of the device. */
__kernel __attribute__((reqd_work_group_size(SNUG_GROUP, 1, 1))) void snug_dop_open(
    uint count, __global const SnugDopPair* pairs, __global const SnugDopJob* jobs, __global const SnugRounding* how,
    __global const SnugDopNode* nodes, __global const SnugCoefficient* coefficients, __global const SnugAxis* axes,
    __global SnugDopPair* next, uint room, __global SnugDopPair* leaves, __global uint* did) {
  __local uint taken, place;
  const uint id = (uint)get_global_id(0);
  SnugDopPair kept[2];
  uint found = 0, leaf = 0;
  if (id < count) {
    const SnugDopPair pair = pairs[id];
    const SnugDopJob job = jobs[pair.job];
    const SnugDopNode a = nodes[job.nodes_a + pair.a], b = nodes[job.nodes_b + pair.b];
    if (a.right == 0 && b.right == 0) {
      kept[0] = snug_pair(a.left, b.left, pair.job);
      leaf = 1;
    } else {
      const bool open_a = b.right == 0 || (a.right != 0 && snug_opens_first(a.size, b.size, how + pair.job));
      uint groups = 0;
      for (int side = 0; side < 2; ++side) {
        const uint node_a = open_a ? (side != 0 ? a.right : a.left) : pair.a;
        const uint node_b = open_a ? pair.b : (side != 0 ? b.right : b.left);
        const SnugTried tried = snug_apart(job, how + pair.job, node_a, node_b, coefficients, axes);
        groups += tried.tried;
        if (!tried.apart) kept[found++] = snug_pair(node_a, node_b, pair.job);
      }
      atomic_add(&did[SNUG_DOP_JOBS + 2 * pair.job], 2u);
      atomic_add(&did[SNUG_DOP_JOBS + 2 * pair.job + 1], groups);
    }
  }
  const uint at = snug_place(found, &taken, &place, &did[SNUG_DOP_PAIRS]);
  for (uint i = 0; i < found; ++i)
    if (at + i < room) next[at + i] = kept[i];
  const uint leaf_at = snug_place(leaf, &taken, &place, &did[SNUG_DOP_LEAVES]);
  if (leaf != 0) leaves[leaf_at] = kept[0];
}
