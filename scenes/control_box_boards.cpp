#include "scenes/brep/solid.hpp"
#include "scenes/control_box_parts.hpp"

namespace snug::scenes::control_box_parts {

using namespace brep;

namespace {

/// A board and what is soldered to it: one body each, as they are handled in one piece.
class Board {
 public:
  explicit Board(Place size) {
    solid_.name("board");
    plate_ = solid_.prism(facing_z({}), rectangle({0, 0}, {size.x, size.y}), k_board_thickness);
  }
  void hole(Place at, double radius, std::uint32_t chords) {
    solid_.name("hole");
    solid_.join(plate_.end, circle({at.x, at.y}, radius, chords), plate_.base);
  }
  void row_of_vias(Place from, double pitch, int count) {
    for (int i = 0; i < count; ++i) hole({from.x + pitch * i, from.y}, 0.75, 14);
  }
  FaceId block(const char* name, Place lo, Place size, double height) {
    solid_.name(name);
    return solid_.boss(plate_.end, rectangle({lo.x, lo.y}, {lo.x + size.x, lo.y + size.y}), height).end;
  }
  /// With a dimple at its first pin.
  void chip(Place lo, Place size, double height) {
    const FaceId top = block("chip", lo, size, height);
    solid_.name("chip mark");
    solid_.boss(top, circle({lo.x + 2, lo.y + 2}, 0.75, 14), -0.5);
  }
  void row_of_resistors(Place from, double pitch, int count) {
    for (int i = 0; i < count; ++i) block("resistor", {from.x + pitch * i, from.y}, {3, 6}, 1.5);
  }
  void capacitor(Place at, double radius, double height) {
    solid_.name("capacitor");
    const Turn profile[] = {{radius, height - 0.5}, {radius - 0.5, height}};
    solid_.close(solid_.turned(solid_.open(plate_.end, {at.x, at.y}, radius, 22), profile));
  }
  void relay(Place lo, Place size, double height) {
    solid_.name("relay");
    solid_.boss(plate_.end, rounded_rectangle({lo.x, lo.y}, {lo.x + size.x, lo.y + size.y}, 1.5, 6), height);
  }
  /// A block with fins along y.
  void heat_sink(Place lo, Place size, int fins) {
    const FaceId top = block("heat sink", lo, size, 3);
    solid_.name("heat sink fin");
    const double pitch = size.x / fins;
    for (int i = 0; i < fins; ++i)
      solid_.boss(top, slot({lo.x + pitch * (i + 0.5), lo.y + size.y / 2}, size.y - 4, pitch / 4, 6, true), 9);
  }
  [[nodiscard]] Mesh build() const { return solid_.build(); }

 private:
  Solid solid_;
  Extrusion plate_;
};

}  // namespace

Mesh main_board() {
  Board board(k_main_board_size);
  for (const Place& at : k_standoffs) board.hole({at.x - k_main_board.x, at.y - k_main_board.y}, 2.25, 20);
  board.heat_sink({20, 30}, {32, 30}, 8);
  for (int i = 0; i < 4; ++i) board.chip({62.0 + 18 * i, 44}, {12, 18}, 2);
  board.chip({136, 30}, {28, 28}, 2.5);
  for (int i = 0; i < 6; ++i) board.capacitor({64.0 + 12 * i, 70}, 4, 10);
  board.row_of_resistors({20, 16}, 11, 10);
  board.row_of_vias({62, 34}, 10, 6);
  return board.build();
}

Mesh power_board() {
  Board board(k_small_board_size);
  board.heat_sink({42, 6}, {40, 22}, 8);
  for (int i = 0; i < 3; ++i) board.capacitor({10.0 + 12 * i, 40}, 5, 18);
  board.relay({44, 32}, {14, 20}, 12);
  board.relay({62, 32}, {14, 20}, 12);
  board.row_of_resistors({4, 24}, 8, 4);
  board.row_of_vias({38, 30}, 3, 12);
  return board.build();
}

Mesh io_board() {
  Board board(k_small_board_size);
  for (int i = 0; i < 4; ++i) board.relay({6.0 + 19 * i, 34}, {15, 16}, 12);
  for (int i = 0; i < 2; ++i) board.chip({50.0 + 16 * i, 6}, {12, 14}, 2);
  board.row_of_resistors({6, 24}, 8, 8);
  board.row_of_vias({50, 22}, 3, 10);
  return board.build();
}

}  // namespace snug::scenes::control_box_parts
