#pragma once

#include "contact/regions/facing_depth.hpp"
#include "contact/regions/regions.hpp"
#include "support/rooms.hpp"

#include <array>
#include <span>
#include <vector>

namespace snug::contact {

/// Faces beside a region that could separate the bodies by less than those of its patches, and the patches enlarged by them. The patch of a
/// thin sliver may be one end of a body whose side is nearer than the end is long: the side bounds the region too, but no curve runs on it.
class RegionReach {
 public:
  /// Enlarges both patches to what is connected with them, of no other region, within the region's box and `depth` around it. False if no
  /// face among these has the whole region behind it and needs less than `depth`.
  bool find(const RegionBodies& bodies, const Curves& curves, const Regions& regions, std::uint32_t number,
            double depth);
  [[nodiscard]] Triangles patch(std::size_t side) const noexcept { return patch_[side]; }
  /// Of those faces, out of b, the nearest first; none within 31 degrees of one before.
  [[nodiscard]] std::span<const Vec3> directions() const noexcept { return directions_; }

 private:
  struct Face {
    double need;  ///< how far the region reaches behind it
    Vec3 out;     ///< of b
  };
  void list_points(const RegionBodies& bodies, const Curves& curves, const Regions& regions, std::uint32_t number);
  void enlarge(const RegionBodies& bodies, const Regions& regions, std::size_t side,
               std::span<const std::uint32_t> patch, const Aabb& within);
  void list_faces(const RegionBodies& bodies, std::size_t side, double depth);

  std::vector<Point3> points_;  ///< of the region, those first that rule out most faces
  std::array<std::vector<std::uint32_t>, 2> patch_;
  std::array<Stamps, 2> known_;  ///< places while points are listed, then triangles
  std::vector<Face> faces_;
  std::vector<Vec3> directions_;
};

}  // namespace snug::contact
