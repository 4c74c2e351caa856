#pragma once

#include "shape/posed.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::query {

// Figueiredo's search (2010): b's surfaces and triangles that reach the overlapping box of both bodies, brought into a's
// frame one by one, each with a box of its own, against the R-trees of a. SurfaceSearch turns its parts off singly.

/// Working memory; nothing in it outlives a query but its size.
struct AlignedScratch {
  std::vector<std::uint64_t> met;  ///< per surface of a: the last surface of b it was found to meet, by running number
  std::uint64_t running = 0;       ///< never repeats, so `met` need not be cleared
  std::vector<TrianglePair> triangles;
  std::vector<SurfacePair> surfaces;
};

/// Each is a search of its own, with its own early exit. Stats are added to.
[[nodiscard]] std::optional<TrianglePair> aligned_first(const PosedPair& bodies, const SurfaceSearch& how,
                                                        AlignedScratch& scratch, Stats& stats);
[[nodiscard]] std::optional<SurfacePair> aligned_first_surfaces(const PosedPair& bodies, const SurfaceSearch& how,
                                                                AlignedScratch& scratch, Stats& stats);
/// Ordered by (a, b).
[[nodiscard]] std::vector<TrianglePair> aligned_pairs(const PosedPair& bodies, const SurfaceSearch& how,
                                                      AlignedScratch& scratch, Stats& stats);
/// Ordered by (a, b).
[[nodiscard]] std::vector<SurfacePair> aligned_surfaces(const PosedPair& bodies, const SurfaceSearch& how,
                                                        AlignedScratch& scratch, Stats& stats);

}  // namespace snug::query
