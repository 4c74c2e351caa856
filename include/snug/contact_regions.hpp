#pragma once

#include <snug/contacts.hpp>
#include <snug/export.hpp>
#include <snug/pose.hpp>
#include <snug/query.hpp>
#include <snug/result.hpp>
#include <snug/shape.hpp>

#include <cstdint>
#include <vector>

namespace snug {

struct ContactRegionOptions {
  /// Which direction separates the bodies at a region.
  enum class Normal : std::uint8_t {
    smooth,   ///< the region's area vector: continuous while the bodies move, so for contact forces
    minimum,  ///< from there to the local minimum translation: the shortest push, so for separating bodies; jumps where the truth does
  } normal = Normal::smooth;
  Instructions instructions = Instructions::best;

  friend bool operator==(const ContactRegionOptions&, const ContactRegionOptions&) = default;
};

/// A connected part of the overlap of two bodies with its contact manifold; a region with concave creases has one for each side.
struct ContactRegion {
  enum class Kind : std::uint8_t {
    overlap,  ///< the surfaces cross along closed curves
    open,  ///< a curve ends at the rim of a sheet: the normal is a mean along the curve, the depth that of the triangles nearby
    contained,  ///< a closed shell inside the other body; the surfaces do not meet
    touching,   ///< the surfaces share points and do not cross: depth is zero
  } kind = Kind::overlap;
  /// Another region of the answer pushes against this one, to within 30 degrees: a translation that resolves both may not exist.
  bool opposed = false;
  std::uint32_t begin = 0, end = 0;  ///< its contacts, at most four
  Vec3 normal;                       ///< unit, out of b and towards a
  double depth = 0;                  ///< a moved by depth * normal is clear of b at this region
  /// Area of the cross-section that the region's curve encloses, seen along its mean normal; zero for other kinds. Depth times area
  /// times stiffness is a force without jumps.
  double area = 0;

  friend bool operator==(const ContactRegion&, const ContactRegion&) = default;
};

struct ContactRegions {
  std::vector<ContactRegion> regions;
  std::vector<Contact> contacts;  ///< region after region; all of Contact::Source::triangles

  void clear() noexcept { regions.clear(), contacts.clear(); }
};

/// Contact manifolds from the regions in which two bodies overlap. The intersection curves are exact, on the posed vertices of
/// docs/conventions.md; touching features are decided by an infinitely small translation. There is a region exactly if the bodies share a
/// point. Exchanging the bodies exchanges a and b and turns normals round, bit for bit, unless both are the same body at the same pose.
///
/// Closed meshes are what it is made for. Sheets, see Kind::open. Bodies that cross themselves: inside is where closed shells wind around.
/// A body that is pushed through another, or lies inside it: the shortest translation found from a set of face normals.
[[nodiscard]] SNUG_API Result<ContactRegions, ContactError> contact_regions(const Shape& a, const Pose& pose_a,
                                                                            const Shape& b, const Pose& pose_b,
                                                                            Scratch& scratch,
                                                                            const ContactRegionOptions& options = {});
/// The same into memory that is used again. Empty after an error.
SNUG_API Result<void, ContactError> contact_regions(const Shape& a, const Pose& pose_a, const Shape& b,
                                                    const Pose& pose_b, Scratch& scratch, ContactRegions& out,
                                                    const ContactRegionOptions& options = {});

}  // namespace snug
