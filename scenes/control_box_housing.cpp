#include "scenes/brep/solid.hpp"
#include "scenes/control_box_parts.hpp"

namespace snug::scenes::control_box_parts {

using namespace brep;

namespace {

constexpr double k_screw_hole = 2.25;

/// Round, with a blind hole for a screw.
void add_screw_boss(Solid& solid, FaceId floor, Place at, double radius, double height, double hole) {
  const Extrusion post = solid.boss(floor, circle({at.x, at.y}, radius, 28), height);
  solid.boss(post.end, circle({at.x, at.y}, k_screw_hole, 20), -hole);
}

}  // namespace

Mesh housing() {
  Solid solid;
  solid.name("outside");
  const Extrusion block = solid.prism(facing_z({}), rounded_rectangle({0, 0}, {k_length, k_depth}, 8, 6), k_height);
  solid.name("inside");
  const Extrusion room = solid.boss(
      block.end, rounded_rectangle({k_wall, k_wall}, {k_length - k_wall, k_depth - k_wall}, 4, 5), k_wall - k_height);

  solid.name("lid boss");
  for (const Place& at : k_lid_bosses) add_screw_boss(solid, room.end, at, 6, 68 - k_wall, 12);
  solid.name("standoff");
  for (const Place& at : k_standoffs) add_screw_boss(solid, room.end, at, 4, k_standoff_top - k_wall, 10);
  solid.name("blind boss");
  solid.boss(room.end, circle({k_blind_boss.x, k_blind_boss.y}, 6, 24), k_blind_boss_top - k_wall);
  solid.name("rib");
  for (const double y : {30.0, 44.0, 58.0, 72.0}) solid.boss(room.end, slot({120, y}, 130, 1, 6), 4);
  solid.name("foot");
  for (const Place& at : k_lid_bosses) solid.boss(block.base, circle({at.x, -at.y}, 8, 28), 3);

  // The front wall's u is x, the right one's y, the back one's -x, the left one's -y; v is z everywhere.
  const FaceId front = *block.walls[0], right = *block.walls[2], back = *block.walls[4], left = *block.walls[6];
  for (const double x : k_connector_x) {
    solid.name("connector cutout");
    solid.join(front, circle({x, k_connector_z}, 10, 36), *room.walls[0]);
    solid.name("connector hole");
    for (const double dx : {-11.0, 11.0})
      for (const double dz : {-11.0, 11.0})
        solid.join(front, circle({x + dx, k_connector_z + dz}, 1.6, 16), *room.walls[0]);
  }
  solid.name("vent");
  for (int i = 0; i < 10; ++i) {
    const double y = 36 + 12 * i;
    solid.join(right, slot({y, 40}, 24, 1.5, 8, true), *room.walls[2]);
    solid.join(left, slot({-y, 40}, 24, 1.5, 8, true), *room.walls[6]);
  }
  solid.name("cooling fin");
  for (int i = 0; i < 12; ++i) solid.boss(back, slot({-27.5 - 16.75 * i, 35}, 44, 1.25, 8, true), 10);
  return solid.build();
}

Mesh lid() {
  Solid solid;
  solid.name("lid");
  const Extrusion plate =
      solid.prism(facing_z({}), rounded_rectangle({0, 0}, {k_length, k_depth}, 8, 6), k_lid_thickness);
  // Seen from below y points the other way.
  solid.name("lip");
  const Extrusion lip =
      solid.boss(plate.base, rounded_rectangle({5.5, 5.5 - k_depth}, {k_length - 5.5, -5.5}, 3, 5), 3);
  solid.name("lip inside");
  const Extrusion inner = solid.boss(lip.end, rounded_rectangle({8, 8 - k_depth}, {k_length - 8, -8}, 2, 5), -3);
  solid.name("screw hole");
  for (const Place& at : k_lid_bosses) solid.join(plate.end, circle({at.x, at.y}, k_screw_hole, 20), inner.end);
  solid.name("vent");
  for (const double y : {50.0, 90.0, 130.0})
    for (int i = 0; i < 8; ++i) solid.join(plate.end, slot({60.0 + 17 * i, y}, 24, 1.5, 8, true), inner.end);
  solid.name("label");
  solid.boss(plate.end, rounded_rectangle({202, 60}, {228, 120}, 3, 5), -0.5);
  return solid.build();
}

}  // namespace snug::scenes::control_box_parts
