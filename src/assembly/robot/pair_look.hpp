#pragma once

#include "assembly/robot/joint_task.hpp"
#include "support/rooms.hpp"

namespace snug::robot {

/// Looks at pairs in boxes, one after the other. Each thread has its own.
class PairLook {
 public:
  explicit PairLook(const JointTask& task) : task_(task), bounds_(task.model), poses_(task.robot.links.size()) {}

  /// What is known of a pair in all of the box. `deep` is tried first as the witness of a collision.
  SeenPair look_at(const JointBox& box, std::uint32_t pair, const std::optional<DeepPoint>& deep);

 private:
  void set_pose(const JointBox& box, const JointTask::Pair& pair);
  bool is_free(std::array<std::uint32_t, 2> links, SeenPair& seen, std::optional<MotionBounds::Approach>& widest);
  Lasting lasting(std::array<std::uint32_t, 2> links, std::array<std::size_t, 2> bodies, const Pose& pose_a,
                  const Pose& pose_b, const Closeness& close, double bound, std::optional<DeepPoint>& deep);
  void choose_split(const JointBox& box, const JointTask::Pair& pair, const MotionBounds::Approach& widest,
                    SeenPair& seen);

  const JointTask& task_;
  MotionBounds bounds_;
  Scratch scratch_;
  std::vector<double> values_, half_, by_joint_;
  std::vector<Pose> poses_;
};

}  // namespace snug::robot
