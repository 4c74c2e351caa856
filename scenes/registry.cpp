#include "scenes/digger.hpp"
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
    SceneEntry{"digger", "an excavator being put together: 5 parts, 109 surfaces, 2452 triangles",
               [](const SceneOptions&) { return digger(); }},
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
