// For haptic loops: a probe with a round tip is let down to the floor of an open box, pressed into it by 0.5 mm, drawn
// along it, lifted, pushed against the wall by 0.3 mm and taken out, within two seconds at 1 kHz.

#include "scenes/mesh_draft.hpp"
#include "scenes/turned.hpp"
#include "scenes/worlds.hpp"

#include <array>
#include <string>

namespace snug::scenes {

namespace {

/// Walls all around and a floor, whose upper side is z = 0; open above. Half widths are those of the cavity.
Mesh open_box(double half_x, double half_y, double height, double wall) {
  MeshDraft draft;
  // Four rectangles: outside below and above, inside above and on the floor, counter-clockwise from above.
  std::array<std::array<std::uint32_t, 4>, 4> ring{};
  const auto rectangle = [&](double more, double z) {
    const double x = half_x + more, y = half_y + more;
    return std::array<std::uint32_t, 4>{draft.vertex({-x, -y, z}), draft.vertex({x, -y, z}), draft.vertex({x, y, z}),
                                        draft.vertex({-x, y, z})};
  };
  ring = {rectangle(wall, -wall), rectangle(wall, height), rectangle(0, height), rectangle(0, 0)};
  constexpr std::array<const char*, 4> k_names{"front", "right", "back", "left"};
  constexpr std::array<Vec3, 4> k_outward{{{0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}}};
  const auto band = [&](std::size_t from, std::size_t to, std::size_t k) {
    const std::size_t l = (k + 1) % 4;
    draft.quad(ring.at(from).at(k), ring.at(from).at(l), ring.at(to).at(l), ring.at(to).at(k));
  };
  for (std::size_t k = 0; k < 4; ++k) {
    const double half = k % 2 == 0 ? half_y : half_x;
    draft.plane(std::string("outside ") + k_names.at(k), (half + wall) * k_outward.at(k), k_outward.at(k));
    band(0, 1, k);
    draft.plane(std::string("inside ") + k_names.at(k), half * k_outward.at(k), -k_outward.at(k));
    band(2, 3, k);
  }
  draft.plane("rim", {0, 0, height}, {0, 0, 1});
  for (std::size_t k = 0; k < 4; ++k) band(1, 2, k);
  draft.plane("floor", {}, {0, 0, 1});
  draft.quad(ring[3][0], ring[3][1], ring[3][2], ring[3][3]);
  draft.plane("bottom", {0, 0, -wall}, {0, 0, -1});
  draft.quad(ring[0][0], ring[0][3], ring[0][2], ring[0][1]);
  return draft.build();
}

}  // namespace

Scene tool_and_box(const SceneOptions& /*options*/) {
  constexpr double k_tip = 2, k_wall_at = 27, k_above = 20;
  Scene scene;
  scene.name = "tool-and-box";
  (void)scene.assembly.add({"box", open_box(k_wall_at, 17, 30, 3), {}}).value();
  const Mesh tool =
      turned(0, k_tip, {{"shaft", k_tip, 40}, {"shoulder", 6, 44}, {"handle", 6, 110}, {"end", 0, 110}}, 32);
  (void)scene.assembly.add({"tool", tool, translation(0, 0, k_above)}).value();
  const auto tip_at = [&](double x, double z) { return translation(x, 0, z - k_above); };
  const double at_wall = k_wall_at - k_tip;
  scene.tracks.push_back({"tool",
                          {{0, tip_at(0, k_above)},
                           {0.5, tip_at(0, 0)},
                           {0.6, tip_at(0, -0.5)},
                           {1.2, tip_at(15, -0.5)},
                           {1.3, tip_at(15, 0)},
                           {1.4, tip_at(15, 2)},
                           {1.6, tip_at(at_wall, 2)},
                           {1.7, tip_at(at_wall + 0.3, 2)},
                           {1.8, tip_at(at_wall, 2)},
                           {2, tip_at(10, 40)}}});
  scene.duration = 2;
  scene.steps = 2001;
  scene.meetings.push_back({"box", "tool", 0.5, 1.3, "pressed into the floor"});
  scene.meetings.push_back({"box", "tool", 1.6, 1.8, "pushed into the wall"});
  return scene;
}

}  // namespace snug::scenes
