#pragma once

#include <snug/distance.hpp>
#include <snug/robot.hpp>

#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace snug::robot {

class Inside;

struct Ball {
  Point3 centre;
  double radius = 0;
};

/// A part of a solid that is small against all of it. Every point of the solid is in one.
struct SolidPiece {
  Ball ball;                            ///< holds it
  Aabb box;                             ///< likewise
  std::vector<std::uint32_t> vertices;  ///< of a mesh: corners of its triangles
};

/// A body of a link with what questions about it need. Safe to share among threads.
class Solid {
 public:
  explicit Solid(const RobotBody& of);
  ~Solid();
  Solid(const Solid&) = delete;
  Solid& operator=(const Solid&) = delete;

  [[nodiscard]] const RobotBody& body() const noexcept { return body_; }
  [[nodiscard]] bool simple() const noexcept { return mesh() == nullptr; }
  /// Null if it is a simple solid.
  [[nodiscard]] const Shape* mesh() const noexcept { return std::get_if<Shape>(&body_.solid); }
  [[nodiscard]] const Primitive& primitive() const noexcept { return *std::get_if<Primitive>(&body_.solid); }
  /// In its own frame. Of a simple solid: one.
  [[nodiscard]] std::span<const SolidPiece> pieces() const noexcept { return pieces_; }
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }
  /// Of a mesh. Made when it is first asked for, since most pairs of links never come that close.
  [[nodiscard]] const Inside& inside() const;

 private:
  void divide();

  const RobotBody& body_;
  Aabb bounds_;
  std::vector<SolidPiece> pieces_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Inside> inside_;
};

/// How close two solids are at one pose of each.
struct Closeness {
  double value =
      std::numeric_limits<double>::infinity();  ///< of their surfaces; infinite if beyond the limit asked for
  double lower = std::numeric_limits<double>::infinity();  ///< certainly no closer than this
  bool inside = false;                                     ///< one holds a piece of the other, and surfaces are apart
  Point3 on_a, on_b;

  [[nodiscard]] bool collide() const noexcept { return inside || value == 0; }
};

/// `pose_a` and `pose_b` place the bodies in the world. Distances beyond `limit` need not be found: then `lower` is above it.
[[nodiscard]] Closeness closeness(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double limit,
                                  Scratch& scratch);

/// True if a simple solid, with everything within `depth` of its surface taken away, still shares a point with b for
/// certain: then it does so wherever points of b move by no more than `depth`. False where that can not be told.
[[nodiscard]] bool deeper_than(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double depth);

/// What rounding may do to a distance between the two.
[[nodiscard]] double rounding(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b);
/// Of a point in the world, in the frame of the pose.
[[nodiscard]] Point3 in_frame(const Pose& pose, const Point3& p);

}  // namespace snug::robot
