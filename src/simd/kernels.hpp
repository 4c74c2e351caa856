#pragma once

#include "support/rooms.hpp"

#include <cstdint>

namespace snug {
enum class Instructions : std::uint8_t;
struct Ray;
struct Vec3;
using Point3 = Vec3;
}  // namespace snug

namespace snug::geometry {
struct LineMeeting;
}  // namespace snug::geometry

namespace snug::bvh {
struct BlockRange;
struct MeshInTree;
struct ObbNode;
struct Spread;
struct TriangleBlock;
}  // namespace snug::bvh

namespace snug::query {
struct ClosestSearch;
template <class Number>
struct DopWalk;
struct FirstHitSearch;
struct PairSearch;
struct PosedTree;
struct RayWalk;
}  // namespace snug::query

namespace snug::scene {
struct BoxPairWalk;
struct BoxQueryWalk;
}  // namespace snug::scene

namespace snug::simd {

/// What is compiled once for each instruction set. All give the same bits.
struct Kernels {
  const char* name;
  void (*fill_blocks)(const bvh::MeshInTree& mesh, bvh::TriangleBlock* blocks, std::uint32_t count,
                      bvh::Spread* spreads) noexcept;
  void (*fit_children)(const bvh::TriangleBlock* blocks, const bvh::ObbNode* nodes, const bvh::BlockRange* ranges,
                       const bvh::Spread* children, bvh::ObbNode& node) noexcept;
  /// Both return false if whoever takes the candidates ended it.
  bool (*walk)(query::PairSearch& search);
  bool (*expand)(query::PairSearch& search);
  bool (*closest)(query::ClosestSearch& search);
  void (*walk_box_pairs)(scene::BoxPairWalk& walk);
  void (*walk_box_query)(scene::BoxQueryWalk& walk);
  bool (*walk_dops)(query::DopWalk<double>& walk);
  bool (*walk_fixed_dops)(query::DopWalk<std::int64_t>& walk);
  void (*walk_ray)(query::RayWalk& walk);
  /// The line of a ray and a triangle by its corners.
  geometry::LineMeeting (*meet_line)(const Ray& ray, const Point3& a, const Point3& b, const Point3& c) noexcept;
  bool (*first_hit)(const query::PosedTree& tree, query::FirstHitSearch& search);
};

/// What was asked for, or the fastest this machine can run.
[[nodiscard]] const Kernels& kernels_for(Instructions instructions) noexcept;

}  // namespace snug::simd

namespace snug::lanes {

namespace scalar {
[[nodiscard]] const simd::Kernels& kernels() noexcept;
}
namespace sse2 {
[[nodiscard]] const simd::Kernels& kernels() noexcept;
}
namespace avx2 {
[[nodiscard]] const simd::Kernels& kernels() noexcept;
}

}  // namespace snug::lanes
