#include "scenes/control_box.hpp"

#include "scenes/carry.hpp"
#include "scenes/control_box_parts.hpp"

#include <algorithm>
#include <string>

namespace snug::scenes {

namespace {

using namespace control_box_parts;

constexpr double k_floor = k_wall, k_rim = k_height;
constexpr double k_sunk = 0.4, k_close = 0.3;  // the mistakes, in millimetres

constexpr Rgba k_aluminium{176, 180, 186, 255}, k_cover{150, 156, 166, 255}, k_green{46, 110, 66, 255},
    k_steel{120, 122, 128, 255}, k_zinc{196, 188, 150, 255}, k_black{52, 54, 58, 255}, k_orange{214, 120, 40, 255};

/// A part, where it sits, and where it waits before it is brought in.
struct Step {
  std::string path;
  Mesh mesh;
  Rgba color;
  Vec3 at;
  Vec3 waits;
};

std::string numbered(const char* path, std::size_t i) { return std::string(path) + " " + std::to_string(i + 1); }

/// Everything but the housing, in the order in which it is mounted.
std::vector<Step> mounting_order() {
  std::vector<Step> steps;
  const auto add = [&](std::string path, const Mesh& mesh, const Rgba& color, Vec3 at, Vec3 waits) {
    steps.push_back({std::move(path), mesh, color, at, waits});
  };
  const Mesh a_bracket = bracket(), a_clip = harness_clip(), a_screw = screw(), a_header = header(),
             a_connector = wall_connector();
  constexpr double k_bracket_x[] = {36, 92, 136, 192}, k_clip_x[] = {36, 88, 128, 180};
  for (std::size_t i = 0; i < 4; ++i)
    add(numbered("box/bracket", i), a_bracket, k_zinc, {k_bracket_x[i], 134, k_floor}, {0, 0, 100});
  for (std::size_t i = 0; i < 4; ++i) {
    // The last clip was moved toward the main board.
    const double y = i == 3 ? k_main_board.y + k_main_board_size.y + k_close : 101;
    add(numbered("box/harness clip", i), a_clip, k_orange, {k_clip_x[i], y, k_floor}, {0, 0, 100});
  }
  add("box/main board", main_board(), k_green, {k_main_board.x, k_main_board.y, k_standoff_top}, {0, 0, 130});
  // This one should have gone through the board; it lies in the solid boss.
  add("box/board screw 3", a_screw, k_steel, {k_blind_boss.x, k_blind_boss.y, 26}, {0, 0, 110});
  const double shelf = k_floor + k_bracket_height, on_shelf = shelf + k_board_thickness;
  add("box/io board", io_board(), k_green, {28, 112, shelf}, {0, 0, 150});
  add("box/power board", power_board(), k_green, {128, 112, shelf}, {0, 0, 150});
  add("box/io header", a_header, k_black, {34, 118, on_shelf}, {0, 0, 180});
  add("box/power header", a_header, k_black, {130, 118, on_shelf}, {0, 0, 180});
  const double on_board = k_standoff_top + k_board_thickness;
  add("box/board screw 1", a_screw, k_steel, {k_standoffs[0].x, k_standoffs[0].y, on_board}, {0, 0, 170});
  add("box/board screw 2", a_screw, k_steel, {k_standoffs[2].x, k_standoffs[2].y, on_board}, {0, 0, 170});
  for (std::size_t i = 0; i < 3; ++i)
    // The last connector was pressed into the wall.
    add(numbered("box/connector", i), a_connector, k_steel, {k_connector_x[i], i == 2 ? k_sunk : 0, k_connector_z},
        {0, -70, 0});
  add("box/lid", lid(), k_cover, {0, 0, k_rim}, {0, 0, 190});
  for (std::size_t i = 0; i < 4; ++i)
    add(numbered("box/lid screw", i), a_screw, k_steel, {k_lid_bosses[i].x, k_lid_bosses[i].y, k_rim + k_lid_thickness},
        {0, 0, 220});
  return steps;
}

template <class Pair>
void order_paths(Pair& pair) {
  if (pair.b < pair.a) std::swap(pair.a, pair.b);
}

std::vector<DesignedContact> designed_contacts() {
  std::vector<DesignedContact> contacts;
  const auto touch = [&](std::string a, std::string b) {
    contacts.push_back({std::move(a), std::move(b), Verdict::touch});
  };
  for (std::size_t i = 0; i < 4; ++i) {
    touch("box/housing", numbered("box/bracket", i));
    touch(i < 2 ? "box/io board" : "box/power board", numbered("box/bracket", i));
    touch("box/housing", numbered("box/harness clip", i));
    touch("box/lid", numbered("box/lid screw", i));
  }
  touch("box/housing", "box/main board");
  touch("box/main board", "box/board screw 1");
  touch("box/main board", "box/board screw 2");
  touch("box/io board", "box/io header");
  touch("box/power board", "box/power header");
  touch("box/housing", "box/connector 1");
  touch("box/housing", "box/connector 2");
  touch("box/housing", "box/lid");
  for (DesignedContact& contact : contacts) order_paths(contact);
  std::ranges::sort(contacts);
  return contacts;
}

std::vector<PlantedFault> planted_faults() {
  std::vector<PlantedFault> faults{
      {"box/connector 3", "box/housing", Verdict::clash, "its flange is sunk into the wall", k_sunk},
      {"box/board screw 3", "box/housing", Verdict::contained, "it lies wholly inside a solid boss", 0},
      {"box/harness clip 4", "box/main board", Verdict::near, "the board sits too close to it", k_close},
  };
  for (PlantedFault& fault : faults) order_paths(fault);
  return faults;
}

}  // namespace

Scene control_box() {
  Scene scene;
  scene.name = "control-box";
  scene.clearance = 0.5;
  scene.contacts = designed_contacts();
  scene.faults = planted_faults();
  const std::vector<Step> steps = mounting_order();
  (void)scene.assembly.add({"box/housing", housing(), {}, k_aluminium}).value();
  for (const Step& step : steps)
    (void)scene.assembly.add({step.path, step.mesh, translation(step.at.x, step.at.y, step.at.z), step.color}).value();

  // A second for each part to be mounted, a rest, and the same way back, last in first out.
  const auto count = static_cast<double>(steps.size());
  constexpr double k_rest = 1;
  scene.duration = 2 * count + k_rest;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto start = static_cast<double>(i);
    const Waypoint way[] = {{0, steps[i].waits}, {1, {}}, {scene.duration - 2 * (start + 1), {}}, {1, steps[i].waits}};
    scene.tracks.push_back(carry(scene.assembly.parts()[i + 1], start, way));
  }
  // So many that 980 of them intersect, as in Table 1 of figueiredo.
  scene.steps = 1022;
  return scene;
}

}  // namespace snug::scenes
