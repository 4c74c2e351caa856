#include "path/shrink.hpp"

#include "geometry/vec_ops.hpp"
#include "query/shape_data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace snug::detail {

namespace {

/// How far faces draw in, beside how far corners may move: what the corner of a box allows, 1/sqrt(3), and a little less.
constexpr double k_recede = 0.57;
/// Faces that draw in by less than this share of what corners may move are not regular.
constexpr double k_regular = 0.25;

/// A direction against which all unit vectors lie, the least inclined as much as possible; zero if there is none. After Gilbert
/// (1966): the point of their hull that is closest to zero.
Vec3 common_side(std::span<const Vec3> normals) {
  Vec3 v = normals[0];
  for (int step = 0; step < 100; ++step) {
    const Vec3* lowest = &normals[0];
    for (const Vec3& n : normals)
      if (dot(n, v) < dot(*lowest, v)) lowest = &n;
    const Vec3 towards = *lowest - v;
    const double squared = dot(towards, towards), gain = -dot(v, towards);
    if (!(gain > 1e-9) || !(squared > 0)) break;
    v = v + std::min(1.0, gain / squared) * towards;
  }
  const double length = length_of(v);
  return length > 1e-3 ? (1 / length) * v : Vec3{};
}

}  // namespace

Shrunk shrunk(const Shape& shape, double by) {
  const Mesh& mesh = shape.mesh();
  const Topology& topology = Access::data(shape).topology();
  const auto vertices = mesh.vertices();
  const auto triangles = mesh.triangles();
  const double volume = std::accumulate(topology.shell_volume.begin(), topology.shell_volume.end(), 0.0);
  const double outward = volume < 0 ? -1 : 1;

  // Corners are the same when their coordinates are: seams must not open.
  std::vector<std::uint32_t> order(vertices.size()), place(vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    return vertices[i] != vertices[j] ? vertices[i] < vertices[j] : i < j;
  });
  std::uint32_t places = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && vertices[order[k]] != vertices[order[k - 1]]) ++places;
    place[order[k]] = places;
  }
  if (!order.empty()) ++places;

  std::vector<Vec3> normal(triangles.size());
  std::vector<bool> stays(places);
  std::vector<std::vector<Vec3>> around(places);
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const Triangle c = mesh.view().triangle(t);
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    const double length = length_of(n);
    const bool closed = topology.in_closed_shell(t);
    if (length > 0 && std::isfinite(length)) normal[t] = (outward / length) * n;
    for (const std::uint32_t v : triangles[t]) {
      if (!closed && length > 0) stays[place[v]] = true;
      if (normal[t] != Vec3{}) around[place[v]].push_back(normal[t]);
    }
  }

  std::vector<Vec3> moved(places);
  for (std::uint32_t p = 0; p < places; ++p) {
    if (stays[p] || around[p].empty()) continue;
    const Vec3 side = common_side(around[p]);
    double least = 1;
    for (const Vec3& n : around[p]) least = std::min(least, dot(n, side));
    if (least > 0.02) moved[p] = -(by * std::min(1.0, k_recede / least) * (1 - 0x1p-40)) * side;
  }

  Shrunk out;
  out.vertices.resize(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) out.vertices[v] = vertices[v] + moved[place[v]];
  out.regular.resize(triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    out.regular[t] = normal[t] != Vec3{} && std::ranges::all_of(triangles[t], [&](std::uint32_t v) {
                       return -dot(normal[t], moved[place[v]]) >= k_regular * by;
                     });
  return out;
}

}  // namespace snug::detail
