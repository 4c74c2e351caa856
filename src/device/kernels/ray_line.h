/* What kernels of rays have in common: lines made of a vertex and two poses, and the side on which they pass the edges of a
   triangle. docs/devices.md has the bounds. */
#ifndef SNUG_DEVICE_RAY_LINE_H
#define SNUG_DEVICE_RAY_LINE_H
#include "layout.h"
#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#endif

#define SNUG_FAR 1e30f

/* The sum of two floats, after Dekker (1971): about 46 bits, of devices that need not know doubles. */
typedef struct {
  float high, low;
} SnugTwo;

SnugTwo snug_two(float high, float low) {
  SnugTwo two;
  two.high = high, two.low = low;
  return two;
}
SnugTwo snug_two_sum(SnugTwo a, SnugTwo b) {
  const float sum = a.high + b.high, part = sum - a.high;
  const float rest = (a.high - (sum - part)) + (b.high - part) + (a.low + b.low);
  const float high = sum + rest;
  return snug_two(high, rest - (high - sum));
}
SnugTwo snug_two_product(SnugTwo a, SnugTwo b) {
  const float split_a = 4097.0f * a.high, split_b = 4097.0f * b.high;
  const float ah = split_a - (split_a - a.high), bh = split_b - (split_b - b.high);
  const float al = a.high - ah, bl = b.high - bh;
  const float product = a.high * b.high;
  const float rest = (((ah * bh - product) + ah * bl + al * bh) + al * bl) + (a.high * b.low + a.low * b.high);
  const float high = product + rest;
  return snug_two(high, rest - (high - product));
}
/* A row of the side's turn, by a vector. */
SnugTwo snug_turned(__global const SnugRaySide* side, int row, const SnugTwo* v) {
  SnugTwo sum = snug_two(0.0f, 0.0f);
  for (int i = 0; i < 3; ++i)
    sum = snug_two_sum(sum, snug_two_product(snug_two(side->turn[3 * row + i], side->turn_more[3 * row + i]), v[i]));
  return sum;
}

/* A ray in the coordinates of its target's tree. */
typedef struct {
  float origin[3], direction[3];
  float per_squared; /* 1 over the square of the direction's length, which is about 1 */
  float doubt;
} SnugLine;

/* False if floats do not serve: the ray begins too far from the target. */
bool snug_line(__global const SnugRaySide* side, __global const SnugRayVertex* vertex, SnugLine* line) {
  SnugTwo at[3], way[3];
  for (int i = 0; i < 3; ++i) {
    at[i] = snug_two(vertex->at[i], vertex->at_more[i]);
    way[i] = snug_two(vertex->way[i], vertex->way_more[i]);
  }
  float squared = 0.0f, far = 0.0f;
  for (int i = 0; i < 3; ++i) {
    const SnugTwo turned = snug_turned(side, i, at);
    const SnugTwo there = snug_two_sum(snug_two(side->scale * turned.high, side->scale * turned.low),
                                       snug_two(side->offset[i], side->offset_more[i]));
    line->origin[i] = there.high;
    far = fmax(far, fabs(there.high));
    line->direction[i] = snug_turned(side, i, way).high;
    squared += line->direction[i] * line->direction[i];
  }
  line->per_squared = 1.0f / squared;
  line->doubt = side->doubt;
  return side->margin >= 0.0f && far <= 2.0f && squared > 0.9f && squared < 1.1f;
}

float snug_dot(const float* a, const float* b) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

/* A triangle as seen from the point of a line beside its first corner: from there numbers are small. */
typedef struct {
  float u[3][3];     /* corners */
  float along;       /* where that point is */
  float side[3];     /* on which side of it the line passes an edge, times twice the area with that point */
  float off, reach;  /* how far a corner may be from where it seems, and how far all are from the point at most */
  float doubt;       /* of the sides */
  float least, most; /* of the sides */
} SnugSeen;

void snug_see(const SnugLine* line, const SnugRayTriangle* triangle, SnugSeen* seen) {
  float along = 0.0f, squared = 0.0f;
  for (int i = 0; i < 3; ++i) along += (triangle->corner[0][i] - line->origin[i]) * line->direction[i];
  along *= line->per_squared;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) seen->u[k][i] = triangle->corner[k][i] - (line->origin[i] + along * line->direction[i]);
    squared = fmax(squared, snug_dot(seen->u[k], seen->u[k]));
  }
  seen->along = along;
  seen->off = line->doubt + 1.6e-7f * fabs(along);
  seen->reach = sqrt(squared) * 1.0001f + 2.0f * seen->off;
  seen->doubt = 3.6f * seen->reach * seen->off + 0x1p-18f * (seen->reach * seen->reach);
  seen->least = SNUG_FAR, seen->most = -SNUG_FAR;
  for (int k = 0; k < 3; ++k) {
    const float* a = seen->u[k];
    const float* b = seen->u[k == 2 ? 0 : k + 1];
    float normal[3];
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    seen->side[k] = snug_dot(normal, line->direction);
    seen->least = fmin(seen->least, seen->side[k]), seen->most = fmax(seen->most, seen->side[k]);
  }
}
/* The line passes the triangle by. */
bool snug_misses(const SnugSeen* seen) { return seen->least < -seen->doubt && seen->most > seen->doubt; }

#endif
