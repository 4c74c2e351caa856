#pragma once

#include "contact/contact_mesh.hpp"
#include "geometry/ray_count.hpp"
#include "query/raycast/line_walk.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>
#include <snug/triangle.hpp>

#include <optional>

namespace snug::contact {

/// Where a line first meets a body, seen from a point on it.
struct LineHit {
  double t = 0;  ///< never negative: how far ahead, or behind
  std::uint32_t triangle = 0;
  bool from_inside = false;  ///< out of the body: through the back of the triangle, unless that faces in
  bool grazing = false;      ///< along its plane: neither from inside nor from outside
  bool mixed = false;        ///< others are hit at the same t from the other side, or along their planes
};
struct LineHits {
  std::optional<LineHit> ahead, behind;
  /// Where the ray begins on the surface and leaves the body at once: what is ahead lies beyond that.
  std::optional<LineHit> at_once;
};

/// A posed body that rays are cast at. Decisions are those of ray_hit() on posed vertices; of triangles hit at the same t the
/// one with the smallest id counts. A ray that passes an edge by meets a face from outside and one from inside at the same t:
/// then it depends on where the ray begins, not on ids, from which side the body is met. Borrows shape and pose.
class RayTarget {
 public:
  RayTarget(const Shape& body, const Pose& pose, RayContactOptions::Traversal traversal, Instructions instructions);

  /// Triangles of this body that are passed over: those with a corner at `vertex`, and at `other` if there is one.
  struct Skipped {
    std::uint32_t vertex = MeshLinks::k_none, other = MeshLinks::k_none;
  };
  /// The first hits within reach, both in one walk. A ray that begins on the surface and goes in has not hit anything by that:
  /// flush bodies have all their corners on one another.
  [[nodiscard]] LineHits meet(const Ray& ray, const LineReach& reach, ContactStats& stats,
                              Skipped skipped = {MeshLinks::k_none, MeshLinks::k_none}) const;
  /// The same for one triangle, which may be none.
  void offer(const Ray& ray, const LineReach& reach, std::uint32_t triangle, LineHits& hits) const noexcept;
  /// Decides from which side a ray from there meets the body, if triangles differ.
  void settle(const Point3& origin, std::optional<LineHit>& hit) const;
  /// How often closed shells wind around the point, each counted as it faces out of the body; none if the point lies on one. Exact.
  [[nodiscard]] std::optional<int> winding(const Point3& p) const;
  /// True if closed shells wind around the point or it lies on one. Exact.
  [[nodiscard]] bool holds(const Point3& p) const;

  [[nodiscard]] Triangle posed(std::uint32_t t) const noexcept {
    const Triangle raw = view_.triangle(t);
    Triangle posed;
    pose_.apply(raw.corner, posed.corner);
    return posed;
  }
  /// The triangle's normal out of the body, of unit length; zero if it has none.
  [[nodiscard]] Vec3 outward(std::uint32_t t) const noexcept {
    return contact_mesh_.facing(t) * unit_normal_of(posed(t));
  }
  [[nodiscard]] const Shape& shape() const noexcept { return body_; }
  [[nodiscard]] const Mesh& mesh() const noexcept { return body_.mesh(); }
  [[nodiscard]] const Pose& pose() const noexcept { return pose_; }
  [[nodiscard]] const ContactMesh& contact_mesh() const noexcept { return contact_mesh_; }

 private:
  /// Calls visit(triangle, reach) for those that the line may meet within reach, which it may narrow.
  template <class Visit>
  void walk(const Ray& ray, LineReach reach, ContactStats& stats, Visit&& visit) const;
  [[nodiscard]] bool touches(std::uint32_t triangle, std::uint32_t place) const noexcept;
  /// Of closed shells, as they are or each as it faces out of the body.
  [[nodiscard]] WindingCount<RayAlongX> count_closed(const Point3& p, bool turn_outward) const;

  const Shape& body_;
  const Pose& pose_;
  const ContactMesh& contact_mesh_;
  TriangleMeshView view_;
  RayContactOptions::Traversal traversal_;
  const Kernels& kernels_;
  LineWalk walk_;
};

}  // namespace snug::contact
