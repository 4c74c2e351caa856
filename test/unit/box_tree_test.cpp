#include "scene/box_order.hpp"
#include "scene/broad_phase.hpp"
#include "scenes/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace snug::detail {
namespace {

using scenes::Random;

std::vector<BoxRecord> some_boxes(Random& random, std::size_t count, double reach) {
  std::vector<BoxRecord> records;
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    const Point3 lo = random.point(-reach, reach);
    records.push_back({{lo, lo + random.point(0.1, 0.5)}, {}, slot, 0});
  }
  return records;
}

bool apart(const FloatBox& a, const FloatBox& b) {
  bool gap = false;
  for (int axis = 0; axis < 3; ++axis) gap = gap || a.lo[axis] > b.hi[axis] || b.lo[axis] > a.hi[axis];
  return gap;
}

TEST(BoxTree, BoxesThatHaveFlownOffDoNotBlurTheOthers) {
  for (const double far : {10.0, 1e9, 1e30, 1e40, 1e60, 1e250})
    for (const double off : {0.0, 1e5}) {
      SCOPED_TRACE(far);
      Random random(3);
      auto records = some_boxes(random, 600, 20);
      for (BoxRecord& record : records)
        record.box = {record.box.lo + Vec3{off, off, off}, record.box.hi + Vec3{off, off, off}};
      for (std::size_t i = 0; i < 12; ++i) {
        const Point3 out = far * random.point(-1, 1);
        records[50 * i].box = {out, out + Vec3{1, 1, 1}};
      }
      const BoxFrame frame = frame_of(records);
      std::size_t blurred = 0, meeting = 0;
      for (const BoxRecord& a : records)
        for (const BoxRecord& b : records) {
          const bool meet = a.box.overlaps(b.box), in_floats = !apart(in_frame(a.box, frame), in_frame(b.box, frame));
          ASSERT_TRUE(in_floats || !meet);
          meeting += meet ? 1 : 0, blurred += in_floats && !meet ? 1 : 0;
        }
      // So far out that they are cut off, the twelve may seem to meet one another.
      EXPECT_LE(blurred, meeting / 10 + (far > 1e42 ? 12U * 11U : 0U)) << "pairs that only seem to meet";
    }
}

TEST(BoxTree, BoxesWithoutEndOnSomeSidesMeetWhatTheyReach) {
  constexpr double k_end = std::numeric_limits<double>::infinity();
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::size_t count = 3 + seed * 7;
    auto records = some_boxes(random, count, 20);
    // Most of them in some runs, so that the middle of the whole is one of theirs.
    for (std::size_t i = 0; i < count; i += 1 + seed % 4)
      for (double Vec3::* const axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        if (random.uniform(0, 1) < 0.4) records[i].box.lo.*axis = -k_end;
        if (random.uniform(0, 1) < 0.4) records[i].box.hi.*axis = seed % 3 == 0 ? 1e305 : k_end;
      }
    BroadPhase phase;
    phase.resize(count);
    for (const BoxRecord& record : records) phase.add(record.slot, record.box, {});
    ASSERT_TRUE(phase.update_pairs({.kernels = kernels_for(Instructions::best)}));
    std::vector<SlotsMet> expected;
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b)
        if (records[a].box.overlaps(records[b].box)) expected.push_back({a, b});
    EXPECT_EQ(phase.pairs(), expected);
    EXPECT_EQ(phase.validate(), std::nullopt);
  }
}

TEST(BoxTree, WhatComesAfterNothingHasNoOrder) {
  // As in a scene that was asked before there was anything in it: boxes appended to a tree of nothing are to be put in order.
  BoxTree tree;
  tree.build({}, {});
  EXPECT_EQ(tree.growth(), 1);
  Random random(6);
  const auto records = some_boxes(random, 400, 20);
  for (std::size_t i = 0; i < records.size(); ++i) tree.append();
  tree.refit(records);
  EXPECT_GT(tree.growth(), 2);
  tree.build(records, frame_of(records));
  EXPECT_EQ(tree.growth(), 1);
}

TEST(BoxTree, NeighboursInTheOrderAreNeighboursInSpace) {
  // Leaves of an ordered tree are short, also beside boxes far away and among boxes of very different size.
  Random random(4);
  auto records = some_boxes(random, 4000, 10);
  records[17].box = {{1e12, 0, 0}, {1e12, 1, 1}};
  for (std::size_t i = 0; i < records.size(); i += 100)
    records[i].box = {records[i].box.lo, records[i].box.lo + Vec3{15, 15, 15}};
  records[5].box = Aabb{};
  BoxOrder order;
  order.sort(records);
  ASSERT_EQ(records.size(), 3999U) << "the empty one is dropped";
  std::set<std::uint32_t> slots;
  for (const BoxRecord& record : records) slots.insert(record.slot);
  EXPECT_EQ(slots.size(), records.size());
  std::size_t long_leaves = 0;
  for (std::size_t i = 0; i + 8 <= records.size(); i += 8) {
    Aabb leaf;
    for (std::size_t k = i; k < i + 8; ++k) leaf.include(records[k].box.lo), leaf.include(records[k].box.hi);
    const Vec3 edge = leaf.hi - leaf.lo;
    // Eight of 500 to a cube of edge 10 take about 2.5; twice that is generous.
    long_leaves += (edge.x + edge.y) + edge.z > 3 * 6 ? 1 : 0;
  }
  EXPECT_LE(long_leaves, 15U) << "those of the large boxes, and few more";
}

TEST(BoxTree, GrowthTellsWhenTheOrderIsBad) {
  Random random(5);
  auto records = some_boxes(random, 2000, 10);
  records[3].box = {{1e9, 0, 0}, {1e9, 1, 1}};
  BoxOrder order;
  order.sort(records);
  BoxTree tree;
  tree.build(records, frame_of(records));
  EXPECT_EQ(tree.growth(), 1);
  tree.refit(records);
  EXPECT_EQ(tree.growth(), 1);
  EXPECT_EQ(tree.validate(records), std::nullopt);
  // Others move, one by one: it shows, although a single one is far longer than all of them.
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < records.size(); i += 16) {
    if (records[i].box.lo.x > 100) continue;
    const Point3 lo = random.point(-10, 10);
    records[i].box = {lo, lo + Vec3{0.2, 0.2, 0.2}};
    tree.set(i, records[i].box);
    leaves.push_back(i / 8);
  }
  tree.repair(leaves);
  EXPECT_EQ(tree.validate(records), std::nullopt);
  const double growth = tree.growth();
  EXPECT_GT(growth, 1.5);
  tree.refit(records);
  EXPECT_NEAR(tree.growth(), growth, 1e-9) << "the same, found both ways";
}

}  // namespace
}  // namespace snug::detail
