#pragma once

#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>
#include <snug/result.hpp>
#include <snug/shape.hpp>

#include <optional>
#include <vector>

namespace snug {

// Where a mesh meets itself: pairs of its triangles that share a point other than neighbours do.
//
// Triangles are closed, and corners are the same where their coordinates are equal. Two triangles without a common corner
// are found if they share a point. Neighbours are found if they share a point that does not lie on a corner or side that
// both have: folded onto one another, or crossing elsewhere. Triangles with the same three corners are found. A triangle
// without area counts as the segment or point it covers, under the same rule: one that fills the gap between its
// neighbours is not found, one that lies across others is. A valid solid has no such pairs. What counts are the mesh's own
// vertices, before any pose. A primitive is convex and does not meet itself.

struct SelfOptions {
  Method method = Method::surface;  ///< brute: all pairs of triangles, the judge of the other
  unsigned threads = 1;             ///< 0 counts as 1; the answer does not depend on it
  Instructions instructions = Instructions::best;
  Stats* stats = nullptr;  ///< if given, what the query did is added to it
  Watch watch = {};
};

/// Every such pair once, a < b, ordered by (a, b), with how the two triangles stand to one another. Exact; the same for
/// every method, thread count and instruction set.
[[nodiscard]] SNUG_API Result<std::vector<TrianglePair>, Cancelled> self_intersections(const Shape& shape,
                                                                                       Scratch& scratch,
                                                                                       const SelfOptions& options = {});
/// The same into a vector whose memory is used again; empty after a cancel.
SNUG_API Result<void, Cancelled> self_intersections(const Shape& shape, Scratch& scratch,
                                                    std::vector<TrianglePair>& pairs, const SelfOptions& options = {});

/// Calls visit(pair) for every such pair until it returns false, in an order that depends on the mesh, its tree and the
/// method alone. One thread; nothing is stored. What the visitor throws reaches the caller.
SNUG_API Result<void, Cancelled> visit_self_intersections(const Shape& shape, Scratch& scratch,
                                                          const PairVisitor& visit, const SelfOptions& options = {});

/// One such pair, if there is any: the one that visit_self_intersections() would meet first. Several threads look for it
/// side by side.
[[nodiscard]] SNUG_API Result<std::optional<TrianglePair>, Cancelled> first_self_intersection(
    const Shape& shape, Scratch& scratch, const SelfOptions& options = {});

/// True if there is any. Who wants to be able to end it early asks first_self_intersection().
[[nodiscard]] SNUG_API bool intersects_itself(const Shape& shape, Scratch& scratch, unsigned threads = 1);

}  // namespace snug
