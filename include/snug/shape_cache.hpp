#pragma once

#include <snug/export.hpp>
#include <snug/shape.hpp>

#include <cstddef>
#include <memory>

namespace snug {

/// Built shapes by the content of their meshes: equal meshes, wherever they come from, share one tree. Safe to use from
/// several threads at once. Shapes handed out live on after the cache forgets them.
class SNUG_API ShapeCache {
 public:
  /// Forgets the shapes asked for longest ago when all together hold more than `most_bytes`; the last one always stays.
  explicit ShapeCache(std::size_t most_bytes = std::size_t{1} << 30);
  ~ShapeCache();
  ShapeCache(ShapeCache&&) noexcept;
  ShapeCache& operator=(ShapeCache&&) noexcept;

  /// The shape of this mesh with its tree built, from the cache or new.
  [[nodiscard]] Shape get(const Mesh& mesh, const ShapeOptions& options = {});
  /// The same for those who want to watch the building of the tree or be able to end it; the cache is then as it was. The
  /// mesh's hash, if nobody has asked for it before, is computed to its end.
  [[nodiscard]] Result<Shape, Cancelled> get(const Mesh& mesh, const ShapeOptions& options, const Watch& watch);

  [[nodiscard]] std::size_t size() const;   ///< shapes kept
  [[nodiscard]] std::size_t bytes() const;  ///< that they hold

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace snug
