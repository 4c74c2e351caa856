/* Casts rays at bodies: for each line, what it meets first ahead of where it begins and behind, as far as floats are certain of it.
   Boxes are walked through without a stack (after Popov et al. 2007); with SNUG_BASIC, every triangle is looked at. */
#include "layout.h"
#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#endif

#define SNUG_FAR 1e30f

/* Of the triangles a line may meet on one side: the one that is certain to be met and by where, and where the first and the
   second of all can be met at the earliest. */
typedef struct {
  uint sure, first;
  float sure_by, first_from, second_from;
} SnugNearest;

void snug_offer(SnugNearest* nearest, uint id, bool sure, float from, float by) {
  if (from < nearest->first_from) {
    nearest->second_from = nearest->first_from;
    nearest->first_from = from, nearest->first = id;
  } else if (from < nearest->second_from) {
    nearest->second_from = from;
  }
  if (sure && by < nearest->sure_by) nearest->sure_by = by, nearest->sure = id;
}

/* Certain, if nothing else can come as early. */
uint snug_conclude(const SnugNearest* nearest) {
  if (nearest->first == SNUG_RAY_NONE) return SNUG_RAY_NONE;
  if (nearest->sure == SNUG_RAY_NONE) return SNUG_RAY_REDO;
  const float other = nearest->first == nearest->sure ? nearest->second_from : nearest->first_from;
  return other > nearest->sure_by ? nearest->sure : SNUG_RAY_REDO;
}

float snug_dot(const float* a, const float* b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

/* Narrows where a line that is certain to meet a triangle does so. Whatever vector n is, n times the way there lies between n times the
   ways to the corners; with one across the triangle these are nearly the same, however large it is. */
void snug_narrow(const SnugRay* ray, const SnugRayTriangle* triangle, const float* n, float* first, float* last) {
  const float size = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
  const float across = snug_dot(n, ray->direction), across_off = 0x1p-22f * size;
  if (!(size > 1e-25f && fabs(across) > 2.0f * across_off)) return;
  float low = SNUG_FAR, high = -SNUG_FAR;
  for (int k = 0; k < 3; ++k) {
    float height = 0.0f, sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
      const float part = n[i] * (triangle->corner[k][i] - ray->origin[i]);
      height += part, sum += fabs(part);
    }
    const float off = size * (ray->doubt - 2e-7f) + 0x1p-21f * sum;
    low = fmin(low, height - off), high = fmax(high, height + off);
  }
  const float a = low / across, b = high / across;
  const float from = fmin(a, b), to = fmax(a, b);
  const float share = across_off / (fabs(across) - across_off) + 0x1p-20f;
  *first = fmax(*first, from - share * fabs(from));
  *last = fmin(*last, to + share * fabs(to));
}

/* Looks at one triangle. docs/devices.md has the bounds: corners are off by no more than `off` as seen from the line, and sides
   of it by no more than 3.6 times that times the triangle's reach, and 2^-18 of its square. */
