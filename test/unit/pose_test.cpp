#include "scenes/random.hpp"
#include "support.hpp"
#include "support/trig.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace snug {
namespace {

using scenes::Random;

TEST(Pose, IdentityReturnsItsArgument) {
  const Point3 p{0.1, -1e300, 5e-324};
  EXPECT_EQ(Pose{}.apply(p), p);
  EXPECT_EQ(translation(0, 0, 0).apply(p), p);
  // Signs of zeros included, which the formula would lose.
  const std::array<Point3, 1> zeros{{{-0.0, 0.0, -0.0}}};
  std::array<Point3, 1> posed;
  for (const Pose& pose : {Pose{}, translation(0, -0.0, 0), Pose::make({-1, 0, 0, 0}, {}).value()}) {
    pose.apply(zeros, posed);
    for (const Point3& v : {posed[0], pose.apply(zeros[0])})
      EXPECT_TRUE(std::signbit(v.x) && !std::signbit(v.y) && std::signbit(v.z));
  }
}

TEST(Pose, CubeRotationsAreExact) {
  for (const Pose& pose : test::cube_rotations()) {
    int ones = 0;
    for (const double r : pose.matrix()) {
      EXPECT_TRUE(r == 0 || r == 1 || r == -1) << r;
      ones += r != 0 ? 1 : 0;
    }
    EXPECT_EQ(ones, 3);
  }
}

TEST(Pose, PlacesByTheWrittenSequenceOfRoundings) {
  Random random(17);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = random.pose(1e3);
    const Point3 v = random.point(-1e3, 1e3);
    const auto& r = pose.matrix();
    const auto row = [&](std::size_t k) {
      // Each step through memory, so that no compiler can fuse it.
      volatile double x = r[3 * k] * v.x, y = r[3 * k + 1] * v.y, z = r[3 * k + 2] * v.z;
      volatile double xy = x + y;
      volatile double xyz = xy + z;
      return xyz + pose.translation()[k];
    };
    ASSERT_EQ(pose.apply(v), (Point3{row(0), row(1), row(2)}));
  }
}

TEST(Pose, RoundingStaysBelowThePosingError) {
  Random random(19);
  for (std::uint64_t i = 0; i < test::scaled(20000); ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(random.below(60)) - 30);
    const Pose pose = random.pose(size * (random.below(2) == 0 ? 1 : 1e7));
    const Point3 v = random.point(-size, size);
    Aabb bounds;
    bounds.include(v);
    const double bound = posing_error(bounds, pose);
    const Point3 w = pose.apply(v);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& r = pose.matrix();
      const long double exact = static_cast<long double>(r[3 * k]) * v.x +
                                static_cast<long double>(r[3 * k + 1]) * v.y +
                                static_cast<long double>(r[3 * k + 2]) * v.z + pose.translation()[k];
      ASSERT_LE(std::abs(static_cast<double>(exact - w[k])), bound);
    }
  }
}

TEST(Pose, NormalisesOnceAndKeepsUnitQuaternions) {
  Random random(23);
  for (int i = 0; i < 1000; ++i) {
    const Quaternion q = random.rotation();
    const Pose once = Pose::make(q, {}).value(), twice = Pose::make(once.rotation(), {}).value();
    ASSERT_EQ(once, twice);
    const Quaternion& u = once.rotation();
    ASSERT_NEAR(u.w * u.w + u.x * u.x + u.y * u.y + u.z * u.z, 1, 1e-15);
  }
  EXPECT_EQ(Pose::make({1e-200, 0, 0, 0}, {}).value(), Pose{});
  EXPECT_EQ(Pose::make({1e300, 0, 0, 0}, {}).value(), Pose{});
}

TEST(Pose, RefusesWhatIsNotAPlacement) {
  using Code = PoseError::Code;
  EXPECT_EQ(Pose::make({0, 0, 0, 0}, {}).error().code, Code::zero_rotation);
  EXPECT_EQ(Pose::make({NAN, 0, 0, 0}, {}).error().code, Code::non_finite);
  EXPECT_EQ(Pose::make({}, {0, INFINITY, 0}).error().code, Code::non_finite);
  EXPECT_EQ(Pose::make({}, {0, 1e301, 0}).error().code, Code::too_large);
}

