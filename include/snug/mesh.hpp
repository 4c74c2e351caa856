#pragma once

#include <snug/analytic.hpp>
#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/result.hpp>
#include <snug/vec.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug {

/// Largest distance between a face and its triangles. Zero for meshes that are themselves the truth.
struct Sag {
  double value = 0;
  bool estimated = false;  ///< sampled rather than bounded
  friend bool operator==(const Sag&, const Sag&) = default;
};

/// One CAD face, file group or smooth region.
struct Surface {
  std::string name;
  SurfaceKind kind = SurfaceKind::unknown;
  Sag sag;
  double tolerance = 0;  ///< of the CAD model: how far it may be from what its author meant
  std::optional<AnalyticSurface> analytic = std::nullopt;  ///< if known; only with an analytic kind
  std::optional<Rgba> color = std::nullopt;                ///< if it has one of its own
  friend bool operator==(const Surface&, const Surface&) = default;
};

/// What a mesh is made from, in the order and with the ids of its source.
struct MeshInput {
  std::vector<Point3> vertices;
  std::vector<Index3> triangles;
  std::vector<Surface> surfaces;                   ///< may be empty: surfaces are then found by crease angle
  std::vector<std::uint32_t> surface_of_triangle;  ///< one per triangle; empty exactly when `surfaces` is
};

struct MeshOptions {
  /// Neighbouring triangles whose normals differ by no more than this belong to one surface, when the input names none.
  double crease_angle_degrees = 30;
};

/// Why a mesh was refused, and which element is to blame.
struct MeshError {
  enum class Code {
    empty,                  ///< no triangle
    too_many,               ///< more vertices or triangles than 32-bit ids can name
    non_finite_vertex,      ///< NaN or infinity
    vertex_too_large,       ///< beyond k_max_coordinate
    index_out_of_range,     ///< a triangle names a vertex that is not there
    surface_out_of_range,   ///< a triangle names a surface that is not there
    surface_count_differs,  ///< surface_of_triangle is not as long as triangles
    bad_sag,                ///< a surface's sag or tolerance is negative or not finite
    bad_analytic,           ///< a surface's analytic form is not valid, or not of its kind
    bad_crease_angle,       ///< not within [0, 180]
    vertex_count_differs,   ///< new places for another number of vertices than the mesh has
    cancelled,              ///< somebody asked the call to stop
  } code;
  std::uint64_t element = 0;  ///< vertex, triangle or surface id, or a count
  [[nodiscard]] SNUG_API std::string message() const;
};

/// SHA-256.
using ContentHash = std::array<std::uint8_t, 32>;
[[nodiscard]] SNUG_API std::string to_hex(const ContentHash& hash);

namespace detail {
struct MeshData;
struct MeshAccess;
}  // namespace detail

/// Vertices and triangles, grouped into surfaces. Immutable, cheap to copy (copies share the data), safe to share among
/// threads. Vertex, triangle and surface ids are those of the input. Surfaces that have to be found by crease angle are
/// found when somebody first asks for them.
class SNUG_API Mesh {
 public:
  // Moving is copying: one that was moved from is what it was.
  Mesh(const Mesh&) noexcept = default;
  Mesh& operator=(const Mesh&) noexcept = default;

  static Result<Mesh, MeshError> build(MeshInput input, const MeshOptions& options = {}, const Watch& watch = {});

  [[nodiscard]] std::span<const Point3> vertices() const noexcept;
  [[nodiscard]] std::span<const Index3> triangles() const noexcept;
  [[nodiscard]] std::span<const Surface> surfaces() const;
  [[nodiscard]] TriangleMeshView view() const noexcept { return {vertices(), triangles()}; }

  static constexpr std::uint32_t k_no_surface = ~std::uint32_t{0};
  /// k_no_surface if there is no such triangle.
  [[nodiscard]] std::uint32_t surface_of(std::uint32_t triangle) const;
  /// Ids of a surface's triangles, ascending; the groups of all surfaces lie one after the other. None if there is no such
  /// surface.
  [[nodiscard]] std::span<const std::uint32_t> triangles_of(std::uint32_t surface) const;
  /// True if the input named no surfaces and they were found by crease angle.
  [[nodiscard]] bool surfaces_by_crease() const noexcept;

  [[nodiscard]] const Aabb& bounds() const noexcept;
  /// Of vertices, triangles and surfaces: equal meshes have equal hashes on every machine. Computed when first asked for.
  [[nodiscard]] const ContentHash& hash() const;
  /// True if both are handles to the same data (instances).
  [[nodiscard]] bool same_data(const Mesh& other) const noexcept { return data_ == other.data_; }
  /// Heap bytes held at this moment, names excluded.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend struct detail::MeshAccess;
  explicit Mesh(std::shared_ptr<const detail::MeshData> data) noexcept : data_(std::move(data)) {}
  std::shared_ptr<const detail::MeshData> data_;
};

}  // namespace snug
