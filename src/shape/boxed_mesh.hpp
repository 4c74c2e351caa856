#pragma once

#include "bvh/aabb/node_boxes.hpp"
#include "support/rooms.hpp"

#include <snug/shape.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace snug::shape {

/// The triangles of a shape and the boxes and balls around the nodes of its tree, in its own frame. The vertices may be others
/// than the shape's; else nothing is copied. Cheap to copy, safe to share among threads.
class BoxedMesh {
 public:
  /// Throws LoopCancelled once `cancel` is, while the shape is prepared.
  explicit BoxedMesh(const Shape& shape, const CancelToken* cancel = nullptr);
  BoxedMesh(const Shape& shape, std::vector<Point3> vertices);

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const AabbTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] const NodeBox& node(std::uint32_t i) const noexcept { return nodes_[i]; }
  [[nodiscard]] std::span<const Index3> triangles() const noexcept { return triangles_; }
  [[nodiscard]] std::span<const Point3> vertices() const noexcept { return vertices_; }
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept {
    const Index3& i = triangles_[t];
    return {{vertices_[i[0]], vertices_[i[1]], vertices_[i[2]]}};
  }
  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  /// How far its points are from its origin at most.
  [[nodiscard]] double radius() const noexcept { return radius_; }

 private:
  struct Own {
    std::vector<Point3> vertices;
    NodeBoxes fitted;
  };

  Shape shape_;  ///< keeps triangles and tree alive
  const AabbTree* tree_;
  std::span<const Index3> triangles_;
  std::shared_ptr<const Own> own_;  ///< null where vertices and boxes are the shape's
  std::span<const Point3> vertices_;
  std::span<const NodeBox> nodes_;
  double radius_ = 0;
};

}  // namespace snug::shape
