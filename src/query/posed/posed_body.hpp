#pragma once

#include "bvh/surface/surface_tree.hpp"

#include <snug/pose.hpp>
#include <snug/progress.hpp>
#include <snug/vec.hpp>

#include <span>
#include <vector>

namespace snug::detail {

/// A mesh brought to its pose, with the boxes of its tree in world space. The boxes are those of the posed vertices
/// themselves, so they need no margin: what they exclude shares no point.
class PosedBody {
 public:
  PosedBody() = default;
  /// Borrows mesh and tree.
  PosedBody(const Mesh& mesh, const SurfaceTree& tree, const Pose& pose) { assign(mesh, tree, pose); }
  /// The same, with the memory of a former body used again.
  void assign(const Mesh& mesh, const SurfaceTree& tree, const Pose& pose);
  /// A copy moved by v, each coordinate rounded.
  [[nodiscard]] PosedBody moved(const Vec3& v) const;
  /// A copy with its vertices elsewhere.
  [[nodiscard]] PosedBody with_vertices(std::vector<Point3> vertices) const;
  /// A copy with every coordinate multiplied, rounded.
  [[nodiscard]] PosedBody scaled(double factor) const;

  /// From the token's cancel on, walks through the body end where they are, and what they found is worth nothing. The
  /// token outlives the body; copies watch it too.
  void watch(const CancelToken* cancel) noexcept { cancel_ = cancel; }
  [[nodiscard]] const CancelToken* watched() const noexcept { return cancel_; }
  [[nodiscard]] bool stopped() const noexcept { return cancel_ != nullptr && cancel_->cancelled(); }

  [[nodiscard]] const SurfaceTree& tree() const noexcept { return *tree_; }
  [[nodiscard]] bool empty() const noexcept { return boxes_.empty(); }
  [[nodiscard]] TriangleMeshView view() const noexcept { return {vertices_, triangles_}; }
  [[nodiscard]] std::span<const Point3> vertices() const noexcept { return vertices_; }
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept { return view().triangle(t); }
  [[nodiscard]] Aabb box_of_triangle(std::uint32_t t) const noexcept;
  [[nodiscard]] const Aabb& box(std::uint32_t node) const noexcept { return boxes_[node]; }
  /// Of everything; empty for a mesh without triangles.
  [[nodiscard]] Aabb bounds() const noexcept { return boxes_.empty() ? Aabb{} : boxes_[0]; }

 private:
  void refit();

  const SurfaceTree* tree_ = nullptr;
  std::span<const Index3> triangles_;
  std::vector<Point3> vertices_;
  std::vector<Aabb> boxes_;
  const CancelToken* cancel_ = nullptr;
};

}  // namespace snug::detail
