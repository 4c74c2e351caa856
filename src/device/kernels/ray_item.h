/* How kernels of rays begin and end: an item finds its ray, and tells what has become of it. */
#ifndef SNUG_DEVICE_RAY_ITEM_H
#define SNUG_DEVICE_RAY_ITEM_H
#include "group.h"
#include "ray_line.h"

typedef struct {
  uint side, number; /* of the step */
  bool asked;        /* the last items of a group may have nothing to do */
  bool serves;       /* floats do; otherwise there is no line */
  SnugRay ray;
  float behind;
  uint most;
  float margin;
  SnugRayBody target;
  SnugLine line;
} SnugItem;

void snug_begin(uint first_group, __global const uint* step, __global const SnugRayBody* bodies,
                __global const SnugRayVertex* vertices, SnugItem* item) {
  __global const SnugRayStep* at = (__global const SnugRayStep*)step;
  const SnugRayGroup group = ((__global const SnugRayGroup*)(step + at->groups))[first_group + (uint)get_group_id(0)];
  __global const SnugRaySide* side = (__global const SnugRaySide*)(step + at->sides) + group.side;
  item->side = group.side;
  item->number = group.first + (uint)get_local_id(0);
  item->asked = (uint)get_local_id(0) < group.count;
  item->serves = false;
  item->behind = side->behind;
  item->most = side->most;
  item->margin = side->margin;
  item->target = bodies[side->target];
  if (!item->asked) return;
  item->ray = ((__global const SnugRay*)(step + at->rays))[item->number];
  item->serves = snug_line(side, vertices + (bodies[side->source].vertices + item->ray.vertex), &item->line);
}

/* Counts what was compared; tells of the ray if there is something to tell. To be called by all items of a group. */
void snug_end(const SnugItem* item, uint boxes, uint triangles, const uint* told, uint count, __local uint* taken,
              __local uint* first, __global uint* step) {
  __global const SnugRayStep* at = (__global const SnugRayStep*)step;
  if (item->asked) {
    __global uint* did = step + at->head + SNUG_RAY_HEAD + 2 * item->side;
    if (boxes != 0) atomic_add(&did[0], boxes);
    if (triangles != 0) atomic_add(&did[1], triangles);
  }
  const uint place = snug_place(count != 0 ? 1u : 0u, taken, first, &step[at->head]);
  if (count == 0) return;
  __global SnugRayTold* out = (__global SnugRayTold*)(step + at->told + (size_t)at->told_words * place);
  out->ray = item->number;
  for (uint i = 0; i < SNUG_RAY_TRIANGLES; ++i) out->triangle[i] = i < count ? told[i] : SNUG_NO_TRIANGLE;
}

#endif
