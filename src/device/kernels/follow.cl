/* Brings rays up to date: from the triangle that a ray met at the step before, across the side that its line passes furthest
   outside, from neighbour to neighbour, until the line passes through one (Lehericey et al. 2013). As far as floats are certain of the
   way the processor would go; the triangle it came to is told. */
#include "layout.h"
#include "ray_line.h"

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
    uint groups_at, uint rays_at, uint head, uint told_at, __global uint* step, __global const SnugRayBody* bodies,
    __global const SnugRayLinks* links, __global const SnugRayTriangle* triangles,
    __global const SnugRayVertex* vertices) {
  __local uint taken, place;
  const SnugRayGroup group = ((__global const SnugRayGroup*)(step + groups_at))[get_group_id(0)];
  __global const SnugRaySide* side = (__global const SnugRaySide*)step + group.side;
  const SnugRayBody body = bodies[side->target];
  const uint item = (uint)get_local_id(0);
  uint triangle = SNUG_NO_TRIANGLE, left = 0;
  if (item < group.count) {
    const SnugRay ray = ((__global const SnugRay*)(step + rays_at))[group.first + item];
    SnugLine line;
    triangle = ray.triangle;
    bool on = snug_line(side, vertices + (bodies[side->source].vertices + ray.vertex), &line);
    while (on && triangle != SNUG_NO_TRIANGLE) {
      const SnugRayLinks link = links[body.links + triangle];
      const SnugRayTriangle at = triangles[body.triangles + link.place];
      SnugSeen seen;
      snug_see(&line, &at, &seen);
      const uint across = snug_across(&seen);
      on = across < 3;
      if (on) triangle = ++left < side->most ? link.across[across] : SNUG_NO_TRIANGLE;
    }
    atomic_add(&step[head + SNUG_RAY_HEAD + 2 * group.side + 1], left);
  }
  const uint at = snug_place(triangle != SNUG_NO_TRIANGLE, &taken, &place, &step[head]);
  if (triangle == SNUG_NO_TRIANGLE) return; /* lost */
  __global SnugRayTold* out = (__global SnugRayTold*)(step + told_at) + at;
  out->ray = group.first + item;
  out->triangle[0] = triangle, out->triangle[1] = left;
  for (uint i = 2; i < SNUG_RAY_TRIANGLES; ++i) out->triangle[i] = SNUG_NO_TRIANGLE;
}
