// Links whose surfaces stay far apart: one may still lie inside the other. A floor without bounds does not spoil the others.
#include "scenes/solids.hpp"
#include "unit/firmness_parts.hpp"

#include <snug/robot.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

/// A closed ball with eight spikes: balls around pieces of its surface leave its middle uncovered.
Mesh star() {
  MeshInput in = test::input_of(scenes::sphere(1, 60, 30));
  for (Point3& p : in.vertices) {
    const double spike = std::abs(p.x * p.y * p.z) / 0.19245;
    p = (0.3 + 0.9 * spike) * p;
  }
  in.surfaces.clear(), in.surface_of_triangle.clear();
  return Mesh::build(std::move(in)).value();
}

/// Links that hang from the world, each by a joint of its own that slides along x.
Robot sliding(std::vector<RobotBody> bodies) {
  Robot robot;
  robot.links.push_back({.name = "world", .bodies = {}});
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    robot.links.push_back({.name = "link " + std::to_string(i), .bodies = {std::move(bodies[i])}, .joint = i});
    robot.joints.push_back({.name = "joint " + std::to_string(i),
                            .kind = JointKind::prismatic,
                            .parent = 0,
                            .child = i + 1,
                            .origin = {},
                            .axis = {1, 0, 0},
                            .lower = -1,
                            .upper = 1});
    robot.order.push_back(i);
  }
  return robot;
}

TEST(NestedLinks, CollideThoughTheirSurfacesStayFarApart) {
  const Robot robot = sliding({{Shape(star()), {}, ""}, {Shape(Primitive::sphere(0.005).value()), {}, ""}});
  for (const double half : {0.0, 0.002}) {
    const JointReport report = check_joints(robot, std::vector<JointSpan>{{1, -half, half}}).value();
    EXPECT_EQ(report.shares.colliding, 1) << half;
    ASSERT_EQ(report.findings.size(), 1U) << half;
    EXPECT_EQ(report.findings[0].verdict, Verdict::clash);
  }
}

TEST(NestedLinks, AreFreeOutside) {
  const Robot robot =
      sliding({{Shape(star()), {}, ""}, {Shape(Primitive::sphere(0.005).value()), translation(0, 0.5, 0), ""}});
  EXPECT_EQ(check_joints(robot, std::vector<JointSpan>{{1, -0.002, 0.002}}).value().shares.free, 1);
}

/// What is found of two boxes at rest, while a third link moves far away.
JointShares at_rest(const Mesh& outer, const Mesh& inner) {
  const Robot robot = sliding({{Shape(outer), {}, ""},
                               {Shape(inner), {}, ""},
                               {Shape(Primitive::sphere(0.1).value()), translation(0, 9, 0), ""}});
  return check_joints(robot, std::vector<JointSpan>{{2, -0.1, 0.1}}).value().shares;
}

TEST(NestedLinks, CollideThoughTheirSurfacesAreApartByRounding) {
  const double inside = std::nextafter(1.0, 0.0), outside = std::nextafter(1.0, 2.0);
  const Mesh whole = scenes::box({-1, -1, -1}, {1, 1, 1});
  EXPECT_EQ(at_rest(whole, scenes::box({0.4, -0.3, -0.3}, {inside, 0.3, 0.3})).colliding, 1);
  EXPECT_EQ(at_rest(scenes::box({0.4, -0.3, -0.3}, {inside, 0.3, 0.3}), whole).colliding, 1);
  EXPECT_EQ(at_rest(whole, scenes::box({outside, -0.3, -0.3}, {1.6, 0.3, 0.3})).free, 1);
  // The same box, by a hair smaller on all sides: no point of either is certainly inside the other.
  const JointShares same = at_rest(whole, scenes::box({-inside, -inside, -inside}, {inside, inside, inside}));
  EXPECT_EQ(same.free, 0);
  EXPECT_EQ(same.why.rounding + same.colliding, 1);
}

TEST(HalfSpaces, LeaveOtherPairsDecided) {
  const auto box = [](double x) {
    return RobotBody{Shape(Primitive::box({0.2, 0.2, 0.2}).value()), translation(x, 0, 0), ""};
  };
  const auto floor = [](double z) { return RobotBody{Shape(Primitive::half_space({0, 0, 1}, z).value()), {}, ""}; };
  const std::vector<JointSpan> spans{{0, -0.5, 0.5}};
  const JointReport free = check_joints(sliding({box(1), box(-1), floor(-5)}), spans).value();
  EXPECT_EQ(free.shares.free, 1);
  EXPECT_LE(free.poses, 16U);
  const JointReport sunk = check_joints(sliding({box(1), box(-1), floor(0)}), spans).value();
  EXPECT_EQ(sunk.shares.colliding, 1);
}

TEST(OtherPrimitives, AreTakenForWhatTheyAre) {
  const auto body = [](const Primitive& solid, double x) { return RobotBody{Shape(solid), translation(x, 0, 0), ""}; };
  const std::vector<JointSpan> spans{{0, -0.5, 0.5}};
  const std::vector<Primitive> solids{
      Primitive::cone(0.2, 0.4).value(), Primitive::ellipsoid({0.1, 0.2, 0.3}).value(),
      Primitive::triangle({{Point3{0, 0, -0.1}, Point3{0.2, 0, 0.2}, Point3{0, 0.2, 0.2}}}).value()};
  for (const Primitive& solid : solids) {
    SCOPED_TRACE(to_string(solid.kind()));
    const auto shares = [&](const Primitive& ground) {
      return check_joints(sliding({body(solid, 1), body(solid, -1), body(ground, 0)}), spans).value().shares;
    };
    EXPECT_EQ(shares(Primitive::plane({0, 0, 1}, -5).value()).free, 1);
    EXPECT_EQ(shares(Primitive::plane({0, 0, 1}, 5).value()).free, 1);
    // What is on both sides of a plane is never free of it.
    EXPECT_EQ(shares(Primitive::plane({0, 0, 1}, 0).value()).free, 0);
    EXPECT_EQ(shares(Primitive::half_space({0, 0, 1}, 1).value()).free, 0);
  }
}

}  // namespace
}  // namespace snug
