#include "bench/raabe/chip_area.hpp"

#include "query/dop/chip/relative.hpp"

#include <cmath>

namespace snug::bench::raabe {

namespace {

/// Synthesised: snug_chip, overlap_pipe, triangle_unit (docs/chip.md) and relative_decoder with nine bits (chip/synth/studies).
struct Synthesised {
  ChipArea chip, pipe, triangle_unit, decoder;
};
constexpr Synthesised k_w18{{9488, 8432, 30, 12}, {3322, 1450, 12, 0}, {4669, 3730, 18, 0}, {1713, 0, 0, 0}};
constexpr Synthesised k_w35{{17154, 17951, 93, 19}, {7439, 5766, 48, 0}, {8276, 7097, 45, 0}, {2593, 0, 0, 0}};

/// Blocks of memory, 512 words of 36 bits, side by side.
double blocks_for(double bits) { return std::ceil(bits / 36); }

}  // namespace

ChipArea area_of(unsigned width, const detail::chip::Structure& structure) {
  const Synthesised& made = width <= 18 ? k_w18 : k_w35;
  const double w = width;
  ChipArea area = made.chip;
  // A further pipe has axes of its own; a further triangle unit shares what brings its data.
  area.add(made.pipe, structure.pipes - 1.0).add({0, 0, 0, blocks_for(7 * w + 32)}, structure.pipes - 1.0);
  area.add(made.triangle_unit, structure.triangle_units - 1.0);
  // Both bodies' records in two halves of one memory with two ports: as many blocks for 256 records as for one.
  const bool relative = structure.relative_bits != 0;
  if (structure.cached_records > 0 || structure.whole_entries)
    area.blocks +=
        blocks_for(relative ? 512.0 * detail::chip::relative_record_bursts(structure.relative_bits) : 24 * w + 64);
  // Parents beside each entry of the stack; DOPs of the entry, of the next pair and of two before it in registers.
  if (relative) area.add(made.decoder).add({0, 4 * 48 * w, 0, blocks_for(48 * w)});
  // Four corners in place of three, of both triangles, beside what counts the four pairs.
  if (structure.quadrangles) area.flip_flops += 2 * 3 * w;
  return area;
}

}  // namespace snug::bench::raabe
