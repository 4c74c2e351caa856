#pragma once

#include "contact/contact_memory.hpp"
#include "contact/ray_target.hpp"
#include "geometry/turn.hpp"
#include "support/rooms.hpp"

#include <snug/contacts.hpp>

#include <array>
#include <span>
#include <vector>

namespace snug::contact {

/// The rays from one body's vertices at the other.
class VertexRays {
 public:
  /// `of_a`: the vertices are a's, and b is the target. Borrows everything.
  VertexRays(const Shape& source, const Pose& pose, const RayTarget& target, bool of_a,
             const RayContactOptions& options);

  /// The vertices with rays that lie in the target's box, enlarged by `extension`, in no order of meaning; without
  /// those that are outside and further than `culling` from the target.
  void list(double extension, double culling, std::vector<RayStart>& starts) const;

  /// From the posed vertex against its normal; its direction has unit length, give or take rounding.
  [[nodiscard]] Ray ray_of(std::uint32_t vertex) const noexcept;
  /// How far that may go before it leaves its own body.
  [[nodiscard]] double own_exit(std::uint32_t vertex) const;
  /// From a vertex at a rim along its sheet.
  [[nodiscard]] Ray rim_ray_of(std::uint32_t vertex) const noexcept;
  /// Does the first hit of a ray tell that the bodies overlap there? It has to come from inside, and either the vertex is in
  /// what closed shells of the target enclose, or the target's sheet is in what the source's do.
  [[nodiscard]] bool is_contact(std::uint32_t vertex, const LineHit& hit) const noexcept {
    return tells(from_.links().around(vertex)[0], hit);
  }
  /// Does the first hit of the ray the other way tell that they may soon?
  [[nodiscard]] bool is_prediction(const LineHit& hit) const noexcept { return !hit.grazing && !hit.from_inside; }

  /// Casts the rays of a vertex through the whole target: a contact, a prediction if `culling` is not negative, or nothing.
  struct Told {
    LineHit hit;
    bool predicted = false;
    bool along_sheet = false;  ///< by the ray of a rim
  };
  [[nodiscard]] std::optional<Told> cast(const RayStart& start, double culling, ContactStats& stats) const;
  /// What the first hits of its rays tell, of one triangle or some.
  [[nodiscard]] std::optional<Told> conclude(std::uint32_t vertex, const LineHits& hits) const noexcept;
  /// The same of the whole target: a body that meets itself may be seen from inside by a vertex that is outside, which is no
  /// contact. A vertex at the rim of a sheet may get out sooner the way the sheet goes than across it, and has a ray for
  /// that, too.
  [[nodiscard]] std::optional<Told> conclude_of_all(std::uint32_t vertex, const LineHits& hits,
                                                    ContactStats& stats) const;
  [[nodiscard]] bool has_rim(std::uint32_t vertex) const noexcept { return from_.rim(vertex) != Vec3{}; }

  /// The same by walking from triangle to neighbouring triangle towards the line of the vertex's ray, from one that it met
  /// before; no more than `most` of them. Nothing if it is lost. Those of rims are cast anew.
  [[nodiscard]] std::optional<Told> follow(std::uint32_t vertex, std::uint32_t triangle, double culling, unsigned most,
                                           ContactStats& stats) const;

  /// The contact of a vertex with what its ray, or the one the other way if that is predicted, has hit.
  [[nodiscard]] Contact contact(std::uint32_t vertex, const Told& told) const noexcept {
    return contact(vertex, told.along_sheet ? rim_ray_of(vertex) : ray_of(vertex), told.hit, told.predicted);
  }
  [[nodiscard]] Contact contact(std::uint32_t vertex, const Ray& ray, const LineHit& hit,
                                bool predicted) const noexcept {
    return contact(vertex, ray.origin, {hit, predicted}, projected(ray, hit, predicted));
  }
  /// How a hit is seen from its contact: along which normal, how deep, where on the target, and with what weight.
  struct Projected {
    Vec3 normal;
    double depth = 0;
    Point3 there;
    double weight = 1;
  };
  /// The same contact, of which that is known already.
  [[nodiscard]] Contact contact(std::uint32_t vertex, const Point3& origin, const Told& told,
                                const Projected& projected) const noexcept;

  [[nodiscard]] Point3 posed(std::uint32_t vertex) const noexcept {
    return pose_.apply(source_.mesh().vertices()[vertex]);
  }
  [[nodiscard]] const RayTarget& target() const noexcept { return target_; }
  [[nodiscard]] const Shape& source() const noexcept { return source_; }
  [[nodiscard]] const Pose& pose() const noexcept { return pose_; }
  [[nodiscard]] const ContactMesh& from() const noexcept { return from_; }
  [[nodiscard]] bool of_a() const noexcept { return of_a_; }
  [[nodiscard]] const RayContactOptions& options() const noexcept { return options_; }

 private:
  [[nodiscard]] bool tells(std::uint32_t own_triangle, const LineHit& hit) const noexcept;
  [[nodiscard]] Contact contact_of(std::uint32_t own_triangle, const Point3& origin, const Told& told,
                                   const Projected& projected) const noexcept;
  [[nodiscard]] Projected projected(const Ray& ray, const LineHit& hit, bool predicted) const noexcept;
  /// A point of the source in the frame of the target, to within the margin.
  [[nodiscard]] Point3 in_target(const Point3& p) const noexcept { return turn(to_target_, p) + offset_; }
  void add_group(std::span<const std::uint32_t> vertices, const Aabb& grown, double culling,
                 std::vector<RayStart>& starts) const;
  void add(std::uint32_t vertex, const Point3& at, double culling, std::vector<RayStart>& starts) const;

  const Shape& source_;
  const Pose& pose_;
  const ContactMesh& from_;
  const RayTarget& target_;
  const RayContactOptions& options_;
  std::array<double, 9> to_target_;  ///< rotation from the source's frame to the target's
  Vec3 offset_;
  double margin_;  ///< of posing both
  bool of_a_;
};

/// Finds, for every vertex of a shape, how far its ray runs inside its own body, so that no later call has to.
void find_own_exits(const Shape& shape);

}  // namespace snug::contact
