// Two knots of any size, each concave and winding close to itself: one passes through the other and turns on the way.

#include "scenes/solids.hpp"
#include "scenes/vectors.hpp"
#include "scenes/worlds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace snug::scenes {

Scene knots(const SceneOptions& options) {
  // About eight times as many rings as each has corners, so that triangles are about as wide as they are long; at least as
  // many as show the bumps of the tube.
  const double triangles = options.size == 0 ? 10'000 : options.size;
  const auto around = static_cast<std::uint32_t>(std::max(6.0, std::floor(std::sqrt(triangles / 16) + 0.5)));
  const auto along = static_cast<std::uint32_t>(std::max(48.0, std::floor(triangles / (2 * around) + 0.5)));
  const Mesh mesh = bumpy_knot(along, around);
  Scene scene;
  scene.name = "knots";
  (void)scene.assembly.add({"knots/still", mesh, {}}).value();
  (void)scene.assembly.add({"knots/moving", mesh, translation(-2.5, 0.3, 0.2)}).value();
  std::vector<PoseKey> keys;
  for (int k = 0; k <= 4; ++k)
    keys.push_back({k / 4.0, compose(translation(1.25 * k, 0, 0), rotation({1, 2, 3}, k_full_turn / 8 * k))});
  scene.tracks.push_back({"knots/moving", std::move(keys)});
  scene.duration = 1;
  scene.steps = 201;
  return scene;
}

}  // namespace snug::scenes
