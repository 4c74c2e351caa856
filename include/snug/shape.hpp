#pragma once

#include <snug/export.hpp>
#include <snug/mesh.hpp>

#include <memory>

namespace snug {

namespace detail {
struct ShapeData;
struct ScratchData;
struct Access;
}  // namespace detail

/// A mesh with its search structures. Immutable once built, cheap to copy, safe to share among threads.
class SNUG_API Shape {
 public:
  explicit Shape(Mesh mesh);

  [[nodiscard]] const Mesh& mesh() const noexcept;
  [[nodiscard]] const Aabb& bounds() const noexcept;
  /// Bytes of mesh and search structures.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend struct detail::Access;
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
