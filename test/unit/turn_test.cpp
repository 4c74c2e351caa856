// Motions about axes: true arcs, screws, any number of turns.

#include "scenes/random.hpp"
#include "support/trig.hpp"

#include <snug/motion.hpp>
#include <snug/path.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace snug {
namespace {

using scenes::Random;

constexpr double k_pi = std::numbers::pi;

double length(const Vec3& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Rodrigues' formula in long doubles: what a turn means.
Point3 turned(const Turn& turn, const Point3& p, double share) {
  const Vec3 n = (1 / length(turn.direction)) * turn.direction, d = p - turn.point;
  const long double angle = static_cast<long double>(turn.radians) * share;
  const auto c = static_cast<double>(std::cos(angle)), s = static_cast<double>(std::sin(angle));
  return turn.point + c * d + s * cross(n, d) + ((1 - c) * dot(n, d) + turn.advance * share) * n;
}

Pose some_pose(Random& random) {
  const Point3 at = random.point(-5, 5);
  return Pose::make({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 0.7}, at).value();
}

TEST(Turn, IsATrueArcForEveryAngle) {
  Random random(1);
  for (const double radians : {0.0, 0.01, -1.0, 1.57, 3.5, k_pi, 2 * k_pi, -7.0, 100.0, 5000.0})
    for (const double advance : {0.0, 12.5}) {
      SCOPED_TRACE(radians);
      const Pose from = some_pose(random);
      const Turn turn{random.point(-9, 9), random.point(0.1, 3), radians, advance};
      const Motion motion = Motion::make({{2, from}}).value().then(5, turn).value();
      EXPECT_EQ(motion.begin(), 2);
      EXPECT_EQ(motion.end(), 5);
      EXPECT_EQ(motion.at(2), from);
      for (const PoseKey& key : motion.keys()) EXPECT_EQ(motion.at(key.t), key.pose);
      for (int i = 0; i < 50; ++i) {
        const Point3 p = random.point(-3, 3);
        const double share = i == 0 ? 1 : random.uniform(0, 1);
        const Point3 truth = turned(turn, from.apply(p), share), found = motion.at(2 + 3 * share).apply(p);
        // An angle of 5000 radians in doubles is known to 5e-13.
        EXPECT_LE(length(found - truth), 40 * (1e-15 + 4e-16 * std::abs(radians))) << share;
      }
    }
}

TEST(Turn, KeysAreNoMoreThanAQuarterTurnApart) {
  const Motion motion = Motion::rest({}).then(1, Turn{{1, 2, 3}, {0, 0, 1}, 20}).value();
  for (std::size_t i = 1; i < motion.keys().size(); ++i) {
    const Quaternion p = motion.keys()[i - 1].pose.rotation(), q = motion.keys()[i].pose.rotation();
    EXPECT_GE(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z, std::cos(k_pi / 4) - 1e-12);
  }
  EXPECT_EQ(motion.keys().size(), 14U);
  // What comes after a turn moves its own origin in a straight line again.
  const Pose last = motion.keys().back().pose;
  const Pose later = Pose::make(last.rotation(), last.translation() + Vec3{8, 0, 0}).value();
  const Motion on = motion.then(2, later).value();
  EXPECT_EQ(on.at(1.5).translation(), last.translation() + Vec3(4, 0, 0));
}

TEST(Turn, NeverGoesBackwardsWithoutAWord) {
  using Code = MotionError::Code;
  const Vec3 z{0, 0, 1};
  for (const double radians : {3.5, -3.5, 5.0, 2 * k_pi}) {
    const auto motion = Motion::make({{0, {}}, {1, rotation(z, radians)}});
    ASSERT_FALSE(motion) << radians;
    EXPECT_EQ(motion.error().code, Code::longer_arc);
    EXPECT_EQ(motion.error().key, 1U);
    EXPECT_NE(motion.error().message().find("Turn"), std::string::npos);
    EXPECT_FALSE(Motion::rest({}).then(1, rotation(z, radians)));
    EXPECT_TRUE(Motion::make({{0, {}}, {1, rotation(z, radians)}}, Arc::shorter));
    EXPECT_TRUE(Motion::rest({}).then(1, rotation(z, radians), Arc::shorter));
    EXPECT_TRUE(Motion::rest({}).then(1, Turn{{}, z, radians}));
  }
  for (const double radians : {3.0, -3.0, k_pi}) {
    const Point3 p = Motion::make({{0, {}}, {1, rotation(z, radians)}}).value().at(0.5).apply({1, 0, 0});
    EXPECT_NEAR(p.y, std::sin(radians / 2), 1e-12);
  }
}

TEST(Turn, RefusesWhatIsNone) {
  using Code = MotionError::Code;
  const auto code = [](const Turn& turn, double t = 1) { return Motion::rest({}).then(t, turn).error().code; };
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code({{}, {0, 0, 0}, 1}), Code::bad_turn);
  EXPECT_EQ(code({{}, {0, nan, 1}, 1}), Code::bad_turn);
  EXPECT_EQ(code({{}, {0, infinity, 1}, 1}), Code::bad_turn);
  EXPECT_EQ(code({{}, {0, 0, 1}, nan}), Code::bad_turn);
  EXPECT_EQ(code({{}, {0, 0, 1}, 1e6}), Code::bad_turn);
  EXPECT_EQ(code({{nan, 0, 0}, {0, 0, 1}, 1}), Code::bad_turn);
  EXPECT_EQ(code({{0, 1e299, 0}, {0, 0, 1}, 1}), Code::bad_turn);
  EXPECT_EQ(code({{}, {0, 0, 1}, 1, infinity}), Code::bad_turn);
  EXPECT_EQ(code({{}, {0, 0, 1}, 1}, 0), Code::times_not_rising);
  EXPECT_EQ(code({{}, {0, 0, 1}, 1}, nan), Code::non_finite_time);
  // A hundred keys do not fit between two doubles.
  const double t = 1e9;
  EXPECT_EQ(Motion::make({{t, {}}}).value().then(std::nextafter(t, 2e9), Turn{{}, {0, 0, 1}, 99}).error().code,
            Code::times_not_rising);
  EXPECT_FALSE(Motion::make_about({nan, 0, 0}, {{0, {}}, {1, {}}}));
}

TEST(Turn, CarriesOthersAlong) {
  Random random(3);
  const Motion motion = Motion::make({{0, some_pose(random)}, {1, some_pose(random)}}, Arc::shorter)
                            .value()
                            .then(2, Turn{{1, 2, 3}, {1, 1, 0}, 9, 4})
                            .value();
  const Pose inner = some_pose(random);
  const Motion carried = motion.carrying(inner);
  for (int i = 0; i <= 40; ++i) {
    const double t = i / 20.0;
    const Point3 p = random.point(-2, 2);
    EXPECT_LE(length(carried.at(t).apply(p) - motion.at(t).apply(inner.apply(p))), 1e-13);
  }
  // Without a turn the carried body's own origin does as well as any other point.
  EXPECT_FALSE(Motion::make({{0, {}}, {1, translation(1, 2, 3)}}).value().carrying(inner).has_pivots());
}

TEST(Travel, OfCirclesScrewsAndLines) {
  const Motion circle = Motion::rest({}).then(2, Turn{{3, 4, 0}, {0, 0, 2}, 3 * k_pi}).value();
  EXPECT_NEAR(travel(circle, {}, 0, 2).length, 15 * k_pi, 1e-11);
  EXPECT_NEAR(travel(circle, {}, 0, 2).radians, 3 * k_pi, 1e-13);
  EXPECT_NEAR(travel(circle, {}, 0.5, 1).length, 15 * k_pi / 4, 1e-11);
  EXPECT_NEAR(travel(circle, {3, 4, 9}, 0, 2).length, 0, 1e-12);
  const Motion screw = Motion::rest({}).then(1, Turn{{0, 0, 0}, {0, 0, 1}, 20 * k_pi, 7}).value();
  EXPECT_NEAR(travel(screw, {2, 0, 0}, 0, 1).length, std::hypot(40 * k_pi, 7), 1e-10);
  EXPECT_NEAR(travel(screw, {0, 0, 5}, 0, 1).length, 7, 1e-12);
  const Motion there = Motion::make({{0, {}}, {1, translation(0, 0, 30)}, {3, {}}}).value();
  EXPECT_EQ(travel(there, {1, 1, 1}, 0, 3).length, 60);
  EXPECT_EQ(travel(there, {1, 1, 1}, -5, 0.5).length, 15);
  EXPECT_EQ(travel(there, {1, 1, 1}, 2, 99).length, 15);
  EXPECT_EQ(travel(there, {1, 1, 1}, 2, 2).length, 0);
  EXPECT_EQ(travel(Motion::rest({}), {}, 0, 1).length, 0);
}

TEST(Travel, OfKeysAtTheSmallestAndLargestTimes) {
  for (const auto& [begin, end] : {std::pair{0.0, 5e-324}, {-1e308, 1.5e308}}) {
    SCOPED_TRACE(end);
    const Motion motion = Motion::make({{begin, Pose()}, {end, translation(0, 3, 4)}}).value();
    EXPECT_EQ(travel(motion, {0, 0, 0}, begin, end).length, 5);
  }
}

TEST(Travel, OfBodiesThatTurnAsTheyGo) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Motion motion = Motion::make({{0, some_pose(random)}, {1, some_pose(random)}}, Arc::shorter).value();
    const Point3 p = random.point(-3, 3);
    double sum = 0;
    constexpr int k_steps = 20000;
    for (int k = 0; k < k_steps; ++k)
      sum += length(motion.at((k + 1.0) / k_steps).apply(p) - motion.at(static_cast<double>(k) / k_steps).apply(p));
    EXPECT_NEAR(travel(motion, p, 0, 1).length, sum, 1e-6 * sum);
  }
}

TEST(SampledKeys, StayByTheArcs) {
  const Motion motion = Motion::rest(translation(7, 0, 0)).then(1, Turn{{0, 0, 0}, {0, 0, 1}, 8}).value();
  const auto keys = sampled_keys(motion);
  EXPECT_LT(keys.size(), 60U);
  const Motion played = Motion::make(keys).value();
  for (int i = 0; i <= 1000; ++i)
    EXPECT_LE(length(played.at(i / 1000.0).translation() - motion.at(i / 1000.0).translation()), 0.004 * 7);
  const Motion plain = Motion::make({{0, {}}, {1, rotation({0, 0, 1}, 3)}}).value();
  EXPECT_EQ(sampled_keys(plain).size(), 2U);
}

}  // namespace
}  // namespace snug
