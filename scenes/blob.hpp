#pragma once

#include <snug/pose.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace snug::scenes {

/// A soft body as a function of space: rounded pieces that flow into one another. Made of operations that IEEE 754 fixes.
class Blob {
 public:
  /// Radii along the axes of `turn`; `blend` is how far the piece reaches into what was added before it.
  Blob& ellipsoid(std::string name, const Point3& centre, const Vec3& radii, double blend, const Pose& turn = {});
  /// From a ball around `from` to a ball around `to`.
  Blob& limb(std::string name, const Point3& from, double from_radius, const Point3& to, double to_radius,
             double blend);

  /// Negative inside; near the surface about the distance to it.
  [[nodiscard]] double operator()(const Point3& p) const noexcept;
  /// Which of names() the place belongs to: the piece that is deepest or nearest there.
  [[nodiscard]] std::uint32_t piece_at(const Point3& p) const noexcept;
  /// Pieces of the same name count as one.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// Box of all pieces, blends included.
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }

 private:
  struct Piece {
    bool is_limb = false;
    Point3 centre;  ///< of a limb: where it begins
    Vec3 radii;     ///< of a limb: (radius there, radius at the end, 0)
    Vec3 along;     ///< of a limb: from begin to end
    Pose turn;
    double blend = 0;
    std::uint32_t name = 0;
    [[nodiscard]] double operator()(const Point3& p) const noexcept;
  };
  void add(std::string name, Piece piece);

  std::vector<Piece> pieces_;
  std::vector<std::string> names_;
  Aabb bounds_;
};

}  // namespace snug::scenes
