#pragma once

#include "assembly/robot/joint_box.hpp"
#include "assembly/robot/motion_bound.hpp"
#include "support/rooms.hpp"

#include <snug/robot.hpp>

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace snug::robot {

/// The values of one span. Poses repeat with every turn of a joint: where a span is wider than a turn, one turn is looked at
/// and stands for all of its copies.
class SpanValues {
 public:
  SpanValues(const Robot& robot, const JointSpan& span);

  [[nodiscard]] double lower() const noexcept { return lower_; }
  /// The end of what is looked at.
  [[nodiscard]] double upper() const noexcept { return folded_ ? one_turn_ : upper_; }
  /// Where the last of the copies() ends.
  [[nodiscard]] double last_copy_ends(double lower, double upper) const noexcept;
  /// The part of [lower, upper] and its copies that lies below `middle` and its copies.
  [[nodiscard]] double share_below(double middle, double lower, double upper) const noexcept;
  /// All places of the span at which poses are those of [lower, upper].
  [[nodiscard]] std::vector<std::array<double, 2>> copies(double lower, double upper) const;

 private:
  [[nodiscard]] double measure(double lower, double upper) const noexcept;

  double lower_, upper_, one_turn_;
  bool folded_ = false;
};

/// What the looks at all boxes share.
struct JointTask {
  /// `watch`: of this part of the call. Once it is cancelled, the task is good for a report that says so, not for looks.
  JointTask(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options, const Watch& watch);

  struct Pair {
    std::array<std::uint32_t, 2> links{};
    std::vector<std::uint32_t> joints;  ///< that pose the two links, each one behind that which holds its parent
    std::vector<std::uint32_t> spans;   ///< that move the links against each other, rising
    [[nodiscard]] bool at_rest() const noexcept { return spans.empty(); }
  };

  const Robot& robot;
  std::span<const JointSpan> spans;
  const JointCheckOptions& options;
  std::vector<double> values;                               ///< of all joints; those of spans do not matter
  std::vector<std::vector<std::unique_ptr<Solid>>> solids;  ///< by link
  MotionModel model;
  std::vector<SpanValues> span_values;
  std::vector<Pair> pairs;  ///< to be looked at, ordered by name
  std::vector<ExcludedLinks> excluded;

  [[nodiscard]] JointBox whole() const;
  [[nodiscard]] std::array<JointBox, 2> halves(const JointBox& box, std::size_t span) const;
  [[nodiscard]] std::vector<double> values_at_middle(const JointBox& box) const;
  /// At this distance it counts like a collision.
  [[nodiscard]] bool counts(const Closeness& close) const {
    return close.collide() || close.value <= options.clearance;
  }

 private:
  void choose_pairs();
  void add_pair(std::uint32_t link_a, std::uint32_t link_b);
};

}  // namespace snug::robot
