#pragma once

#include "assembly/robot/joint_task.hpp"
#include "assembly/robot/pair_tree.hpp"
#include "support/rooms.hpp"

#include <snug/robot.hpp>

#include <vector>

namespace snug::robot {

/// Adds up what is found of pairs and of pieces of the range, and makes the report of it.
class JointTally {
 public:
  explicit JointTally(const JointTask& task);

  JointReport report;

  /// Of a pair in a box that is divided further.
  void note_example(std::uint32_t pair, const SeenPair& seen, const JointBox& box);
  /// Of a pair that is colliding or undecided in all of a box.
  void note_decided(std::uint32_t pair, const SeenPair& seen, const JointBox& box);
  /// The same of a box that was looked at before, or within another one: the example is known.
  void note_known(std::uint32_t pair, const PairTree::Answer& answer, const JointBox& box);
  /// Of a pair that is not looked at in a box, for want of poses or because the caller has cancelled.
  void note_left(std::uint32_t pair, Open why, const JointBox& box);
  /// Forgets the shares of a pair, to count them anew.
  void forget_shares(std::uint32_t pair);

  void count_free(const JointBox& box);
  void count_colliding(const JointBox& box);
  void count_undecided(const JointBox& box, Open why, bool collides_at_middle);

  /// Puts findings and shares in order. To be called once, at the end.
  void finish();

 private:
  struct Pair {
    bool clash = false, near = false, open = false, may_clash = false;
    JointFinding finding;
  };
  void include(Pair& pair, const JointBox& box) const;
  void add_cells(const JointBox& box, JointCell::State state);
  void add_pairs_at_rest();

  const JointTask& task_;
  std::vector<Pair> pairs_;
};

}  // namespace snug::robot
