#pragma once

#include "penetration/posed_solid.hpp"
#include "support/parallel.hpp"
#include "support/rooms.hpp"

#include <snug/shape.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace snug::robot {

/// The inside of a mesh, in its own frame: where points lie, how deep, and which points of its own surface to ask others
/// about. A mesh with holes is closed by cones over their rims here; whoever uses that must know that the other body keeps
/// away from them.
class Inside {
 public:
  /// Throws LoopCancelled if cancelled while it is built; walks through it end once it is (PosedSolid).
  explicit Inside(const Shape& shape, const CancelToken* cancel = nullptr);

  /// The mesh with its holes closed.
  [[nodiscard]] const Shape& whole() const noexcept { return whole_; }
  /// The cones; nothing if it has no holes.
  [[nodiscard]] const std::optional<Shape>& holes() const noexcept { return holes_; }

  /// Exact, of the mesh with its holes closed. Shells that are not closed even so do not count.
  [[nodiscard]] bool holds(const Point3& p) const noexcept;
  /// How far p is inside the surface, with its holes closed; negative outside. In plain doubles. Of points outside of the
  /// bounds, the distance from these; what is farther than `limit` from the surface counts as being there.
  [[nodiscard]] double depth(const Point3& p, double limit) const noexcept;

  /// A corner of each piece that hangs together.
  [[nodiscard]] std::span<const Point3> of_shells() const noexcept { return of_shells_; }

  /// A point of the surface.
  struct Sample {
    Point3 point;
    std::uint32_t shell = 0;
  };
  /// Samples by where they are: all of a node are within `radius` of the one that is nearest to its middle.
  struct Node {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t middle = 0;  ///< a sample
    double radius = 0;
    std::uint32_t right = 0;  ///< the left child is the next one; zero for leaves
  };
  [[nodiscard]] std::span<const Sample> samples() const noexcept { return samples_; }
  [[nodiscard]] std::span<const Node> nodes() const noexcept { return nodes_; }
  /// Corners of a shell that stand out to each side.
  [[nodiscard]] std::span<const Point3> extremes(std::uint32_t shell) const noexcept { return extremes_[shell]; }

 private:
  void take_samples(const Mesh& mesh, const mesh::Topology& topology, support::Looks& looks);
  std::uint32_t build_node(std::uint32_t begin, std::uint32_t end, support::Looks& looks);

  std::optional<Shape> holes_;
  Shape whole_;  ///< with its holes closed
  penetration::PosedSolid solid_;
  std::vector<Point3> of_shells_;
  std::vector<Sample> samples_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Point3>> extremes_;
};

}  // namespace snug::robot
