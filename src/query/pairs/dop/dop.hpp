#pragma once

#include "bvh/dop24/dop_tree.hpp"
#include "query/pairs/dop/memory.hpp"
#include "simd/kernels.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>
#include <snug/shape.hpp>

#include <optional>

namespace snug::query {

/// Two bodies as the search by DOPs wants them.
struct DopPair {
  const Mesh& mesh_a;
  const DopTree& tree_a;
  const Pose& pose_a;
  const Mesh& mesh_b;
  const DopTree& tree_b;
  const Pose& pose_b;
  const Kernels& kernels;
  const Shape *shape_a = nullptr, *shape_b = nullptr;  ///< if given, devices keep the trees that are theirs
};

}  // namespace snug::query

namespace snug::detail {

class DeviceSet;

}  // namespace snug::detail

namespace snug::query {

using detail::DeviceSet;

/// How they are searched.
struct DopOptions {
  DopSearch search;
  bool fixed = false;
  bool chip = false;                    ///< by the cycle model of the chip
  DeviceSet* devices = nullptr;         ///< if given, what walks in fixed point
  const CancelToken* cancel = nullptr;  ///< ends the model of the chip, not the search
};

/// Every pair of triangles that share a point, in memory.pairs, ordered by (a, b).
void dop_pairs(const DopPair& bodies, const DopOptions& options, DopMemory& memory, Stats* stats);
/// In the order of the walk, which is the processor's wherever the options would have it done; so are the two below that can stop.
void dop_visit(const DopPair& bodies, const DopOptions& options, DopMemory& memory, const PairVisitor& visit,
               Stats* stats);
[[nodiscard]] std::optional<TrianglePair> dop_first(const DopPair& bodies, const DopOptions& options, DopMemory& memory,
                                                    Stats* stats);
/// Every pair of surfaces that share a point, in memory.surfaces, ordered by (a, b).
void dop_surfaces(const DopPair& bodies, const DopOptions& options, DopMemory& memory, Stats* stats);
void dop_visit_surfaces(const DopPair& bodies, const DopOptions& options, DopMemory& memory,
                        const SurfaceVisitor& visit, Stats* stats);

/// Calls take(triangle of a, triangle of b) for leaves that no axis tells apart until it returns false. In `stats`,
/// node_pairs are pairs of DOPs compared, box_tests are axes tried on them, triangle_tests are leaves that were left.
class DopTaker {
 public:
  virtual bool take(std::uint32_t triangle_a, std::uint32_t triangle_b) = 0;

 protected:
  ~DopTaker() = default;
};
void dop_walk(const DopPair& bodies, const DopOptions& options, DopMemory& memory, DopTaker& taker, Stats* stats);
/// The same by the cycle model of the chip, which room chip provides. dop_walk() does the work where the chip cannot. Words are
/// those of the named configuration that is nearest to the bits asked for.
void chip_walk(const DopPair& bodies, const DopOptions& options, DopMemory& memory, DopTaker& taker, Stats* stats);

}  // namespace snug::query
