#pragma once

#include "bvh/ray/ray_bvh.hpp"
#include "support/rooms.hpp"

#include <snug/triangle.hpp>

#include <cstdint>
#include <limits>

namespace snug::query {

/// A posed body for lines to walk through, in plain numbers and pointers: code for whatever instruction set reads it, and must
/// not instantiate anything that others share.
struct PosedTree {
  const RayNode* nodes = nullptr;  ///< null if there is nothing to walk through
  const TriangleBlock* blocks = nullptr;
  const BlockCorners* corners = nullptr;  ///< of the blocks with the same numbers
  const Point3* vertices = nullptr;       ///< of the mesh
  const double* matrix = nullptr;         ///< of the pose, row-major
  Vec3 translation;
  Point3 centre;      ///< of the tree
  double unit = 1;    ///< of the mesh's coordinates in those of the tree
  double margin = 0;  ///< how far anything may be from where its floats say it is, for lines that begin near the tree
};

/// What t of a ray is along its walk through a tree: t * scale + shift.
struct LineStart {
  double scale = 1, shift = 0;
  double slack = 0;      ///< rounding of t, of its product and of the sum, and to floats
  bool possible = true;  ///< the line was brought into the tree; without a walk it misses it
};

/// How far along a line, in units of its direction, hits matter. Nothing is looked for where it is negative.
struct LineReach {
  double ahead = std::numeric_limits<double>::infinity();
  double behind = -1;
};

}  // namespace snug::query
