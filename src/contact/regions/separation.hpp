#pragma once

#include "contact/regions/facing_depth.hpp"
#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <span>
#include <vector>

namespace snug::contact {

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
  /// A direction that a walk may begin with. Moved by before_a + beyond_b along it, all of a's triangles are beyond b's.
  struct Start {
    double before_a, beyond_b;
    Vec3 direction;
  };
  std::vector<Vec3> directions;
  std::vector<Start> starts;
};

class Separator {
  using Start = SeparatorMemory::Start;

 public:
  /// `fuel`: of a call under a budget; one step for each triangle and direction that are compared.
  Separator(const RegionBodies& bodies, FacingDepth& depth, Fuel* fuel, RayContactOptions::Normal normal,
            SeparatorMemory& memory)
      : bodies_(bodies),
        depth_(depth),
        fuel_(fuel),
        normal_(normal),
        directions_(memory.directions),
        starts_(memory.starts) {}

  /// Along the normal given; or from it, and from the faces that do not lead against it, down to local minimum translations, of which the
  /// shortest counts: the direction is replaced by the normal of the last contact while that makes the depth smaller.
  [[nodiscard]] Separation from(Triangles a, Triangles b, const Vec3& start, bool grows);
  /// The same without the faces: for one wall of a region, which has one direction.
  [[nodiscard]] Separation from_wall(Triangles a, Triangles b, const Vec3& start);
  /// From directions, as many as are affordable, down to local minimum translations, of which the shortest counts.
  [[nodiscard]] Separation from_any(Triangles a, Triangles b, std::span<const Vec3> starts);
  /// Of the directions of all faces of two patches the shortest, each followed to its local minimum, for `a` and `b`.
  [[nodiscard]] Separation shortest(Triangles a, Triangles b, Triangles faces_a, Triangles faces_b, bool grows);

  /// Normals of the faces of both patches that lead a out of b, without those within 31 degrees of one before.
  [[nodiscard]] std::span<const Vec3> face_directions(Triangles a, Triangles b);

 private:
  /// Of these the few along which the patches overlap least, as boxes would; without those that lead against `along`, unless that is zero.
  [[nodiscard]] std::span<const Start> starts_of(Triangles a, Triangles b, const Vec3& along);
  /// How many walks may begin. Directions stand for those within 31 degrees, so the best may not be the first: of boxes in boxes it is among
  /// six.
  [[nodiscard]] static std::size_t most_starts(Triangles a, Triangles b) noexcept;
  /// Triangles, of both patches, that all walks together may begin with: fine patches have few local minima, and cost more.
  static constexpr std::size_t k_looks = 4096;
  /// Of the patches taken.
  [[nodiscard]] Separation walk(const Vec3& start, bool grows);
  const RegionBodies& bodies_;
  FacingDepth& depth_;
  Fuel* fuel_;
  RayContactOptions::Normal normal_;
  std::vector<Vec3>& directions_;
  std::vector<Start>& starts_;
};

}  // namespace snug::contact
