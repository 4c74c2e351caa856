#include "bench/raabe/chip_area.hpp"

#include "chip/relative.hpp"

#include <cmath>

namespace snug::bench::raabe {

namespace {

/// Synthesised: snug_chip, overlap_pipe, triangle_unit (docs/chip.md), and of chip/synth/studies relative_decoder with nine bits,
/// cached_record, quad_unit and refit_unit (docs/papers/raabe-chip.md).
struct Synthesised {
  ChipArea chip, pipe, triangle_unit, decoder, cached_record, quad_unit, refit_unit;
};
constexpr Synthesised k_w12{{6980, 6086, 18, 12}, {2248, 982, 12, 0}, {3248, 2500, 6, 0}, {1010, 0, 0, 0},
                            {798, 0, 0, 0},       {3793, 2855, 6, 0}, {4857, 2753, 8, 21}};
constexpr Synthesised k_w14{{8120, 7026, 21, 12}, {2606, 1138, 12, 0}, {3922, 3068, 9, 0}, {1229, 0, 0, 0},
                            {894, 0, 0, 0},       {4485, 3471, 9, 0},  {5117, 2979, 8, 26}};
constexpr Synthesised k_w18{{9488, 8432, 30, 12}, {3322, 1450, 12, 0}, {4669, 3730, 18, 0}, {1713, 0, 0, 0},
                            {1086, 0, 0, 0},      {5342, 4229, 18, 0}, {5976, 3515, 12, 31}};
constexpr Synthesised k_w35{{17154, 17951, 93, 19}, {7439, 5766, 48, 0}, {8276, 7097, 45, 0}, {2593, 0, 0, 0},
                            {1902, 0, 0, 0},        {9587, 8004, 45, 0}, {8621, 5497, 32, 60}};

const Synthesised& synthesised(unsigned width) {
  return width <= 12 ? k_w12 : width <= 14 ? k_w14 : width <= 18 ? k_w18 : k_w35;
}

/// Blocks of memory, 512 words of 36 bits, side by side.
double blocks_for(double bits) { return std::ceil(bits / 36); }

}  // namespace

ChipArea area_of(unsigned width, const chip::Structure& structure) {
  const Synthesised& made = synthesised(width);
  const double w = width;
  ChipArea area = made.chip;
  // A further pipe has axes of its own; a further triangle unit shares what brings its data.
  area.add(made.pipe, structure.pipes - 1.0).add({0, 0, 0, blocks_for(7 * w + 32)}, structure.pipes - 1.0);
  area.add(made.triangle_unit, structure.triangle_units - 1.0);
  // Both bodies' records in two halves of one memory with two ports: as many blocks for 256 records as for one. What is kept has a
  // number beside it, 24 bits of it and one that says that there is something, and comes to GetData past what memory brings.
  const bool relative = structure.relative_bits != 0;
  if (structure.cached_records > 0 || structure.whole_entries) {
    const double record = relative ? 512.0 * chip::relative_record_bursts(structure.relative_bits) : 24 * w + 64;
    area.add(made.cached_record).add({0, 0, 0, blocks_for(record + 25)});
  }
  // Parents beside each entry of the stack; DOPs of the entry, of the next pair and of two before it in registers.
  if (relative) area.add(made.decoder).add({0, 4 * 48 * w, 0, blocks_for(48 * w)});
  // Every unit keeps four corners of both; so does what brings them, beside a bit.
  if (structure.quadrangles) {
    const double units = structure.triangle_units;
    area.add(made.quad_unit, units).add(made.triangle_unit, -units).add({0, 2 * (3 * w + 1), 0, 0});
  }
  return area;
}

ChipArea refit_area(unsigned width) { return synthesised(width).refit_unit; }

}  // namespace snug::bench::raabe
