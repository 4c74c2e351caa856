#pragma once

#include <cstdint>

namespace snug {
enum class Instructions : std::uint8_t;
struct Ray;
struct Vec3;
using Point3 = Vec3;
}  // namespace snug

namespace snug::detail {

struct BlockRange;
struct BoxPairWalk;
struct BoxQueryWalk;
struct ClosestSearch;
struct FirstHitSearch;
struct LineMeeting;
struct MeshInTree;
struct ObbNode;
struct PairSearch;
struct PosedTree;
struct RayWalk;
struct Spread;
struct TriangleBlock;
template <class Number>
struct DopWalk;

/// What is compiled once for each instruction set. All give the same bits.
struct Kernels {
  const char* name;
  void (*fill_blocks)(const MeshInTree& mesh, TriangleBlock* blocks, std::uint32_t count, Spread* spreads) noexcept;
  void (*fit_children)(const TriangleBlock* blocks, const ObbNode* nodes, const BlockRange* ranges,
                       const Spread* children, ObbNode& node) noexcept;
  /// Both return false if whoever takes the candidates ended it.
  bool (*walk)(PairSearch& search);
  bool (*expand)(PairSearch& search);
  bool (*closest)(ClosestSearch& search);
  void (*walk_box_pairs)(BoxPairWalk& walk);
  void (*walk_box_query)(BoxQueryWalk& walk);
  bool (*walk_dops)(DopWalk<double>& walk);
  bool (*walk_fixed_dops)(DopWalk<std::int64_t>& walk);
  void (*walk_ray)(RayWalk& walk);
  /// The line of a ray and a triangle by its corners.
  LineMeeting (*meet_line)(const Ray& ray, const Point3& a, const Point3& b, const Point3& c) noexcept;
  bool (*first_hit)(const PosedTree& tree, FirstHitSearch& search);
};

namespace scalar {
[[nodiscard]] const Kernels& kernels() noexcept;
}
namespace sse2 {
[[nodiscard]] const Kernels& kernels() noexcept;
}
namespace avx2 {
[[nodiscard]] const Kernels& kernels() noexcept;
}

/// What was asked for, or the fastest this machine can run.
[[nodiscard]] const Kernels& kernels_for(Instructions instructions) noexcept;

}  // namespace snug::detail
