#pragma once

#include "support/rooms.hpp"

#include <snug/mesh.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <span>

namespace snug::mesh {

/// Which triangle belongs to which surface, both ways. Most meshes come surface after surface: their triangles are `in_order`,
/// and a few numbers for each surface say it all.
struct Grouping {
  std::vector<Surface> surfaces;
  std::vector<std::uint32_t> first_of_surface;     ///< into by_surface; one more than there are surfaces
  std::vector<std::uint32_t> surface_of_triangle;  ///< empty if in order
  std::vector<std::uint32_t> by_surface;  ///< triangle ids, surface after surface, ascending within each; if in order,
                                          ///< empty until somebody asks for it
  bool in_order = false;

  [[nodiscard]] std::uint32_t surface_of(std::uint32_t triangle) const noexcept;
};

}  // namespace snug::mesh

namespace snug::detail {

struct MeshData {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
  Aabb bounds;
  /// Set when the input named no surfaces: they are found when first asked for, since loading and exact queries do
  /// without them and finding them costs more than reading the file.
  std::optional<double> crease_angle_degrees;

  /// The surfaces, found now if need be. Thread-safe. Throws LoopCancelled if that is cancelled; whoever asks next has them
  /// found anew.
  [[nodiscard]] const Grouping& grouping(const CancelToken* cancel = nullptr) const;

  /// The triangles of all surfaces, listed now if need be. Thread-safe.
  [[nodiscard]] std::span<const std::uint32_t> by_surface() const;

  mutable std::once_flag grouping_once, listing_once;
  mutable std::atomic<bool> listing_ready{false};
  mutable Grouping found_grouping;
  mutable std::atomic<bool> grouping_ready{false};
  mutable std::once_flag hash_once;
  mutable ContentHash hash{};
};

/// The one door to what Mesh hides. The first two throw LoopCancelled once `cancel` is.
struct MeshAccess {
  /// Finds the surfaces, if they are not known yet.
  static void find_surfaces(const Mesh& mesh, const CancelToken* cancel);
  [[nodiscard]] static const ContentHash& hash(const Mesh& mesh, const CancelToken* cancel);
  /// The one mesh that Mesh::build() does not make.
  [[nodiscard]] static Mesh without_triangles();
};

}  // namespace snug::detail

namespace snug::mesh {

using detail::MeshAccess;
using detail::MeshData;

}  // namespace snug::mesh
