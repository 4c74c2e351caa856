#pragma once

#include <snug/export.hpp>
#include <snug/mesh.hpp>
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
  unsigned threads = 1;  ///< at least 1; the tree does not depend on it

  friend bool operator==(const ShapeOptions&, const ShapeOptions&) = default;
};

/// A mesh with its search structures. Immutable once built, cheap to copy, safe to share among threads. The tree is built
/// when first needed.
class SNUG_API Shape {
 public:
  explicit Shape(Mesh mesh, const ShapeOptions& options = {});

  /// Builds the tree now rather than when it is first needed, for those who want to watch that or be able to end it. A
  /// shape that has its tree is ready at once; after a cancel it is as it was before.
  Result<void, Cancelled> prepare(const Watch& watch = {}) const;

  /// The same triangles and surfaces, ids kept, with their vertices elsewhere: as many as the mesh has. The tree keeps its
  /// structure and gets new boxes, which is faster than building one, and searched as fast as long as neighbours stay
  /// neighbours: see refit_cost(). The tree of dop methods follows if there is one; others are built when needed. This shape is
  /// not changed, whether the call succeeds or is cancelled.
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

  [[nodiscard]] const Mesh& mesh() const noexcept;
  [[nodiscard]] const Aabb& bounds() const noexcept;
  /// Bytes of the mesh and of the tree that queries use; the tree is built if it is not there yet. What rays add to it counts
  /// once a ray was cast.
  [[nodiscard]] std::size_t bytes() const;
  /// Holds every box of the tree to the triangles below it: what is wrong, if anything. For tests and for those who
  /// suspect their memory.
  [[nodiscard]] std::optional<std::string> validate() const;

 private:
  friend struct detail::Access;
  explicit Shape(std::shared_ptr<const detail::ShapeData> data) noexcept;
  std::shared_ptr<const detail::ShapeData> data_;
};

/// Working memory of queries, kept from call to call so that those made for speed need not allocate (brute force, the
/// oracle, still does). One per thread: a query may not share it with another that runs at the same time.
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
