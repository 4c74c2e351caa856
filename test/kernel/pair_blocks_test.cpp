#include "contact/pair_blocks.hpp"
#include "scenes/random.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace snug {
namespace {

using contact::PairBlocks;
using contact::PairCost;

double largest(const PairBlocks& blocks) { return *std::ranges::max_element(blocks.load()); }

TEST(PairBlocks, PairsStayWhereTheyAreWhileDevicesAreEvenlyLoaded) {
  PairBlocks blocks(2);
  std::vector<PairCost> pairs;
  for (std::uint64_t i = 0; i < 40; ++i) pairs.push_back({i, 1});
  const auto first = blocks.assign(pairs);
  const std::vector<std::uint32_t> before(first.begin(), first.end());
  EXPECT_EQ(std::ranges::count(before, 0U), 20);
  for (int step = 0; step < 10; ++step) {
    const auto now = blocks.assign(pairs);
    EXPECT_TRUE(std::ranges::equal(now, before));
  }
  // One goes and comes again: it may come to another device, the others stay.
  const PairCost gone = pairs[7];
  pairs.erase(pairs.begin() + 7);
  (void)blocks.assign(pairs);
  pairs.insert(pairs.begin() + 7, gone);
  const auto now = blocks.assign(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_TRUE(i == 7 || now[i] == before[i]) << i;
  EXPECT_EQ(blocks.moved(), 0U);
}

TEST(PairBlocks, OneSidedLoadIsEvenedOutAndOnlyThen) {
  PairBlocks blocks(2);
  std::vector<PairCost> pairs;
  for (std::uint64_t i = 0; i < 40; ++i) pairs.push_back({i, 1});
  const auto first = blocks.assign(pairs);
  std::vector<PairCost> left;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (first[i] == 0) left.push_back(pairs[i]);
  (void)blocks.assign(left);
  EXPECT_EQ(largest(blocks), 10);
  EXPECT_EQ(blocks.moved(), 10U);
  PairBlocks reluctant(2, {.move_cost = 100, .horizon = 16});
  (void)reluctant.assign(pairs);
  (void)reluctant.assign(left);
  EXPECT_EQ(reluctant.moved(), 0U);
}

TEST(PairBlocks, LoadsAreNearTheBestWhateverComesAndGoes) {
  for (std::uint64_t seed = 0; seed < test::scaled(40); ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    PairBlocks blocks(2 + seed % 7);
    std::map<std::uint64_t, double> there;
    for (int step = 0; step < 60; ++step) {
      for (int i = 0; i < 6; ++i) there[random.below(400)] = random.uniform(1, 5);
      if (there.size() > 100) std::erase_if(there, [&](const auto&) { return random.below(10) == 0; });
      std::vector<PairCost> pairs;
      double sum = 0, dearest = 0;
      for (const auto& [pair, cost] : there)
        pairs.push_back({pair, cost}), sum += cost, dearest = std::max(dearest, cost);
      const auto devices = blocks.assign(pairs);
      std::vector<double> load(blocks.devices());
      for (std::size_t i = 0; i < pairs.size(); ++i) load.at(devices[i]) += pairs[i].cost;
      for (std::size_t d = 0; d < load.size(); ++d) EXPECT_NEAR(load[d], blocks.load()[d], 1e-9);
      // No pair could be moved from the fullest to the emptiest device with gain enough; so they differ by little.
      const auto [least, most] = std::ranges::minmax_element(load);
      EXPECT_LE(*most - *least, 2 * dearest);
    }
  }
}

TEST(PairBlocks, TheSameHistoryGivesTheSameBlocks) {
  const auto run = [](std::uint64_t seed) {
    scenes::Random random(seed);
    PairBlocks blocks(3);
    std::vector<std::uint32_t> all;
    for (int step = 0; step < 30; ++step) {
      std::vector<PairCost> pairs;
      std::set<std::uint64_t> keys;
      while (keys.size() < 20) keys.insert(random.below(40));
      for (const std::uint64_t key : keys) pairs.push_back({key, 1 + static_cast<double>(random.below(4))});
      const auto devices = blocks.assign(pairs);
      all.insert(all.end(), devices.begin(), devices.end());
    }
    return all;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(PairBlocks, WhatADeviceHadIsSharedOutWhenItFails) {
  PairBlocks blocks(3);
  std::vector<PairCost> pairs;
  for (std::uint64_t i = 0; i < 30; ++i) pairs.push_back({i, 1});
  const auto first = blocks.assign(pairs);
  const std::vector<std::uint32_t> before(first.begin(), first.end());
  blocks.take_out(1);
  ASSERT_EQ(blocks.devices(), 2U);
  const auto now = blocks.assign(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_LT(now[i], 2U);
    EXPECT_TRUE(before[i] == 1 || now[i] == (before[i] == 2 ? 1U : 0U)) << i;
  }
  EXPECT_EQ(largest(blocks), 15);
}

/// Pairs at rest may cost next to nothing; those that come then are no reason to leave all but one device without work.
TEST(PairBlocks, NewcomersAreDividedAmongDevicesThatRest) {
  for (const double cost : {0.0, 1.0}) {
    SCOPED_TRACE(cost);
    PairBlocks blocks(3);
    std::vector<PairCost> pairs;
    for (std::uint64_t i = 0; i < 6; ++i) pairs.push_back({i, 0});
    (void)blocks.assign(pairs);
    for (std::uint64_t i = 6; i < 36; ++i) pairs.push_back({i, cost});
    const auto now = blocks.assign(pairs);
    for (std::uint32_t device = 0; device < 3; ++device) EXPECT_EQ(std::ranges::count(now, device), 12) << device;
    EXPECT_EQ(blocks.moved(), 0U);
  }
}

TEST(PairCosts, RaysThroughBodiesAndWalksAreExpectedApart) {
  contact::PairCosts costs;
  const auto expected = [&](std::vector<contact::PairWork> step) {
    std::vector<double> each;
    for (const PairCost& cost : costs.expect(step)) each.push_back(cost.cost);
    return each;
  };
  // Of nothing known, by their number.
  const auto first = expected({{1, 10, 0, false}, {2, 20, 0, false}});
  EXPECT_GT(first[0], 0);
  EXPECT_EQ(first[1], 2 * first[0]);
  costs.remember(std::vector<contact::PairWork>{{1, 10, 100, false}, {2, 10, 300, false}});
  EXPECT_EQ(expected({{1, 5, 0, false}, {2, 5, 0, false}, {3, 5, 0, false}}), (std::vector<double>{50, 150, 100}));
  costs.remember(std::vector<contact::PairWork>{{1, 10, 10, true}, {2, 10, 30, true}});
  EXPECT_EQ(expected({{1, 5, 0, true}, {2, 5, 0, true}, {3, 5, 0, true}}), (std::vector<double>{5, 15, 10}));
  // While these walk, others come with rays through the whole body; and one of these has to begin anew.
  EXPECT_EQ(expected({{1, 5, 0, false}, {2, 5, 0, true}, {3, 5, 0, false}}), (std::vector<double>{50, 15, 100}));
  // Who leaves is forgotten.
  costs.remember(std::vector<contact::PairWork>{{2, 10, 30, true}});
  costs.remember(std::vector<contact::PairWork>{{1, 0, 0, true}, {2, 10, 30, true}});
  EXPECT_EQ(expected({{1, 5, 0, false}}), (std::vector<double>{100}));
}

TEST(PairCosts, EachRayIsWorkThoughItMeetsNothing) {
  using Work = query::DeviceRaysTold::Work;
  EXPECT_EQ(contact::work_of({}), 0);
  const Work rests{.rays = 10, .groups = 1}, tells{.rays = 10, .groups = 1, .told = 10};
  EXPECT_GT(contact::work_of(rests), 0);
  EXPECT_GT(contact::work_of(tells), contact::work_of(rests));
  Work twice = tells;
  twice += tells;
  EXPECT_EQ(contact::work_of(twice), 2 * contact::work_of(tells));
}

}  // namespace
}  // namespace snug
