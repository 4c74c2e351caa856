#pragma once

#include "contact/regions/facing_depth.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <span>
#include <vector>

namespace snug::contact {

/// A patch or a whole body.
using Triangles = std::span<const std::uint32_t>;

/// The direction in which two patches are separated, and how far.
struct Separation {
  bool found = false;
  Vec3 normal;
  double depth = 0;
  unsigned steps = 0;  ///< of the walk to it

  /// Shorter by more than rounding; of equal ones, that which was found in fewer steps, since each takes its direction from rounded points.
  [[nodiscard]] bool better_than(const Separation& o) const noexcept {
    constexpr double k_shrinks = 1 - k_rounding;
    if (!found || !o.found) return found;
    return depth < k_shrinks * o.depth || (k_shrinks * depth <= o.depth && steps < o.steps);
  }
};

/// What a Separator keeps from call to call.
struct SeparatorMemory {
  struct Bound {
    double depth;  ///< no less along the direction
    Vec3 direction;
  };
  std::vector<Vec3> directions;
  std::vector<Bound> bounds;
};

class Separator {
  using Bound = SeparatorMemory::Bound;

 public:
  Separator(const RegionBodies& bodies, FacingDepth& depth, RayContactOptions::Normal normal, SeparatorMemory& memory)
      : bodies_(bodies), depth_(depth), normal_(normal), directions_(memory.directions), bounds_(memory.bounds) {}

  /// Along the normal given; or from it, and from the faces that do not lead against it, down to local minimum translations, of which the
  /// shortest counts: the direction is replaced by the normal of the last contact while that makes the depth smaller.
  [[nodiscard]] Separation from(Triangles a, Triangles b, const Vec3& start, bool grows);
  /// Of the directions of all faces of two patches the shortest, each followed to its local minimum, for `a` and `b`.
  [[nodiscard]] Separation shortest(Triangles a, Triangles b, Triangles faces_a, Triangles faces_b);

 private:
  /// Normals of the faces of both patches that lead a out of b, without those within 30 degrees of one before.
  [[nodiscard]] std::span<const Vec3> face_directions(Triangles a, Triangles b);
  [[nodiscard]] Separation walk(Triangles a, Triangles b, const Vec3& start, bool grows);
  const RegionBodies& bodies_;
  FacingDepth& depth_;
  RayContactOptions::Normal normal_;
  std::vector<Vec3>& directions_;
  std::vector<Bound>& bounds_;
};

}  // namespace snug::contact
