#include "penetration/shrink.hpp"

#include "geometry/edges.hpp"
#include "geometry/smallest_of_hull.hpp"
#include "geometry/vec_ops.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace snug::penetration {

namespace {

/// How far faces draw in, beside how far corners may move: what the corner of a box allows, 1/sqrt(3), and a little less.
constexpr double k_recede = 0.57;
/// Faces that draw in by less than this share of what corners may move are not regular.
constexpr double k_regular = 0.25;
/// Normals less along a direction than this do not count as on its side.
constexpr double k_slightest = 0.02;

/// A direction against which all unit vectors lie, the least inclined as much as possible; zero if there is none: the point
/// of their hull that is closest to zero.
Vec3 common_side(std::span<const Vec3> normals, Looks& looks) {
  const Vec3 v = smallest_of_hull(normals, 100, 1e-9, [&] { looks.look(); });
  const double length = length_of(v);
  return length > 1e-3 ? (1 / length) * v : Vec3{};
}

double least_along(std::span<const Vec3> normals, const Vec3& side) noexcept {
  double least = 1;
  for (const Vec3& n : normals) least = std::min(least, dot(n, side));
  return least;
}

/// Of a saddle, whose normals have no common side, that of as many as can be had, the first ones first. A few of the kept
/// normals, the core, decide the side: most others are on it already, and one that has no common side with the core has none with
/// all of them. That makes the work nearly linear: corners of needles and fans have thousands of faces.
Vec3 side_of_most(std::span<const Vec3> normals, Looks& looks) {
  SNUG_ASSERT(!normals.empty());
  std::vector<Vec3> kept{normals[0]}, core{normals[0]};
  Vec3 side = normals[0];
  for (const Vec3& n : normals.subspan(1)) {
    looks.look();
    bool keeps = dot(n, side) > k_slightest;
    if (!keeps) {
      core.push_back(n);
      const std::size_t at = core.size() - 1;
      for (;;) {
        const Vec3 tried = common_side(core, looks);
        if (!(least_along(core, tried) > k_slightest)) break;
        const auto lowest = std::ranges::min_element(kept, {}, [&](const Vec3& k) { return dot(k, tried); });
        keeps = dot(*lowest, tried) > k_slightest;
        if (keeps) side = tried;
        if (keeps) break;
        core.push_back(*lowest);
      }
      if (!keeps) core.erase(core.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (keeps) kept.push_back(n);
  }
  const Vec3 middle = common_side(kept, looks);
  return least_along(kept, middle) > k_slightest ? middle : side;
}

struct FaceNormal {
  Vec3 normal;
  std::uint32_t surface;
};

/// Inwards by the least sag of the faces around a corner, in the planes of those that are flat.
Vec3 drawn_in_by_sag(std::span<const FaceNormal> around, const FaceSag& sag, Looks& looks) {
  double least_sag = std::numeric_limits<double>::infinity();
  std::vector<Vec3> planes, round;  // the planes' normals made square to each other
  const auto off_planes = [&](Vec3 n) {
    for (const Vec3& plane : planes) n = n - dot(n, plane) * plane;
    return n;
  };
  for (const FaceNormal& face : around) {
    least_sag = std::min(least_sag, sag.of(face.surface));
    if (!sag.flat(face.surface)) continue;
    const Vec3 rest = off_planes(face.normal);
    if (const double length = length_of(rest); length > 1e-9) planes.push_back((1 / length) * rest);
    if (planes.size() > 2) return {};
  }
  for (const FaceNormal& face : around) {
    if (sag.flat(face.surface)) continue;
    const Vec3 rest = off_planes(face.normal);
    if (const double length = length_of(rest); length > 0.1) round.push_back((1 / length) * rest);
  }
  if (round.empty()) return {};
  const Vec3 side = off_planes(common_side(round, looks));
  if (!(least_along(round, side) > k_slightest)) return {};
  return -(least_sag * (1 - 0x1p-40)) * side;
}

}  // namespace

Shrunk shrunk(const Shape& shape, double by, const FaceSag& sag, const CancelToken* cancel) {
  return shrunk(shape, shape.mesh().vertices(), by, sag, nullptr, cancel);
}

Shrunk shrunk(const Shape& shape, std::span<const Point3> vertices, double by, const FaceSag& sag,
              const std::vector<bool>* only, const CancelToken* cancel) {
  Looks looks(cancel);
  const Mesh& mesh = shape.mesh();
  const Topology& topology = Access::data(shape).get<Topology>(cancel);
  const auto triangles = mesh.triangles();
  SNUG_ASSERT(vertices.size() == mesh.vertices().size());
  SNUG_ASSERT(only == nullptr || only->size() == triangles.size());
  const TriangleMeshView view{vertices, triangles};
  const double volume = std::accumulate(topology.shell_volume.begin(), topology.shell_volume.end(), 0.0);
  const double outward = volume < 0 ? -1 : 1;

  // Corners are the same when their coordinates are: seams must not open.
  const std::vector<std::uint32_t> place = same_place_ids(vertices, cancel);
  const std::size_t places = vertices.size();

  std::vector<Vec3> normal(triangles.size());
  std::vector<bool> stays(places);
  std::vector<std::vector<FaceNormal>> around(places);
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    looks.look();
    const Triangle c = view.triangle(t);
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    const double length = length_of(n);
    const bool closed = topology.in_closed_shell(t);
    if (length > 0 && std::isfinite(length)) normal[t] = (outward / length) * n;
    for (const std::uint32_t v : triangles[t]) {
      if (!closed && length > 0) stays[place[v]] = true;
      if (normal[t] != Vec3{} && (only == nullptr || (*only)[t]))
        around[place[v]].push_back({normal[t], sag.none() ? 0 : mesh.surface_of(t)});
    }
  }

  std::vector<Vec3> moved(places), normals;
  for (std::uint32_t p = 0; p < places; ++p) {
    if (stays[p] || around[p].empty()) continue;
    normals.clear();
    for (const FaceNormal& face : around[p]) normals.push_back(face.normal);
    Vec3 side = common_side(normals, looks);
    double recede = least_along(normals, side);
    if (!(recede > k_slightest)) side = side_of_most(normals, looks), recede = k_recede;
    const double share = only != nullptr ? 1 : std::min(1.0, k_recede / recede);
    moved[p] = -(by * share * (1 - 0x1p-40)) * side;
    if (!sag.none()) moved[p] = moved[p] + drawn_in_by_sag(around[p], sag, looks);
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

}  // namespace snug::penetration
