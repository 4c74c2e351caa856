// What holds of the simulations that are hard on contacts (physics/headless/trials.hpp), in runs short enough to be made often.

#include "physics/headless/trials.hpp"
#include "physics/headless/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::headless {
namespace {

struct Ended {
  std::vector<Pose> poses;
  double lowest = std::numeric_limits<double>::infinity();  ///< energy, in joules
  double risen = 0;                                         ///< the most that it grew over its lowest before
};

Ended run(const Trial& trial, double seconds) {
  World world(trial.scene, {.sleep = false});
  Ended end;
  for (int i = 0; i < static_cast<int>(seconds * trial.scene.rate_hz); ++i) {
    world.step();
    end.risen = std::max(end.risen, world.energy() - end.lowest);
    end.lowest = std::min(end.lowest, world.energy());
  }
  world.poses(end.poses);
  return end;
}

TEST(Trials, TowerOfTwelveStands) {
  // It sways by up to some centimetres, but no cube leaves the one below it, nor sinks into it.
  const Trial trial = tower();
  const std::vector<Pose> poses = run(trial, 1).poses;
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const Point3 at = poses[i].translation();
    EXPECT_LT(std::hypot(at.x, at.y), 0.05);
    EXPECT_NEAR(at.z, 0.1 * static_cast<double>(i) - 0.05, 0.001 * static_cast<double>(i));
  }
}

TEST(Trials, LinksOfAChainStayLinked) {
  const Trial trial = chain(12);
  const std::vector<Pose> poses = run(trial, 1).poses;
  EXPECT_EQ(trial.out_of_place(poses), 0U);
  // Nor is it drawn together.
  EXPECT_LT(poses.back().translation().z, 12 * -0.059);
}

TEST(Trials, GearsInMeshCreepByLessThanAMillimetreAMinute) {
  // A tooth meets the next at places that come and go; what they bear goes on from one to the next.
  const Trial trial = gears_in_mesh();
  const std::vector<Pose> early = run(trial, 1).poses, late = run(trial, 2).poses;
  for (std::size_t i = 0; i < early.size(); ++i)
    for (const Point3& p : {Point3{0.05, 0, 0}, Point3{0, 0.05, 0}, Point3{0, 0, 0.05}})
      EXPECT_LT((late[i].apply(p) - early[i].apply(p)).length(), 1e-3 / 60) << i;
}

TEST(Trials, ToriStayInTheBowl) {
  const Trial trial = tori_in_a_bowl(25);
  EXPECT_EQ(trial.out_of_place(run(trial, 0.75).poses), 0U);
}

TEST(Trials, WhatIsOutOfPlaceIsSeen) {
  for (const Trial& trial : trials()) {
    SCOPED_TRACE(trial.name);
    std::vector<Pose> poses;
    for (const Part& part : trial.scene.assembly.parts()) poses.push_back(part.pose);
    // Tori begin above the bowl.
    if (trial.name != "tori in a bowl") {
      EXPECT_EQ(trial.out_of_place(poses), 0U);
    }
    for (Pose& pose : poses) pose = compose(translation(0, 0, -1), pose);
    if (trial.name != "chain") {
      EXPECT_GE(trial.out_of_place(poses), 3U);
    }
    poses.back() = compose(translation(0, 0, -1), poses.back());
    EXPECT_GE(trial.out_of_place(poses), 1U);
  }
}

}  // namespace
}  // namespace snug::headless
