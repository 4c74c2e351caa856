#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>

// Other threads end queries of scenes, budgets and trackers, or ask at the same time: an answer is whole or none. Under the
// thread sanitizer this is where a race would show.

namespace snug {
namespace {

using scenes::Random;
using Clock = std::chrono::steady_clock;

/// Cancels from another thread as soon as it is told to.
class Canceller {
 public:
  CancelToken token;
  void now() { now_.store(true); }
  ~Canceller() { now(); }

 private:
  std::atomic<bool> now_{false};
  std::jthread thread_{[this] {
    while (!now_.load()) std::this_thread::yield();
    token.cancel();
  }};
};

TEST(Cancelling, EndsScenesWithAWholeAnswerOrNone) {
  const Shape knot(scenes::bumpy_knot(200, 12));
  Random random(3);
  Scene scene;
  for (int i = 0; i < 40; ++i) (void)scene.add(knot, random.pose(4)).value();
  SceneScratch scratch;
  std::vector<BodyPair> expected, pairs;
  SceneContacts whole, contacts;
  scene.intersecting_pairs(scratch, expected).value();
  scene.contacts(scratch, whole).value();
  ASSERT_FALSE(expected.empty());
  for (const unsigned threads : {1U, 3U})
    for (int when = 0; when < 6; ++when) {
      Canceller other;
      SceneOptions options{.threads = threads, .cancel = &other.token};
      options.progress = [&](double share) {
        if (share >= 0.2 * when) other.now();
      };
      if (scene.intersecting_pairs(scratch, pairs, options))
        EXPECT_EQ(pairs, expected);
      else
        EXPECT_TRUE(pairs.empty() && other.token.cancelled());
      if (scene.contacts(scratch, contacts, options))
        EXPECT_TRUE(contacts.bodies == whole.bodies && contacts.triangles == whole.triangles);
      else
        EXPECT_TRUE(contacts.bodies.empty() && contacts.triangles.empty());
    }
}

/// Blades around an axis: of two such fans whose axes cross, every triangle of one cuts every triangle of the other.
Mesh fan(std::uint32_t blades, const Pose& pose) {
  Random random(7);
  MeshInput input;
  for (std::uint32_t i = 0; i < blades; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    for (const Point3& corner : {Point3{-x, -y, -2}, Point3{-x, -y, 2}, Point3{3 * x, 3 * y, 0}})
      input.vertices.push_back(pose.apply(corner));
    input.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return Mesh::build(std::move(input)).value();
}

TEST(Cancelling, ReachesIntoAPairOfLargeMeshes) {
  // One pair whose contacts take so long that others on the same processors do not show: between pairs there is nothing
  // to look at the token for.
  Scene scene;
  (void)scene.add(Shape(fan(2000, {}))).value();
  (void)scene.add(Shape(fan(2000, test::cube_rotations()[4]))).value();
  SceneScratch scratch;
  SceneContacts contacts;
  for (const unsigned threads : {1U, 2U}) {
    const auto start = Clock::now();
    scene.contacts(scratch, contacts, {.threads = threads}).value();
    const auto whole = Clock::now() - start;
    ASSERT_EQ(contacts.triangles.size(), 2000U * 2000U);
    bool soon = false;
    for (int attempt = 0; attempt < 10 && !soon; ++attempt) {
      Canceller other;
      SceneOptions options{.threads = threads, .cancel = &other.token};
      options.filter = [&](const BodyPair&) { return other.now(), true; };
      const auto begun = Clock::now();
      const bool answered = scene.contacts(scratch, contacts, options).has_value();
      soon = !answered && Clock::now() - begun < whole / 2;
    }
    EXPECT_TRUE(soon) << threads << " threads";
  }
}

TEST(Cancelling, EndsBudgetsOnSeveralThreads) {
  const Shape knot(scenes::bumpy_knot(300, 16));
  const Pose pose = translation(0.01, 0.02, 0.01);
  Scratch scratch;
  std::vector<TrianglePair> pairs;
  const std::vector<TrianglePair> expected = triangle_pairs(knot, {}, knot, pose, scratch);
  for (const unsigned threads : {1U, 4U})
    for (int repeat = 0; repeat < 4; ++repeat) {
      Canceller other;
      if (repeat % 2 == 0) other.now();
      const auto done =
          try_triangle_pairs(knot, {}, knot, pose, scratch, pairs, {.cancel = &other.token}, {.threads = threads});
      if (done.decided())
        EXPECT_EQ(pairs, expected);
      else
        EXPECT_TRUE(pairs.empty() && done.because == Undecided::cancelled);
    }
}

TEST(Threads, CachesScenesAndTrackersAreAskedByMany) {
  const Mesh mesh = scenes::bumpy_knot(80, 10);
  ShapeCache cache;
  Scene scene;
  Random random(5);
  const Shape ball(Primitive::sphere(0.7).value());
  for (int i = 0; i < 30; ++i) {
    if (i % 3 == 0)
      (void)scene.add(ball, random.pose(4)).value();
    else
      (void)scene.add(Shape(mesh), random.pose(4)).value();
  }
  std::latch begin(4);
  std::atomic<int> good{0};
  std::array<std::optional<SceneRayHit>, 4> rays;
  std::array<std::optional<SceneCastHit>, 4> casts;
  std::array<double, 4> distances{};
  {
    std::vector<std::jthread> team;
    for (std::size_t k = 0; k < 4; ++k)
      team.emplace_back([&, k] {
        begin.arrive_and_wait();
        const Shape shape = cache.get(mesh);  // one tree, whoever builds it
        SceneScratch scratch;
        rays[k] = scene.cast_ray({{-9, 0.2, 0.1}, {1, 0, 0}}, scratch).value();
        casts[k] = scene.cast_shape(ball, translation(-9, 0.2, 0.1), {18, 0, 0}, scratch).value();
        Tracker tracker(shape, shape);
        for (int step = 0; step < 20; ++step)
          distances[k] = tracker.distance({}, translation(2.5 + 0.01 * step, 0, 0)).value;
        good += shape.validate() ? 0 : 1;
      });
  }
  EXPECT_EQ(good.load(), 4);
  EXPECT_EQ(cache.size(), 1U);
  for (std::size_t k = 0; k < 4; ++k) {
    ASSERT_TRUE(rays[k] && casts[k]);
    EXPECT_EQ(rays[k]->body, rays[0]->body);
    EXPECT_EQ(rays[k]->hit.t, rays[0]->hit.t);
    EXPECT_EQ(casts[k]->body, casts[0]->body);
    EXPECT_EQ(casts[k]->hit.t, casts[0]->hit.t);
    EXPECT_EQ(distances[k], distances[0]);
  }
}

}  // namespace
}  // namespace snug
