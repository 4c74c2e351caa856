#pragma once

#include "assembly/robot/deep_point.hpp"
#include "assembly/robot/solid.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace snug::robot {

/// Why a pair is undecided in a piece of the range, the reason that counts for more behind the others.
enum class Open : std::uint8_t { no, contact, open_mesh, rounding, limit, cancelled };

/// A piece of the range.
struct JointBox {
  std::vector<double> lower, upper;  ///< by span
  double share = 1;                  ///< of the whole range

  [[nodiscard]] double middle(std::size_t span) const { return lower[span] + (upper[span] - lower[span]) / 2; }
};

/// What a look at a pair in a box has found.
struct SeenPair {
  bool free = false;     ///< everywhere in the box
  bool certain = false;  ///< collides everywhere in the box
  bool kept = false;     ///< neither, and the halves of the box may be decided; else it is undecided
  bool may_collide = false;
  Open open = Open::no;
  Closeness at_middle;
  std::optional<DeepPoint> deep;  ///< the best witness point, to be tried first in the halves
  std::uint32_t split = 0;        ///< of a kept one: the span that moves the two links most, to be halved
  double moved = 0;               ///< by so much
};

}  // namespace snug::robot
