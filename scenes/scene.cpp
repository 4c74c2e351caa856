#include "scenes/scene.hpp"

#include <utility>

namespace snug::scenes {

double step_time(const Scene& scene, std::uint32_t step) noexcept {
  return scene.steps < 2 ? 0 : scene.duration * step / (scene.steps - 1);
}

std::vector<Motion> world_motions(const Scene& scene) {
  std::vector<Motion> motions;
  motions.reserve(scene.assembly.parts().size());
  for (const Part& part : scene.assembly.parts()) motions.push_back(Motion::rest(part.pose));
  for (const MotionTrack& track : scene.tracks) {
    const std::uint32_t id = scene.assembly.find(track.part).value();
    std::vector<PoseKey> keys;
    keys.reserve(track.keys.size());
    for (const PoseKey& key : track.keys) keys.push_back({key.t, compose(scene.assembly.parts()[id].pose, key.pose)});
    motions[id] = Motion::make(std::move(keys), Arc::shorter).value();
  }
  return motions;
}

}  // namespace snug::scenes
