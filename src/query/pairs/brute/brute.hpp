#pragma once

#include "shape/shape_data.hpp"
#include "support/rooms.hpp"

#include <snug/distance.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::query {

/// A posed mesh as brute force wants it: corners by triangle, and their boxes one array per face, so that testing one
/// box against many is a straight run through memory.
struct PosedSoup {
  std::vector<Point3> vertices;
  std::vector<Triangle> triangles;
  std::vector<double> lo_x, lo_y, lo_z, hi_x, hi_y, hi_z;
};
struct BruteMemory {
  PosedSoup a, b;
};

/// Every pair of triangles that share a point, in the order of (a, b): each triangle of a against each of b, by boxes of
/// the posed corners (which lose nothing) and then by relation().
/// Once cancelled, it ends soon with some of them.
[[nodiscard]] std::vector<TrianglePair> brute_pairs(const PosedPair& bodies, BruteMemory& memory, unsigned threads,
                                                    const CancelToken* cancel = nullptr, Stats* stats = nullptr);

/// The smallest of them.
[[nodiscard]] std::optional<TrianglePair> brute_first(const PosedPair& bodies, BruteMemory& memory, unsigned threads,
                                                      Stats* stats = nullptr);

/// The closest two triangles no further apart than limits.ignore_beyond; of several as close, the smallest ids.
/// A little beyond what is to be ignored, too.
[[nodiscard]] Distance brute_distance(const PosedPair& bodies, BruteMemory& memory, const DistanceLimits& limits,
                                      Stats* stats = nullptr);

}  // namespace snug::query
