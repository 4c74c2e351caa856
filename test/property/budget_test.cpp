#include "aligned_support.hpp"
#include "scenes/solids.hpp"

#include <snug/ccd.hpp>
#include <snug/first_contact.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

// Under a budget: what is decided is right, what is not says so, and bounds hold.

namespace snug {
namespace {

using scenes::Random;

TEST(Budget, WhatIsDecidedIsRightAndWhatIsNotSaysSo) {
  const Shape knot(scenes::bumpy_knot(120, 12));
  Scratch scratch;
  std::uint64_t yes = 0, no = 0, undecided = 0;
  const std::uint64_t cases = test::scaled(300);
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose = Pose::make(random.rotation(), 2.5 * random.uniform(0, 1) * random.point(-1, 1)).value();
    const Distance exact = distance(knot, {}, knot, pose, scratch);
    double known = -1;
    for (const std::uint64_t steps : {0U, 1U, 4U, 16U, 64U, 256U, 100'000U}) {
      const Budget budget{.steps = steps};
      const Outcome<Answer> answer = try_intersects(knot, {}, knot, pose, scratch, budget);
      ASSERT_LE(answer->distance_at_least, exact.value);
      ASSERT_GE(answer->distance_at_least, 0);
      ASSERT_EQ(answer.because.has_value(), !answer.yes() && !answer.no());
      if (answer.because) {
        ASSERT_EQ(*answer.because, Undecided::steps);
        ++undecided;
      } else {
        ASSERT_EQ(answer.yes(), exact.value == 0);
        ASSERT_EQ(answer->pair.has_value(), answer.yes());
        ++(answer.yes() ? yes : no);
      }
      if (steps == 0) {
        ASSERT_FALSE(answer.yes() || answer.no());
      }
      ASSERT_EQ(try_intersects(knot, {}, knot, pose, scratch, budget)->distance_at_least, answer->distance_at_least);
      known = std::max(known, answer->distance_at_least);

      const Outcome<Distance> tried = try_distance(knot, {}, knot, pose, scratch, budget);
      ASSERT_EQ(tried.because.has_value(), !tried->complete);
      ASSERT_LE(tried->lower, exact.value);
      if (tried->complete) {
        ASSERT_EQ(tried->value, exact.value);
      }
      for (const double factor : {0.5, 2.0}) {
        const Outcome<Answer> within_it = try_within(knot, {}, knot, pose, factor * exact.value, scratch, budget);
        if (within_it.decided()) {
          ASSERT_EQ(within_it.yes(), factor > 1 || exact.value == 0);
        }
      }
    }
    ASSERT_EQ(known, exact.value);  // the last budget is enough
  }
  EXPECT_GT(yes, cases / 10);
  EXPECT_GT(no, cases / 10);
  EXPECT_GT(undecided, cases);
}

TEST(Budget, ListsAreWholeOrNotThere) {
  const Shape knot(scenes::bumpy_knot(300, 16));
  Scratch scratch;
  const Pose pose = translation(0.3, 0.1, 0.2);
  const std::vector<TrianglePair> expected = triangle_pairs(knot, {}, knot, pose, scratch);
  const std::vector<SurfacePair> surfaces = surface_pairs(knot, {}, knot, pose, scratch);
  ASSERT_FALSE(expected.empty());
  std::vector<TrianglePair> pairs;
  std::vector<SurfacePair> of_surfaces;
  std::uint64_t refused = 0;
  for (std::uint64_t steps = 0; steps < 100'000; steps = 2 * steps + 1) {
    pairs = {{1, 1, Relation::touching}}, of_surfaces = {{1, 1}};
    const Budget budget{.steps = steps};
    const auto done = try_triangle_pairs(knot, {}, knot, pose, scratch, pairs, budget);
    if (!done.decided()) {
      EXPECT_EQ(done.because, Undecided::steps);
      EXPECT_TRUE(pairs.empty());
      ++refused;
    } else {
      EXPECT_EQ(pairs, expected);
    }
    if (try_surface_pairs(knot, {}, knot, pose, scratch, of_surfaces, budget).decided())
      EXPECT_EQ(of_surfaces, surfaces);
    else
      EXPECT_TRUE(of_surfaces.empty());
  }
  EXPECT_GT(refused, 3U);
  for (const unsigned threads : {1U, 2U, 4U}) {
    ASSERT_TRUE(try_triangle_pairs(knot, {}, knot, pose, scratch, pairs, {}, {.threads = threads}).decided());
    EXPECT_EQ(pairs, expected);
  }
}

TEST(Budget, DeadlinesAndTokensStopIt) {
  const Shape knot(scenes::bumpy_knot(300, 16));
  Scratch scratch;
  std::vector<TrianglePair> pairs;
  const Pose pose = translation(0.3, 0.1, 0.2);
  CancelToken token;
  EXPECT_TRUE(try_triangle_pairs(knot, {}, knot, pose, scratch, pairs, {.cancel = &token}).decided());
  EXPECT_TRUE(
      try_triangle_pairs(knot, {}, knot, pose, scratch, pairs, Budget::lasting(std::chrono::hours(1))).decided());
  token.cancel();
  for (const unsigned threads : {1U, 4U}) {
    const auto done =
        try_triangle_pairs(knot, {}, knot, pose, scratch, pairs, {.cancel = &token}, {.threads = threads});
    EXPECT_EQ(done.because, Undecided::cancelled);
    EXPECT_TRUE(pairs.empty());
  }
  // Where boxes tell at once that there are none, a token that was cancelled still comes first, on however many threads.
  std::vector<SurfacePair> surfaces;
  for (const unsigned threads : {1U, 4U}) {
    const QueryOptions options{.threads = threads};
    EXPECT_FALSE(try_triangle_pairs(knot, {}, knot, translation(99, 0, 0), scratch, pairs, {.cancel = &token}, options)
                     .decided());
    EXPECT_FALSE(
        try_surface_pairs(knot, {}, knot, translation(99, 0, 0), scratch, surfaces, {.cancel = &token}, options)
            .decided());
  }
  // Nor are trees built for it.
  const Shape unbuilt(knot.mesh());
  EXPECT_EQ(try_within(unbuilt, {}, knot, pose, 1, scratch, {.cancel = &token}).because, Undecided::cancelled);
  const Outcome<Answer> nothing = try_intersects(unbuilt, {}, knot, pose, scratch, {.cancel = &token});
  EXPECT_EQ(nothing.because, Undecided::cancelled);
  EXPECT_EQ(nothing->distance_at_least, 0);
  EXPECT_FALSE(unbuilt.prepare({.cancel = &token})) << "it has none";
  const Outcome<Answer> late =
      try_intersects(knot, {}, knot, translation(9, 0, 0), scratch, Budget::lasting(std::chrono::seconds(-1)));
  EXPECT_FALSE(late.decided());
  EXPECT_EQ(late.because, Undecided::deadline);
  EXPECT_EQ(to_string(*late.because), "deadline");
}

TEST(Budget, WhatWasNeverAskedIsUndecided) {
  const auto undecided = [](const auto& outcome) {
    return !outcome.decided() && outcome.because == Undecided::not_asked;
  };
  EXPECT_TRUE(undecided(Outcome<Answer>{}) && undecided(Outcome<Distance>{}) && undecided(Outcome<void>{}));
  EXPECT_TRUE(undecided(Outcome<FirstContact>{}) && undecided(Outcome<Separation>{}));
  EXPECT_FALSE(Outcome<Answer>{}.no() || Outcome<Answer>{}.yes());
  EXPECT_FALSE(Outcome<FirstContact>{}.no() || Outcome<Separation>{}.no());
  EXPECT_EQ(to_string(Undecided::not_asked), "not asked");
  // A loop that ends halfway.
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1}));
  Scratch scratch;
  std::vector<Outcome<Answer>> all(4);
  for (std::size_t i = 0; i < 2; ++i) {
    const Pose pose = translation(i == 0 ? 0.5 : 2, 0, 0);
    all[i] = try_intersects(cube, {}, cube, pose, scratch, {});
  }
  EXPECT_TRUE(all[0].yes() && all[1].no());
  EXPECT_TRUE(undecided(all[2]) && undecided(all[3]));
}

}  // namespace
}  // namespace snug
