/* Finds the first hit of rays among the triangles that other kernels have named, and makes contacts of them: depth and normal by
   re-projection onto the surface that was hit (Lehericey et al. 2013). In doubles, with the operations of the processor
   (src/contact/vertex_rays.cpp): what is told has its bits, and what doubles can not tell is left to it; so are bodies of which some
   shells are turned inside out, and whether a vertex lies in a body that meets itself. Vertices at rims, with two rays each, do not
   come here. */
#include "exact_line.h"
#include "layout.h"

SnugVec snug_turn(__global const double* r, SnugVec v) {
  return snug_vec((r[0] * v.at[0] + r[1] * v.at[1]) + r[2] * v.at[2],
                  (r[3] * v.at[0] + r[4] * v.at[1]) + r[5] * v.at[2],
                  (r[6] * v.at[0] + r[7] * v.at[1]) + r[8] * v.at[2]);
}
SnugVec snug_turn_back(__global const double* r, SnugVec v) {
  return snug_vec((r[0] * v.at[0] + r[3] * v.at[1]) + r[6] * v.at[2],
                  (r[1] * v.at[0] + r[4] * v.at[1]) + r[7] * v.at[2],
                  (r[2] * v.at[0] + r[5] * v.at[1]) + r[8] * v.at[2]);
}
SnugVec snug_loaded(__global const double* v) { return snug_vec(v[0], v[1], v[2]); }
SnugVec snug_posed(__global const SnugExactPose* pose, SnugVec v) {
  return pose->moves != 0 ? snug_plus(snug_turn(pose->turn, v), snug_loaded(pose->translation)) : v;
}

double snug_largest(SnugVec v) {
  double largest = fabs(v.at[0]);
  for (int i = 1; i < 3; ++i)
    if (largest < fabs(v.at[i])) largest = fabs(v.at[i]);
  return largest;
}
SnugVec snug_unit(SnugVec v) {
  const double largest = snug_largest(v);
  if (!(largest > 0.0)) return snug_vec(0.0, 0.0, 0.0);
  const SnugVec scaled = snug_times(1.0 / largest, v);
  return snug_times(1.0 / sqrt(snug_inner(scaled, scaled)), scaled);
}
/* A power of two that brings a length to size one. */
double snug_power_to_one(double extent) {
  if (!(extent > 0.0)) return 1.0;
  const SnugU64 exponent = as_ulong(extent) >> 52;
  const SnugU64 within = exponent < 1 ? 1 : exponent > 2044 ? 2044 : exponent;
  return as_double((2046 - within) << 52);
}
SnugVec snug_unit_normal(const SnugVec* corner) {
  const SnugVec p = snug_minus(corner[1], corner[0]), q = snug_minus(corner[2], corner[0]);
  const double size_p = snug_largest(p), size_q = snug_largest(q);
  const double scale = snug_power_to_one(size_p < size_q ? size_q : size_p);
  return snug_unit(snug_cross(snug_times(scale, p), snug_times(scale, q)));
}

/* The normal of the surface at a point of a triangle, out of the body: those at its corners, blended; or the triangle's own. `turning` is
   that of its corners' order. */
SnugVec snug_surface_normal(const SnugVec* corner, SnugVec turning, SnugVec own, SnugVec at, double scale,
                            const SnugExactTriangle* triangle, __global const double* corner_normals) {
  SnugVec p[3], blended = snug_vec(0.0, 0.0, 0.0);
  if (own.at[0] == 0.0 && own.at[1] == 0.0 && own.at[2] == 0.0) return blended;
  for (int i = 0; i < 3; ++i) p[i] = snug_times(scale, snug_minus(corner[i], at));
  for (int i = 0; i < 3; ++i) {
    const double weight = snug_inner(snug_cross(p[i == 2 ? 0 : i + 1], p[i == 0 ? 2 : i - 1]), turning);
    if (weight > 0.0)
      blended = snug_plus(blended, snug_times(weight, snug_loaded(corner_normals + 3 * (size_t)triangle->corner[i])));
  }
  const SnugVec unit = snug_unit(blended);
  return snug_inner(unit, own) > 0.0 ? unit : own;
}

/* The group with a ray, by halving: they are in the order of rays. */
uint snug_side_of(__global const SnugRayGroup* groups, uint count, uint ray) {
  uint first = 0, end = count;
  while (end - first > 1) {
    const uint middle = (first + end) / 2;
    if (groups[middle].first <= ray)
      first = middle;
    else
      end = middle;
  }
  return groups[first].side;
}

typedef struct {
  bool found, along_normal;
  double t;
  uint triangle;
} SnugFirst;

/* False if two are met at the same place: which counts is the processor's to say. */
bool snug_nearer(SnugFirst* first, const SnugMeeting* met, double limit, uint triangle) {
  if (!(limit >= 0.0 && met->t <= limit)) return true;
  if (first->found && first->t == met->t) return false;
  if (first->found && first->t < met->t) return true;
  first->found = true, first->along_normal = met->along_normal, first->t = met->t, first->triangle = triangle;
  return true;
}

