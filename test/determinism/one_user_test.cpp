#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace snug {
namespace {

#if SNUG_ASSERTS

std::atomic<int> g_reports{0};

/// Asks from another thread while the first is within a query of the same scratch; how many reports that makes.
template <class Ask>
int reports_of(Ask&& ask_within) {
  g_reports = 0;
  set_assert_handler([](const char* expression, const char*, int) {
    if (std::string_view(expression).find("used by two threads at once") != std::string_view::npos) ++g_reports;
  });
  ask_within();
  set_assert_handler(nullptr);
  return g_reports;
}

TEST(OneUser, AScratchOfTwoThreadsIsReported) {
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1}));
  (void)cube.prepare();
  Scratch shared, own;
  int visited = 0;
  const auto ask = [&](Scratch& scratch) {
    return reports_of([&] {
      visit_triangle_pairs(cube, {}, cube, {}, shared, [&](const TrianglePair&) {
        ++visited;
        // Boxes are apart: the search ends before it touches the memory.
        std::thread([&] { (void)intersects(cube, {}, cube, translation(9, 0, 0), scratch); }).join();
        return false;
      });
    });
  };
  EXPECT_EQ(ask(shared), 1);
  EXPECT_EQ(ask(own), 0) << "each with its own";
  EXPECT_EQ(visited, 2);
  // The same thread may ask within its own query, and another one later.
  EXPECT_EQ(reports_of([&] {
              visit_triangle_pairs(cube, {}, cube, {}, shared, [&](const TrianglePair&) {
                (void)intersects(cube, {}, cube, translation(9, 0, 0), shared);
                return false;
              });
              std::thread([&] { (void)intersects(cube, {}, cube, {}, shared); }).join();
            }),
            0);
}

TEST(OneUser, AScratchOfASceneOfTwoThreadsIsReported) {
  const Shape cube(scenes::box({0, 0, 0}, {1, 1, 1}));
  Scene scene, empty;
  (void)scene.add(cube).value();
  (void)scene.add(cube, translation(0.5, 0, 0)).value();
  SceneScratch scratch;
  std::vector<BodyPair> pairs, others;
  const SceneOptions options{.filter = [&](const BodyPair&) {
    std::thread([&] { empty.intersecting_pairs(scratch, others).value(); }).join();
    return false;
  }};
  EXPECT_GE(reports_of([&] { scene.intersecting_pairs(scratch, pairs, options).value(); }), 1);
}

#endif

}  // namespace
}  // namespace snug
