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
  SnugU64
      size; /* grows with the size of its DOP: of two nodes the larger is opened. Of kept trees, bits of its width */
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

/* Of a triangle, by its id: its place among the body's triangles, and the ids across its sides, or SNUG_NO_TRIANGLE. */
#define SNUG_NO_TRIANGLE 0xffffffffu
typedef struct {
  SnugU32 place, across[3];
} SnugRayLinks;
SNUG_SIZE_IS(SnugRayLinks, 16);

/* Where a ray begins and which way it goes, in the coordinates of its own body's tree. Each number is the sum of two floats. */
typedef struct {
  float at[3], at_more[3], way[3], way_more[3];
} SnugRayVertex;
SNUG_SIZE_IS(SnugRayVertex, 48);

/* Where the parts of a body begin. What is there for doubles lies like vertices and links do. */
typedef struct {
  SnugU32 boxes, box_count, triangles, triangle_count;
  SnugU32 links, vertices;
  SnugU32 inverted;       /* none of its triangles face inwards: 0, all: 1, some: 2 */
  SnugU32 corner_normals; /* where those begin */
  SnugU64 scale;          /* bits of a double, a power of two that brings coordinates to size one */
} SnugRayBody;
SNUG_SIZE_IS(SnugRayBody, 40);

/* One body of a pair, the source, whose rays are cast at the other, the target: the first of two indices. Numbers are sums of two
   floats where their names are followed by _more. */
typedef struct {
  float turn[9], turn_more[9]; /* from the source's frame to the target's */
  float scale;                 /* from the source's tree to the target's, a power of two */
  float offset[3], offset_more[3];
  float doubt;  /* how far a corner beside the origin may be from where it seems */
  float margin; /* how far anything may be from where it seems to boxes; negative: floats do not serve at all */
  float behind; /* how far behind its beginning hits of a ray matter; negative: not at all */
  SnugU32 source, target, most;
} SnugRaySide;
SNUG_SIZE_IS(SnugRaySide, 124);

/* A ray of a side: the second index. */
typedef struct {
  SnugU32 vertex;
  SnugU32 triangle; /* id, where a walk begins; or SNUG_NO_TRIANGLE */
  float ahead;      /* how far hits matter; negative: not at all */
} SnugRay;
SNUG_SIZE_IS(SnugRay, 12);

/* What a group of items does: some rays of one side. */
typedef struct {
  SnugU32 side, first, count;
} SnugRayGroup;
SNUG_SIZE_IS(SnugRayGroup, 12);

/* What comes back of a ray that may tell something. Triangles that it may meet first, which are all: they end with
   SNUG_NO_TRIANGLE. Or the first is SNUG_RAY_REDO: floats can not tell. Of a walk: the triangle it came to and how many it left behind. */
#define SNUG_RAY_TRIANGLES 7
#define SNUG_RAY_REDO 0xfffffffeu
typedef struct {
  SnugU32 ray; /* among all of the step */
  SnugU32 triangle[SNUG_RAY_TRIANGLES];
} SnugRayTold;
SNUG_SIZE_IS(SnugRayTold, 32);

/* One memory holds a step, in words. The host sends where its parts begin; sides and reaches of rays in doubles, if the device
   knows them; sides, groups and rays. From `head` it reads how many were told, two words for each side (boxes and
   triangles that its rays were compared with), and those that were. */
#define SNUG_RAY_HEAD 4
typedef struct {
  SnugU32 exact_sides, reaches, sides, groups, rays, head, told;
  SnugU32 told_words;  /* of each: SnugRayTold, and SnugRayProjected behind it if the device knows doubles */
  SnugU32 group_count; /* of rays through bodies, then of walks */
  SnugU32 unused;
} SnugRayStep;
SNUG_SIZE_IS(SnugRayStep, 40);

#if !defined(__OPENCL_VERSION__) || defined(cl_khr_fp64)
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* How coefficients of two trees that are kept as they are become those of a pair: in doubles, as the golden model rounds them. */
typedef struct {
  double unit[2], enlargement, scale, guard;
} SnugDopScenario;
SNUG_SIZE_IS(SnugDopScenario, 40);

/* A vertex as the mesh has it, and the normal there. */
typedef struct {
  double at[3], normal[3];
  SnugU32 closed; /* its first triangle belongs to a closed shell */
  SnugU32 unused;
} SnugExactVertex;
SNUG_SIZE_IS(SnugExactVertex, 56);

/* A triangle, by its id. */
typedef struct {
  SnugU32 vertex[3];
  SnugU32 corner[3]; /* normals of its surface there, from the body's first */
  SnugU32 closed;    /* it belongs to a closed shell */
  SnugU32 unused;
} SnugExactTriangle;
SNUG_SIZE_IS(SnugExactTriangle, 32);

/* The two poses of a side as they are. */
typedef struct {
  double turn[9], translation[3];
  SnugU32 moves; /* 0: all stays in its place, to the sign of a zero */
  SnugU32 unused;
} SnugExactPose;
SNUG_SIZE_IS(SnugExactPose, 104);
typedef struct {
  SnugExactPose source, target;
  double behind; /* how far behind its beginning hits of a ray matter; negative: not at all */
} SnugExactSide;
SNUG_SIZE_IS(SnugExactSide, 216);

/* What the first hit of a ray tells, and the contact that it makes, with its depth along the normal that was hit. */
#define SNUG_UNDECIDED 0u /* doubles can not tell */
#define SNUG_TELLS_NOTHING 1u
#define SNUG_TELLS_CONTACT 2u
#define SNUG_TELLS_PREDICTION 3u
typedef struct {
  double t, depth, normal[3], there[3];
  SnugU32 tells, triangle;
} SnugRayProjected;
SNUG_SIZE_IS(SnugRayProjected, 72);
#endif

#endif
