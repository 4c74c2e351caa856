#pragma once

#include <snug/mesh.hpp>
#include <snug/triangle.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Rays that are cast at one mesh, one after the other: ours and its peers behind one interface.

namespace snug::bench {

/// What a ray has hit first: the triangle, or k_none.
struct FirstHit {
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};
  std::uint32_t triangle = k_none;
  double t = 0;
};

class RayMesh {
 public:
  virtual ~RayMesh() = default;
  /// Timed: one hit for each ray, each asked on its own.
  virtual void cast(std::span<const Ray> rays, std::span<FirstHit> hits) const = 0;
  /// Of the search structure, the mesh itself left out where the engine keeps it apart.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

struct RayEngine {
  std::string_view name;
  std::unique_ptr<RayMesh> (*make)(const Mesh& mesh);
};

/// Ours first, then the peers found at configure time.
[[nodiscard]] std::span<const RayEngine> ray_engines();

[[nodiscard]] std::unique_ptr<RayMesh> make_our_rays(const Mesh& mesh);
[[nodiscard]] std::unique_ptr<RayMesh> make_embree_rays(const Mesh& mesh);
[[nodiscard]] std::unique_ptr<RayMesh> make_robust_embree_rays(const Mesh& mesh);

}  // namespace snug::bench
