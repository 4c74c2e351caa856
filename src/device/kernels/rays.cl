/* Casts rays at bodies: for each, the triangles that it may meet first ahead of where it begins and behind, as far as floats can
   tell. Boxes are walked through without a stack (after Popov et al. 2007); with SNUG_BASIC, every triangle is looked at. */
#include "ray_item.h"

/* Triangles that a line may meet on one side, those that can be met soonest: no more than SNUG_KEPT. */
#define SNUG_KEPT 4
#define SNUG_NO_NEWS 0x80000000u /* beside an id: whatever is met there tells nothing */
typedef struct {
  uint id[SNUG_KEPT];
  float from[SNUG_KEPT]; /* where they can be met at the earliest */
  uint count;
  float sure_by; /* by there one is certain to have been met */
  float lost;    /* where one for which there was no place can be met at the earliest */
} SnugNearest;

void snug_clear(SnugNearest* nearest) {
  nearest->count = 0;
  nearest->sure_by = SNUG_FAR;
  nearest->lost = 2.0f * SNUG_FAR;
}

void snug_offer(SnugNearest* nearest, uint id, bool sure, float from, float by) {
  if (from > nearest->sure_by) return;
  if (sure) nearest->sure_by = fmin(nearest->sure_by, by);
  uint at = nearest->count;
  if (at == SNUG_KEPT) { /* in the place of the last */
    at = 0;
    for (uint i = 1; i < SNUG_KEPT; ++i)
      if (nearest->from[i] > nearest->from[at]) at = i;
    nearest->lost = fmin(nearest->lost, fmax(nearest->from[at], from));
    if (from >= nearest->from[at]) return;
  } else {
    ++nearest->count;
  }
  nearest->id[at] = id, nearest->from[at] = from;
}

/* Adds them to what is told, if one of them may be news; false if there are too many. */
bool snug_conclude(const SnugNearest* nearest, uint* told, uint* count) {
  bool news = false;
  if (nearest->lost <= nearest->sure_by) return false;
  for (uint i = 0; i < nearest->count; ++i)
    news = news || (nearest->from[i] <= nearest->sure_by && (nearest->id[i] & SNUG_NO_NEWS) == 0);
  for (uint i = 0; news && i < nearest->count; ++i) {
    const uint id = nearest->id[i] & ~SNUG_NO_NEWS;
    bool known = nearest->from[i] > nearest->sure_by;
    for (uint k = 0; k < *count; ++k) known = known || told[k] == id;
    if (known) continue;
    if (*count == SNUG_RAY_TRIANGLES) return false;
    told[(*count)++] = id;
  }
  return true;
}

/* Narrows where a line that is certain to meet a triangle does so. Whatever vector n is, n times the way there lies between n times the
   ways to the corners; with one across the triangle these are nearly the same, however large it is. */
void snug_narrow(const SnugLine* line, const SnugRayTriangle* triangle, const float* n, float* first, float* last) {
  const float size = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
  const float across = snug_dot(n, line->direction), across_off = 0x1p-22f * size;
  if (!(size > 1e-25f && fabs(across) > 2.0f * across_off)) return;
  float low = SNUG_FAR, high = -SNUG_FAR;
  for (int k = 0; k < 3; ++k) {
    float height = 0.0f, sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
      const float part = n[i] * (triangle->corner[k][i] - line->origin[i]);
      height += part, sum += fabs(part);
    }
    const float off = size * (line->doubt - 2e-7f) + 0x1p-21f * sum;
    low = fmin(low, height - off), high = fmax(high, height + off);
  }
  const float a = low / across, b = high / across;
  const float from = fmin(a, b), to = fmax(a, b);
  const float share = across_off / (fabs(across) - across_off) + 0x1p-20f;
  *first = fmax(*first, from - share * fabs(from));
  *last = fmin(*last, to + share * fabs(to));
}

