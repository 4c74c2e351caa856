#pragma once

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "shape/boxed_mesh.hpp"
#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/progress.hpp>
#include <snug/vec.hpp>

#include <span>
#include <vector>

namespace snug::query {

/// A mesh at a pose. It is searched in its own frame: corners are posed, and boxes turned into the world, when they are asked for,
/// so an instance costs the same memory whatever its mesh. Corners have the bits of Pose::apply(); boxes hold all corners
/// below their node, rounding included, but need not be tight. Safe to share among threads.
class PosedMesh {
 public:
  PosedMesh(BoxedMesh mesh, const Pose& pose);
  /// The same where the box of the posed corners is known.
  PosedMesh(BoxedMesh mesh, const Pose& pose, const Aabb& bounds) noexcept;

  /// A copy moved by v, each coordinate rounded. Precondition: this one was not moved.
  [[nodiscard]] PosedMesh moved(const Vec3& v) const noexcept;
  /// A copy with its vertices elsewhere in the world.
  [[nodiscard]] PosedMesh with_vertices(std::vector<Point3> vertices) const;
  /// A copy with every coordinate multiplied by a power of two. Precondition: this one was not moved.
  [[nodiscard]] PosedMesh scaled(double power) const noexcept;

  /// From the token's cancel on, walks through the body end where they are, and what they found is worth nothing. The
  /// token outlives the body; copies watch it too.
  void watch(const CancelToken* cancel) noexcept { cancel_ = cancel; }
  [[nodiscard]] const CancelToken* watched() const noexcept { return cancel_; }
  [[nodiscard]] bool stopped() const noexcept { return cancel_ != nullptr && cancel_->cancelled(); }

  [[nodiscard]] const BoxedMesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] const Pose& pose() const noexcept { return pose_; }
  [[nodiscard]] const AabbTree& tree() const noexcept { return mesh_.tree(); }
  [[nodiscard]] bool empty() const noexcept { return mesh_.empty(); }
  [[nodiscard]] std::size_t vertex_count() const noexcept { return mesh_.vertices().size(); }
  [[nodiscard]] std::uint32_t triangle_count() const noexcept {
    return static_cast<std::uint32_t>(mesh_.triangles().size());
  }
  /// A point of the mesh's own frame, in the world.
  [[nodiscard]] Point3 posed(const Point3& own) const noexcept {
    const Point3 p = rests_ ? own : transformed(pose_.matrix(), pose_.translation(), own);
    return altered_ ? scale_ * p + offset_ : p;
  }
  [[nodiscard]] Point3 vertex(std::uint32_t v) const noexcept { return posed(mesh_.vertices()[v]); }
  /// All of them, for what needs them at once.
  [[nodiscard]] std::vector<Point3> vertices() const;
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept {
    const Triangle own = mesh_.triangle(t);
    return {{posed(own[0]), posed(own[1]), posed(own[2])}};
  }
  [[nodiscard]] Aabb box_of_triangle(std::uint32_t t) const noexcept { return box_of(triangle(t)); }
  [[nodiscard]] Aabb box(std::uint32_t node) const noexcept;
  /// A point or direction of the world, seen from the mesh's own frame, to within own_slack() for points in its bounds.
  [[nodiscard]] Point3 to_own_frame(const Point3& p) const noexcept {
    const Point3 posed = altered_ ? (1 / scale_) * (p - offset_) : p;
    return rests_ ? posed : turn_back(pose_.matrix(), posed - pose_.translation());
  }
  [[nodiscard]] Vec3 turn_to_own_frame(const Vec3& direction) const noexcept {
    return turn_back(pose_.matrix(), direction);
  }
  /// Covers, in the mesh's own frame, the rounding of posed corners and of points brought there.
  [[nodiscard]] double own_slack() const noexcept { return 4 * slack_ / scale_; }
  [[nodiscard]] double scale() const noexcept { return scale_; }
  /// The box of all posed corners, exactly; empty for a mesh without triangles.
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }

 private:
  void set_slack() noexcept;

  BoxedMesh mesh_;
  Pose pose_;
  double scale_ = 1;  ///< a corner is scale * pose(corner) + offset
  Vec3 offset_;
  double slack_ = 0;  ///< covers the rounding of posed corners and of turned boxes
  Aabb bounds_;
  const CancelToken* cancel_ = nullptr;
  bool rests_ = false;    ///< the pose is the identity
  bool altered_ = false;  ///< scaled or moved
};

/// The largest value(corner) of all corners of triangles, where no corner in a box has a value above bound(box). Precondition:
/// the mesh is not empty.
template <class Bound, class Value>
[[nodiscard]] double largest_over_corners(const PosedMesh& of, Bound&& bound, Value&& value);

inline Aabb PosedMesh::box(std::uint32_t node) const noexcept {
  const NodeBox& own = mesh_.node(node);
  const auto& r = pose_.matrix();
  const Point3 middle = transformed(r, pose_.translation(), own.middle);
  const auto row = [&](std::size_t i) {
    return (std::abs(r[i]) * own.half.x + std::abs(r[i + 1]) * own.half.y) + std::abs(r[i + 2]) * own.half.z;
  };
  const Vec3 half{row(0), row(3), row(6)}, slack{slack_, slack_, slack_};
  if (!altered_) return {(middle - half) - slack, (middle + half) + slack};
  return {(scale_ * (middle - half) + offset_) - slack, (scale_ * (middle + half) + offset_) + slack};
}

template <class Bound, class Value>
double largest_over_corners(const PosedMesh& of, Bound&& bound, Value&& value) {
  double best = -std::numeric_limits<double>::infinity();
  const auto visit = [&](const auto& self, std::uint32_t node) -> void {
    const AabbTree::Node& n = of.tree().nodes[node];
    if (n.leaf()) {
      for (std::uint32_t i = n.begin; i < n.end; ++i)
        for (const Point3& p : of.triangle(of.tree().order[i]).corner) best = std::max(best, value(p));
      return;
    }
    std::uint32_t first = node + 1, second = n.right;
    double above_first = bound(of.box(first)), above_second = bound(of.box(second));
    if (above_second > above_first) std::swap(first, second), std::swap(above_first, above_second);
    if (above_first > best) self(self, first);
    if (above_second > best) self(self, second);
  };
  visit(visit, 0);
  return best;
}

}  // namespace snug::query