void snug_look_at(const SnugRay* ray, const SnugRayTriangle* triangle, float from, float to, SnugNearest* ahead,
                  SnugNearest* behind) {
  float u[3][3], squared = 0.0f;
  float along = 0.0f;
  for (int i = 0; i < 3; ++i) along += (triangle->corner[0][i] - ray->origin[i]) * ray->direction[i];
  along *= ray->per_squared; /* the point of the line beside the first corner: from there numbers are small */
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) u[k][i] = triangle->corner[k][i] - (ray->origin[i] + along * ray->direction[i]);
    squared = fmax(squared, snug_dot(u[k], u[k]));
  }
  const float off = ray->doubt + 1.6e-7f * fabs(along);
  const float reach = sqrt(squared) * 1.0001f + 2.0f * off;
  const float doubt = 3.6f * reach * off + 0x1p-18f * (reach * reach);
  float side[3], t[3], least = SNUG_FAR, most = -SNUG_FAR, first = SNUG_FAR, last = -SNUG_FAR;
  for (int k = 0; k < 3; ++k) {
    const float* a = u[k];
    const float* b = u[k == 2 ? 0 : k + 1];
    float normal[3];
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    side[k] = snug_dot(normal, ray->direction);
    t[k] = snug_dot(a, ray->direction) * ray->per_squared + along;
    least = fmin(least, side[k]), most = fmax(most, side[k]);
    first = fmin(first, t[k]), last = fmax(last, t[k]);
  }
  if (least < -doubt && most > doubt) return; /* the line passes by */
  const bool sure = least > doubt || most < -doubt;
  const float slack = 2.5f * off + 0x1.8p-20f * reach + 0x1p-23f * fabs(along);
  const float range = last - first;
  first -= slack, last += slack;
  if (sure) {
    /* Where it is met: corners weigh as much as the sides across from them, each of which is off by no more than its doubt. */
    const float sum = (side[0] + side[1]) + side[2];
    const float met = t[0] + (side[2] * (t[1] - t[0]) + side[0] * (t[2] - t[0])) / sum;
    const float error = range * (6.01f * doubt / (fabs(sum) - 3.0f * doubt) + 0x1p-20f) + slack;
    first = fmax(first, met - error), last = fmin(last, met + error);
    float p[3], q[3], n[3];
    for (int i = 0; i < 3; ++i) p[i] = u[1][i] - u[0][i], q[i] = u[2][i] - u[0][i];
    n[0] = p[1] * q[2] - p[2] * q[1];
    n[1] = p[2] * q[0] - p[0] * q[2];
    n[2] = p[0] * q[1] - p[1] * q[0];
    snug_narrow(ray, triangle, n, &first, &last);
  }
  if (first > to || last < from) return;
  const float more = 0x1p-20f * fabs(ray->zero);
  const float begin = first - ray->zero - more, end = last - ray->zero + more;
  if (begin > 0.0f) {
    snug_offer(ahead, triangle->id, sure, first, last);
  } else if (end < 0.0f) {
    snug_offer(behind, triangle->id, sure, -last, -first);
  } else { /* where the ray begins: on which side of it is not certain */
    snug_offer(ahead, triangle->id, false, -SNUG_FAR, SNUG_FAR);
    snug_offer(behind, triangle->id, false, -SNUG_FAR, SNUG_FAR);
  }
}

void snug_clear(SnugNearest* nearest) {
  nearest->sure = nearest->first = SNUG_RAY_NONE;
  nearest->sure_by = nearest->first_from = nearest->second_from = SNUG_FAR;
}

__kernel __attribute__((reqd_work_group_size(SNUG_GROUP, 1, 1))) void snug_rays(
    uint count, __global const SnugRay* rays, __global const SnugRayBody* bodies, __global const SnugRayBox* boxes,
    __global const SnugRayTriangle* triangles, __global SnugRayTold* told) {
  const uint id = (uint)get_global_id(0);
  if (id >= count) return;
  const SnugRay ray = rays[id];
  const SnugRayBody body = bodies[ray.body];
  SnugNearest ahead, behind;
  snug_clear(&ahead);
  snug_clear(&behind);
  float from = ray.from, to = ray.to;
  uint box_tests = 0, triangle_tests = 0;
#ifdef SNUG_BASIC
  (void)boxes;
  triangle_tests = body.triangle_count;
  for (uint i = 0; i < body.triangle_count; ++i) {
    const SnugRayTriangle triangle = triangles[body.triangles + i];
    snug_look_at(&ray, &triangle, from, to, &ahead, &behind);
  }
#else
  for (uint at = 0; at < body.box_count;) {
    const SnugRayBox box = boxes[body.boxes + at];
    ++box_tests;
    float near = from, far = to;
    for (int i = 0; i < 3; ++i) {
      const float a = ((box.lo[i] - ray.margin) - ray.origin[i]) * ray.inverse[i];
      const float b = ((box.hi[i] + ray.margin) - ray.origin[i]) * ray.inverse[i];
      near = fmax(near, fmin(a, b)), far = fmin(far, fmax(a, b));
    }
    const bool met = near <= far, inner = box.leaf == SNUG_INNER_BOX;
    if (met && !inner) {
      triangle_tests += box.leaf & 15u;
      for (uint i = 0; i < (box.leaf & 15u); ++i) {
        const SnugRayTriangle triangle = triangles[body.triangles + (box.leaf >> 4) + i];
        snug_look_at(&ray, &triangle, from, to, &ahead, &behind);
      }
      /* What comes behind a certain hit is of no interest; boxes lie within the margin of where they seem to. */
      to = fmin(to, ahead.sure_by + 4.0f * ray.margin);
      from = fmax(from, -behind.sure_by - 4.0f * ray.margin);
    }
    at = met && inner ? at + 1 : box.skip;
  }
#endif
  told[id].ahead = snug_conclude(&ahead);
  told[id].behind = snug_conclude(&behind);
  told[id].boxes = box_tests;
  told[id].triangles = triangle_tests;
}
