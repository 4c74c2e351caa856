#include "scenes/control_box.hpp"
#include "scenes/digger.hpp"
#include "scenes/plant.hpp"
#include "scenes/scene.hpp"
#include "scenes/workbench.hpp"
#include "scenes/worlds.hpp"

#include <array>

namespace snug::scenes {

namespace {

Scene make_workbench(const SceneOptions& /*options*/) {
  return {.name = "workbench",
          .assembly = workbench(),
          .clearance = 2.5,
          .contacts = {{"bench/cover", "bench/post", Verdict::near},
                       {"bench/foot left", "bench/plate"},
                       {"bench/foot right", "bench/plate"},
                       {"bench/plate", "bench/post"},
                       {"bench/plate", "bench/washer 1"},
                       {"bench/plate", "bench/washer 2"}},
          .faults = {{"bench/post", "bench/screw", Verdict::clash, "4 mm into the post", 4}},
          .tracks = {},
          .duration = 0,
          .steps = 0};
}

// One line for each scene, by name, with the generators in files of their own.
constexpr std::array k_all{
    SceneEntry{"control-box", "an electronic control box with three mistakes: 25 parts, 1250 surfaces, 25532 triangles",
               [](const SceneOptions&) { return control_box(); }},
    SceneEntry{"digger", "an excavator being put together: 5 parts, 109 surfaces, 2452 triangles",
               [](const SceneOptions&) { return digger(); }},
    SceneEntry{"plant", "a process plant on a skid: 8 parts, 1073 surfaces, 24474 triangles",
               [](const SceneOptions&) { return plant(); }},
    SceneEntry{"workbench", "a plate on feet with a screw that is too long", make_workbench},
    SceneEntry{"headlight", "two thin-walled headlights of 5,948 triangles that pass through one another", headlight},
    SceneEntry{"spheres-240", "two spheres of 240 triangles that meet in the last of 72 cycles", spheres_240},
    SceneEntry{"spheres-960", "the same of 960 triangles", spheres_960},
    SceneEntry{"spheres-2048", "the same of 2,048 triangles", spheres_2048},
    SceneEntry{"spheres-3968", "the same of 3,968 triangles", spheres_3968},
    SceneEntry{"deforming-spheres", "two spheres of 960 triangles that become eggs on the way", deforming_spheres},
    SceneEntry{
        "avalanche", "512 bunnies of 902 triangles above the ground, to be simulated", avalanche, {.seed = true}},
    SceneEntry{"fountain",
               "500 bodies of four kinds let fall by a circling source, to be simulated",
               fountain,
               {.seed = true}},
    SceneEntry{"reaction", "a ball, a bunny and a pig pressed into the ground", reaction},
    SceneEntry{
        "knots", "two concave knots of about --size triangles that pass through one another", knots, {.size = true}},
    SceneEntry{"lattice",
               "--size parts that touch their neighbours; one pair of a hundred clashes",
               lattice,
               {.seed = true, .size = true}},
    SceneEntry{"peg", "two pegs shot into the holes of a plate, one off its axis", peg},
    SceneEntry{"thin-plate", "balls so fast that no step shows the one that goes through the plate", thin_plate},
    SceneEntry{"tool-and-box", "a probe that feels its way about an open box at 1 kHz", tool_and_box},
};

}  // namespace

std::span<const SceneEntry> all() { return k_all; }

const SceneEntry* find(std::string_view name) {
  for (const SceneEntry& entry : k_all)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace snug::scenes
