#pragma once

#include "assembly/robot/joint_tally.hpp"
#include "assembly/robot/pair_look.hpp"
#include "assembly/robot/pair_tree.hpp"
#include "support/parallel.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>

#include <vector>

namespace snug::robot {

/// Divides the range of the joints. First each pair of links is looked at alone, and only along the spans that move it: one
/// that a single joint moves is decided for all values of the others at once. Then all pairs are put together, and those
/// that every span moves are looked at where no other pair is known to collide; last, where one is.
class JointSearch {
 public:
  JointSearch(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options);
  JointReport run();

 private:
  /// One pair in a box.
  struct Alone {
    std::uint32_t pair = 0, node = 0;
    JointBox box;
    std::optional<DeepPoint> deep;
  };
  /// Pairs in a box that are not known to be free in it.
  struct Together {
    struct Pair {
      std::uint32_t id = 0;
      std::optional<DeepPoint> deep;
    };
    JointBox box;
    std::vector<Pair> pairs;
    Open open = Open::no;         ///< the gravest reason for which a pair is undecided in it
    bool open_colliding = false;  ///< and collides in the middle of it
  };
  /// What is known of a pair of a box.
  struct Known {
    PairTree::Answer answer;
    std::optional<SeenPair> seen;  ///< if it was looked at
  };
  struct Looked {
    std::vector<Known> pairs;
    std::uint64_t looks = 0;
  };

  /// The part of the call's progress that a stage of the search makes up, with at most so much work.
  struct Stage {
    double begin = 0, end = 0;
    std::uint64_t most = 1;
    [[nodiscard]] double after(std::uint64_t work) const noexcept;
  };

  void look_at_rest();
  void look_alone();
  void look_together();
  void look_last();

  /// Calls look(i, pair_look) for each of `count` boxes on the team, while progress goes on to `done`. False if cancelled or
  /// late: then not all were looked at.
  template <class Look>
  [[nodiscard]] bool look_at_batch(std::size_t count, double done, Look&& look);
  /// Looks at boxes, a batch at a time, and calls take(box, seen) for each in their order, until `stage.most` poses were looked at, the
  /// time is up or the caller has cancelled. The number of those that were looked at.
  template <class Take>
  std::size_t look_through(std::span<Alone> boxes, const Stage& stage, Take&& take);
  Looked look_at(const Together& box, std::uint64_t most_looks, PairLook& look) const;
  void take(Together own, const Looked& looked, std::vector<Together>& next);
  void give_up(const Together& own);
  /// Has the deadline of the budget passed?
  [[nodiscard]] bool time_is_up() const noexcept;
  /// The same; the report then says so.
  [[nodiscard]] bool late() noexcept;
  [[nodiscard]] Open why_left() const { return tally_.report.cancelled ? Open::cancelled : Open::limit; }
  /// True of a pair that is decided along fewer spans than there are, or along one.
  [[nodiscard]] bool in_fewer_spans(std::uint32_t pair) const {
    return task_.pairs[pair].spans.size() < std::max<std::size_t>(2, task_.spans.size());
  }

  Watch watch_;
  std::uint64_t most_poses_;
  JointTask task_;
  support::Team team_;
  JointTally tally_;
  std::vector<PairTree> trees_;  ///< by pair
  std::vector<Alone> last_;      ///< pairs where another one collides
  double progress_;              ///< up to which the work given out so far goes
};

}  // namespace snug::robot
