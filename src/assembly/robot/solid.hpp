#pragma once

#include "support/rooms.hpp"

#include "support/assert.hpp"

#include <snug/distance.hpp>
#include <snug/progress.hpp>
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

/// A part of a solid that is small against all of it. Every point of the solid is in one, and so is every point of what
/// closes the holes of a mesh.
struct SolidPiece {
  Ball ball;                            ///< holds it
  Aabb box;                             ///< likewise
  std::vector<std::uint32_t> vertices;  ///< of a mesh: corners of its triangles, in whole()
};

/// A body of a link with what questions about it need. Safe to share among threads.
class Solid {
 public:
  /// Once `cancel` is, it may have no pieces, and questions may throw LoopCancelled: nobody is to use their answers.
  explicit Solid(const RobotBody& of, const CancelToken* cancel = nullptr);
  ~Solid();
  Solid(const Solid&) = delete;
  Solid& operator=(const Solid&) = delete;

  [[nodiscard]] const RobotBody& body() const noexcept { return body_; }
  [[nodiscard]] const Shape& shape() const noexcept { return body_.shape; }
  [[nodiscard]] bool simple() const noexcept { return !body_.shape.is_mesh(); }
  /// Precondition: it is simple.
  [[nodiscard]] const Primitive& primitive() const noexcept {
    SNUG_ASSERT(simple());
    return *body_.shape.primitive();
  }
  /// True of a mesh that is not closed: nobody knows where its inside ends.
  [[nodiscard]] bool has_holes() const noexcept { return has_holes_; }
  /// The shape; a mesh has its holes closed.
  [[nodiscard]] const Shape& whole() const;
  /// In its own frame.
  [[nodiscard]] std::span<const SolidPiece> pieces() const noexcept { return pieces_; }
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }
  /// Of a mesh. Made when it is first asked for, since most pairs of links never come that close.
  [[nodiscard]] const Inside& inside() const;

  /// How far a point is inside, holes closed; negative outside. In plain doubles. What is farther than `limit` from the surface
  /// may count as being there.
  [[nodiscard]] double depth(const Point3& p, double limit) const;
  /// No point is deeper.
  [[nodiscard]] double largest_depth() const noexcept;
  /// Points of a shell, or of a simple solid, that stand out to each side.
  [[nodiscard]] std::vector<Point3> extremes(std::uint32_t shell) const;

 private:
  void divide_mesh();
  void divide_box();

  const RobotBody& body_;
  const CancelToken* cancel_;
  bool has_holes_ = false;
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

/// What the holes of meshes are for a question.
enum class Holes : std::uint8_t { open, closed };

/// `pose_a` and `pose_b` place the bodies in the world. Distances beyond `limit` need not be found: then `lower` is above it.
/// Meshes whose holes stay open have no inside.
[[nodiscard]] Closeness closeness(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, Holes holes,
                                  double limit, Scratch& scratch);

/// True if a mesh holds a shell of the other body, or all of it. Their surfaces must be further apart than rounding goes.
[[nodiscard]] bool one_holds_the_other(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                                       Holes holes);

/// What rounding may do to a distance between the two.
[[nodiscard]] double rounding(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b);

}  // namespace snug::robot
