// A source that follows a circle lets ten bodies a second fall, simulated at 60 Hz for 50 s, after the second scene of
// Lehericey et al. 2013: four concave meshes of 902, 2,130, 3,456 and 3,458 triangles in equal numbers, 500 bodies and
// 1.2 million triangles at the end, about 10,000 pairs in the narrow phase.

#include "scenes/animals.hpp"
#include "scenes/bodies.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "scenes/vectors.hpp"
#include "scenes/worlds.hpp"

#include <array>
#include <string>

namespace snug::scenes {

Scene fountain(const SceneOptions& options) {
  constexpr std::uint32_t k_bodies = 500, k_per_turn = 16;
  // Metres. The bodies of a turn are 0.78 apart, so that each is clear of the one before it when it appears.
  constexpr double k_radius = 0.35, k_circle = 2, k_height = 12, k_pitch = 0.75, k_per_second = 10;
  struct Kind {
    const char* name;
    Mesh mesh;
  };
  const std::array<Kind, 4> kinds{{{"bunny", falling_body(bunny(453), k_radius)},
                                   {"pig", falling_body(pig(1067), k_radius)},
                                   {"knot", falling_body(bumpy_knot(72, 24), k_radius)},
                                   {"duck", falling_body(duck(1731), k_radius)}}};
  Scene scene;
  scene.name = "fountain";
  scene.assembly = Assembly(LengthUnit::metre);
  (void)scene.assembly.add({"ground", box({-50, -50, -1}, {50, 50, 0}), {}}).value();
  scene.simulation = Simulation{.duration = 50, .fixed = {"ground"}, .published_pairs = 10000};
  Random random(options.seed);
  for (std::uint32_t i = 0; i < k_bodies; ++i) {
    const Kind& kind = kinds.at(i % kinds.size());
    const auto [c, s] = on_circle(i % k_per_turn, k_per_turn);
    const Quaternion turn = random.rotation();
    // Those that wait do so on a wider helix, above and around the source.
    constexpr std::uint32_t k_waiting_per_turn = 50;
    constexpr double k_helix = 6;
    const auto [wait_c, wait_s] = on_circle(i % k_waiting_per_turn, k_waiting_per_turn);
    const double wait = k_height + k_pitch * (i + k_waiting_per_turn) / k_waiting_per_turn;
    const std::string path = std::string("bodies/") + kind.name + ' ' + std::to_string(i);
    (void)scene.assembly.add({path, kind.mesh, Pose::make(turn, {k_helix * wait_c, k_helix * wait_s, wait}).value()})
        .value();
    scene.simulation->releases.push_back(
        {path, i / k_per_second, Pose::make(turn, {k_circle * c, k_circle * s, k_height}).value()});
  }
  return scene;
}

}  // namespace snug::scenes
