#pragma once

#include "ccd/trajectory.hpp"
#include "penetration/posed_solid.hpp"
#include "penetration/shrink.hpp"
#include "shape/boxed_mesh.hpp"
#include "support/rooms.hpp"

#include <snug/path.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <optional>

namespace snug::assembly {

/// As NodeBoxes has it for each node: of the whole mesh, without a tree.
struct OriginRadius {
  double value = 0;
};
[[nodiscard]] OriginRadius build(StructureOf<OriginRadius>, const ShapeData& shape, const CancelToken* cancel);

/// A shrunk body with all that is asked of it.
struct ShrunkPart {
  ShrunkPart(const Shape& shape, double by, const FaceSag& sag, const CancelToken* cancel);

  std::vector<bool> regular;  ///< see Shrunk
  BoxedMesh body;
  PosedSolid solid;  ///< at rest in its own frame

 private:
  ShrunkPart(const Shape& shape, Shrunk drawn_in, const CancelToken* cancel);
};

/// A part on its way. What only some pairs need is made when first asked for, by whichever thread comes first. What is made
/// throws LoopCancelled once `cancel` is.
class PathPart {
 public:
  /// `overlap`: what two parts may be into one another; halves of it are drawn in. Borrows the motion.
  PathPart(const Shape& shape, const Motion& motion, const TimeSpan& range, double overlap, const CancelToken* cancel);

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const BoxedMesh& body() const;
  [[nodiscard]] const Trajectory& trajectory() const noexcept { return trajectory_; }
  [[nodiscard]] const PosedSolid& solid() const;
  /// The first of a pair draws in by half the overlap, the second by a little less: so faces that lie in one plane do not again.
  /// `by_sag`: by the sags of its faces as well.
  [[nodiscard]] const ShrunkPart& shrunk(bool first, bool by_sag = false) const;

 private:
  Shape shape_;
  Trajectory trajectory_;
  double overlap_;
  const CancelToken* cancel_;
  mutable std::once_flag body_once_, solid_once_;
  mutable std::array<std::once_flag, 4> shrunk_once_;
  mutable std::unique_ptr<BoxedMesh> body_;
  mutable std::unique_ptr<PosedSolid> solid_;
  mutable std::array<std::unique_ptr<ShrunkPart>, 4> shrunk_;
};

/// What all pairs share.
struct PathTask {
  PathOptions options;
  TimeSpan range;
  double time_tolerance = 0;
  double resolution = 0;

  [[nodiscard]] double overlap() const noexcept;  ///< touch overlap, no less than the resolution
  [[nodiscard]] double gap() const noexcept;      ///< touch gap, likewise
};

/// Everything about two parts; nothing if cancelled.
[[nodiscard]] std::optional<PathPairReport> judge_pair(const PathPart& a, const PathPart& b, const PathTask& task);

}  // namespace snug::assembly
