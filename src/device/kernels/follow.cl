/* Brings rays up to date: from the triangle that a ray met at the step before, across the side that its line passes furthest
   outside, from neighbour to neighbour, until the line passes through one (Lehericey et al. 2013). As far as floats are certain of the
   way the processor would go; the triangle it came to is told. */
#include "ray_item.h"

/* The side to go across, or 3 if that is not certain. */
uint snug_across(const SnugSeen* seen) {
  const float sum = (seen->side[0] + seen->side[1]) + seen->side[2];
  if (!snug_misses(seen) || !(fabs(sum) > 4.0f * seen->doubt)) return 3;
  const float facing = sum < 0.0f ? -1.0f : 1.0f;
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    float edge[3];
    for (int i = 0; i < 3; ++i) edge[i] = seen->u[k == 2 ? 0 : k + 1][i] - seen->u[k][i];
    /* How long the edge is, at least and at most. */
    const float size = sqrt(snug_dot(edge, edge)), size_off = 4.0f * seen->off + 0x1p-19f * seen->reach;
    const float outside = -facing * seen->side[k];
    const float least = outside - seen->doubt, most = outside + seen->doubt;
    if (!(size > 2.0f * size_off)) return 3;
    low[k] = least / (least > 0.0f ? size + size_off : size - size_off);
    high[k] = most / (most > 0.0f ? size - size_off : size + size_off);
    /* For what these divisions round off. */
    low[k] -= 0x1p-20f * fabs(low[k]), high[k] += 0x1p-20f * fabs(high[k]);
  }
  for (uint k = 0; k < 3; ++k)
    if (low[k] > 0.0f && low[k] > high[k == 2 ? 0 : k + 1] && low[k] > high[k == 0 ? 2 : k - 1]) return k;
  return 3;
}

__kernel __attribute__((reqd_work_group_size(SNUG_GROUP, 1, 1))) void snug_follow(
    uint first_group, __global uint* step, __global const SnugRayBody* bodies, __global const SnugRayLinks* links,
    __global const SnugRayTriangle* triangles, __global const SnugRayVertex* vertices) {
  __local uint taken, place;
  SnugItem item;
  uint told[2], count = 0, left = 0;
  snug_begin(first_group, step, bodies, vertices, &item);
  if (item.asked) {
    uint triangle = item.ray.triangle;
    bool on = item.serves;
    while (on && triangle != SNUG_NO_TRIANGLE) {
      const SnugRayLinks link = links[item.target.links + triangle];
      const SnugRayTriangle at = triangles[item.target.triangles + link.place];
      SnugSeen seen;
      snug_see(&item.line, &at, &seen);
      const uint across = snug_across(&seen);
      on = across < 3;
      if (on) triangle = ++left < item.most ? link.across[across] : SNUG_NO_TRIANGLE;
    }
    told[0] = triangle, told[1] = left;
    count = triangle != SNUG_NO_TRIANGLE ? 2 : 0; /* or it is lost */
  }
  snug_end(&item, 0, left, told, count, &taken, &place, step);
}
