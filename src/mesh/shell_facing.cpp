#include "mesh/shell_facing.hpp"

#include "geometry/power_of_two.hpp"
#include "geometry/ray_count.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

namespace snug::mesh {

namespace {

struct ClosedShellBounds {
  Aabb box;
  double volume = 0;  ///< six times, in units that bring the mesh to size one; zero if it may be rounding alone
  bool closed = false;
};

std::vector<ClosedShellBounds> measure(const Mesh& mesh, const MeshLinks& links) {
  const TriangleMeshView view = mesh.view();
  const double scale = scale_to_one(max_abs(0.5 * mesh.bounds().hi - 0.5 * mesh.bounds().lo));
  std::vector<ClosedShellBounds> shells(links.shell_corner.size());
  std::vector<double> doubt(shells.size());
  for (std::uint32_t t = 0; t < view.triangles.size(); ++t) {
    if (!links.closed[t]) continue;
    const std::uint32_t s = links.shell[t];
    const Point3 from = view.vertices[links.shell_corner[s]];
    const Triangle triangle = view.triangle(t);
    const Vec3 p = scale * (triangle[0] - from), q = scale * (triangle[1] - from), r = scale * (triangle[2] - from);
    shells[s].closed = true;
    shells[s].volume += dot(p, cross(q, r));
    doubt[s] += 0x1p-44 * max_abs(p) * max_abs(q) * max_abs(r);
    for (const Point3& corner : triangle.corner) shells[s].box.include(corner);
  }
  for (std::size_t s = 0; s < shells.size(); ++s)
    if (std::abs(shells[s].volume) <= doubt[s]) shells[s].volume = 0;
  return shells;
}

/// Asks which closed shells wind around corners of others.
class Nesting {
 public:
  Nesting(const Mesh& mesh, const MeshLinks& links, std::span<const ClosedShellBounds> shells)
      : view_(mesh.view()), shells_(shells), first_(shells.size() + 1), by_shell_(view_.triangles.size()) {
    for (const std::uint32_t s : links.shell) ++first_[s + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    SNUG_ASSERT(first_.back() == by_shell_.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < by_shell_.size(); ++t) by_shell_[next[links.shell[t]]++] = t;
  }

  /// How often all others wind around a shell: around the corner that comes first in space, which is the likeliest to lie outside
  /// of those it crosses, or, if that lies on another shell, another corner. Zero if all that are tried do: shells that
  /// coincide.
  [[nodiscard]] int around(std::uint32_t shell) const {
    constexpr std::size_t k_tried = 32;
    const auto own = triangles_of(shell);
    SNUG_ASSERT(!own.empty());
    Point3 first = view_.triangle(own[0])[0];
    for (const std::uint32_t t : own)
      for (const Point3& p : view_.triangle(t).corner) first = std::min(first, p);
    if (const auto known = around(shell, first)) return *known;
    for (std::size_t i = 0; i < std::min(own.size(), k_tried); ++i)
      for (const Point3& p : view_.triangle(own[i]).corner)
        if (const auto known = around(shell, p)) return *known;
    return 0;
  }

 private:
  [[nodiscard]] std::span<const std::uint32_t> triangles_of(std::uint32_t shell) const noexcept {
    return std::span(by_shell_).subspan(first_[shell], first_[shell + 1] - first_[shell]);
  }
  /// Nothing if the point lies on another shell.
  [[nodiscard]] std::optional<int> around(std::uint32_t shell, const Point3& p) const {
    WindingCount count(RayAlongX{p});
    for (std::uint32_t other = 0; other < shells_.size(); ++other) {
      if (other == shell || !shells_[other].closed || !ray_reaches(p, shells_[other].box) ||
          shells_[other].box.lo.x > p.x)
        continue;
      for (const std::uint32_t t : triangles_of(other))
        if (!count.add(view_.triangle(t))) return {};
    }
    return count.winding();
  }

  TriangleMeshView view_;
  std::span<const ClosedShellBounds> shells_;
  std::vector<std::uint32_t> first_, by_shell_;  ///< triangles, shell after shell
};

}  // namespace

std::vector<bool> find_inward(const Mesh& mesh, const MeshLinks& links) {
  const std::vector<ClosedShellBounds> shells = measure(mesh, links);
  std::vector<bool> inward(shells.size());
  // Where no shell is turned inward, none winds the other way.
  const bool any = std::ranges::any_of(shells, [](const ClosedShellBounds& shell) { return shell.volume < 0; });
  if (!any) return inward;
  if (shells.size() == 1) return {true};
  const Nesting nesting(mesh, links, shells);
  for (std::uint32_t s = 0; s < shells.size(); ++s) {
    if (shells[s].volume == 0) continue;
    // What lies before its triangles is around it, or inside it.
    const int before = nesting.around(s) - (shells[s].volume < 0 ? 1 : 0);
    inward[s] = before < 0;
  }
  return inward;
}

}  // namespace snug::mesh
