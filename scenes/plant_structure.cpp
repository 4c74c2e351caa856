#include "scenes/plant_parts.hpp"

namespace snug::scenes::plant_parts {

using namespace brep;

Mesh skid() {
  Solid solid;
  constexpr double k_thickness = 80;
  solid.name("skid");
  const Extrusion plate = solid.prism(facing_z({0, 0, -k_thickness}), rectangle({-900, 0}, {4000, 2200}), k_thickness);
  // Seen from below y points the other way.
  solid.name("pocket");
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 4; ++j) {
      const double x = -840 + 535.0 * i, y = -2140 + 535.0 * j;
      solid.boss(plate.base, rectangle({x, y}, {x + 480, y + 480}), -45);
    }
  solid.name("anchor hole");
  for (int i = 0; i < 10; ++i)
    for (const double y : {30.0, 2170.0}) solid.join(plate.end, circle({-870.0 + 537.5 * i, y}, 14, 8), plate.base);
  solid.name("drain");
  for (int i = 0; i < 24; ++i) solid.boss(plate.end, circle({-800.0 + 200 * i, 170}, 40, 10), -20);
  solid.name("lifting lug");
  for (const double x : {0.0, 3100.0}) solid.boss(*plate.walls[0], rectangle({x - 60, 10}, {x + 60, 70}), 120);
  return solid.build();
}

Mesh platform() {
  Solid solid;
  constexpr double k_top = 1900, k_thickness = 40, k_under = k_top - k_thickness;
  solid.name("deck");
  const Extrusion deck = solid.prism(facing_z({0, 0, k_under}), rectangle({-820, 700}, {150, 1500}), k_thickness);
  solid.name("grating");
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 7; ++j) solid.join(deck.end, slot({-560.0 + 104 * i, 860.0 + 80 * j}, 60, 16, 3), deck.base);

  solid.name("leg");
  for (const double x : {-640.0, 60.0})
    for (const double y : {790.0, 1410.0}) {
      const Turn profile[] = {{40, k_under - 20}, {90, k_under - 20}, {90, k_under}};
      solid.close(solid.turned(solid.open(deck.base, {x, -y}, 40, 20), profile));
    }
  // Stringers hang from the deck and end just above the skid, rungs between them.
  solid.name("stringer");
  const auto add_stringer = [&](double y) {
    return solid.boss(deck.base, rectangle({-800, -y - 40}, {-740, -y}), k_under - 20);
  };
  const Extrusion near_side = add_stringer(900), far_side = add_stringer(1260);
  solid.name("rung");
  for (int i = 0; i < 10; ++i)
    solid.join(*near_side.walls[0], circle({-770, 120 + 180.0 * i}, 14, 10), *far_side.walls[2]);

  const auto add_rail = [&](Point2 from, double toward, double length) {
    solid.name("rail");
    constexpr double k_bend = 80, k_post = 820;
    Tip tip = solid.straight(solid.open(deck.end, from, 20, 12), k_post);
    tip = solid.straight(solid.bend(tip, toward, k_bend, 0.25, 4), length - 2 * k_bend);
    // The first bend took the frame along, so the second goes the same way round.
    tip = solid.straight(solid.bend(tip, toward, k_bend, 0.25, 4), k_post);
    solid.close(tip, deck.end);
  };
  add_rail({-700, 740}, 0, 780);
  add_rail({-700, 1460}, 0, 780);
  return solid.build();
}

}  // namespace snug::scenes::plant_parts
