#pragma once

#include <snug/export.hpp>
#include <snug/mesh.hpp>
#include <snug/primitive.hpp>
#include <snug/progress.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace snug {

namespace detail {
struct ShapeData;
struct ScratchData;
struct Access;
}  // namespace detail

/// How a shape's tree is built. Answers do not depend on it.
struct ShapeOptions {
  enum class Quality : std::uint8_t {
    searched,  ///< split where the least work is expected of queries
    halved,    ///< split in the middle: built sooner, searched slower
  } quality = Quality::searched;
  unsigned threads = 1;  ///< 0 counts as 1; the tree does not depend on it

  friend bool operator==(const ShapeOptions&, const ShapeOptions&) = default;
};

/// What queries need beside the mesh, by the queries that need it. Each is built when first needed, or by Shape::prepare(). Of
/// signed_distance() the form of a convex mesh is left to its first call.
struct Preparation {
  bool pairs = true;     ///< intersects(), triangle_pairs(), distance() and all others that search pairs of triangles
  bool rays = true;      ///< cast_ray(), cast_shape()
  bool contacts = true;  ///< contacts() and ContactTracker; takes the longest
  bool motion = true;    ///< first_contact(), check_path()
  bool verdicts = true;  ///< assess() and check(): shells, containment, depth
  bool dops = false;     ///< methods dop and dop_fixed
  bool aligned = false;  ///< SurfaceSearch::Bounds::aligned
};

/// A body as queries take it: a mesh with its search structures, or a primitive. Immutable once built, cheap to copy, safe to share
/// among threads. The structures of a mesh are built when first needed; a primitive has none.
///
/// Queries that answer with triangles, surfaces or contacts need two meshes. They refuse a primitive as they refuse an invalid pose:
/// none of them takes it for clear (docs/conventions.md, invalid input).
class SNUG_API Shape {
 public:
  explicit Shape(Mesh mesh, const ShapeOptions& options = {});
  /// Costs one allocation.
  explicit Shape(Primitive primitive);
  // Moving is copying: one that was moved from is what it was.
  Shape(const Shape&) noexcept = default;
  Shape& operator=(const Shape&) noexcept = default;

  /// Builds now what later calls need, so that none of them has to: everything but the trees of methods that have to be asked for
  /// by name. For loops that have no time to spare, and for those who want to watch the building or be able to end it. What is
  /// there already costs nothing; what is complete when the call is cancelled stays.
  Result<void, Cancelled> prepare(const Watch& watch = {}) const;
  /// The same for some queries alone.
  Result<void, Cancelled> prepare_for(const Preparation& what, const Watch& watch = {}) const;

  /// The same triangles and surfaces, ids kept, with their vertices elsewhere: as many as the mesh has. The tree keeps its
  /// structure and gets new boxes, which is faster than building one, and searched as fast as long as neighbours stay
  /// neighbours: see refit_cost(). The tree of dop methods follows if there is one; others are built when needed. This shape is
  /// not changed, whether the call succeeds or is cancelled. A primitive has no vertices: vertex_count_differs.
  [[nodiscard]] Result<Shape, MeshError> updated(std::vector<Point3> vertices, const Watch& watch = {}) const;

  /// The work to expect of queries, beside the same mesh's right after its tree was built: 1 then, 1.5 if its boxes have
  /// grown by half since. Measured on the boxes, so it says nothing about what a new tree could do better: a body that
  /// is crumpled has large boxes in any tree. Costs nothing; builds the tree if it is not there yet.
  [[nodiscard]] double refit_cost() const;
  /// True if refit_cost() exceeds k_rebuild_cost: time for rebuilt().
  [[nodiscard]] bool rebuild_advised() const { return refit_cost() > k_rebuild_cost; }
  /// Up to here no query measured had half as much work again as on a new tree. Beyond, where neighbours part, a new one
  /// pays after some dozens of queries for all pairs (docs/deforming.md). Who asks less of each state may wait longer.
  static constexpr double k_rebuild_cost = 1.5;
  /// The same mesh, ids kept, with a tree of its own, built when it is first needed.
  [[nodiscard]] Shape rebuilt() const;

  [[nodiscard]] bool is_mesh() const noexcept { return primitive_ == nullptr; }
  /// Null if the shape is a mesh.
  [[nodiscard]] const Primitive* primitive() const noexcept { return primitive_.get(); }
  /// Of a primitive: a mesh without vertices and triangles, of which no Shape can be made: that stops the program.
  [[nodiscard]] const Mesh& mesh() const noexcept;
  /// In the shape's own frame; see Primitive::bounds() for half-spaces.
  [[nodiscard]] const Aabb& bounds() const noexcept;
  /// Bytes of the mesh and of the tree that queries use; the tree is built if it is not there yet. What rays add to it counts
  /// once a ray was cast. Of a primitive: its own.
  [[nodiscard]] std::size_t bytes() const;
  /// Holds every box of the tree to the triangles below it: what is wrong, if anything. For tests and for those who
  /// suspect their memory.
  [[nodiscard]] std::optional<std::string> validate() const;

 private:
  friend struct detail::Access;
  explicit Shape(std::shared_ptr<const detail::ShapeData> data) noexcept;
  std::shared_ptr<const detail::ShapeData> data_;  ///< of a primitive: that of a mesh without triangles, not owned
  std::shared_ptr<const Primitive> primitive_;
};

/// Working memory of queries, kept from call to call so that those made for speed need not allocate (brute force, the
/// oracle, still does). One per thread: a query may not share it with another that runs at the same time. Builds with assertions
/// detect that and say so (set_assert_handler). One that was moved from is as good as new.
class SNUG_API Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) noexcept;

 private:
  friend struct detail::Access;
  std::unique_ptr<detail::ScratchData> data_;
};

}  // namespace snug