TEST(Pose, PosingErrorIsNoLooserThanWritten) {
  // A quarter turn about z of the box [-3,1] x [0,2] x {5}, shifted by 10 in x: row x takes |y| <= 2 and the shift.
  const double h = 0.70710678118654757;
  const Pose pose = Pose::make({h, 0, 0, h}, {10, 0, 0}).value();
  Aabb bounds;
  bounds.include({-3, 0, 5});
  bounds.include({1, 2, 5});
  EXPECT_DOUBLE_EQ(posing_error(bounds, pose), 12 * 0x1p-50);
  EXPECT_GT(posing_error({{0, 0, 0}, {1e-318, 0, 0}}, pose), 0);
}

TEST(Pose, ComposingEqualsPosingTwice) {
  Random random(37);
  for (int i = 0; i < 1000; ++i) {
    const Pose outer = random.pose(3), inner = random.pose(3);
    const Point3 p = random.point(-1, 1);
    const Point3 twice = outer.apply(inner.apply(p)), once = compose(outer, inner).apply(p);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(once[k], twice[k], 1e-14);
  }
  const Pose far = compose(translation(k_max_coordinate, 0, 0), translation(k_max_coordinate, 0, 0));
  EXPECT_FALSE(far.is_valid()) << "beyond the limit, never back at the origin";
}

TEST(Pose, WhatCanNotBePlacedIsInvalidRatherThanAtTheOrigin) {
  for (const Pose& pose :
       {translation(NAN, 0, 0), translation(0, INFINITY, 0), translation(1e301, 0, 0), rotation({0, 0, 0}, 1),
        rotation({NAN, 0, 0}, 1), rotation({0, 0, 1}, 1e7), rotation({0, 0, 1}, NAN), Pose::invalid()}) {
    EXPECT_FALSE(pose.is_valid());
    EXPECT_TRUE(std::isnan(pose.apply({0, 0, 0}).x));
    EXPECT_FALSE(pose == Pose()) << "nor equal to anything";
    EXPECT_FALSE(compose(pose, translation(1, 0, 0)).is_valid());
    EXPECT_FALSE((translation(1, 0, 0) * pose).is_valid());
    EXPECT_FALSE(inverse(pose).is_valid());
    EXPECT_EQ(posing_error({{0, 0, 0}, {1, 1, 1}}, pose), INFINITY);
  }
  EXPECT_TRUE(Pose().is_valid());
  EXPECT_TRUE(rotation({0, 0, 1e-300}, 1).is_valid());
}

TEST(Pose, ComposesInOrder) {
  const Pose turn = rotation({0, 0, 1}, std::acos(-1.0) / 2), shift = translation(1, 0, 0);
  const Point3 p = compose(turn, shift).apply({0, 0, 0});
  EXPECT_NEAR(p.x, 0, 1e-15);
  EXPECT_NEAR(p.y, 1, 1e-15);
  EXPECT_EQ(compose(shift, turn).apply({0, 0, 0}), (Point3{1, 0, 0}));
}

TEST(Trig, StaysWithinItsStatedErrors) {
  Random random(29);
  double worst = 0, worst_atan = 0;
  for (std::uint64_t i = 0; i < test::scaled(200000); ++i) {
    const double reach = i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : 1e6;
    const double x = random.uniform(-reach, reach);
    worst = std::max(worst, static_cast<double>(std::abs(support::sine(x) - std::sin(static_cast<long double>(x)))));
    worst = std::max(worst, static_cast<double>(std::abs(support::cosine(x) - std::cos(static_cast<long double>(x)))));
    const double u = random.uniform(0, 1);
    const long double exact = std::atan(static_cast<long double>(u));
    if (u > 0)
      worst_atan = std::max(worst_atan, static_cast<double>(std::abs(support::arc_tangent_unit(u) - exact) / exact));
  }
  EXPECT_LT(worst, 2e-16);
  EXPECT_LT(worst_atan, 1e-15);
  RecordProperty("worst", std::to_string(worst));
}

TEST(Trig, HasTheSameBitsEverywhere) {
  // Written down once: a compiler or machine that rounds otherwise shows here.
  EXPECT_EQ(std::bit_cast<std::uint64_t>(support::sine(1.0)), std::bit_cast<std::uint64_t>(0x1.aed548f090ceep-1));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(support::cosine(1.0)), std::bit_cast<std::uint64_t>(0x1.14a280fb5068cp-1));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(support::arc_tangent_unit(1.0)),
            std::bit_cast<std::uint64_t>(support::k_pi / 4));
}

