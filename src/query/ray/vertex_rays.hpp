#pragma once

#include "query/ray/ray_target.hpp"

#include <snug/contacts.hpp>

#include <vector>

namespace snug::detail {

/// The rays from one body's vertices at the other.
class VertexRays {
 public:
  /// `of_a`: the vertices are a's, and b is the target. Borrows everything.
  VertexRays(const Shape& source, const Pose& pose, const RayTarget& target, bool of_a,
             const RayContactOptions& options);

  /// The vertices with rays that lie in the target's box, enlarged by `extension`; in the order of the source's tree.
  void list(double extension, std::vector<std::uint32_t>& stack, std::vector<std::uint32_t>& vertices) const;

  /// From the posed vertex against its normal; its direction has unit length, give or take rounding.
  [[nodiscard]] Ray ray_of(std::uint32_t vertex) const noexcept;
  /// How far that may go before it leaves its own body.
  [[nodiscard]] double own_exit(std::uint32_t vertex) const;
  /// Does the first hit of a ray tell that the bodies overlap there? It has to come from inside, and either the vertex is in
  /// what closed shells of the target enclose, or the target's sheet is in what the source's do.
  [[nodiscard]] bool is_contact(std::uint32_t vertex, const LineHit& hit) const noexcept;
  /// Does the first hit of the ray the other way tell that they may soon?
  [[nodiscard]] bool is_prediction(const LineHit& hit) const noexcept { return !hit.grazing && !from_inside(hit); }

  /// Casts the rays of a vertex through the whole target: a contact, a prediction if `culling` is not negative, or nothing.
  struct Told {
    LineHit hit;
    bool predicted = false;
  };
  [[nodiscard]] std::optional<Told> cast(std::uint32_t vertex, double culling, ContactStats& stats) const;
  /// What the first hits of its rays tell.
  [[nodiscard]] std::optional<Told> conclude(std::uint32_t vertex, const LineHits& hits) const noexcept;

  /// The same by walking from triangle to neighbouring triangle towards the line of the vertex's ray, from one that it met
  /// before; no more than `most` of them. Nothing if it is lost.
  [[nodiscard]] std::optional<Told> follow(std::uint32_t vertex, std::uint32_t triangle, double culling, unsigned most,
                                           ContactStats& stats) const;

  /// The contact of a vertex with what its ray, or the one the other way if `predicted`, has hit.
  [[nodiscard]] Contact contact(std::uint32_t vertex, const LineHit& hit, bool predicted) const noexcept {
    return contact(vertex, ray_of(vertex), hit, predicted);
  }
  [[nodiscard]] Contact contact(std::uint32_t vertex, const Ray& ray, const LineHit& hit,
                                bool predicted) const noexcept;

  [[nodiscard]] const RayTarget& target() const noexcept { return target_; }
  [[nodiscard]] const Shape& source() const noexcept { return source_; }
  [[nodiscard]] const ContactMesh& from() const noexcept { return from_; }
  [[nodiscard]] bool of_a() const noexcept { return of_a_; }
  [[nodiscard]] const RayContactOptions& options() const noexcept { return options_; }

 private:
  [[nodiscard]] bool from_inside(const LineHit& hit) const noexcept {
    return !hit.grazing && hit.from_inside != target_.contact_mesh().inverted();
  }
  [[nodiscard]] bool in_target_box(const Point3& posed, double grown) const noexcept;
  void list_by_tree(double grown, std::vector<std::uint32_t>& stack, std::vector<std::uint32_t>& vertices) const;

  const Shape& source_;
  const Pose& pose_;
  const ContactMesh& from_;
  const RayTarget& target_;
  const RayContactOptions& options_;
  double margin_;  ///< of posing both
  bool of_a_;
};

}  // namespace snug::detail
