#include "scenes/brep/solid.hpp"
#include "scenes/control_box_parts.hpp"

namespace snug::scenes::control_box_parts {

using namespace brep;

Mesh wall_connector() {
  Solid solid;
  // Seen from outside: u is x, v is z.
  const Frame outside{{}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  solid.name("flange");
  const Extrusion flange = solid.prism(outside, rounded_rectangle({-15, -15}, {15, 15}, 3, 4), 3);
  solid.name("flange hole");
  for (const double x : {-11.0, 11.0})
    for (const double z : {-11.0, 11.0}) solid.join(flange.end, circle({x, z}, 1.6, 16), flange.base);
  solid.name("barrel");
  const Turn barrel[] = {{11, 4}, {10, 5}, {10, 6}, {11, 7}, {11, 14.5}, {10.5, 15}};
  const FaceId rim = solid.close(solid.turned(solid.open(flange.end, {}, 11, 36), barrel));
  solid.name("socket");
  const FaceId insert = solid.boss(rim, circle({}, 9, 36), -12).end;
  const auto add_pin = [&](double x, double z) {
    solid.name("pin");
    const Turn pin[] = {{0.75, 7}};
    solid.close(solid.turned(solid.open(insert, {x, z}, 0.75, 10), pin));
  };
  add_pin(0, 0);
  for (int i = 0; i < 8; ++i) {
    const auto [c, s] = at_turns(i / 8.0);
    add_pin(6 * c, 6 * s);
  }
  solid.name("back shell");
  const Turn back[] = {{9, 9}, {8, 10}, {8, 12}};
  const FaceId end = solid.close(solid.turned(solid.open(flange.base, {}, 9, 36), back));
  solid.name("cable entry");
  solid.boss(end, circle({}, 5, 28), -6);
  return solid.build();
}

Mesh header() {
  Solid solid;
  solid.name("shroud");
  const Extrusion body = solid.prism(facing_z({}), rectangle({0, 0}, {36, 11}), 9);
  solid.name("socket");
  const FaceId floor = solid.boss(body.end, rectangle({1.5, 1.5}, {34.5, 9.5}), -7).end;
  solid.name("pin");
  for (int i = 0; i < 10; ++i)
    for (const double y : {4.0, 7.0}) {
      const Turn pin[] = {{0.5, 6}};
      solid.close(solid.turned(solid.open(floor, {4.5 + 3 * i, y}, 0.5, 10), pin));
    }
  return solid.build();
}

Mesh bracket() {
  Solid solid;
  solid.name("bracket");
  const Corner corners[] = {{{0, 0}},   {{9, 0}},  {{9, 18}, 1.5}, {{16, 18}},
                            {{16, 20}}, {{7, 20}}, {{7, 2}, 1.5},  {{0, 2}}};
  const Frame front{{0, 10, 0}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  const Extrusion sheet = solid.prism(front, polygon(corners), 10);
  // v counts from the back on every wall; walls follow the outline, roundings included.
  const FaceId under = *sheet.walls[0], web_right = *sheet.walls[1], top = *sheet.walls[5], shelf = *sheet.walls[3];
  const FaceId web_left = *sheet.walls[6], foot = *sheet.walls[8];
  solid.name("foot hole");
  solid.join(foot, circle({-3, 5}, 1.5, 18), under);
  solid.name("shelf hole");
  solid.join(top, circle({-13, 5}, 1.5, 18), shelf);
  solid.name("web hole");
  solid.join(web_right, circle({10, 5}, 3, 24), web_left);
  return solid.build();
}

Mesh harness_clip() {
  Solid solid;
  solid.name("clip");
  const Corner corners[] = {{{0, 0}},     {{24, 0}},    {{24, 2.5}},       {{19, 2.5}, 1, 3}, {{19, 15}},  {{16, 15}},
                            {{16, 13.5}}, {{17, 13.5}}, {{17, 4}, 4.5, 8}, {{7, 4}, 4.5, 8},  {{7, 13.5}}, {{8, 13.5}},
                            {{8, 15}},    {{5, 15}},    {{5, 2.5}, 1, 3},  {{0, 2.5}}};
  const Frame front{{0, k_clip_depth, 0}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  const Extrusion strip = solid.prism(front, polygon(corners), k_clip_depth);
  solid.name("clip hole");
  const FaceId under = *strip.walls[0], right_foot = *strip.walls[2], left_foot = *strip.walls[18];
  solid.join(right_foot, circle({-21.5, 4}, 1.25, 16), under);
  solid.join(left_foot, circle({-2.5, 4}, 1.25, 16), under);
  return solid.build();
}

Mesh screw() {
  Solid solid;
  solid.name("screw");
  const Turn profile[] = {{1.5, 0.5}, {1.5, 10}, {2.75, 10}, {2.75, 12.5}, {2.25, 13}};
  const FaceId top = solid.close(solid.turned(solid.disc(facing_z({0, 0, -10}), 1, 20), profile));
  solid.name("socket");
  solid.boss(top, hexagon({}, 2.5), -1.75);
  return solid.build();
}

}  // namespace snug::scenes::control_box_parts
