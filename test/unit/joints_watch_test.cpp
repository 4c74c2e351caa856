// Long checks of joints: how far they are, and that they end soon after they were asked to.
#include "scenes/solids.hpp"

#include <snug/robot.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace snug {
namespace {

constexpr const char* k_cylinder = "<cylinder radius='0.05' length='0.4'/>";

/// Links one behind the other, that turn by the axes x and y in turn, above a floor.
Robot chain(std::uint32_t links) {
  std::string text =
      "<robot><link name='floor'><collision><origin xyz='0 0 -0.3'/><geometry><box size='4 4 0.1'/></geometry>"
      "</collision></link>";
  for (std::uint32_t i = 0; i < links; ++i) {
    const std::string id = std::to_string(i), parent = i == 0 ? "floor" : "link" + std::to_string(i - 1);
    text += "<link name='link" + id + "'><collision><origin xyz='0 0 0.25'/><geometry>" + k_cylinder +
            "</geometry></collision></link><joint name='j" + id + "' type='revolute'><parent link='" + parent +
            "'/><child link='link" + id + "'/><origin xyz='0 0 " + (i == 0 ? "0" : "0.5") + "'/><axis xyz='" +
            (i % 2 == 0 ? "1 0 0" : "0 1 0") + "'/><limit lower='-2' upper='2'/></joint>";
  }
  return parse_robot(text + "</robot>", "chain.urdf").value();
}

std::vector<JointSpan> all_of(const Robot& robot) {
  std::vector<JointSpan> out;
  for (std::uint32_t i = 0; i < robot.joints.size(); ++i)
    out.push_back({i, robot.joints[i].lower, robot.joints[i].upper});
  return out;
}

TEST(JointsWatch, ProgressRisesToOneAndDoesNotWaitThere) {
  const Robot robot = chain(5);
  for (const unsigned threads : {1U, 3U}) {
    std::vector<double> told;
    JointCheckOptions options{.budget = {.steps = 20000}, .threads = threads};
    options.progress = [&](double share) { told.push_back(share); };
    (void)check_joints(robot, all_of(robot), options).value();
    ASSERT_GT(told.size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_GE(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    const auto near_end = std::ranges::count_if(told, [](double share) { return share > 0.95; });
    EXPECT_LT(near_end, static_cast<std::ptrdiff_t>(told.size() / 4)) << told.size();
  }
}

TEST(JointsWatch, CancelIsSeenWithinABatch) {
  const Robot robot = chain(5);
  JointCheckOptions options{.threads = 1};
  CancelToken cancel;
  options.budget.cancel = &cancel;
  // The first batch of poses comes behind the preparation of the links.
  std::size_t calls = 0;
  options.progress = [&](double share) {
    if (share > 0.05 && ++calls == 2) cancel.cancel();
  };
  const JointReport report = check_joints(robot, all_of(robot), options).value();
  EXPECT_TRUE(report.cancelled);
  EXPECT_LT(report.poses, 1024U) << "a batch was finished";
  EXPECT_EQ(report.shares.undecided, 1);
  EXPECT_EQ(report.count_of(Verdict::undecided), report.pairs);
  for (const JointFinding& finding : report.findings) EXPECT_EQ(finding.shares.why.cancelled, 1);
}

TEST(JointsWatch, CancelIsSeenWhileMeshesArePrepared) {
  Robot robot = chain(6);
  for (std::size_t i = 1; i < robot.links.size(); ++i)
    robot.links[i].bodies[0].shape = Shape(scenes::sphere(0.1, 64, 32));
  for (const unsigned threads : {1U, 2U}) {
    JointCheckOptions options{.threads = threads};
    CancelToken cancel;
    options.budget.cancel = &cancel;
    options.progress = [&](double) { cancel.cancel(); };
    const JointReport report = check_joints(robot, all_of(robot), options).value();
    EXPECT_TRUE(report.cancelled);
    EXPECT_EQ(report.poses, 0U);
    EXPECT_EQ(report.pairs, 15U);
    EXPECT_EQ(report.count_of(Verdict::undecided), report.pairs);
    EXPECT_EQ(report.shares.undecided, 1);
  }
}

TEST(JointsWatch, PairsAtRestAreCancelledToo) {
  const Robot robot = chain(5);
  CancelToken cancel;
  JointCheckOptions options{.budget = {.cancel = &cancel}};
  options.progress = [&](double) { cancel.cancel(); };
  const JointReport report = check_joints(robot, {}, options).value();
  EXPECT_TRUE(report.cancelled);
  EXPECT_EQ(report.pairs_at_rest, report.pairs);
  EXPECT_EQ(report.poses, 0U);
  EXPECT_EQ(report.shares.undecided, 1);
  EXPECT_EQ(report.shares.why.cancelled, 1);
}

}  // namespace
}  // namespace snug
