#include "scenes/plant.hpp"

#include "scenes/carry.hpp"
#include "scenes/plant_parts.hpp"

#include <algorithm>
#include <string>

namespace snug::scenes {

namespace {

using namespace plant_parts;

constexpr Rgba k_concrete{150, 148, 142, 255}, k_vessel{188, 192, 198, 255}, k_pump_blue{52, 92, 150, 255},
    k_red{178, 74, 58, 255}, k_green{70, 130, 90, 255}, k_amber{206, 150, 60, 255}, k_yellow{220, 190, 60, 255};

Mesh pump_to_column() {
  const Point3 via[] = {k_pump_discharge,
                        {k_pump_discharge.x, k_pump_discharge.y, k_column_inlet.z},
                        {k_pump_discharge.x, k_column_inlet.y, k_column_inlet.z},
                        k_column_inlet};
  return pipe_run(via, k_pipe, 150);
}
Mesh column_to_drum() {
  const Point3 via[] = {k_column_outlet,
                        {k_drum_inlet.x, k_column_outlet.y, k_column_outlet.z},
                        {k_drum_inlet.x, k_drum_inlet.y, k_column_outlet.z},
                        k_drum_inlet};
  return pipe_run(via, k_pipe, 150);
}
Mesh drum_to_pump() {
  // Around the drum's leg.
  constexpr double k_aside = 1250, k_back = 1500;
  const double z = k_pump_suction.z;
  const Point3 via[] = {k_drum_outlet,        {k_drum_outlet.x, k_drum_outlet.y, z}, {k_drum_outlet.x, k_aside, z},
                        {k_back, k_aside, z}, {k_back, k_pump_suction.y, z},         k_pump_suction};
  return pipe_run(via, k_pipe, 150);
}

}  // namespace

Scene plant() {
  Scene scene;
  scene.name = "plant";
  scene.clearance = 5;
  const auto add = [&](const char* path, const Mesh& mesh, const Rgba& color) {
    (void)scene.assembly.add({path, mesh, {}, color}).value();
  };
  add("plant/skid", skid(), k_concrete);
  add("plant/column", column(), k_vessel);
  add("plant/drum", drum(), k_vessel);
  add("plant/pipe drum-pump", drum_to_pump(), k_green);
  add("plant/pump", pump(), k_pump_blue);
  add("plant/pipe pump-column", pump_to_column(), k_red);
  add("plant/pipe column-drum", column_to_drum(), k_amber);
  add("plant/platform", platform(), k_yellow);
  constexpr const char* k_meetings[][2] = {{"plant/column", "plant/skid"},
                                           {"plant/drum", "plant/skid"},
                                           {"plant/pump", "plant/skid"},
                                           {"plant/platform", "plant/skid"},
                                           {"plant/drum", "plant/pipe drum-pump"},
                                           {"plant/pipe drum-pump", "plant/pump"},
                                           {"plant/pipe pump-column", "plant/pump"},
                                           {"plant/column", "plant/pipe pump-column"},
                                           {"plant/column", "plant/pipe column-drum"},
                                           {"plant/drum", "plant/pipe column-drum"}};
  for (const auto& [a, b] : k_meetings) scene.contacts.push_back({a, b, Verdict::touch});
  std::ranges::sort(scene.contacts);

  // Each part waits where it does not hinder the others, is brought near, then to its place; all leave in reverse order.
  struct Way {
    Vec3 waits, near;
  };
  const Way ways[] = {{{0, 0, 5000}, {0, 0, 200}},          {{0, 3500, 2500}, {0, 0, 300}},
                      {{0, -4000, 0}, {0, -300, 0}},        {{1500, -3000, 300}, {0, 0, 300}},
                      {{1500, -2500, 3000}, {200, 0, 200}}, {{1500, 0, 4500}, {200, 0, 200}},
                      {{-3000, 0, 600}, {-300, 0, 300}}};
  constexpr double k_far = 2, k_close = 1, k_rest = 1;
  const auto count = static_cast<double>(std::size(ways));
  scene.duration = 2 * count * (k_far + k_close) + k_rest;
  for (std::size_t i = 0; i < std::size(ways); ++i) {
    const double start = static_cast<double>(i) * (k_far + k_close);
    const double stay = scene.duration - 2 * (start + k_far + k_close);
    const Waypoint way[] = {{0, ways[i].waits}, {k_far, ways[i].near},   {k_close, {}},
                            {stay, {}},         {k_close, ways[i].near}, {k_far, ways[i].waits}};
    scene.tracks.push_back(carry(scene.assembly.parts()[i + 1], start, way));
  }
  // So many that 233 of them intersect, as in Table 1 of figueiredo.
  scene.steps = 271;
  return scene;
}

}  // namespace snug::scenes
