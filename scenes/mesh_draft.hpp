#pragma once

#include <snug/mesh.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace snug::scenes {

/// A mesh while it is being drawn: triangles belong to the surface that was named last.
class MeshDraft {
 public:
  std::uint32_t vertex(const Point3& p) {
    input_.vertices.push_back(p);
    return static_cast<std::uint32_t>(input_.vertices.size() - 1);
  }
  std::uint32_t surface(std::string name, SurfaceKind kind = SurfaceKind::unknown,
                        const std::optional<AnalyticSurface>& analytic = std::nullopt) {
    input_.surfaces.push_back({.name = std::move(name), .kind = kind, .sag = {}, .analytic = analytic});
    return static_cast<std::uint32_t>(input_.surfaces.size() - 1);
  }
  std::uint32_t plane(std::string name, const Point3& origin, const Vec3& normal) {
    return surface(std::move(name), SurfaceKind::plane, AnalyticSurface{.origin = origin, .axis = normal});
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    input_.triangles.push_back({a, b, c});
    input_.surface_of_triangle.push_back(static_cast<std::uint32_t>(input_.surfaces.size() - 1));
  }
  /// Corners counter-clockwise seen from outside, cut from the first to the third.
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  [[nodiscard]] MeshInput& input() noexcept { return input_; }
  [[nodiscard]] Mesh build() { return Mesh::build(std::move(input_)).value(); }

 private:
  MeshInput input_;
};

/// Gives one id to all corners at the same place.
class Corners {
 public:
  explicit Corners(MeshDraft& draft) : draft_(draft) {}
  std::uint32_t operator()(const Point3& p) {
    const auto [at, is_new] = ids_.try_emplace(p, 0);
    if (is_new) at->second = draft_.vertex(p);
    return at->second;
  }

 private:
  MeshDraft& draft_;
  std::map<Vec3, std::uint32_t> ids_;
};

}  // namespace snug::scenes
