#pragma once

#include "assembly/robot/deep_point.hpp"
#include "assembly/robot/solid.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace snug::robot {

/// Why a pair is undecided in a piece of the range, the reason that counts for more behind the others.
enum class Open : std::uint8_t { no, contact, open_mesh, rounding, limit, cancelled };

/// A piece of the range, with the pairs that are not known to be free everywhere in it.
struct JointBox {
  struct Pair {
    std::uint32_t id = 0;
    std::optional<DeepPoint> deep = std::nullopt;  ///< the best point of the box that this one is a half of
  };
  std::vector<double> lower, upper;  ///< by span
  std::vector<Pair> pairs;
  int depth = 0;                ///< it has been halved so often
  bool colliding = false;       ///< for certain and everywhere, and counted as such
  Open open = Open::no;         ///< the gravest reason for which a pair is undecided in it
  bool open_colliding = false;  ///< and collides in the middle of it

  [[nodiscard]] double share() const { return std::ldexp(1.0, -depth); }
  [[nodiscard]] double middle(std::size_t span) const { return lower[span] + (upper[span] - lower[span]) / 2; }
};

/// What was found of a pair that is not free in a box.
struct SeenPair {
  JointBox::Pair pair;
  bool certain = false;  ///< collides everywhere in the box
  bool kept = false;     ///< to be looked at in the halves; else undecided, or certain
  bool may_collide = true;
  Open open = Open::no;
  Closeness at_middle;
};

struct SeenBox {
  std::vector<SeenPair> pairs;
  std::size_t split = 0;  ///< the span to halve, if any pair is kept
};

}  // namespace snug::robot
