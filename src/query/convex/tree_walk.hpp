#pragma once

#include "bvh/obb8/obb_box.hpp"
#include "shape/convex.hpp"
#include "shape/trees.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

// Down the tree of a mesh for something convex, box by box in doubles.

namespace snug::query {

/// A box of a tree in the frame of a walk: points p with |axis[i] . (p - centre)| <= half[i].
struct FrameBox {
  Vec3 axis[3];
  Point3 centre;
  Vec3 half;

  /// How far it reaches from its centre along a direction, times the direction's length.
  [[nodiscard]] double reach(const Vec3& n) const noexcept {
    return (std::abs(dot(axis[0], n)) * half.x + std::abs(dot(axis[1], n)) * half.y) +
           std::abs(dot(axis[2], n)) * half.z;
  }
};

/// A posed mesh in a frame: x -> scale * (rotation^T x - ...), see the constructor.
class MeshInFrame {
 public:
  /// The frame has its origin at `origin` in the world, and the axes that `axes` turns those of the world's frame to, or, if
  /// null, the world's. Lengths are multiplied by `scale`.
  MeshInFrame(const Posed& mesh, const Point3& origin, const std::array<double, 9>* axes, double scale)
      : tree_(Access::data(mesh.shape).get<ObbTree>()),
        view_(mesh.shape.mesh().view()),
        pose_(mesh.pose),
        origin_(origin),
        axes_(axes),
        scale_(scale) {
    const Vec3 from_origin = pose_.apply(tree_.centre) - origin;
    translation_ = scale * (axes != nullptr ? turn_back(*axes, from_origin) : from_origin);
    rotation_ = pose_.matrix();
    if (axes != nullptr)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          rotation_[3 * i + j] = ((*axes)[i] * pose_.matrix()[j] + (*axes)[3 + i] * pose_.matrix()[3 + j]) +
                                 (*axes)[6 + i] * pose_.matrix()[6 + j];
    unit_ = std::ldexp(scale, tree_.exponent);
    // The rounding of posed vertices and of the middle above, and of what is computed of boxes, whose numbers are at most 1.
    margin_ = 4 * scale * posing_error(mesh.shape.bounds(), pose_) + 0x1p-46;
  }

  [[nodiscard]] const ObbTree& tree() const noexcept { return tree_; }
  /// By how much boxes may lie off.
  [[nodiscard]] double margin() const noexcept { return margin_; }

  [[nodiscard]] FrameBox box(const ObbNode& node, std::uint32_t lane) const noexcept {
    const auto axes = bvh::box_axes(node, lane);
    FrameBox out;
    for (std::size_t i = 0; i < 3; ++i) out.axis[i] = turn(rotation_, axes[i]);
    out.centre = unit_ * turn(rotation_, bvh::box_centre(node, lane)) + translation_;
    out.half = (unit_ * double{node.step}) *
               Vec3{double(node.half[0][lane]), double(node.half[1][lane]), double(node.half[2][lane])};
    return out;
  }

  /// As posed in the world.
  [[nodiscard]] Triangle posed(std::uint32_t t) const noexcept {
    const Triangle raw = view_.triangle(t);
    return {{pose_.apply(raw[0]), pose_.apply(raw[1]), pose_.apply(raw[2])}};
  }
  /// The posed triangle in the frame.
  [[nodiscard]] Triangle triangle(std::uint32_t t) const noexcept {
    Triangle out = posed(t);
    for (Point3& corner : out.corner) corner = to_frame(corner);
    return out;
  }
  [[nodiscard]] Point3 to_frame(const Point3& p) const noexcept {
    return scale_ * (axes_ != nullptr ? turn_back(*axes_, p - origin_) : p - origin_);
  }
  [[nodiscard]] Vec3 direction_to_frame(const Vec3& v) const noexcept {
    return axes_ != nullptr ? turn_back(*axes_, v) : v;
  }
  [[nodiscard]] Vec3 direction_to_world(const Vec3& v) const noexcept { return axes_ != nullptr ? turn(*axes_, v) : v; }
  [[nodiscard]] Point3 to_world(const Point3& p) const noexcept {
    return origin_ + (1 / scale_) * direction_to_world(p);
  }

 private:
  const ObbTree& tree_;
  TriangleMeshView view_;
  const Pose& pose_;
  Point3 origin_;
  const std::array<double, 9>* axes_;
  double scale_, unit_ = 1, margin_ = 0;
  std::array<double, 9> rotation_{};
  Vec3 translation_;
};

/// Goes through the triangles whose boxes a visitor does not rule out, the most promising boxes first:
///   double bound(const FrameBox&)   no more than what matters of anything in the box (a distance, a time); infinite: nothing
///   double limit()                  beyond which nothing matters; may shrink on the way
///   bool triangle(std::uint32_t t)  false ends the walk
template <class Visitor>
class TreeWalk {
 public:
  TreeWalk(const MeshInFrame& mesh, Visitor& visitor) noexcept : mesh_(mesh), visitor_(visitor) {}

  /// False if the visitor ended it.
  bool run() { return mesh_.tree().empty() || open(0); }

 private:
  // The depth of a tree is the recursion's; trees of 8 children a node are a dozen deep.
  bool open(std::uint32_t index) {
    const ObbNode& node = mesh_.tree().nodes[index];
    struct Child {
      double bound;
      std::uint32_t lane;
    };
    std::array<Child, k_lanes> children;
    std::size_t count = 0;
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      const double bound = visitor_.bound(mesh_.box(node, lane));
      if (bound > visitor_.limit() || bound == std::numeric_limits<double>::infinity()) continue;
      std::size_t at = count++;
      for (; at > 0 && children[at - 1].bound > bound; --at) children[at] = children[at - 1];
      children[at] = {bound, lane};
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (children[i].bound > visitor_.limit()) break;
      const std::uint32_t lane = children[i].lane;
      if (lane < node.inner) {
        if (!open(node.first_node + lane)) return false;
        continue;
      }
      const TriangleBlock& block = mesh_.tree().blocks[node.first_block + (lane - node.inner)];
      for (std::uint32_t k = 0; k < block.count; ++k)
        if (!visitor_.triangle(block.id[k])) return false;
    }
    return true;
  }

  const MeshInFrame& mesh_;
  Visitor& visitor_;
};

}  // namespace snug::query
