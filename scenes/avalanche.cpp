// 512 concave bodies of 453 vertices and 902 triangles above a plane, simulated at 60 Hz for 10 s, after the first scene of
// Lehericey et al. 2013, who count about 7,300 pairs in the narrow phase when the bodies have hit the ground.

#include "scenes/animals.hpp"
#include "scenes/bodies.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "scenes/worlds.hpp"

#include <string>

namespace snug::scenes {

Scene avalanche(const SceneOptions& options) {
  constexpr std::uint32_t k_side = 8;
  // Metres. Bodies are clear of each other however they are turned.
  constexpr double k_radius = 0.5, k_spacing = 1.24, k_storey = 1.02;
  Scene scene;
  scene.name = "avalanche";
  scene.assembly = Assembly(LengthUnit::metre);
  (void)scene.assembly.add({"ground", box({-50, -50, -1}, {50, 50, 0}), {}}).value();
  const Mesh body = falling_body(bunny(453), k_radius);
  Random random(options.seed);
  for (std::uint32_t i = 0; i < k_side * k_side * k_side; ++i) {
    const double x = i % k_side, y = i / k_side % k_side, z = i / (k_side * k_side);
    const double middle = (k_side - 1) / 2.0;
    const Pose pose =
        Pose::make(random.rotation(), {k_spacing * (x - middle), k_spacing * (y - middle), 1.5 + k_storey * z}).value();
    (void)scene.assembly.add({"bodies/bunny " + std::to_string(i), body, pose}).value();
  }
  scene.simulation = Simulation{.fixed = {"ground"}, .published_pairs = 7300};
  return scene;
}

}  // namespace snug::scenes
