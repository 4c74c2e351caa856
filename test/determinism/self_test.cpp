#include "scenes/deforming.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <latch>
#include <thread>

// What docs/threads.md promises about shapes that are built, refitted, searched against themselves, and about those who end
// such calls from another thread. Under the thread sanitizer this is where a race would show.

namespace snug {
namespace {

/// What is below is mirrored to above, and so runs through what is there.
Mesh folded_knot(std::uint32_t along, std::uint32_t around) {
  const Mesh knot = scenes::bumpy_knot(along, around);
  MeshInput in;
  for (const Point3& p : knot.vertices()) in.vertices.push_back({p.x, p.y, std::abs(p.z)});
  in.triangles.assign(knot.triangles().begin(), knot.triangles().end());
  return Mesh::build(std::move(in)).value();
}

TEST(Threads, SelfIntersectionsDoNotShowHowManyThereAre) {
  const Shape shape(folded_knot(400, 16), {.threads = 3});
  Scratch scratch;
  const auto pairs = self_intersections(shape, scratch).value();
  const auto first = first_self_intersection(shape, scratch).value();
  ASSERT_FALSE(pairs.empty());
  for (const unsigned threads : {2U, 3U, 8U}) {
    SCOPED_TRACE(threads);
    ASSERT_EQ(self_intersections(shape, scratch, {.threads = threads}).value(), pairs);
    for (int repeat = 0; repeat < 3; ++repeat)
      ASSERT_EQ(first_self_intersection(shape, scratch, {.threads = threads}).value(), first);
  }
}

TEST(Threads, OneShapeIsPreparedRefittedAndAskedByMany) {
  const scenes::Cloth cloth(24);
  for (int round = 0; round < 4; ++round) {
    const Shape shape(cloth.mesh());
    std::latch begin(6);
    std::atomic<int> good{0};
    const auto expected = [&] {
      Scratch scratch;
      return triangle_pairs(Shape(cloth.mesh()), {}, Shape(cloth.mesh()), translation(0, 0, 0), scratch).size();
    }();
    {
      std::vector<std::jthread> team;
      for (int i = 0; i < 6; ++i)
        team.emplace_back([&, i] {
          Scratch scratch;
          begin.arrive_and_wait();
          if (i % 3 == 0) {
            good += shape.prepare() ? 1 : 0;
          } else if (i % 3 == 1) {
            good += triangle_pairs(shape, {}, shape, {}, scratch).size() == expected ? 1 : 0;
          } else {
            const Shape refitted = shape.updated(cloth.at(1)).value();
            good += refitted.refit_cost() > 0 && !intersects_itself(refitted.rebuilt(), scratch, 2) &&
                            !shape.rebuild_advised()
                        ? 1
                        : 0;
          }
        });
    }
    EXPECT_EQ(good.load(), 6);
  }
}

TEST(Threads, AnotherThreadEndsLongCalls) {
  const Mesh mesh = folded_knot(600, 24);
  for (const unsigned threads : {1U, 3U}) {
    const Shape shape(mesh, {.threads = threads});
    CancelToken token;
    std::atomic<bool> begun{false};
    std::jthread other([&] {
      while (!begun.load()) std::this_thread::yield();
      token.cancel();
    });
    Scratch scratch;
    SelfOptions options{.threads = threads};
    options.watch = {&token, [&](double) { begun.store(true); }};
    // It may be done before the other thread comes to run, but an answer is whole.
    const auto pairs = self_intersections(shape, scratch, options);
    if (pairs) {
      EXPECT_EQ(*pairs, self_intersections(shape, scratch).value());
    } else {
      EXPECT_TRUE(token.cancelled());
    }
    begun.store(true);
    other.join();
    EXPECT_FALSE(self_intersections(shape, scratch, options));
    const Shape unbuilt(mesh, {.threads = threads});
    EXPECT_FALSE(unbuilt.prepare({.cancel = &token}));
    EXPECT_EQ(triangle_pairs(unbuilt, {}, unbuilt, translation(0.1, 0, 0), scratch),
              triangle_pairs(shape, {}, shape, translation(0.1, 0, 0), scratch));
  }
}

}  // namespace
}  // namespace snug
