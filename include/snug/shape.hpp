#pragma once

#include <snug/export.hpp>
#include <snug/mesh.hpp>
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

  /// The same triangles and surfaces, ids kept, with their vertices elsewhere: as many as the mesh has. The tree keeps its
  /// structure and gets new boxes, which is several times faster than building one, and searched as fast as long as
  /// neighbours stay neighbours.
  [[nodiscard]] Result<Shape, MeshError> updated(std::vector<Point3> vertices) const;

  [[nodiscard]] const Mesh& mesh() const noexcept;
  [[nodiscard]] const Aabb& bounds() const noexcept;
  /// Bytes of the mesh and of the tree that queries use; the tree is built if it is not there yet.
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
