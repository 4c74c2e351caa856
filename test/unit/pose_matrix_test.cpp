#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace snug {
namespace {

using scenes::Random;
using Code = PoseError::Code;
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

std::array<double, 16> four_by_four(const Pose& pose) {
  const auto& r = pose.matrix();
  const Vec3& t = pose.translation();
  return {r[0], r[1], r[2], t.x, r[3], r[4], r[5], t.y, r[6], r[7], r[8], t.z, 0, 0, 0, 1};
}

void expect_near(const Pose& a, const Pose& b, double tolerance) {
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(a.matrix()[i], b.matrix()[i], tolerance) << i;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.translation()[i], b.translation()[i], tolerance) << i;
}

TEST(PoseMatrix, RotationsComeBackAsTheyWere) {
  Random random(41);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = random.pose(10);
    const auto from3 = Pose::from_matrix(pose.matrix(), pose.translation());
    const auto from4 = Pose::from_matrix4(four_by_four(pose));
    ASSERT_TRUE(from3 && from4);
    expect_near(*from3, pose, 1e-15);
    EXPECT_EQ(*from3, *from4);
    EXPECT_EQ(from3->translation(), pose.translation());
  }
  for (const Pose& pose : test::cube_rotations())
    EXPECT_EQ(Pose::from_matrix(pose.matrix(), {}).value().matrix(), pose.matrix()) << "exactly";
}

TEST(PoseMatrix, FloatsAndSixDigitsAreRotations) {
  Random random(43);
  for (int i = 0; i < 200; ++i) {
    const Pose pose = random.pose(1);
    std::array<double, 9> single{}, printed{};
    for (std::size_t k = 0; k < 9; ++k) {
      single[k] = static_cast<double>(static_cast<float>(pose.matrix()[k]));
      printed[k] = std::round(pose.matrix()[k] * 1e6) / 1e6;
    }
    ASSERT_TRUE(Pose::from_matrix(single, {}));
    expect_near(Pose::from_matrix(single, pose.translation()).value(), pose, 2e-7);
    expect_near(Pose::from_matrix(printed, pose.translation()).value(), pose, 3e-6);
    EXPECT_FALSE(Pose::from_matrix(single, {}, 1e-12)) << "unless more is asked for";
  }
}

TEST(PoseMatrix, WhatIsNoRotationIsRefusedWithItsDeviation) {
  const auto deviation = [](const std::array<double, 9>& m) {
    const auto refused = Pose::from_matrix(m, {});
    EXPECT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::not_a_rotation);
    return refused.error().deviation;
  };
  EXPECT_DOUBLE_EQ(deviation({-1, 0, 0, 0, 1, 0, 0, 0, 1}), 2) << "a mirror image";
  EXPECT_DOUBLE_EQ(deviation({2, 0, 0, 0, 2, 0, 0, 0, 2}), 7) << "a scale";
  EXPECT_DOUBLE_EQ(deviation({1, 0.5, 0, 0, 1, 0, 0, 0, 1}), 0.5) << "a shear";
  EXPECT_DOUBLE_EQ(deviation({0, 0, 0, 0, 0, 0, 0, 0, 0}), 1);
  EXPECT_NEAR(deviation({1.001, 0, 0, 0, 1, 0, 0, 0, 1}), 0.002, 1e-5);
  EXPECT_EQ(Pose::from_matrix({2, 0, 0, 0, 2, 0, 0, 0, 2}, {}).error().message(),
            "the matrix is no rotation: it deviates from one by 7");
  EXPECT_EQ(Pose::from_matrix({1, 0, 0, 0, 1, 0, 0, 0, k_nan}, {}).error().code, Code::non_finite);
  EXPECT_EQ(Pose::from_matrix({1, 0, 0, 0, 1, 0, 0, 0, 1}, {k_nan, 0, 0}).error().code, Code::non_finite);
  EXPECT_EQ(Pose::from_matrix({1, 0, 0, 0, 1, 0, 0, 0, 1}, {1e305, 0, 0}).error().code, Code::too_large);
  EXPECT_FALSE(Pose::from_matrix({1, 0, 0, 0, 1, 0, 0, 0, 1}, {}, k_nan)) << "a tolerance that is none";
  // Translations in the last row: a matrix for row vectors.
  const auto row_vectors = Pose::from_matrix4({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1});
  EXPECT_EQ(row_vectors.error().code, Code::bad_last_row);
  EXPECT_EQ(row_vectors.error().deviation, 5);
}

TEST(PoseMatrix, AnInverseUndoes) {
  Random random(47);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = random.pose(10);
    expect_near(inverse(pose) * pose, {}, 2e-14);
    expect_near(pose * inverse(pose), {}, 2e-14);
    const Point3 p = random.point(-1, 1), back = inverse(pose).apply(pose.apply(p));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(back[k], p[k], 1e-14);
    EXPECT_EQ(pose * Pose(), compose(pose, Pose()));
  }
  EXPECT_EQ(inverse(translation(1, 2, 3)), translation(-1, -2, -3));
  for (const Pose& pose : test::cube_rotations()) EXPECT_EQ((inverse(pose) * pose).matrix(), Pose().matrix());
  EXPECT_EQ(rotation({0, 0, 1}, std::acos(-1.0) / 2).turn({1, 0, 0}).y, 1) << "a direction is not moved";
  EXPECT_EQ(translation(5, 5, 5).turn({1, 2, 3}), (Vec3{1, 2, 3}));
}

TEST(Vec3, HasTheUsualProducts) {
  const Vec3 a{1, 2, 3}, b{4, -5, 6};
  EXPECT_EQ(a.dot(b), 12);
  EXPECT_EQ(a.cross(b), (Vec3{27, 6, -13}));
  EXPECT_EQ(a.cross(b).dot(a), 0);
  EXPECT_EQ(a.squared_length(), 14);
  EXPECT_EQ((Vec3{2, 3, 6}).length(), 7);
  EXPECT_EQ((Vec3{3e300, 4e300, 0}).length(), 5e300) << "without overflow";
  EXPECT_DOUBLE_EQ((Vec3{3e-300, 4e-300, 0}).length(), 5e-300) << "nor underflow";
  EXPECT_EQ(Vec3{}.length(), 0);
  EXPECT_EQ((Vec3{0, -INFINITY, 0}).length(), INFINITY);
  EXPECT_TRUE(std::isnan((Vec3{0, k_nan, 0}).length()));
  EXPECT_EQ((Vec3{0, 0, -2}).normalized(), (Vec3{0, 0, -1}));
  EXPECT_EQ(Vec3{}.normalized(), Vec3{});
  EXPECT_EQ((Vec3{k_nan, 1, 0}).normalized(), Vec3{});
  EXPECT_EQ(a * 2.0, 2.0 * a);
  EXPECT_EQ(a / 2.0, (Vec3{0.5, 1, 1.5}));
  Vec3 c = a;
  c += b, c -= a, c *= 2, c /= 2;
  EXPECT_EQ(c, b);
  EXPECT_FALSE((Vec3{0, k_nan, 0}).is_finite());
  static_assert((Vec3{1, 0, 0}).cross({0, 1, 0}) == Vec3{0, 0, 1});
}

}  // namespace
}  // namespace snug
