// Ranges of joints, held to what poses drawn from them do.
#include "support.hpp"

#include <snug/distance.hpp>
#include <snug/move_report.hpp>
#include <snug/robot.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <string>

namespace snug {
namespace {

constexpr double k_pi = 3.14159265358979323846;

Robot parsed(const std::string& text) {
  auto robot = parse_robot(text, "r.urdf");
  EXPECT_TRUE(robot) << robot.error().message();
  return std::move(*robot);
}

std::string solid_link(const std::string& name, const std::string& shape, const std::string& origin = "0 0 0",
                       const std::string& rpy = "0 0 0") {
  return "<link name='" + name + "'><collision><origin xyz='" + origin + "' rpy='" + rpy + "'/><geometry>" + shape +
         "</geometry></collision></link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& origin, const std::string& axis, const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
         "'/><origin xyz='" + origin + "'/><axis xyz='" + axis + "'/><limit lower='-3' upper='3'/>" + more + "</joint>";
}

/// A ball on an arm that turns about z, and another one that stands still.
Robot carousel() {
  return parsed("<robot><link name='world'/>" + solid_link("post", "<sphere radius='0.1'/>", "1 0 0") +
                solid_link("arm", "<sphere radius='0.1'/>", "1 0 0") +
                joint("stand", "fixed", "world", "post", "0 0 0", "1 0 0") +
                joint("turn", "continuous", "world", "arm", "0 0 0", "0 0 1") + "</robot>");
}

TEST(Joints, ShareOfATurnIsAsComputedByHand) {
  const Robot robot = carousel();
  const std::vector<JointSpan> spans{{1, -k_pi, k_pi}};
  const double truth = 2 * std::asin(0.1) / k_pi;
  for (const double tolerance : {1e-2, 1e-4}) {
    const JointReport report = check_joints(robot, spans, {.tolerance = tolerance}).value();
    ASSERT_EQ(report.findings.size(), 1U);
    const JointFinding& finding = report.findings[0];
    EXPECT_EQ(finding.verdict, Verdict::clash);
    EXPECT_LE(report.shares.colliding, truth);
    EXPECT_GE(report.shares.colliding + report.shares.undecided, truth);
    EXPECT_LE(report.shares.undecided, 4 * tolerance);
    EXPECT_EQ(report.shares.free + report.shares.colliding + report.shares.undecided, 1);
    const double edge = 2 * std::asin(0.1);
    EXPECT_LE(finding.within[0][0], -edge);
    EXPECT_GE(finding.within[0][1], edge);
    EXPECT_NEAR(finding.within[0][1], edge, 4 * tolerance);
    EXPECT_LE(std::abs(finding.example[1]), edge);
    ASSERT_FALSE(report.free_example.empty());
    EXPECT_GT(std::abs(report.free_example[1]), edge);
  }
}

TEST(Joints, ClearanceCountsAndIsToldApart) {
  const Robot robot = carousel();
  // Beyond the collision, within a clearance.
  const std::vector<JointSpan> spans{{1, 0.25, 1.5}};
  EXPECT_TRUE(check_joints(robot, spans).value().findings.empty());
  const double gap_at_start = 2 * std::sin(0.125) - 0.2;
  const JointReport report = check_joints(robot, spans, {.clearance = 2 * gap_at_start, .tolerance = 1e-4}).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::near);
  const double edge = 2 * std::asin((0.2 + 2 * gap_at_start) / 2);
  EXPECT_NEAR(report.shares.colliding, (edge - 0.25) / 1.25, 1e-3);
  EXPECT_NEAR(report.findings[0].distance, gap_at_start, gap_at_start);
}

TEST(Joints, AdjacentAndRigidLinksAreLeftOutAndTold) {
  const std::string text = "<robot>" + solid_link("base", "<box size='1 1 1'/>") +
                           solid_link("arm", "<box size='1 1 1'/>") + solid_link("cover", "<box size='1 1 1'/>") +
                           "<link name='empty'/>" + joint("j", "revolute", "base", "arm", "0 0 0.5", "0 0 1") +
                           joint("f", "fixed", "arm", "cover", "0 0 0", "0 0 1") +
                           joint("g", "fixed", "arm", "empty", "0 0 0", "0 0 1") + "</robot>";
  const Robot robot = parsed(text);
  const std::vector<JointSpan> spans{{0, -1, 1}};
  JointReport report = check_joints(robot, spans).value();
  EXPECT_EQ(report.pairs, 1U);  // base and cover
  EXPECT_EQ(report.excluded.size(), 2U);
  EXPECT_EQ(report.empty_links, (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(report.count_of(Verdict::clash), 1U);
  EXPECT_EQ(report.shares.colliding, 1);
  EXPECT_LE(report.poses, 7U) << "boxes that overlap by half their edges whatever the angle";
  report = check_joints(robot, spans, {.adjacent = true}).value();
  EXPECT_EQ(report.pairs, 2U);
  report = check_joints(robot, spans, {.ignored = {{0, 2}}}).value();
  EXPECT_EQ(report.pairs, 0U);
  EXPECT_EQ(report.shares.free, 0) << "nothing was looked at";
}

TEST(Joints, WhatIsInsideAClosedMeshCollides) {
  // A box of triangles around a ball that slides along x; the mesh is written into the robot by hand.
  MeshInput input;
  for (int i = 0; i < 8; ++i)
    input.vertices.push_back({(i & 1) ? 1.0 : -1.0, (i & 2) ? 1.0 : -1.0, (i & 4) ? 1.0 : -1.0});
  for (const auto& [a, b, c, d] : std::initializer_list<std::array<std::uint32_t, 4>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    input.triangles.push_back({a, b, c}), input.triangles.push_back({a, c, d});
  Robot robot =
      parsed("<robot><link name='world'/>" + solid_link("case", "<sphere radius='1'/>") +
             solid_link("ball", "<sphere radius='0.125'/>") + joint("f", "fixed", "world", "case", "0 0 0", "1 0 0") +
             joint("x", "prismatic", "world", "ball", "0 0 0", "1 0 0") + "</robot>");
  robot.links[1].bodies[0].shape = Shape(Mesh::build(input).value());
  const std::vector<JointSpan> spans{{1, -2, 2}};
  const JointReport closed = check_joints(robot, spans, {.tolerance = 1e-3}).value();
  // Collides for |x| <= 1.125.
  EXPECT_LE(closed.shares.colliding, 1.125 / 2);
  EXPECT_GE(closed.shares.colliding, 1.125 / 2 - 0.01);
  EXPECT_GE(closed.shares.colliding + closed.shares.undecided, 1.125 / 2);
  // With a hole nobody knows what is inside: the walls collide, within them it is undecided, and nothing is free but outside.
  MeshInput open = input;
  open.triangles.pop_back();
  robot.links[1].bodies[0].shape = Shape(Mesh::build(open).value());
  const JointReport sheet = check_joints(robot, spans, {.tolerance = 1e-3}).value();
  EXPECT_EQ(sheet.count_of(Verdict::clash), 1U);
  EXPECT_LE(sheet.shares.free, 1 - 1.125 / 2);
  EXPECT_GE(sheet.shares.free, 1 - 1.125 / 2 - 0.01);
  EXPECT_GT(sheet.shares.colliding, 0.05) << "through the wall at -1, which is whole";
  EXPECT_LE(sheet.shares.colliding, 0.25 / 2);
  EXPECT_GE(sheet.shares.why.open_mesh, 1.75 / 4 - 0.01);
  EXPECT_LT(sheet.poses, 2000U) << "what can not be decided is not divided";
  // At rest within it, likewise.
  const JointReport still = check_joints(robot, std::vector{JointSpan{1, 0, 0}}).value();
  EXPECT_EQ(still.shares.free, 0);
  EXPECT_EQ(still.shares.why.open_mesh, 1);
}

TEST(Joints, SlightOverlapsNearAnAxisAreProvedInFewPoses) {
  // An arm half a metre long turns below a beam that is as long and reaches 0.2 mm into it, at the axis.
  const Robot robot = parsed("<robot>" + solid_link("beam", "<box size='0.5 0.1 0.1'/>", "-0.23 0 0.0498") +
                             "<link name='hub'/>" + solid_link("arm", "<box size='0.5 0.1 0.02'/>", "0.23 0 -0.01") +
                             joint("f", "fixed", "beam", "hub", "0 0 0", "0 0 1") +
                             joint("turn", "continuous", "hub", "arm", "0 0 0", "0 0 1") + "</robot>");
  const JointReport report = check_joints(robot, std::vector{JointSpan{1, -k_pi, k_pi}}).value();
  EXPECT_EQ(report.shares.colliding, 1);
  EXPECT_LT(report.poses, 200U);
}

/// A bar through a ring of four bars, all of triangles; `open` takes a triangle away at the far end of the bar.
Robot bar_in_ring(bool open) {
  MeshInput ring, bar;
  const auto box = [](MeshInput& mesh, const Point3& lo, const Point3& hi) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int i = 0; i < 8; ++i)
      mesh.vertices.push_back({(i & 1) ? hi.x : lo.x, (i & 2) ? hi.y : lo.y, (i & 4) ? hi.z : lo.z});
    for (const auto& [a, b, c, d] : std::initializer_list<std::array<std::uint32_t, 4>>{
             {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
      mesh.triangles.push_back({first + a, first + b, first + c});
      mesh.triangles.push_back({first + a, first + c, first + d});
    }
  };
  box(ring, {-0.3, -0.3, -0.05}, {0.3, -0.2, 0.05});
  box(ring, {-0.3, 0.2, -0.05}, {0.3, 0.3, 0.05});
  box(ring, {-0.3, -0.3, -0.05}, {-0.2, 0.3, 0.05});
  box(ring, {0.2, -0.3, -0.05}, {0.3, 0.3, 0.05});
  box(bar, {-0.1, -0.1, -0.5}, {0.1, 0.1, 0.5});
  if (open) bar.triangles.erase(bar.triangles.begin() + 2);  // of the end at z = 0.5
  Robot robot =
      parsed("<robot><link name='world'/>" + solid_link("ring", "<sphere radius='1'/>") +
             solid_link("bar", "<sphere radius='1'/>") + joint("f", "fixed", "world", "ring", "0 0 0", "1 0 0") +
             joint("x", "prismatic", "world", "bar", "0 0 0", "1 0 0") + "</robot>");
  robot.links[1].bodies[0].shape = Shape(Mesh::build(ring).value());
  robot.links[2].bodies[0].shape = Shape(Mesh::build(bar).value());
  return robot;
}

TEST(Joints, MeshesWhoseBoxesOverlapAreDecided) {
  for (const bool open : {false, true}) {
    SCOPED_TRACE(open);
    const Robot robot = bar_in_ring(open);
    const JointReport free = check_joints(robot, std::vector{JointSpan{1, -0.09, 0.09}}).value();
    EXPECT_EQ(free.shares.free, 1) << "10 mm to spare within a ring";
    EXPECT_TRUE(free.findings.empty());
    EXPECT_LT(free.poses, 100U);
    // Collides for 0.1 <= |x| <= 0.4: 3/5 of the range.
    const JointReport both = check_joints(robot, std::vector{JointSpan{1, -0.5, 0.5}}).value();
    EXPECT_LE(both.shares.colliding, 0.6);
    EXPECT_GT(both.shares.colliding, 0.57);
    EXPECT_GE(both.shares.colliding + both.shares.undecided, 0.6);
    EXPECT_LE(both.shares.free, 0.4);
    EXPECT_GT(both.shares.free, 0.39);
    EXPECT_DOUBLE_EQ(both.shares.why.sum(), both.shares.undecided);
    EXPECT_EQ(both.shares.why.limit, 0);
  }
}

TEST(Joints, PairsAtRestAreLookedAtOnceAndToldApart) {
  // b overlaps the base for ever; c turns freely far from both.
  const Robot robot =
      parsed("<robot>" + solid_link("a", "<sphere radius='1'/>") + "<link name='m'/>" +
             solid_link("b", "<sphere radius='1'/>") + solid_link("c", "<sphere radius='1'/>", "9 0 0") +
             joint("x", "revolute", "a", "m", "0 0 0", "0 0 1") + joint("f", "fixed", "m", "b", "0 0 0", "0 0 1") +
             joint("y", "revolute", "m", "c", "0 0 0", "0 0 1") + "</robot>");
  const JointReport report = check_joints(robot, std::vector{JointSpan{2, -1, 1}}).value();
  EXPECT_EQ(report.pairs, 3U);
  EXPECT_EQ(report.pairs_at_rest, 1U);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(report.findings[0].at_rest);
  EXPECT_EQ(report.shares.colliding, 1);
  EXPECT_EQ(report.moving_shares.free, 1);
  EXPECT_TRUE(report.free_example.empty());
}

TEST(Joints, LinksBeyondAllCoordinatesAreNotFree) {
  // Each shift is within bounds; both together are not, and the links below have no valid pose.
  const std::string far = "<limit lower='6e299' upper='6.6e299' effort='1' velocity='1'/>";
  const auto shift = [&](const std::string& name, const std::string& parent, const std::string& child) {
    return "<joint name='" + name + "' type='prismatic'><parent link='" + parent + "'/><child link='" + child +
           "'/><axis xyz='1 0 0'/>" + far + "</joint>";
  };
  const Robot robot =
      parsed("<robot><link name='base'/><link name='m1'/>" + solid_link("m2", "<sphere radius='1'/>") +
             "<link name='m3'/>" + solid_link("tip", "<sphere radius='1'/>") + shift("j1", "base", "m1") +
             shift("j2", "m1", "m2") + joint("j3", "revolute", "m2", "m3", "0 0 0", "0 0 1") +
             joint("j4", "revolute", "m3", "tip", "0 0 0", "0 0 1") + "</robot>");
  const auto report = check_joints(robot, std::vector{JointSpan{2, 0, 0.1}});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->pairs, 1U);
  EXPECT_EQ(report->shares.free, 0);
  EXPECT_EQ(report->shares.undecided, 1);
}

TEST(Joints, TheLimitLeavesTheRestUndecided) {
  const Robot robot = carousel();
  const std::vector<JointSpan> spans{{1, 0.15, 3}};
  const JointReport none = check_joints(robot, spans, {.tolerance = 1e-6, .budget = {.steps = 2}}).value();
  EXPECT_TRUE(none.limit_reached);
  EXPECT_EQ(none.poses, 2U);
  EXPECT_GT(none.shares.undecided, 0);
  EXPECT_EQ(none.count_of(Verdict::undecided) + none.count_of(Verdict::clash), 1U);
  CancelToken cancelled;
  cancelled.cancel();
  const JointReport stopped = check_joints(robot, spans, {.budget = {.cancel = &cancelled}}).value();
  EXPECT_TRUE(stopped.cancelled);
  EXPECT_EQ(stopped.shares.undecided, 1);
  EXPECT_EQ(stopped.count_of(Verdict::undecided), 1U);
}

TEST(Joints, AfterTheDeadlineTheRestIsUndecided) {
  const Robot robot = carousel();
  for (const std::vector<JointSpan>& spans : {std::vector<JointSpan>{{1, 0.15, 3}}, std::vector<JointSpan>{}}) {
    const JointReport late = check_joints(robot, spans, {.budget = Budget::lasting(std::chrono::seconds(-1))}).value();
    EXPECT_TRUE(late.limit_reached);
    EXPECT_FALSE(late.cancelled);
    EXPECT_EQ(late.poses, 0U);
    EXPECT_EQ(late.shares.undecided, 1);
    EXPECT_EQ(late.shares.why.limit, 1);
    const JointReport in_time =
        check_joints(robot, spans, {.tolerance = 1e-3, .budget = Budget::lasting(std::chrono::hours(1))}).value();
    EXPECT_FALSE(in_time.limit_reached);
    EXPECT_GT(in_time.poses, 0U);
  }
}

/// A chain of random solids; some joints slide, one may mimic another.
std::string random_robot(std::uint32_t seed) {
  std::uint32_t state = seed * 2654435761U + 1;
  const auto next = [&](double low, double high) {
    state = state * 1664525 + 1013904223;
    return low + (high - low) * (state / 4294967296.0);
  };
  const auto three = [&](double low, double high) {
    return std::to_string(next(low, high)) + ' ' + std::to_string(next(low, high)) + ' ' +
           std::to_string(next(low, high));
  };
  std::string text = "<robot><link name='root'/>";
  const int links = 3 + static_cast<int>(next(0, 3));
  for (int i = 0; i < links; ++i) {
    const std::string name = "l" + std::to_string(i), size = std::to_string(next(0.05, 0.3)),
                      length = std::to_string(next(0.1, 0.8));
    const double kind = next(0, 4);
    const std::string shape = kind < 1   ? "<box size='" + three(0.1, 0.6) + "'/>"
                              : kind < 2 ? "<sphere radius='" + size + "'/>"
                              : kind < 3 ? "<capsule radius='" + size + "' length='" + length + "'/>"
                                         : "<cylinder radius='" + size + "' length='" + length + "'/>";
    text += solid_link(name, shape, three(-0.3, 0.3), three(-2, 2));
    const std::string parent = i == 0 || next(0, 1) < 0.3 ? "root" : "l" + std::to_string(static_cast<int>(next(0, i)));
    const char* type = next(0, 1) < 0.3 ? "prismatic" : "revolute";
    const std::string mimic = i > 0 && next(0, 1) < 0.2 ? "<mimic joint='j0' multiplier='0.7'/>" : "";
    text += joint("j" + std::to_string(i), type, parent, name, three(-0.5, 0.5), three(-1, 1), mimic);
  }
  return text + "</robot>";
}

bool collide(const Robot& robot, std::uint32_t a, std::uint32_t b, std::span<const Pose> poses) {
  Scratch scratch;
  for (const RobotBody& x : robot.links[a].bodies)
    for (const RobotBody& y : robot.links[b].bodies)
      if (intersects(x.shape, compose(poses[a], x.pose), y.shape, compose(poses[b], y.pose), scratch)) return true;
  return false;
}

TEST(Joints, NoPoseContradictsTheCellsOrTheFindings) {
  std::uint64_t told = 0;
  for (std::uint32_t seed = 0; seed < test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    const Robot robot = parsed(random_robot(seed));
    std::vector<JointSpan> spans;
    for (std::uint32_t i = 0; i < robot.joints.size() && spans.size() < 2; ++i)
      if (!robot.joints[i].mimic) spans.push_back({i, -1.5, 2});
    const JointReport report = check_joints(robot, spans, {.tolerance = 0.02, .budget = {.steps = 3000}}).value();
    ASSERT_NEAR(report.shares.free + report.shares.colliding + report.shares.undecided, report.pairs > 0 ? 1 : 0,
                1e-12);
    std::uint32_t state = seed + 99;
    const auto random = [&] { return (state = state * 1664525 + 1013904223) / 4294967296.0; };
    for (int sample = 0; sample < 300; ++sample) {
      std::vector<double> values = rest_values(robot);
      std::array<double, 2> at{};
      for (std::size_t i = 0; i < spans.size(); ++i)
        values[spans[i].joint] = at[i] = spans[i].lower + (spans[i].upper - spans[i].lower) * random();
      const auto poses = link_poses(robot, values).value();
      bool any = false;
      for (std::uint32_t a = 0; a < robot.links.size(); ++a)
        for (std::uint32_t b = a + 1; b < robot.links.size(); ++b) {
          const bool excluded = std::ranges::any_of(report.excluded, [&](const ExcludedLinks& e) {
            return (e.a == a && e.b == b) || (e.a == b && e.b == a);
          });
          if (excluded || !collide(robot, a, b, poses)) continue;
          const auto found = std::ranges::find_if(
              report.findings, [&](const JointFinding& f) { return (f.a == a && f.b == b) || (f.a == b && f.b == a); });
          ASSERT_NE(found, report.findings.end()) << robot.links[a].name << ' ' << robot.links[b].name;
          if (found->at_rest) {
            EXPECT_EQ(report.shares.colliding, 1);
          }
          any |= !found->at_rest || report.pairs == report.pairs_at_rest;
          for (std::size_t i = 0; i < spans.size(); ++i) {
            EXPECT_LE(found->within[i][0], at[i]);
            EXPECT_GE(found->within[i][1], at[i]);
          }
        }
      for (const JointCell& cell : report.cells) {
        bool inside = true;
        for (std::size_t i = 0; i < spans.size(); ++i) inside &= cell.lower[i] < at[i] && at[i] < cell.upper[i];
        if (!inside || cell.state == JointCell::State::undecided) continue;
        EXPECT_EQ(any, cell.state == JointCell::State::colliding);
        ++told;
      }
    }
    for (const JointFinding& finding : report.findings) {
      if (finding.verdict != Verdict::clash) continue;
      EXPECT_TRUE(collide(robot, finding.a, finding.b, link_poses(robot, finding.example).value()));
    }
  }
  EXPECT_GT(told, 0U);
}

/// The surface of a box, of two triangles a side; `hole` leaves one of them out.
Shape box_mesh(const Vec3& half, bool hole) {
  MeshInput input;
  for (int i = 0; i < 8; ++i)
    input.vertices.push_back({(i & 1) ? half.x : -half.x, (i & 2) ? half.y : -half.y, (i & 4) ? half.z : -half.z});
  for (const auto& [a, b, c, d] : std::initializer_list<std::array<std::uint32_t, 4>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    input.triangles.push_back({a, b, c}), input.triangles.push_back({a, c, d});
  if (hole) input.triangles.pop_back();
  return Shape(Mesh::build(input).value());
}

/// As collide(), of surfaces alone where a body is a mesh with a hole.
bool surfaces_collide(const Robot& robot, std::uint32_t a, std::uint32_t b, std::span<const Pose> poses,
                      double clearance) {
  Scratch scratch;
  for (const RobotBody& x : robot.links[a].bodies)
    for (const RobotBody& y : robot.links[b].bodies) {
      const Pose px = compose(poses[a], x.pose), py = compose(poses[b], y.pose);
      if (within(x.shape, px, y.shape, py, clearance, scratch)) return true;
    }
  return false;
}

TEST(Joints, NoPoseContradictsTheCellsOfMeshesAndSolids) {
  // Boxes become meshes, some with a hole. A mesh with its hole closed is the box again: where a cell is free, the boxes must
  // be apart; where it is colliding, the surfaces must meet, or the boxes, where no mesh has a hole.
  std::array<std::uint64_t, 2> told{};
  for (std::uint32_t seed = 100; seed < 100 + test::scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    const Robot solid = parsed(random_robot(seed));
    Robot robot = solid, surfaces = solid;
    std::uint32_t state = seed;
    const auto random = [&] { return (state = state * 1664525 + 1013904223) / 4294967296.0; };
    const bool holes = seed % 2 == 1;
    for (std::size_t i = 0; i < robot.links.size(); ++i)
      for (std::size_t j = 0; j < robot.links[i].bodies.size(); ++j) {
        const Primitive box = *solid.links[i].bodies[j].shape.primitive();
        if (box.kind() != Primitive::Kind::box || random() < 0.3) continue;
        robot.links[i].bodies[j].shape = box_mesh(box.half(), holes);
        if (holes) surfaces.links[i].bodies[j].shape = robot.links[i].bodies[j].shape;
      }
    std::vector<JointSpan> spans;
    for (std::uint32_t i = 0; i < robot.joints.size() && spans.size() < 2; ++i)
      if (!robot.joints[i].mimic) spans.push_back({i, -1.5, 2});
    const double clearance = seed % 3 == 0 ? 0.05 : 0;
    const JointReport report =
        check_joints(robot, spans, {.clearance = clearance, .tolerance = 0.02, .budget = {.steps = 2000}}).value();
    for (int sample = 0; sample < 300; ++sample) {
      std::vector<double> values = rest_values(robot);
      std::array<double, 2> at{};
      for (std::size_t i = 0; i < spans.size(); ++i)
        values[spans[i].joint] = at[i] = spans[i].lower + (spans[i].upper - spans[i].lower) * random();
      const auto poses = link_poses(robot, values).value();
      bool any_whole = false, any_surface = false;
      for (std::uint32_t a = 0; a < robot.links.size(); ++a)
        for (std::uint32_t b = a + 1; b < robot.links.size(); ++b) {
          const auto is_pair = [&](const auto& e) { return (e.a == a && e.b == b) || (e.a == b && e.b == a); };
          const auto found = std::ranges::find_if(report.findings, is_pair);
          if (std::ranges::any_of(report.excluded, is_pair)) continue;
          if (found != report.findings.end() && found->at_rest && report.pairs != report.pairs_at_rest) continue;
          any_whole |= surfaces_collide(solid, a, b, poses, clearance);
          any_surface |= surfaces_collide(surfaces, a, b, poses, clearance);
        }
      for (const JointCell& cell : report.cells) {
        bool inside = true;
        for (std::size_t i = 0; i < spans.size(); ++i) inside &= cell.lower[i] < at[i] && at[i] < cell.upper[i];
        if (!inside || cell.state == JointCell::State::undecided) continue;
        const bool colliding = cell.state == JointCell::State::colliding;
        EXPECT_TRUE(colliding ? any_surface : !any_whole) << at[0] << ' ' << at[1];
        ++told[colliding ? 1 : 0];
      }
    }
  }
  // Of 300 samples a robot, so that both answers are put to the test at every scale.
  EXPECT_GT(told[0], 10U * test::scaled(60));
  EXPECT_GT(told[1], 10U * test::scaled(60));
}

/// The state of the cell that holds the values, if they are in the inside of one.
std::optional<JointCell::State> state_at(const JointReport& report, std::span<const double> at) {
  for (const JointCell& cell : report.cells) {
    bool inside = true;
    for (std::size_t i = 0; i < at.size(); ++i) inside &= cell.lower[i] < at[i] && at[i] < cell.upper[i];
    if (inside) return cell.state;
  }
  return std::nullopt;
}

TEST(Joints, EachPairIsLookedAtAlongTheJointsThatMoveIt) {
  // Two arms far from each other, each with a post of its own: of the range of both, each pair sees one joint.
  const auto arm = [](const std::string& n, const std::string& at) {
    return solid_link("post" + n, "<sphere radius='0.1'/>", "1 0 0") +
           solid_link("arm" + n, "<sphere radius='0.1'/>", "1 0 0") +
           joint("stand" + n, "fixed", "world", "post" + n, at, "1 0 0") +
           joint("turn" + n, "continuous", "world", "arm" + n, at, "0 0 1");
  };
  const Robot both = parsed("<robot><link name='world'/>" + arm("1", "0 0 0") + arm("2", "90 0 0") + "</robot>");
  const JointCheckOptions aside{.values = {0, 1.5, 0, 1.5}};  // the arm that rests is off its post
  const JointReport one = check_joints(both, std::vector{JointSpan{1, -3, 3}}, aside).value();
  const JointReport other = check_joints(both, std::vector{JointSpan{3, -2, 1}}, aside).value();
  const JointReport report = check_joints(both, std::vector{JointSpan{1, -3, 3}, JointSpan{3, -2, 1}}).value();
  EXPECT_LT(report.poses, one.poses + other.poses + 16) << "each pair once, whatever the other joint's value";
  const double colliding = one.shares.colliding + other.shares.colliding * (1 - one.shares.colliding);
  EXPECT_NEAR(report.shares.colliding, colliding, 1e-3);
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].shares.colliding, one.findings[0].shares.colliding);
  EXPECT_EQ(report.findings[1].shares.colliding, other.findings[0].shares.colliding);
  EXPECT_EQ(report.findings[0].within[1], (std::array<double, 2>{-2, 1})) << "of all values of the other joint";
}

TEST(Joints, TheOrderOfSpansChangesNothing) {
  std::uint64_t told = 0;
  for (std::uint32_t seed = 200; seed < 200 + test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    const Robot robot = parsed(random_robot(seed));
    std::vector<JointSpan> spans;
    for (std::uint32_t i = 0; i < robot.joints.size() && spans.size() < 2; ++i)
      if (!robot.joints[i].mimic) spans.push_back({i, -1.5, 2});
    if (spans.size() < 2) continue;
    const JointCheckOptions options{.tolerance = 0.02, .budget = {.steps = 3000}};
    const JointReport there = check_joints(robot, spans, options).value();
    std::swap(spans[0], spans[1]);
    const JointReport back = check_joints(robot, spans, options).value();
    std::uint32_t state = seed;
    const auto random = [&] { return (state = state * 1664525 + 1013904223) / 4294967296.0; };
    for (int sample = 0; sample < 200; ++sample) {
      const std::array<double, 2> at{-1.5 + 3.5 * random(), -1.5 + 3.5 * random()}, swapped{at[1], at[0]};
      const auto x = state_at(there, at), y = state_at(back, swapped);
      if (!x || !y || *x == JointCell::State::undecided || *y == JointCell::State::undecided) continue;
      EXPECT_EQ(*x, *y) << at[0] << ' ' << at[1];
      ++told;
    }
  }
  EXPECT_GT(told, 50U * test::scaled(40));
}

TEST(Joints, ASpanOfSeveralTurnsIsTheOneTurnAgain) {
  const Robot robot = carousel();
  const double edge = 2 * std::asin(0.1);
  for (const double turns : {1.25, 2.0, 3.2, 4.0}) {
    SCOPED_TRACE(turns);
    const double upper = 1 + turns * 2 * k_pi;
    const JointReport report = check_joints(robot, std::vector{JointSpan{1, 1, upper}}).value();
    double truth = 0;  // about each whole number of turns
    for (double middle = 2 * k_pi; middle - edge < upper; middle += 2 * k_pi)
      truth += std::min(middle + edge, upper) - (middle - edge);
    EXPECT_NEAR(report.shares.colliding, truth / (upper - 1), 1e-4);
    EXPECT_NEAR(report.shares.free + report.shares.colliding + report.shares.undecided, 1, 1e-12);
    EXPECT_LT(report.poses, 300U) << "one turn is looked at";
    double covered = 0;
    for (const JointCell& cell : report.cells) {
      EXPECT_LE(cell.upper[0], upper);
      covered += cell.upper[0] - cell.lower[0];
    }
    EXPECT_NEAR(covered, upper - 1, 1e-8);
    for (int i = 0; i < 1000; ++i) {
      const double at = 1 + (upper - 1) * (i + 0.5) / 1000;
      const auto state = state_at(report, std::array{at});
      const bool collides = std::abs(std::remainder(at, 2 * k_pi)) <= edge;
      if (!state || *state == JointCell::State::undecided) continue;
      EXPECT_EQ(*state == JointCell::State::colliding, collides) << at;
    }
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_GE(report.findings[0].within[0][1], upper - std::fmod(upper, 2 * k_pi)) << "of the last turn, too";
  }
}

TEST(Joints, AJointThatMimicsAFractionOfATurnIsNotFolded) {
  // The arm turns at half the speed of the knob: it meets the post once in two turns.
  const Robot robot =
      parsed("<robot><link name='world'/>" + solid_link("post", "<sphere radius='0.1'/>", "1 0 0") +
             "<link name='knob'/>" + solid_link("arm", "<sphere radius='0.1'/>", "1 0 0") +
             joint("stand", "fixed", "world", "post", "0 0 0", "1 0 0") +
             joint("turn", "continuous", "world", "knob", "0 0 0", "0 0 1") +
             joint("follow", "continuous", "world", "arm", "0 0 0", "0 0 1", "<mimic joint='turn' multiplier='0.5'/>") +
             "</robot>");
  const JointReport report = check_joints(robot, std::vector{JointSpan{1, -k_pi, 3 * k_pi}}).value();
  // At 0 the arm is at the post, at 2 pi on the other side.
  EXPECT_NEAR(report.shares.colliding, 4 * 2 * std::asin(0.1) / (4 * k_pi), 1e-4);
  EXPECT_EQ(state_at(report, std::array{0.01}), JointCell::State::colliding);
  EXPECT_EQ(state_at(report, std::array{2 * k_pi + 0.01}), JointCell::State::free);
}

TEST(Joints, NoPoseContradictsRangesOfSeveralTurns) {
  std::array<std::uint64_t, 2> told{};
  for (std::uint32_t seed = 300; seed < 300 + test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    const Robot robot = parsed(random_robot(seed));
    std::vector<JointSpan> spans;
    for (std::uint32_t i = 0; i < robot.joints.size() && spans.size() < 2; ++i)
      if (!robot.joints[i].mimic) spans.push_back({i, spans.empty() ? -5 : -4.5, 7.0});
    const JointReport report = check_joints(robot, spans, {.tolerance = 0.02, .budget = {.steps = 3000}}).value();
    std::uint32_t state = seed;
    const auto random = [&] { return (state = state * 1664525 + 1013904223) / 4294967296.0; };
    for (int sample = 0; sample < 200; ++sample) {
      std::vector<double> values = rest_values(robot), at;
      for (const JointSpan& span : spans)
        at.push_back(values[span.joint] = span.lower + (span.upper - span.lower) * random());
      const auto found = state_at(report, at);
      if (!found || *found == JointCell::State::undecided) continue;
      const auto poses = link_poses(robot, values).value();
      bool any = false;
      for (std::uint32_t a = 0; a < robot.links.size(); ++a)
        for (std::uint32_t b = a + 1; b < robot.links.size(); ++b) {
          const auto is_pair = [&](const auto& e) { return (e.a == a && e.b == b) || (e.a == b && e.b == a); };
          const auto finding = std::ranges::find_if(report.findings, is_pair);
          if (std::ranges::any_of(report.excluded, is_pair)) continue;
          if (finding != report.findings.end() && finding->at_rest && report.pairs != report.pairs_at_rest) continue;
          any |= collide(robot, a, b, poses);
        }
      EXPECT_EQ(any, *found == JointCell::State::colliding) << at[0];
      ++told[any ? 1 : 0];
    }
  }
  EXPECT_GT(told[0], 10U * test::scaled(40));
  EXPECT_GT(told[1], 10U * test::scaled(40));
}

TEST(Joints, ThreadsChangeNothing) {
  for (const std::uint32_t seed : {3U, 8U}) {
    SCOPED_TRACE(seed);
    const Robot robot = parsed(random_robot(seed));
    std::vector<JointSpan> spans;
    for (std::uint32_t i = 0; i < robot.joints.size(); ++i)
      if (!robot.joints[i].mimic) spans.push_back({i, -1, 1});
    std::string first;
    for (const unsigned threads : {1U, 3U, 4U}) {
      JointCheckOptions options{.tolerance = 0.05, .budget = {.steps = 2500}, .threads = threads};
      const std::string json = joints_json(robot, spans, options, check_joints(robot, spans, options).value(), {});
      if (first.empty()) first = json;
      EXPECT_EQ(json, first) << threads;
    }
  }
}

}  // namespace
}  // namespace snug