/* Looks at one triangle. docs/devices.md has the bounds. */
void snug_look_at(const SnugLine* line, const SnugRayTriangle* triangle, float from, float to, uint inverted,
                  SnugNearest* ahead, SnugNearest* behind) {
  SnugSeen seen;
  snug_see(line, triangle, &seen);
  if (snug_misses(&seen)) return;
  /* It passes through. */
  const bool sure = seen.least > seen.doubt || seen.most < -seen.doubt;
  float t[3], first = SNUG_FAR, last = -SNUG_FAR;
  for (int k = 0; k < 3; ++k) {
    t[k] = snug_dot(seen.u[k], line->direction) * line->per_squared + seen.along;
    first = fmin(first, t[k]), last = fmax(last, t[k]);
  }
  const float slack = 2.5f * seen.off + 0x1p-19f * seen.reach + 0x1p-23f * fabs(seen.along);
  const float range = last - first;
  first -= slack, last += slack;
  const float sum = (seen.side[0] + seen.side[1]) + seen.side[2];
  if (sure) {
    /* Where it is met: corners weigh as much as the sides across from them, each of which is off by no more than its doubt. */
    const float met = t[0] + (seen.side[2] * (t[1] - t[0]) + seen.side[0] * (t[2] - t[0])) / sum;
    const float error = range * (6.01f * seen.doubt / (fabs(sum) - 3.0f * seen.doubt) + 0x1p-20f) + slack;
    first = fmax(first, met - error), last = fmin(last, met + error);
    float p[3], q[3], n[3];
    for (int i = 0; i < 3; ++i) p[i] = seen.u[1][i] - seen.u[0][i], q[i] = seen.u[2][i] - seen.u[0][i];
    n[0] = p[1] * q[2] - p[2] * q[1];
    n[1] = p[2] * q[0] - p[0] * q[2];
    n[2] = p[0] * q[1] - p[1] * q[0];
    snug_narrow(line, triangle, n, &first, &last);
  }
  if (first > to || last < from) return;
  /* Ahead, coming out of the body is a contact; behind, coming into it from outside is a prediction. Both, if the triangle faces the
     way of the ray. */
  const bool no_news = sure && inverted < 2 && (sum > 0.0f) == (inverted != 0);
  const uint id = triangle->id | (no_news ? SNUG_NO_NEWS : 0u);
  /* Where the ray begins, on which side is not certain. */
  if (last >= 0.0f) snug_offer(ahead, id, sure && first > 0.0f, first, last);
  if (first <= 0.0f) snug_offer(behind, id, sure && last < 0.0f, -last, -first);
}

__kernel __attribute__((reqd_work_group_size(SNUG_GROUP, 1, 1))) void snug_rays(
    uint first_group, __global uint* step, __global const SnugRayBody* bodies, __global const SnugRayBox* boxes,
    __global const SnugRayTriangle* triangles, __global const SnugRayVertex* vertices) {
  __local uint taken, place;
  SnugItem item;
  uint told[SNUG_RAY_TRIANGLES], count = 0, box_tests = 0, triangle_tests = 0;
  snug_begin(first_group, step, bodies, vertices, &item);
  if (item.asked && !item.serves) {
    told[count++] = SNUG_RAY_REDO;
  } else if (item.asked) {
    const SnugRayBody body = item.target;
    SnugNearest ahead, behind;
    snug_clear(&ahead);
    snug_clear(&behind);
    float from = item.behind >= 0.0f ? -item.behind : 0.0f, to = fmax(item.ray.ahead, 0.0f);
#ifdef SNUG_BASIC
    (void)boxes;
    triangle_tests = body.triangle_count;
    for (uint i = 0; i < body.triangle_count; ++i) {
      const SnugRayTriangle triangle = triangles[body.triangles + i];
      snug_look_at(&item.line, &triangle, from, to, body.inverted, &ahead, &behind);
    }
#else
    const float margin = item.margin;
    float inverse[3];
    for (int i = 0; i < 3; ++i) {
      const float way = item.line.direction[i];
      inverse[i] = 1.0f / (fabs(way) > 1e-18f ? way : 1e-18f);
    }
    for (uint at = 0; at < body.box_count;) {
      const SnugRayBox box = boxes[body.boxes + at];
      ++box_tests;
      float near = from, far = to;
      for (int i = 0; i < 3; ++i) {
        const float a = ((box.lo[i] - margin) - item.line.origin[i]) * inverse[i];
        const float b = ((box.hi[i] + margin) - item.line.origin[i]) * inverse[i];
        near = fmax(near, fmin(a, b)), far = fmin(far, fmax(a, b));
      }
      const bool met = near <= far, inner = box.leaf == SNUG_INNER_BOX;
      if (met && !inner) {
        triangle_tests += box.leaf & 15u;
        for (uint i = 0; i < (box.leaf & 15u); ++i) {
          const SnugRayTriangle triangle = triangles[body.triangles + (box.leaf >> 4) + i];
          snug_look_at(&item.line, &triangle, from, to, body.inverted, &ahead, &behind);
        }
        /* What comes behind a certain hit is of no interest; boxes lie within the margin of where they seem to. */
        to = fmin(to, ahead.sure_by + 4.0f * margin);
        from = fmax(from, -behind.sure_by - 4.0f * margin);
      }
      at = met && inner ? at + 1 : box.skip;
    }
#endif
    bool complete = item.ray.ahead < 0.0f || snug_conclude(&ahead, told, &count);
    complete = complete && (item.behind < 0.0f || snug_conclude(&behind, told, &count));
    if (!complete) told[0] = SNUG_RAY_REDO, count = 1;
  }
  snug_end(&item, box_tests, triangle_tests, told, count, &taken, &place, step);
}
