// Two identical spheres that move towards each other and turn, after Kitamura et al.: clear from cycle 1 to cycle 71,
// colliding in cycle 72. The paper does not say how its spheres are cut. Here they have `rings` bands from pole to pole
// and `segments` around, hence 2 * segments * (rings - 1) triangles: 240 = 2*15*8, 960 = 2*32*15, 2,048 = 2*32*32 and
// 3,968 = 2*64*31. The polyhedra are the truth, as they are in the paper, so their sag is zero.

#include "scenes/mesh_draft.hpp"
#include "scenes/solids.hpp"
#include "scenes/vectors.hpp"
#include "scenes/worlds.hpp"

#include <string>
#include <utility>
#include <vector>

namespace snug::scenes {

namespace {

constexpr double k_radius = 50;
constexpr std::uint32_t k_cycles = 72;

Mesh analytic_sphere(std::uint32_t rings, std::uint32_t segments) {
  const Mesh plain = sphere(k_radius, rings, segments);
  MeshInput input{.vertices = {plain.vertices().begin(), plain.vertices().end()},
                  .triangles = {plain.triangles().begin(), plain.triangles().end()},
                  .surfaces = {plain.surfaces().begin(), plain.surfaces().end()},
                  .surface_of_triangle = std::vector<std::uint32_t>(plain.triangles().size(), 0)};
  input.surfaces.front().analytic = AnalyticSurface{.origin = {}, .radius = k_radius};
  return Mesh::build(std::move(input)).value();
}

/// `last` is the distance of the centres in the last cycle, in radii.
Scene approach(std::string name, const Mesh& mesh, double last) {
  // 0.04 radii a cycle, most of it in the last but one cycle outside of each other.
  const double first = last * k_radius + 0.04 * k_radius * (k_cycles - 1);
  Scene scene;
  scene.name = std::move(name);
  const Vec3 direction = unit({3, 2, 1});
  const Vec3 half_start = (first / 2) * direction, half_way = ((first - last * k_radius) / 2) * direction;
  scene.duration = k_cycles - 1;
  scene.steps = k_cycles;
  const auto add = [&](const char* path, double sign, const Vec3& axis) {
    const Vec3 start = sign * half_start;
    (void)scene.assembly.add({path, mesh, translation(start.x, start.y, start.z)}).value();
    std::vector<PoseKey> keys;
    // A key for each quarter of the way: the turn in between is well below half a turn, so the shorter arc is meant.
    for (int k = 0; k <= 4; ++k) {
      const Vec3 way = (-sign * k / 4.0) * half_way;
      keys.push_back({scene.duration * k / 4, compose(translation(way.x, way.y, way.z), rotation(axis, 0.7 * k))});
    }
    scene.tracks.push_back({path, std::move(keys)});
  };
  add("spheres/a", -1, {0, 0, 1});
  add("spheres/b", 1, {1, -1, 0.5});
  return scene;
}

}  // namespace

Scene spheres_240(const SceneOptions& /*options*/) { return approach("spheres-240", analytic_sphere(9, 15), 1.93); }
Scene spheres_960(const SceneOptions& /*options*/) { return approach("spheres-960", analytic_sphere(16, 32), 1.97); }
Scene spheres_2048(const SceneOptions& /*options*/) { return approach("spheres-2048", analytic_sphere(33, 32), 1.97); }
Scene spheres_3968(const SceneOptions& /*options*/) { return approach("spheres-3968", analytic_sphere(32, 64), 1.97); }

Scene deforming_spheres(const SceneOptions& /*options*/) {
  const Mesh mesh = analytic_sphere(16, 32);
  // Eggs reach farther along their axes, which do not meet, and less far sideways.
  Scene scene = approach("deforming-spheres", mesh, 1.67);
  for (const MotionTrack& track : scene.tracks) {
    std::vector<VertexKey> keys;
    for (std::uint32_t k = 0; k <= 8; ++k) {
      const double share = k / 8.0;
      VertexKey key{scene.duration * share, {}};
      for (const Point3& p : mesh.vertices()) {
        // Longer along z, and the upper half more pointed than the lower.
        const double taper = 1 - 0.15 * share * (1 + 0.8 * p.z / k_radius);
        key.vertices.push_back({taper * p.x, taper * p.y, (1 + 0.3 * share) * p.z});
      }
      keys.push_back(std::move(key));
    }
    scene.deformations.push_back({track.part, std::move(keys)});
  }
  return scene;
}

}  // namespace snug::scenes
