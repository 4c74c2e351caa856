#include "scenes/control_box.hpp"
#include "scenes/digger.hpp"
#include "scenes/plant.hpp"
#include "scenes/scene.hpp"
#include "scenes/workbench.hpp"

#include <array>

namespace snug::scenes {

namespace {

Scene make_workbench(const SceneOptions& /*options*/) {
  return {.name = "workbench",
          .assembly = workbench(),
          .clearance = 2.5,
          .contacts = {},
          .faults = {},
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
};

}  // namespace

std::span<const SceneEntry> all() { return k_all; }

const SceneEntry* find(std::string_view name) {
  for (const SceneEntry& entry : k_all)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace snug::scenes
