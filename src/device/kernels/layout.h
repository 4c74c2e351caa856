/* Read by C++ and by OpenCL: what both sides keep in a device's memory. Sizes are asserted on both. */
#ifndef SNUG_DEVICE_LAYOUT_H
#define SNUG_DEVICE_LAYOUT_H

#ifdef __OPENCL_VERSION__
typedef uint SnugU32;
typedef int SnugI32;
typedef ulong SnugU64;
typedef long SnugI64;
#define SNUG_SIZE_IS(type, bytes) typedef char snug_size_of_##type[sizeof(type) == (bytes) ? 1 : -1]
#else
#include <cstdint>
typedef std::uint32_t SnugU32;
typedef std::int32_t SnugI32;
typedef std::uint64_t SnugU64;
typedef std::int64_t SnugI64;
#define SNUG_SIZE_IS(type, bytes) static_assert(sizeof(type) == (bytes))
#endif

/* Axes are tried in groups of so many. */
#define SNUG_AXIS_LANES 8

/* A node of a DOP-tree. Its 24 coefficients lie in an array of their own, in the order of the nodes. */
typedef struct {
  SnugU32 left;  /* child, from the first node of its tree, or the triangle of a leaf */
  SnugU32 right; /* child, or 0 for a leaf */
  SnugU64 size;  /* grows with the size of its DOP: of two nodes the larger is opened */
} SnugDopNode;
SNUG_SIZE_IS(SnugDopNode, 16);

/* Two nodes whose DOPs overlap; or, among leaves, two triangles. */
typedef struct {
  SnugU32 a, b, job, unused;
} SnugDopPair;
SNUG_SIZE_IS(SnugDopPair, 16);

/* Two bodies: where their nodes begin, and their axes: those of a, then as many of b. */
typedef struct {
  SnugU32 nodes_a, nodes_b, axes, groups;
} SnugDopJob;
SNUG_SIZE_IS(SnugDopJob, 16);

/* What a level did: pairs found, leaves found, then for each job pairs of nodes compared and groups of axes tried. */
#define SNUG_DOP_PAIRS 0
#define SNUG_DOP_LEAVES 1
#define SNUG_DOP_JOBS 2

/* One axis of one body: three of 24 coefficients, a byte each in `slabs`, what they are multiplied by, and what is added to
   the lower and to the upper image. Sums of words of up to 32 bits fit 64. */
typedef struct {
  SnugI32 weight[3];
  SnugU32 slabs;
  SnugI64 lower, upper;
} SnugDopAxis;
SNUG_SIZE_IS(SnugDopAxis, 32);

/* The same for wider words, whose sums take 128 bits. */
typedef struct {
  SnugU64 low;
  SnugI64 high;
} SnugWide;
SNUG_SIZE_IS(SnugWide, 16);

typedef struct {
  SnugI64 weight[3];
  SnugU32 slabs, unused;
  SnugWide lower, upper;
} SnugDopWideAxis;
SNUG_SIZE_IS(SnugDopWideAxis, 64);

/* A box for rays, in the coordinates of its body's tree, depth first. */
#define SNUG_INNER_BOX 0xffffffffu
typedef struct {
  float lo[3];
  SnugU32 skip; /* box to go on with if this is missed, from the first of the body */
  float hi[3];
  SnugU32 leaf; /* first triangle * 16 + how many, from the first of the body; or SNUG_INNER_BOX */
} SnugRayBox;
SNUG_SIZE_IS(SnugRayBox, 32);

typedef struct {
  float corner[3][3]; /* [corner][axis], rounded to nearest */
  SnugU32 id;
} SnugRayTriangle;
SNUG_SIZE_IS(SnugRayTriangle, 40);

/* Where the boxes and triangles of a body begin. */
typedef struct {
  SnugU32 boxes, box_count, triangles, triangle_count;
} SnugRayBody;
SNUG_SIZE_IS(SnugRayBody, 16);

/* A line in the coordinates of the tree of a body; see RayWalk. */
typedef struct {
  float origin[3];
  SnugU32 body;
  float direction[3], margin;
  float inverse[3], doubt; /* doubt: how far a corner beside the origin may be from where it seems */
  float from, to, zero;    /* zero: where the ray begins */
  float per_squared;       /* 1 over the square of the direction's length */
} SnugRay;
SNUG_SIZE_IS(SnugRay, 64);

/* What a ray meets first ahead of where it begins, and behind: a triangle, or one of these. */
#define SNUG_RAY_NONE 0xffffffffu
#define SNUG_RAY_REDO 0xfffffffeu /* floats can not tell */
typedef struct {
  SnugU32 ahead, behind;
  SnugU32 boxes, triangles; /* that it was compared with */
} SnugRayTold;
SNUG_SIZE_IS(SnugRayTold, 16);

#endif
