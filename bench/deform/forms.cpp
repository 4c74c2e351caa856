#include "bench/deform/forms.hpp"

#include "scenes/deforming.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <memory>

namespace snug::bench::deform {

namespace {

template <class Scene>
Form form_of(Scene scene) {
  const auto kept = std::make_shared<const Scene>(std::move(scene));
  return {kept->mesh(), [kept](double time) { return kept->at(time); }};
}

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"cloth",
       "a sheet that flutters ever more wildly",
       [](bool quick) { return form_of(scenes::Cloth(quick ? 100 : 224)); },
       {0.5, 1, 2, 5, 10}},
      {"breathing",
       "a ball that swells and shrinks, each part of it in its own time",
       [](bool quick) { return form_of(scenes::Breathing(quick ? 72 : 160, quick ? 144 : 316)); },
       {0.1, 0.25, 0.5, 1.25, 3.25}},
      {"twisting",
       "a square bar wrung by a turn in a unit of time",
       [](bool quick) { return form_of(scenes::Twisting(quick ? 180 : 400, quick ? 14 : 30)); },
       {0.1, 0.5, 1, 2, 4, 8}},
      {"swarm",
       "triangles without neighbours, each of which goes its own way",
       [](bool quick) { return form_of(scenes::Swarm(quick ? 20'000 : 100'000)); },
       {0.01, 0.02, 0.05, 0.1, 0.2, 0.5}},
  };
  return all;
}

Mesh probe() { return scenes::bumpy_knot(200, 24); }

std::vector<Pose> probe_poses(std::size_t count) {
  scenes::Random random(5);
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) poses.push_back(random.pose(0.8));
  return poses;
}

}  // namespace snug::bench::deform
