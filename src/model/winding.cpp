#include "model/winding.hpp"

#include "geometry/vec_ops.hpp"

#include <snug/solid.hpp>

#include <algorithm>
#include <numeric>

namespace snug::detail {

namespace {

/// Links as adjacency lists: neighbours of t are at first[t] … first[t+1]-1.
struct Adjacency {
  std::vector<std::uint32_t> first;
  std::vector<std::pair<std::uint32_t, bool>> neighbour;

  Adjacency(std::size_t triangles, std::span<const Neighbours> links)
      : first(triangles + 1, 0), neighbour(2 * links.size()) {
    for (const Neighbours& l : links) ++first[l.s + 1], ++first[l.t + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const Neighbours& l : links) {
      neighbour[next[l.s]++] = {l.t, l.agree};
      neighbour[next[l.t]++] = {l.s, l.agree};
    }
  }
};

struct Shell {
  std::vector<std::uint32_t> triangles;
  std::vector<Index3> indices;
  Aabb bounds;
};

std::vector<Shell> collect_shells(const TriangleMeshView& mesh, const MeshReport& report) {
  std::vector<Shell> shells(report.shells);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (report.shell_of[t] == MeshReport::k_no_shell) continue;
    Shell& shell = shells[report.shell_of[t]];
    shell.triangles.push_back(t);
    shell.indices.push_back(mesh.triangles[t]);
    for (const Point3& p : mesh.triangle(t).corner) shell.bounds.include(p);
  }
  return shells;
}

/// Six times the signed volume, in units of the shell's extent cubed.
double relative_volume(const TriangleMeshView& shell, const Aabb& bounds) noexcept {
  const Point3 origin = 0.5 * bounds.lo + 0.5 * bounds.hi;
  const double scale = scale_to_one(max_abs(bounds.hi - origin));
  double sum = 0;
  for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
    const Triangle c = shell.triangle(t);
    sum += dot(scale * (c[0] - origin), cross(scale * (c[1] - origin), scale * (c[2] - origin)));
  }
  return sum;
}

}  // namespace

std::vector<bool> wound_against_region(std::size_t triangles, std::span<const Neighbours> links) {
  const Adjacency adjacency(triangles, links);
  std::vector<bool> against(triangles, false), seen(triangles, false);
  std::vector<std::uint32_t> region;
  for (std::uint32_t start = 0; start < triangles; ++start) {
    if (seen[start]) continue;
    region.assign(1, start);
    seen[start] = true;
    std::size_t count = 0;
    for (std::size_t i = 0; i < region.size(); ++i) {
      const std::uint32_t t = region[i];
      count += against[t] ? 1 : 0;
      for (std::uint32_t k = adjacency.first[t]; k < adjacency.first[t + 1]; ++k) {
        const auto [other, agree] = adjacency.neighbour[k];
        if (seen[other]) continue;
        seen[other] = true;
        against[other] = agree ? against[t] : !against[t];
        region.push_back(other);
      }
    }
    if (2 * count > region.size())
      for (const std::uint32_t t : region) against[t] = !against[t];
  }
  return against;
}

void mark_inverted_shells(const TriangleMeshView& mesh, const MeshReport& report, std::vector<bool>& flipped) {
  const std::vector<Shell> shells = collect_shells(mesh, report);
  const auto view = [&](const Shell& s) { return TriangleMeshView{mesh.vertices, s.indices}; };
  std::vector<bool> closed(shells.size());
  for (std::size_t i = 0; i < shells.size(); ++i) closed[i] = is_closed(view(shells[i]));

  constexpr double k_no_volume = 1e-12;  // a shell folded flat has no inside to turn out
  for (std::size_t i = 0; i < shells.size(); ++i) {
    if (!closed[i] || relative_volume(view(shells[i]), shells[i].bounds) > -k_no_volume) continue;
    const Point3& corner = mesh.vertices[shells[i].indices[0][0]];
    const Aabb place{corner, corner};
    std::size_t around = 0;
    for (std::size_t j = 0; j < shells.size(); ++j)
      if (j != i && closed[j] && shells[j].bounds.overlaps(place) &&
          locate(corner, view(shells[j])).side == Side::inside)
        ++around;
    if (around % 2 == 1) continue;  // a cavity
    for (const std::uint32_t t : shells[i].triangles) flipped[t] = true;
  }
}

}  // namespace snug::detail
