#pragma once

#include "shape/shape_data.hpp"
#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <cstdint>
#include <vector>

namespace snug::penetration {

/// How far the triangles of each face of a mesh may be from the face they stand for: its sag plus its CAD tolerance.
/// Meshes that are themselves the truth have none.
class FaceSag {
 public:
  FaceSag() = default;
  explicit FaceSag(const Mesh& mesh);

  [[nodiscard]] bool none() const noexcept { return largest_ == 0; }
  [[nodiscard]] double largest() const noexcept { return largest_; }
  /// In any direction.
  [[nodiscard]] double of(std::uint32_t surface) const noexcept { return none() ? 0 : faces_[surface].any_way; }
  /// Out of its plane, for a flat face: there the triangles are exact, and only its border is not.
  [[nodiscard]] double off_plane(std::uint32_t surface) const noexcept {
    return none() ? 0 : faces_[surface].off_plane;
  }
  /// The CAD tolerance alone.
  [[nodiscard]] double tolerance(std::uint32_t surface) const noexcept {
    return none() ? 0 : faces_[surface].tolerance;
  }
  [[nodiscard]] bool flat(std::uint32_t surface) const noexcept { return !none() && faces_[surface].flat; }
  /// Could finer triangles change anything? Not below the CAD tolerance.
  [[nodiscard]] bool refinable(std::uint32_t surface) const noexcept { return !none() && faces_[surface].refinable; }
  [[nodiscard]] bool estimated(std::uint32_t surface) const noexcept { return !none() && faces_[surface].estimated; }

  /// Of the same mesh with every coordinate multiplied.
  [[nodiscard]] FaceSag scaled(double factor) const;

 private:
  struct Face {
    double any_way = 0, off_plane = 0, tolerance = 0;
    bool flat = false, refinable = false, estimated = false;
  };
  std::vector<Face> faces_;  ///< empty if there is nothing to tell
  double largest_ = 0;
};

/// Of a shape, found once.
[[nodiscard]] FaceSag build(StructureOf<FaceSag>, const ShapeData& shape, const CancelToken* cancel);

}  // namespace snug::penetration
