#pragma once

#include <snug/mesh.hpp>

#include <array>

// Parts of the control box, each in a frame of its own, and the places where they meet. Millimetres.

namespace snug::scenes::control_box_parts {

struct Place {
  double x = 0, y = 0;
};

// Of the housing, whose outer lower corner is the origin; z up, the front wall at y = 0.
inline constexpr double k_length = 240, k_depth = 180, k_height = 70, k_wall = 4;
inline constexpr double k_lid_thickness = 3;
inline constexpr double k_board_thickness = 2;
inline constexpr double k_standoff_top = 12;  ///< where the main board lies
inline constexpr double k_bracket_height = 20;
inline constexpr double k_connector_z = 40;
inline constexpr std::array<Place, 4> k_lid_bosses{{{16, 16}, {224, 16}, {224, 164}, {16, 164}}};
inline constexpr std::array<Place, 4> k_standoffs{{{32, 18}, {208, 18}, {208, 90}, {32, 90}}};
inline constexpr std::array<double, 3> k_connector_x{60, 120, 180};
inline constexpr Place k_blind_boss{120, 140};  ///< solid, from the floor to k_blind_boss_top
inline constexpr double k_blind_boss_top = 40;
inline constexpr Place k_main_board{26, 12}, k_main_board_size{188, 86};
inline constexpr Place k_small_board_size{84, 56};

[[nodiscard]] Mesh housing();
/// Origin over the housing's, on its rim.
[[nodiscard]] Mesh lid();
/// Boards: origin at the lower left corner of the underside.
[[nodiscard]] Mesh main_board();
[[nodiscard]] Mesh power_board();
[[nodiscard]] Mesh io_board();
/// Round, for a wall that faces -y: its flange lies on the origin's plane, its axis goes through the origin.
[[nodiscard]] Mesh wall_connector();
/// Pin header; origin at the lower left corner of its footprint.
[[nodiscard]] Mesh header();
/// Z-shaped, k_bracket_height tall; origin at the lower left corner.
[[nodiscard]] Mesh bracket();
/// A cradle for a wire harness along y, 24 wide; origin at the lower left corner.
[[nodiscard]] Mesh harness_clip();
inline constexpr double k_clip_depth = 8;
/// M3 x 10 with a hexagon socket; the origin lies under its head, the shank goes down.
[[nodiscard]] Mesh screw();

}  // namespace snug::scenes::control_box_parts