TEST(Motion, PassesThroughItsKeysAndRestsOutside) {
  Random random(31);
  const Pose a = random.pose(5), b = random.pose(5), c = random.pose(5);
  const Motion motion = Motion::make({{0, a}, {1, b}, {3, c}}, Arc::shorter).value();
  EXPECT_EQ(motion.at(-9), a);
  EXPECT_EQ(motion.at(0), a);
  EXPECT_EQ(motion.at(1), b);
  EXPECT_EQ(motion.at(3), c);
  EXPECT_EQ(motion.at(INFINITY), c);
  EXPECT_EQ(Motion::rest(b).at(7), b);
  const Vec3 middle = motion.at(2).translation();
  EXPECT_NEAR(middle.x, (b.translation().x + c.translation().x) / 2, 1e-15);
}

TEST(Motion, TurnsAtConstantSpeedAlongTheShorterArc) {
  const double quarter = std::acos(-1.0) / 2;
  for (const double sign : {1.0, -1.0}) {
    const Quaternion q = rotation({0, 0, 1}, quarter).rotation();
    const Pose end = Pose::make({sign * q.w, sign * q.x, sign * q.y, sign * q.z}, {}).value();
    const Motion motion = Motion::make({{0, Pose{}}, {1, end}}, Arc::shorter).value();
    for (const double t : {0.1, 0.25, 0.5, 0.9}) {
      const Point3 p = motion.at(t).apply({1, 0, 0});
      EXPECT_NEAR(p.x, std::cos(t * quarter), 1e-15);
      EXPECT_NEAR(p.y, std::sin(t * quarter), 1e-15);
    }
  }
}

TEST(Motion, KeepsTheRateOfTurningBetweenAnyTwoRotations) {
  Random random(41);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const Pose a = random.pose(0), b = random.pose(0);
    const Motion motion = Motion::make({{0, a}, {1, b}}, Arc::shorter).value();
    // The angle from a, by the trace of the relative rotation, grows in proportion.
    const auto angle_from_a = [&](const Pose& p) {
      const auto &r = a.matrix(), &s = p.matrix();
      double trace = 0;
      for (std::size_t k = 0; k < 9; ++k) trace += r[k] * s[k];
      return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0));
    };
    const double whole = angle_from_a(b);
    for (const double t : {0.25, 0.5, 0.75}) ASSERT_NEAR(angle_from_a(motion.at(t)), t * whole, 1e-7);
  }
}

TEST(Motion, HandlesTheSmallestAndLargestSpansOfTime) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const Motion small = Motion::make({{3 * tiny, translation(0, 0, 0)}, {5 * tiny, translation(8, 0, 0)}}).value();
  EXPECT_EQ(small.at(4 * tiny).translation().x, 4);
  const Motion large = Motion::make({{-1.5e308, translation(0, 0, 0)}, {1.5e308, translation(8, 0, 0)}}).value();
  EXPECT_EQ(large.at(0).translation().x, 4);
}

TEST(Motion, RefusesBadKeys) {
  using Code = MotionError::Code;
  EXPECT_EQ(Motion::make({}).error().code, Code::empty);
  EXPECT_EQ(Motion::make({{0, {}}, {0, {}}}).error().code, Code::times_not_rising);
  EXPECT_EQ(Motion::make({{0, {}}, {NAN, {}}}).error().code, Code::non_finite_time);
  EXPECT_EQ(VertexMotion::make({{0, {{0, 0, 0}}}, {1, {}}}).error().code, Code::vertex_count);
  EXPECT_EQ(VertexMotion::make({{0, {{0, NAN, 0}}}}).error().code, Code::non_finite_vertex);
}

TEST(VertexMotion, MovesEachVertexLinearly) {
  const VertexMotion motion = VertexMotion::make({{0, {{0, 0, 0}, {1, 1, 1}}}, {2, {{4, 0, 0}, {1, 1, 3}}}}).value();
  std::vector<Point3> at(2);
  motion.at(0.5, at);
  EXPECT_EQ(at[0], (Point3{1, 0, 0}));
  EXPECT_EQ(at[1], (Point3{1, 1, 1.5}));
  motion.at(2, at);
  EXPECT_EQ(at[1], (Point3{1, 1, 3}));
}

TEST(Diagnostics, TheHandlerCanBeReplaced) {
  static const char* seen;
  seen = nullptr;
  const AssertHandler before = set_assert_handler([](const char* expression, const char*, int) { seen = expression; });
  EXPECT_NE(before, nullptr);
  VertexMotion::make({{0, {{}}}}).value().at(0, {});  // room for none of its vertices
  set_assert_handler(nullptr);
#if SNUG_ASSERTS
  EXPECT_NE(seen, nullptr);
#else
  EXPECT_EQ(seen, nullptr);
#endif
}

}  // namespace
}  // namespace snug
