#include "scenes/contact_cases.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <chrono>

// Contacts under a budget: those of contacts(), or none and the reason.

namespace snug {
namespace {

using scenes::Random;

TEST(ContactBudget, GivesTheSameContactsOrSaysWhyNot) {
  const Shape knot(scenes::bumpy_knot(60, 12)), ball(scenes::sphere(0.8, 16, 24));
  Scratch scratch;
  Random random(3);
  Contacts whole, some;
  int undecided = 0, decided = 0;
  for (std::uint64_t round = 0; round < test::scaled(12); ++round) {
    SCOPED_TRACE(round);
    const Pose pose = random.pose(0.9);
    contacts(knot, {}, ball, pose, scratch, whole).value();
    const Outcome<Answer> all = try_contacts(knot, {}, ball, pose, scratch, some, {}).value();
    EXPECT_EQ(some.contacts, whole.contacts);
    EXPECT_EQ(all.yes(), whole.touching());
    EXPECT_EQ(all.no(), !whole.touching());
    for (const std::uint64_t tests : {0U, 1U, 10U, 100U, 1000U, 10'000U, 100'000U, 1'000'000U}) {
      const Outcome<Answer> answer = try_contacts(knot, {}, ball, pose, scratch, some, {.steps = tests}).value();
      if (!answer.decided()) {
        ++undecided;
        EXPECT_EQ(answer.because, Undecided::steps);
        EXPECT_EQ(some.because, Undecided::steps);
        EXPECT_TRUE(some.contacts.empty());
        EXPECT_TRUE(some.touching()) << "nothing is clear because a budget was spent";
        EXPECT_LT(tests, 1'000'000U);
      } else {
        ++decided;
        EXPECT_GT(tests, 0U) << "who may not look at anything knows nothing";
        EXPECT_EQ(some.contacts, whole.contacts);
      }
    }
  }
  EXPECT_GT(undecided, 0);
  EXPECT_GT(decided, 0);
  CancelToken token;
  token.cancel();
  EXPECT_EQ(try_contacts(knot, {}, ball, {}, scratch, some, {.cancel = &token}).value().because, Undecided::cancelled);
  EXPECT_EQ(
      try_contacts(knot, {}, ball, {}, scratch, some, Budget::lasting(std::chrono::nanoseconds(0))).value().because,
      Undecided::deadline);
  EXPECT_EQ(try_contacts(knot, {}, ball, Pose::invalid(), scratch, some, {}).value().because, Undecided::invalid_input);
  EXPECT_EQ(try_contacts(knot, {}, ball, {}, scratch, some, {}, {.confidence = 0}).error().code,
            ContactError::Code::bad_confidence);
}

TEST(ContactBudget, MayEndAnywhere) {
  // A peg that bites into its hole all around, a pin through a ring, a ball in a ball: walls, whole bodies and shells inside.
  const scenes::PegInHole tight = scenes::some_tight_peg(3);
  const Shape ring(scenes::torus(1, 0.3, 24, 12)), pin(scenes::cylinder(0.2, 4, 12)), ball(scenes::sphere(2, 12, 16));
  struct Case {
    Shape a, b;
    Pose pose;
  };
  const Case cases[] = {{tight.peg, tight.hole, tight.pose},
                        {pin, ring, compose(translation(1, -2, 0.05), rotation({1, 0, 0}, -1.5707))},
                        {ring, ball, translation(0.1, 0, 0)}};
  Scratch scratch;
  Contacts whole, some;
  for (const Case& one : cases)
    for (const auto normal : {RayContactOptions::Normal::smooth, RayContactOptions::Normal::minimum}) {
      const RayContactOptions options{.normal = normal};
      contacts(one.a, one.pose, one.b, {}, scratch, whole, options).value();
      ASSERT_TRUE(whole.touching());
      bool decided = false;
      for (std::uint64_t steps = 0; !decided; steps += 1 + steps / 32) {
        ASSERT_LT(steps, 100'000'000U);
        decided = try_contacts(one.a, one.pose, one.b, {}, scratch, some, {.steps = steps}, options).value().decided();
        if (!decided) {
          EXPECT_TRUE(some.contacts.empty());
        }
      }
      EXPECT_EQ(some.contacts, whole.contacts);
    }
}

/// A step that was not finished leaves no trace in a tracker.
TEST(ContactBudget, ATrackerGoesOnFromTheStepBefore) {
  const Shape knot(scenes::bumpy_knot(60, 12)), ball(scenes::sphere(0.8, 16, 24));
  ContactTracker with, without;
  Contacts expected, found, ended;
  Random random(5);
  for (int step = 0; step < 40; ++step) {
    SCOPED_TRACE(step);
    const Pose pose = compose(translation(0.02 * step - 0.4, 0.1, 0.05), rotation({0, 1, 1}, 0.03 * step));
    for (const std::uint64_t tests : {0U, 5U, 50U}) {
      const Outcome<Answer> answer = try_contacts(knot, {}, ball, random.pose(0.5), with, ended, {.steps = tests});
      // One that was decided would count as a step, like any other.
      ASSERT_FALSE(answer.decided());
    }
    contacts(knot, {}, ball, pose, without, expected);
    const Outcome<Answer> answer = try_contacts(knot, {}, ball, pose, with, found, {.steps = 100'000'000});
    EXPECT_TRUE(answer.decided());
    EXPECT_EQ(found.contacts, expected.contacts);
    EXPECT_EQ(answer.yes(), expected.touching());
  }
}

TEST(Prepare, LeavesNothingToTheFirstContact) {
  // Whatever is built by a first call shows as time; of 20,000 triangles it is hundreds of times what a contact takes.
  const Shape ball(scenes::sphere(1, 70, 140)), other(scenes::sphere(1, 70, 140));
  std::vector<double> told;
  ball.prepare({.progress = [&](double share) { told.push_back(share); }}).value();
  other.prepare().value();
  EXPECT_TRUE(std::ranges::is_sorted(told));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 1);
  Scratch scratch;
  Contacts out;
  const Pose pose = translation(0, 0, 1.99);
  const auto timed = [&] {
    const auto begin = std::chrono::steady_clock::now();
    contacts(ball, {}, other, pose, scratch, out).value();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double first = timed();
  double later = timed();
  for (int i = 0; i < 4; ++i) later = std::min(later, timed());
  EXPECT_LT(first, 20 * later + 0.05);
  // A shape that has everything is ready even after a cancel.
  CancelToken token;
  token.cancel();
  EXPECT_TRUE(ball.prepare({.cancel = &token}));
  EXPECT_FALSE(Shape(scenes::sphere(1, 6, 9)).prepare({.cancel = &token}));
  const Shape some(scenes::sphere(1, 6, 9));
  EXPECT_TRUE(some.prepare_for({.rays = false, .contacts = false, .motion = false, .verdicts = false}));
  EXPECT_FALSE(some.prepare({.cancel = &token})) << "there is more to build";
}

}  // namespace
}  // namespace snug
