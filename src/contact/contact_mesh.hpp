#pragma once

#include "geometry/unit_normal.hpp"
#include "mesh/mesh_links.hpp"
#include "mesh/outside_grid.hpp"
#include "mesh/vertex_groups.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <snug/shape.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace snug::contact {

/// What contacts need to know of a shape beside its trees. In the shape's own frame; belongs to the shape, safe to share.
class ContactMesh {
 public:
  /// Of bodies whose form changes from step to step, a grid would cost more than it spares.
  enum class Form : std::uint8_t { stays, changes };
  /// `simple`: the mesh is known not to meet itself.
  ContactMesh(const Mesh& mesh, std::shared_ptr<const MeshLinks> links, Form form, bool simple);

  [[nodiscard]] const MeshLinks& links() const noexcept { return *links_; }
  [[nodiscard]] const std::shared_ptr<const MeshLinks>& shared_links() const noexcept { return links_; }
  /// Mean of the normals of the triangles around a vertex, of unit length; zero if they cancel or the vertex has none. Out of
  /// the body, also where that is turned inside out.
  [[nodiscard]] const Vec3& normal(std::uint32_t vertex) const noexcept { return normals_[vertex]; }
  /// True if a ray goes from the vertex: the first at its place, with a normal.
  [[nodiscard]] bool has_ray(std::uint32_t vertex) const noexcept { return normals_[vertex] != Vec3{}; }
  /// At a rim of an open shell: along the shell and out across the rim, of unit length. Zero elsewhere.
  [[nodiscard]] Vec3 rim(std::uint32_t vertex) const noexcept { return rims_.empty() ? Vec3{} : rims_[vertex]; }
  /// The triangle faces into the body: its shell is turned inside out. See find_inward().
  [[nodiscard]] bool faces_in(std::uint32_t triangle) const noexcept {
    SNUG_ASSERT(links_->shell[triangle] < inward_.size());
    return inward_[links_->shell[triangle]];
  }
  /// -1 for a triangle that faces into the body, else 1.
  [[nodiscard]] double facing(std::uint32_t triangle) const noexcept { return faces_in(triangle) ? -1 : 1; }
  /// Which triangles face in.
  enum class Inward : std::uint8_t { none, all, some };
  [[nodiscard]] Inward inward() const noexcept;
  /// Bits of the sides of a triangle across which there is another in its plane, by a degree: those are none of the body's shape.
  [[nodiscard]] std::uint8_t flat_sides(std::uint32_t triangle) const noexcept { return flat_[triangle]; }
  /// True for a vertex inside a flat face, all of whose sides are flat ones: its normal cone is a single direction, normal(). Of the first
  /// vertex at a place.
  [[nodiscard]] bool is_flat(std::uint32_t vertex) const noexcept { return flat_vertices_[vertex]; }
  /// True if it is known not to meet itself: whoever sees it from inside is inside.
  [[nodiscard]] bool simple() const noexcept { return simple_; }
  /// Of the vertices in links().order.
  [[nodiscard]] const VertexGroups& groups() const noexcept { return groups_; }
  /// Empty if there is none.
  [[nodiscard]] const OutsideGrid& outside() const noexcept { return outside_; }
  /// The mean length of the sides of its triangles.
  [[nodiscard]] double mean_edge() const noexcept { return mean_edge_; }

  /// How far a ray from the vertex against its normal runs inside its own body: as remembered, or found by find(). The same
  /// number whoever asks first, so that it may be kept without a lock.
  template <class Find>
  [[nodiscard]] double own_exit(std::uint32_t vertex, Find&& find) const {
    const double known = exits_[vertex].load(std::memory_order_relaxed);
    if (known >= 0) return known;
    const double found = find();
    SNUG_ASSERT(found >= 0);
    exits_[vertex].store(found, std::memory_order_relaxed);
    return found;
  }

  /// Normal of the surface at a point of a triangle, in unit length: those at its corners, each a mean over the triangles of
  /// the same surface around it, blended. Where that points along the back of the triangle, the triangle's own. Zero for one
  /// without area. Out of the body.
  [[nodiscard]] Vec3 surface_normal(const Mesh& mesh, std::uint32_t triangle, const Point3& at) const noexcept;
  /// What that is made of: normals at corners, where those of a triangle's are, and the scale of its sums.
  [[nodiscard]] const std::vector<Vec3>& corner_normals() const noexcept { return corner_normals_; }
  [[nodiscard]] const std::array<std::uint32_t, 3>& corners_of(std::uint32_t triangle) const noexcept {
    return corner_[triangle];
  }
  [[nodiscard]] double scale() const noexcept { return scale_; }

 private:
  void find_normals(const Mesh& mesh);
  void find_rims(const Mesh& mesh);
  void find_flat_sides(const Mesh& mesh);

  std::shared_ptr<const MeshLinks> links_;
  std::vector<Vec3> normals_;
  std::vector<Vec3> rims_;                            ///< empty if all shells are closed
  std::vector<Vec3> corner_normals_;                  ///< of each place and surface, unit
  std::vector<std::array<std::uint32_t, 3>> corner_;  ///< into them, per triangle
  VertexGroups groups_;
  OutsideGrid outside_;
  std::unique_ptr<std::atomic<double>[]> exits_;
  std::vector<bool> inward_;        ///< per shell
  std::vector<std::uint8_t> flat_;  ///< per triangle
  std::vector<bool> flat_vertices_;
  bool simple_ = false;
  double scale_ = 1;  ///< a power of two that brings coordinates to size one
  double mean_edge_ = 0;
};

[[nodiscard]] ContactMesh build(StructureOf<ContactMesh>, const ShapeData& shape, const CancelToken* cancel);

}  // namespace snug::contact
