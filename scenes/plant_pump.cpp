#include "scenes/plant_parts.hpp"

namespace snug::scenes::plant_parts {

using namespace brep;

Mesh pump() {
  Solid solid;
  constexpr double k_base_height = 80;
  const double y = k_pump_suction.y, axis = k_pump_suction.z - k_base_height;  // above the base
  solid.name("base");
  const Extrusion base = solid.prism(facing_z({}), rectangle({2180, y - 220}, {3380, y + 220}), k_base_height);
  solid.name("base bolt hole");
  for (int i = 0; i < 5; ++i)
    for (const double side : {-180.0, 180.0})
      solid.join(base.end, circle({2230.0 + 275 * i, y + side}, 14, 8), base.base);
  solid.name("bearing block");
  const Extrusion block = solid.boss(base.end, rectangle({2500, y - 150}, {2700, y + 150}), 540);
  solid.name("oil cap");
  const Turn cap[] = {{40, 30}, {30, 40}};
  solid.close(solid.turned(solid.open(block.end, {2600, y}, 40, 20), cap));

  // The left wall looks at the suction side: its u is -y.
  solid.name("casing");
  const Turn throat[] = {{120, 80}, {230, 80}};
  Tip tip = solid.turned(solid.open(*block.walls[3], {-y, axis}, 120, 22), throat);
  std::vector<Tip> discharge;
  const double volute = 2500 - k_pump_discharge.x - 80;
  const Stub stub[] = {{0.25, volute, k_pipe.radius, k_pump_discharge.z - k_pump_suction.z - k_joint, k_pipe.chords}};
  tip = solid.straight_with_stubs(tip, 2 * volute, stub, discharge);
  const Turn snout[] = {{100, 0}, {100, 60}, {k_pipe.radius, 140}, {k_pipe.radius, 320 - 2 * (volute - 100) - k_joint}};
  tip = solid.turned(tip, snout);
  add_nozzle(solid, tip, k_pipe, 200);
  add_nozzle(solid, discharge[0], k_pipe, 180);

  solid.name("coupling");
  const Turn coupling[] = {{90, 50}, {60, 50}, {60, 70}, {90, 70}, {90, 120}, {165, 120}, {165, 150}};
  tip = solid.turned(solid.open(*block.walls[1], {y, axis}, 90, 20), coupling);
  solid.name("motor fin");
  std::vector<Turn> fins;
  for (int i = 0; i < 12; ++i) {
    const double z = 24.0 * i;
    for (const Turn& turn : {Turn{200, z}, Turn{200, z + 9}, Turn{165, z + 9}, Turn{165, z + 24}}) fins.push_back(turn);
  }
  tip = solid.turned(tip, fins);
  solid.name("fan cover");
  const Turn cover[] = {{205, 0}, {205, 90}, {175, 120, true, 175, 90, 5}};
  const FaceId grille = solid.close(solid.turned(tip, cover));
  solid.name("fan opening");
  for (const double radius : {80.0, 130.0})
    for (int i = 0; i < 12; ++i) {
      const auto [c, s] = at_turns(i / 12.0);
      solid.boss(grille, circle({radius * c, radius * s}, 10, 6), -15);
    }
  return solid.build();
}

}  // namespace snug::scenes::plant_parts