__kernel __attribute__((reqd_work_group_size(SNUG_GROUP, 1, 1))) void snug_project(
    __global uint* step, __global const SnugRayBody* bodies, __global const SnugExactVertex* vertices,
    __global const SnugExactTriangle* triangles, __global const double* corner_normals) {
  const SnugRayStep at = *(__global const SnugRayStep*)step;
  const uint id = (uint)get_global_id(0);
  if (id >= step[at.head]) return;
  __global const SnugRayTold* told = (__global const SnugRayTold*)(step + at.told + (size_t)at.told_words * id);
  __global SnugRayProjected* out = (__global SnugRayProjected*)(told + 1);
  out->tells = SNUG_UNDECIDED;
  if (told->triangle[0] == SNUG_RAY_REDO) return;
  const uint number = snug_side_of((__global const SnugRayGroup*)(step + at.groups), at.group_count, told->ray);
  __global const SnugRaySide* side = (__global const SnugRaySide*)(step + at.sides) + number;
  __global const SnugExactSide* exact = (__global const SnugExactSide*)(step + at.exact_sides) + number;
  const SnugRayBody target = bodies[side->target];
  const uint vertex = ((__global const SnugRay*)(step + at.rays))[told->ray].vertex;
  __global const SnugExactVertex* from = vertices + (bodies[side->source].vertices + vertex);
  const double reach = ((__global const double*)(step + at.reaches))[told->ray];
  const SnugVec origin = snug_posed(&exact->source, snug_loaded(from->at));
  const SnugVec turned = snug_turn(exact->source.turn, snug_loaded(from->normal));
  const SnugVec direction = snug_vec(-turned.at[0], -turned.at[1], -turned.at[2]);
  const uint named = side->most > 0 ? 1 : SNUG_RAY_TRIANGLES;

  SnugFirst ahead, behind;
  ahead.found = behind.found = ahead.along_normal = behind.along_normal = false;
  ahead.t = behind.t = 0.0, ahead.triangle = behind.triangle = 0;
  for (uint i = 0; i < named && told->triangle[i] != SNUG_NO_TRIANGLE; ++i) {
    const uint triangle = told->triangle[i];
    SnugVec corner[3];
    for (int k = 0; k < 3; ++k)
      corner[k] = snug_posed(&exact->target,
                             snug_loaded(vertices[target.vertices + triangles[target.links + triangle].vertex[k]].at));
    const SnugMeeting met = snug_meet(origin, direction, corner);
    if (met.where == SNUG_UNSURE) return;
    if (met.where == SNUG_AHEAD && !snug_nearer(&ahead, &met, reach, triangle)) return;
    if (met.where == SNUG_BEHIND && !snug_nearer(&behind, &met, exact->behind, triangle)) return;
  }
  /* Ahead, coming out of the body is a contact if one of both is closed there; behind, coming into it is a prediction. */
  if (target.inverted > 1) return; /* some of its shells are turned inside out */
  const bool inverted = target.inverted != 0;
  const bool contact = ahead.found && ahead.along_normal != inverted &&
                       (triangles[target.links + ahead.triangle].closed != 0 || from->closed != 0);
  const bool prediction = !contact && behind.found && behind.along_normal != inverted;
  if (!contact && !prediction) {
    /* A walk goes on from here. */
    if (side->most == 0) out->tells = SNUG_TELLS_NOTHING;
    return;
  }
  const SnugFirst hit = contact ? ahead : behind;
  const SnugExactTriangle triangle = triangles[target.links + hit.triangle];
  SnugVec corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = snug_loaded(vertices[target.vertices + triangle.vertex[k]].at);
  const SnugVec way = snug_times(prediction ? -hit.t : hit.t, direction);
  const SnugVec place =
      snug_turn_back(exact->target.turn, snug_minus(snug_plus(origin, way), snug_loaded(exact->target.translation)));
  const double facing = inverted ? -1.0 : 1.0;
  const SnugVec turning = snug_unit_normal(corner), own = snug_times(facing, turning);
  SnugVec normal = snug_surface_normal(corner, turning, own, place, as_double(target.scale), &triangle,
                                       corner_normals + 3 * (size_t)target.corner_normals);
  normal = snug_turn(exact->target.turn, normal);
  if (!(snug_inner(direction, normal) > 0.0)) normal = snug_turn(exact->target.turn, own);
  if (!(snug_inner(direction, normal) > 0.0)) normal = direction;
  const double depth = (prediction ? -1.0 : 1.0) * (hit.t * snug_inner(direction, normal));
  const SnugVec there = snug_plus(origin, snug_times(depth, normal));
  out->t = hit.t, out->depth = depth, out->triangle = hit.triangle;
  for (int i = 0; i < 3; ++i) out->normal[i] = normal.at[i], out->there[i] = there.at[i];
  out->tells = prediction ? SNUG_TELLS_PREDICTION : SNUG_TELLS_CONTACT;
}
