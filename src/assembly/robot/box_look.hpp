#pragma once

#include "assembly/robot/joint_box.hpp"
#include "assembly/robot/motion_bound.hpp"

#include <snug/robot.hpp>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace snug::robot {

/// What the looks at all boxes share.
struct JointTask {
  JointTask(const Robot& robot, std::span<const JointSpan> spans, const JointCheckOptions& options);

  const Robot& robot;
  std::span<const JointSpan> spans;
  const JointCheckOptions& options;
  std::vector<double> values;                               ///< of all joints; those of spans do not matter
  std::vector<std::vector<std::unique_ptr<Solid>>> solids;  ///< by link
  MotionModel model;
  std::vector<std::array<std::uint32_t, 2>> pairs;  ///< links

  [[nodiscard]] std::vector<double> values_at_middle(const JointBox& box) const;
  /// How far each joint can be from the middle.
  [[nodiscard]] std::vector<double> half_widths(const JointBox& box) const;
};

/// Looks at boxes, one after the other. Each thread has its own.
class BoxLook {
 public:
  explicit BoxLook(const JointTask& task) : task_(task), bounds_(task.model) {}

  /// Those of the box's pairs that are not free in it.
  SeenBox look_at(const JointBox& box);

 private:
  bool is_free(std::array<std::uint32_t, 2> links, SeenPair& seen, std::optional<MotionBounds::Approach>& widest);
  Lasting lasting(std::array<std::uint32_t, 2> links, std::array<std::size_t, 2> bodies, const Pose& pose_a,
                  const Pose& pose_b, const Closeness& close, double bound, std::optional<DeepPoint>& deep);
  void choose_split(const JointBox& box, std::span<const double> by_joint, SeenBox& out) const;

  const JointTask& task_;
  MotionBounds bounds_;
  Scratch scratch_;
  std::vector<Pose> poses_;
};

}  // namespace snug::robot
