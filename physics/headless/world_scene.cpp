#include "physics/headless/world_scene.hpp"

#include <algorithm>

namespace snug::headless {

WorldScene world_scene(const scenes::Scene& scene) {
  const scenes::Simulation& simulation = scene.simulation.value();
  WorldScene out{.name = scene.name,
                 .assembly = scene.assembly,
                 .bodies = {},
                 .gravity = simulation.gravity,
                 .rate_hz = simulation.rate_hz,
                 .duration = simulation.duration};
  for (const Part& part : scene.assembly.parts()) {
    BodySpec body{.fixed = std::ranges::find(simulation.fixed, part.path) != simulation.fixed.end(),
                  .density = simulation.density,
                  .friction = simulation.friction,
                  .restitution = simulation.restitution,
                  .velocity = {},
                  .spin = {},
                  .at = std::nullopt};
    out.bodies.push_back(body);
  }
  for (const scenes::Release& release : simulation.releases)
    if (const auto part = scene.assembly.find(release.part)) {
      out.bodies[*part].release = release.t;
      out.bodies[*part].at = release.pose;
    }
  return out;
}

}  // namespace snug::headless
