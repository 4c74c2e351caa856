#pragma once

#include "ccd/motion_bound.hpp"
#include "ccd/subdivision.hpp"
#include "shape/boxed_mesh.hpp"
#include "support/rooms.hpp"

#include <snug/triangle.hpp>

// Two sets stay apart all through a span if along some direction the gap between them in its middle exceeds what both can gain on
// it. For a direction that faces share that is nothing, however far they slide.

namespace snug::ccd {

/// How both bodies move during a span.
struct PairMotion : TimePiece {
  using TimePiece::TimePiece;
  MotionBound a, b;
};

/// A bound on how two nodes move.
struct NodeSeparation {
  double gap = 0;     ///< that they are proved to keep all through the span: the largest found, or one that is enough
  double motion = 0;  ///< how far both may move together
};
[[nodiscard]] NodeSeparation separation(const PairMotion& motion, const BoxedMesh& mesh_a, std::uint32_t node_a,
                                        const BoxedMesh& mesh_b, std::uint32_t node_b, double enough);

/// What is known of two triangles that are given as they are in the middle of a span.
struct TriangleSeparation {
  bool apart = false;               ///< farther than asked from each other all through it, by one direction
  bool may_meet_in_middle = false;  ///< no farther apart then
};
[[nodiscard]] TriangleSeparation separation(const PairMotion& motion, const Triangle& a, const Triangle& b,
                                            double enough);

/// Does a point of one body, at `arm` from its pivot in the middle of the span, stay away from the surface of another all
/// through the span?
[[nodiscard]] bool point_keeps_away(const Vec3& arm, const MotionBound& of_point, const BoxedMesh& body,
                                    const MotionBound& of_body);

}  // namespace snug::ccd
