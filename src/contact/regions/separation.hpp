#pragma once

#include "contact/regions/facing_depth.hpp"
#include "support/rooms.hpp"

#include <snug/contact_regions.hpp>

#include <span>
#include <vector>

namespace snug::contact {

/// The direction in which two patches are separated, and how far.
struct Separation {
  bool found = false;
  Vec3 normal;
  double depth = 0;
};

class Separator {
 public:
  Separator(const RegionBodies& bodies, FacingDepth& depth, ContactRegionOptions::Normal normal)
      : bodies_(bodies), depth_(depth), normal_(normal) {}

  /// Along the normal given; or from it, and from the faces that do not lead against it, down to local minimum translations, of which the
  /// shortest counts: the direction is replaced by the normal of the last contact while that makes the depth smaller.
  [[nodiscard]] Separation from(const Patch& a, const Patch& b, const Vec3& start, bool grows);
  /// Of many starts the shortest, each followed to its local minimum.
  [[nodiscard]] Separation shortest(const Patch& a, const Patch& b, std::span<const Vec3> starts);

 private:
  [[nodiscard]] Separation walk(const Patch& a, const Patch& b, const Vec3& start, bool grows);
  const RegionBodies& bodies_;
  FacingDepth& depth_;
  ContactRegionOptions::Normal normal_;
};

/// Normals of the faces of both patches that lead a out of b, without those within 30 degrees of one before.
[[nodiscard]] std::vector<Vec3> face_directions(const RegionBodies& bodies, const Patch& a, const Patch& b);

}  // namespace snug::contact
