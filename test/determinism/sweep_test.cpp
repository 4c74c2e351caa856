// The schedules of sweep_step() for every number of threads: same pairs, same counts. Under the thread sanitizer, where a race would
// show.

#include "ccd/sweep/stealing.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"
#include "support/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace snug {
namespace {

constexpr SweepSchedule k_schedules[] = {SweepSchedule::fixed, SweepSchedule::flowing, SweepSchedule::stealing};
constexpr unsigned k_threads[] = {1, 2, 4, 8};

/// Two knots that fall into each other while one of them swells.
struct Falling {
  Mesh mesh = scenes::bumpy_knot(60, 6);
  std::vector<Point3> a0, a1, b0, b1;

  explicit Falling(std::uint64_t seed) {
    scenes::Random random(seed);
    const Pose from = random.pose(0.4), to = random.pose(0.4);
    for (const Point3& p : mesh.vertices()) {
      a0.push_back(p), a1.push_back(1.1 * p);
      b0.push_back(from.apply(p)), b1.push_back(from.apply(p) + (to.translation() - from.translation()));
    }
  }
  [[nodiscard]] std::vector<SweepBody> bodies() const {
    return {{a0, a1, mesh.triangles()}, {b0, b1, mesh.triangles()}};
  }
};

TEST(SweepSchedules, CanBeWatchedAndEnded) {
  const Falling scene(3);
  for (const SweepSchedule schedule : k_schedules)
    for (const unsigned threads : k_threads) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(schedule) << " with " << threads);
      CancelToken token;
      std::vector<double> told;
      SweepOptions options{.threads = threads, .schedule = schedule};
      options.watch = {&token, [&](double fraction) { told.push_back(fraction); }};
      ASSERT_TRUE(sweep_step(scene.bodies(), options));
      EXPECT_TRUE(std::ranges::is_sorted(told));
      ASSERT_GE(told.size(), 3U);
      EXPECT_EQ(told.back(), 1);
      options.watch.progress = [&](double) { token.cancel(); };
      const auto ended = sweep_step(scene.bodies(), options);
      ASSERT_FALSE(ended);
      EXPECT_EQ(ended.error().code, SweepError::Code::cancelled);
    }
}

TEST(SweepSchedules, TakeNoMoreThreadsThanMakeSense) {
  EXPECT_EQ(support::sensible_threads(0), 1U);
  EXPECT_EQ(support::sensible_threads(7), 7U);
  ASSERT_LE(support::sensible_threads(~0U), 4096U);
#ifndef __SANITIZE_THREAD__  // which keeps much for each of them
  const Falling scene(5);
  const auto expected = sweep_step(scene.bodies()).value();
  for (const SweepSchedule schedule : k_schedules)
    EXPECT_EQ(sweep_step(scene.bodies(), {.threads = ~0U, .schedule = schedule}).value(), expected);
  const Shape knot(scene.mesh);
  const Pose pose = translation(0.1, 0.2, 0.1);
  Scratch scratch;
  EXPECT_EQ(triangle_pairs(knot, {}, knot, pose, scratch, {.threads = ~0U}),
            triangle_pairs(knot, {}, knot, pose, scratch));
#endif
}

TEST(SweepSchedules, AllFindTheSameForEveryNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < test::scaled(8); ++seed) {
    SCOPED_TRACE(seed);
    const Falling scene(seed);
    SweepStats alone;
    const auto expected = sweep_step(scene.bodies(), {.refine = seed % 2 == 0}, &alone);
    ASSERT_TRUE(expected);
    EXPECT_GT(expected->size(), 20U);
    for (const SweepSchedule schedule : k_schedules)
      for (const unsigned threads : k_threads) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(schedule) << " with " << threads);
        SweepStats stats;
        const auto found =
            sweep_step(scene.bodies(), {.refine = seed % 2 == 0, .threads = threads, .schedule = schedule}, &stats);
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, *expected);
        EXPECT_EQ(stats.checked, alone.checked);
        EXPECT_EQ(stats.hulls_met, alone.hulls_met);
        // Section 6.1 of the paper: P + p, and 2P + p where pairs are handed over, unless too many waited.
        const std::uint64_t fewest = stats.checked + stats.found;
        if (schedule == SweepSchedule::flowing) {
          EXPECT_GE(stats.shared_accesses, stats.found);
          EXPECT_LE(stats.shared_accesses, fewest + stats.checked);
          EXPECT_GE(stats.exclusions, stats.checked / 32);
        } else {
          EXPECT_EQ(stats.shared_accesses, fewest);
          EXPECT_EQ(stats.exclusions == 0, schedule == SweepSchedule::fixed);
        }
      }
  }
}

TEST(SweepSchedules, StealingGoesThroughEverythingOnce) {
  using namespace snug::ccd::sweep;
  for (const auto share : {share_by_stealing, share_by_own_stealing})
    for (const unsigned threads : k_threads)
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{5000}}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << count);
        std::vector<std::atomic<int>> seen(count), busy(threads);
        std::atomic<bool> alone{true};
        share(count, threads, [&](unsigned thread, std::size_t begin, std::size_t end) {
          if (thread >= threads || busy[thread].fetch_add(1) != 0) alone = false;
          for (std::size_t i = begin; i < end; ++i) {
            ++seen[i];
            // The first part is the slowest: somebody has to take from it.
            if (i < count / 8)
              for (volatile int spin = 0; spin < 500;) spin = spin + 1;
          }
          busy[thread].fetch_sub(1);
        });
        EXPECT_TRUE(alone);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(seen[i], 1) << i;
      }
}

TEST(SweepSchedules, WhatIsThrownReachesTheCaller) {
  using namespace snug::ccd::sweep;
  for (const auto share : {share_by_stealing, share_by_own_stealing})
    EXPECT_THROW(share(1000, 4,
                       [](unsigned, std::size_t begin, std::size_t end) {
                         if (begin <= 500 && 500 < end) throw std::runtime_error("no more");
                       }),
                 std::runtime_error);
}

TEST(SweepSchedules, TellWhoSteals) {
  EXPECT_TRUE(work_stealing() == "oneTBB" || work_stealing() == "own") << work_stealing();
}

}  // namespace
}  // namespace snug
