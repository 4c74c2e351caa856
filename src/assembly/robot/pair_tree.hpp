#pragma once

#include "assembly/robot/joint_box.hpp"
#include "support/rooms.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace snug::robot {

/// What was found of one pair of links when it was looked at alone: a division of the range into boxes, along those spans
/// only that move the pair. Other spans do not divide it: what is found holds for all of their values.
class PairTree {
 public:
  enum class State : std::uint8_t { unknown, free, colliding, undecided, divided };
  struct Answer {
    State state = State::unknown;
    Open open = Open::no;         ///< of an undecided box
    bool open_colliding = false;  ///< and it collides in the middle
    bool may_collide = false;     ///< not just come closer than the clearance
    std::uint32_t split = 0;      ///< of a divided one: the span, and how far it moves the links
    double moved = 0;
  };

  [[nodiscard]] static Answer answer_of(const SeenPair& seen, bool counts_at_middle);
  /// Puts down what was found in a box that is a leaf so far; the root is 0. A kept pair divides it.
  void set(std::uint32_t node, const SeenPair& seen, bool counts_at_middle, double middle);
  /// The half of a divided box.
  [[nodiscard]] std::uint32_t child(std::uint32_t node, std::size_t half) const {
    return nodes_[node].first + static_cast<std::uint32_t>(half);
  }
  /// What is known of a box; nothing is unless all of it was looked at, or a box that it lies in.
  [[nodiscard]] Answer at(std::span<const double> lower, std::span<const double> upper) const;
  /// True if no box is left to look at.
  [[nodiscard]] bool complete() const noexcept { return unknown_ == 0; }

 private:
  struct Node {
    Answer answer;
    double middle = 0;
    std::uint32_t first = 0;  ///< of its two children
  };
  [[nodiscard]] Answer at(std::uint32_t node, std::span<const double> lower, std::span<const double> upper) const;

  std::vector<Node> nodes_{1};
  std::size_t unknown_ = 1;
};

}  // namespace snug::robot
