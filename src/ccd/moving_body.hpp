#pragma once

#include "bvh/surface/node_boxes.hpp"

#include <snug/shape.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::detail {

/// A mesh in its own frame, with boxes and balls around the nodes of its tree; its vertices may be others than those of the
/// shape it comes from.
class MovingBody {
 public:
  using Node = NodeBox;

  /// Throws LoopCancelled once `cancel` is, while the shape is prepared.
  explicit MovingBody(const Shape& shape, const CancelToken* cancel = nullptr);
  MovingBody(const Shape& shape, std::vector<Point3> vertices);

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const SurfaceTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const Node& node(std::uint32_t i) const noexcept { return nodes_[i]; }
  [[nodiscard]] const std::vector<Point3>& vertices() const noexcept { return vertices_; }
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept {
    const Index3& i = triangles_[t];
    return {{vertices_[i[0]], vertices_[i[1]], vertices_[i[2]]}};
  }
  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  /// How far its points are from its origin at most.
  [[nodiscard]] double radius() const noexcept { return radius_; }

 private:
  Shape shape_;  ///< keeps triangles and tree alive
  const SurfaceTree* tree_;
  std::span<const Index3> triangles_;
  std::vector<Point3> vertices_;
  std::vector<Node> nodes_;
  double radius_ = 0;
};

}  // namespace snug::detail
