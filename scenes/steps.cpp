#include "scenes/steps.hpp"

#include <snug/query.hpp>

namespace snug::scenes {

std::vector<bool> intersecting_steps(const Scene& scene) {
  std::vector<Shape> shapes;
  for (const Part& part : scene.assembly.parts()) shapes.emplace_back(part.mesh);
  const std::vector<Motion> motions = world_motions(scene);
  Scratch scratch;
  std::vector<Pose> poses(shapes.size());
  const auto any = [&] {
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (std::size_t j = i + 1; j < shapes.size(); ++j)
        if (intersects(shapes[i], poses[i], shapes[j], poses[j], scratch)) return true;
    return false;
  };
  std::vector<bool> steps;
  for (std::uint32_t k = 0; k < scene.steps; ++k) {
    for (std::size_t i = 0; i < shapes.size(); ++i) poses[i] = motions[i].at(step_time(scene, k));
    steps.push_back(any());
  }
  return steps;
}

}  // namespace snug::scenes
