// A plate of 0.1 mm and balls of 4 mm that fly 10 mm a step: one goes through the plate between two steps, one past its
// edge at 0.5 mm. Whoever looks at the steps alone sees nothing.

#include "scenes/solids.hpp"
#include "scenes/vectors.hpp"
#include "scenes/worlds.hpp"

#include <utility>
#include <vector>

namespace snug::scenes {

Scene thin_plate(const SceneOptions& /*options*/) {
  constexpr double k_half_thickness = 0.05, k_half_width = 50, k_radius = 2, k_height = 45, k_way = 100;
  Scene scene;
  scene.name = "thin-plate";
  const Mesh ball = sphere(k_radius, 12, 24);
  (void)scene.assembly
      .add({"plate",
            box({-k_half_width, -k_half_width, -k_half_thickness}, {k_half_width, k_half_width, k_half_thickness}),
            {}})
      .value();
  (void)scene.assembly.add({"ball through", ball, translation(10, 5, k_height)}).value();
  (void)scene.assembly.add({"ball past", ball, translation(k_half_width + k_radius + 0.5, 5, k_height)}).value();
  for (const char* path : {"ball through", "ball past"}) {
    // Spinning about the way it goes, so that its poles stay the first and the last of it to meet the plate.
    std::vector<PoseKey> keys;
    for (int k = 0; k <= 10; ++k)
      keys.push_back({k / 10.0, compose(translation(0, 0, -k_way * k / 10), rotation({0, 0, 1}, 2.0 * k))});
    scene.tracks.push_back({path, std::move(keys)});
  }
  scene.duration = 1;
  scene.steps = 11;
  const double reach = k_radius + k_half_thickness;
  scene.meetings.push_back({"ball through", "plate", (k_height - reach) / k_way, (k_height + reach) / k_way,
                            "flies through between two steps"});
  return scene;
}

}  // namespace snug::scenes
