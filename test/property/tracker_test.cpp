#include "aligned_support.hpp"
#include "count_allocations.hpp"
#include "scenes/scene.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <memory>

// Trackers held to the same questions asked from scratch: whatever the motion, the answers are the same bits.

namespace snug {
namespace {

using scenes::Random;

/// Asks both and compares. Each kind of question has a tracker of its own, and one is asked everything in turn.
struct Compared {
  Shape a, b;
  Scratch scratch;
  Tracker first{a, b}, all{a, b}, far{a, b}, near{a, b}, mixed{a, b};
  std::optional<TrianglePair> named;
  std::uint64_t met = 0, apart = 0, known = 0;

  Compared(Shape first_shape, Shape second_shape) : a(std::move(first_shape)), b(std::move(second_shape)) {}

  void ask(const Pose& pose_a, const Pose& pose_b) {
    const bool meet = intersects(a, pose_a, b, pose_b, scratch);
    (meet ? met : apart) += 1;
    // What is known before anything is asked, from the poses of before.
    const Distance expected = distance(a, pose_a, b, pose_b, scratch);
    for (Tracker* const tracker : {&first, &all, &far, &near, &mixed}) {
      const double apart_by = tracker->known_apart(pose_a, pose_b);
      ASSERT_LE(apart_by, expected.value * (1 + 1e-12));
      known += apart_by > 0 ? 1 : 0;
    }
    compare_first(first, named, pose_a, pose_b);

    std::vector<TrianglePair> pairs{{7, 7, Relation::touching}};
    all.triangle_pairs(pose_a, pose_b, pairs);
    ASSERT_EQ(pairs, triangle_pairs(a, pose_a, b, pose_b, scratch));

    for (Tracker* const tracker : {&far, &mixed}) {
      const Distance found = tracker->distance(pose_a, pose_b);
      ASSERT_EQ(found.value, expected.value);
      ASSERT_EQ(found.lower, expected.lower);
      ASSERT_TRUE(found.complete);
      if (expected.value == 0) continue;
      ASSERT_EQ(found.triangle_a, expected.triangle_a);
      ASSERT_EQ(found.triangle_b, expected.triangle_b);
      ASSERT_EQ(found.on_a, expected.on_a);
      ASSERT_EQ(found.on_b, expected.on_b);
    }
    for (const double factor : {0.0, 0.9, 1.0, 1.1})
      for (Tracker* const tracker : {&near, &mixed})
        ASSERT_EQ(tracker->within(pose_a, pose_b, factor * expected.value), factor >= 1 || expected.value == 0)
            << factor;
    ASSERT_EQ(mixed.intersects(pose_a, pose_b), meet);
    const Outcome<Answer> answer = mixed.try_intersects(pose_a, pose_b, {.steps = 5});
    ASSERT_LE(answer->distance_at_least, expected.value);
    if (answer.decided()) {
      ASSERT_EQ(answer.yes(), meet);
    }
  }

  /// The pair named before if it still shares a point, otherwise what first_pair() names.
  void compare_first(Tracker& tracker, std::optional<TrianglePair>& before, const Pose& pose_a, const Pose& pose_b) {
    std::optional<TrianglePair> expected;
    if (before) {
      const auto posed = [](const Mesh& mesh, const Pose& pose, std::uint32_t t) {
        const Index3& c = mesh.triangles()[t];
        return Triangle{
            {pose.apply(mesh.vertices()[c[0]]), pose.apply(mesh.vertices()[c[1]]), pose.apply(mesh.vertices()[c[2]])}};
      };
      const Relation how = relation(posed(a.mesh(), pose_a, before->a), posed(b.mesh(), pose_b, before->b));
      if (how != Relation::disjoint) expected = TrianglePair{before->a, before->b, how};
    }
    if (!expected) expected = first_pair(a, pose_a, b, pose_b, scratch);
    ASSERT_EQ(tracker.first_pair(pose_a, pose_b), expected);
    before = expected;
  }
};

/// A small turn about some axis, and a small step.
Pose nudged(const Pose& pose, Random& random, double angle, double step) {
  const Vec3 axis = random.point(-1, 1);
  const Quaternion q = pose.rotation();
  const double w = 1, x = angle * axis.x, y = angle * axis.y, z = angle * axis.z;
  const double length = std::sqrt(w * w + x * x + y * y + z * z);
  const Quaternion turned{
      (w * q.w - x * q.x - y * q.y - z * q.z) / length, (w * q.x + x * q.w + y * q.z - z * q.y) / length,
      (w * q.y - x * q.z + y * q.w + z * q.x) / length, (w * q.z + x * q.y - y * q.x + z * q.w) / length};
  return Pose::make(turned, pose.translation() + step * random.point(-1, 1)).value();
}

TEST(Tracker, AnswersLikeAQuestionFromScratchOnRandomWalks) {
  const std::vector<Mesh> meshes{scenes::bumpy_knot(60, 8), scenes::box({-1, -0.6, -0.8}, {1, 0.6, 0.8}),
                                 scenes::pipe(0.9, 0.6, 1.2, 16), scenes::cylinder(0.55, 1.6, 16)};
  const std::uint64_t walks = std::max<std::uint64_t>(12, test::scaled(24));  // fewer show nothing
  std::uint64_t met = 0, apart = 0, known = 0;
  TrackerStats stats;
  for (std::uint64_t seed = 0; seed < walks; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-3, 1.0, 1e4}[random.below(3)];
    const Vec3 origin = (seed % 4 == 3 ? 1e7 : 0.0) * random.point(-1, 1);
    Compared compared(Shape(test::scaled(meshes[random.below(4)], scale)),
                      Shape(test::scaled(meshes[random.below(4)], scale)));
    const double speed = std::array{1e-5, 1e-3, 0.03}[random.below(3)];
    Pose pose_a = Pose::make(random.rotation(), origin).value();
    Pose pose_b =
        Pose::make(random.rotation(), origin + scale * (0.6 + 1.5 * random.uniform(0, 1)) * random.point(-1, 1))
            .value();
    for (int step = 0; step < 60; ++step) {
      SCOPED_TRACE(step);
      compared.ask(pose_a, pose_b);
      if (testing::Test::HasFatalFailure()) return;
      if (step % 7 == 5) continue;  // rests
      if (step % 20 == 19)
        pose_b = Pose::make(random.rotation(), origin + scale * 1.5 * random.point(-1, 1)).value();  // jumps
      pose_b = nudged(pose_b, random, speed, speed * scale);
      if (step % 3 == 0) pose_a = nudged(pose_a, random, speed, speed * scale);
    }
    met += compared.met, apart += compared.apart, known += compared.known;
    for (const Tracker* tracker : {&compared.first, &compared.far}) {
      stats.by_motion += tracker->stats().by_motion;
      stats.by_pairs += tracker->stats().by_pairs;
      stats.searches += tracker->stats().searches;
    }
  }
  EXPECT_GT(met, walks);
  EXPECT_GT(apart, walks);
  EXPECT_GT(known, walks);
  // Otherwise the above shows nothing.
  EXPECT_GT(stats.by_motion, walks);
  EXPECT_GT(stats.by_pairs, walks);
  EXPECT_GT(stats.searches, walks);
}

TEST(Tracker, AnswersLikeAQuestionFromScratchOnAssemblyMotions) {
  for (const char* const name : {"digger", "control-box", "tool-and-box"}) {
    SCOPED_TRACE(name);
    const scenes::Scene scene = scenes::find(name)->make({});
    const auto motions = scenes::world_motions(scene);
    std::vector<Shape> shapes;
    for (const Part& part : scene.assembly.parts()) shapes.emplace_back(part.mesh);
    std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Compared>> pairs;
    const std::uint64_t steps = test::scaled(120);
    std::uint64_t asked = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      SCOPED_TRACE(step);
      const double time = scene.duration * (0.4 + 0.1 * double(step) / double(steps));
      for (std::size_t i = 0; i < shapes.size(); ++i)
        for (std::size_t j = i + 1; j < shapes.size() && asked < 6 * steps; ++j) {
          if (motions[i].at(time) == motions[i].at(time + 1e-3) && motions[j].at(time) == motions[j].at(time + 1e-3))
            continue;
          auto& pair = pairs[{i, j}];
          if (pairs.size() > 12) {
            pairs.erase({i, j});
            continue;
          }
          if (!pair) pair = std::make_unique<Compared>(shapes[i], shapes[j]);
          ++asked;
          pair->ask(motions[i].at(time), motions[j].at(time));
          if (testing::Test::HasFatalFailure()) return;
        }
    }
    EXPECT_GT(asked, steps / 2);
  }
}

/// A mesh of another size, somewhere else in its frame.
Mesh placed(const Mesh& mesh, double scale, const Vec3& offset) {
  MeshInput in;
  for (const Point3& p : mesh.vertices()) in.vertices.push_back(scale * p + offset);
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  return Mesh::build(std::move(in)).value();
}

TEST(Tracker, IsNotFooledByHostileMotions) {
  // By exactly the distance that was named, about pivots far away, by a hair, together; bodies of all sizes and far from their origins.
  const std::vector<Mesh> meshes{scenes::bumpy_knot(40, 6), scenes::box({-1, -0.6, -0.8}, {1, 0.6, 0.8}),
                                 scenes::pipe(0.9, 0.6, 1.2, 12), scenes::torus(1, 0.3, 14, 8)};
  const std::uint64_t walks = std::max<std::uint64_t>(8, test::scaled(64));
  for (std::uint64_t seed = 0; seed < walks; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::array{1e-200, 1e-165, 1e-6, 1.0, 1e6, 1e150}[seed % 6];
    const auto shape = [&](double size) {
      const double away = std::array{0.0, 10.0, 1e5}[random.below(3)];
      return Shape(placed(meshes[random.below(4)], size, scale * away * random.point(-1, 1)));
    };
    const Shape a = shape(scale), b = shape(scale * (random.below(3) == 0 ? 0.01 : 1));
    const auto middle = [](const Shape& s) { return 0.5 * s.bounds().lo + 0.5 * s.bounds().hi; };
    const auto put = [&](const Shape& s, const Quaternion& turn, const Point3& at) {
      return Pose::make(turn, at - Pose::make(turn, {}).value().apply(middle(s))).value();
    };
    const auto moved = [](const Pose& pose, const Vec3& way) {
      return Pose::make(pose.rotation(), pose.translation() + way).value();
    };
    Compared compared(a, b);
    Pose pose_a = put(a, random.rotation(), {}), pose_b = put(b, random.rotation(), 2 * scale * random.point(-1, 1));
    for (int step = 0; step < 20; ++step) {
      SCOPED_TRACE(step);
      compared.ask(pose_a, pose_b);
      if (testing::Test::HasFatalFailure()) return;
      const Distance apart = distance(a, pose_a, b, pose_b, compared.scratch);
      const Vec3 between = apart.value > 0 ? apart.on_a - apart.on_b : Vec3{};
      const Vec3 hair = scale * std::pow(10.0, -random.uniform(0, 12)) * random.point(-1, 1);
      switch (random.below(6)) {
        case 0:
          pose_b = moved(pose_b, between);
          break;
        case 1:
          pose_a = moved(pose_a, -random.uniform(0.9, 1.1) * between);
          break;
        case 2: {
          const Point3 at = pose_b.apply(middle(b));
          const Vec3 pivot = at + scale * std::array{1.0, 1e2, 1e5}[random.below(3)] * random.point(-1, 1);
          const Pose turn = rotation(random.point(0.1, 1), std::array{1e-9, 1e-6, 1e-3, 3.1}[random.below(4)]);
          pose_b = moved(compose(turn, moved(pose_b, -1.0 * pivot)), pivot);
          break;
        }
        case 3:
          pose_b = put(b, random.rotation(), pose_a.apply(middle(a)) + 1.5 * scale * random.point(-1, 1));
          break;
        case 4:
          pose_a = moved(pose_a, hair), pose_b = moved(pose_b, hair);
          break;
        default:
          pose_b = moved(pose_b, hair);
      }
    }
  }
}

TEST(Tracker, HeedsBudgetsWhateverTheMethod) {
  const Shape knot(scenes::bumpy_knot(60, 8));
  const Pose pose = translation(0.9, 0.2, 0.1);
  CancelToken cancelled;
  cancelled.cancel();
  std::vector<QueryOptions> ways(4);
  ways[1].method = Method::brute, ways[2].method = Method::dop;
  ways[3].surface.bounds = SurfaceSearch::Bounds::aligned;
  for (const QueryOptions& way : ways) {
    Tracker tracker(knot, knot, way);
    const Outcome<Distance> none = tracker.try_distance({}, pose, {.steps = 0});
    EXPECT_EQ(none.because, Undecided::steps);
    EXPECT_FALSE(none->complete);
    EXPECT_EQ(tracker.try_distance({}, pose, {.cancel = &cancelled}).because, Undecided::cancelled);
    EXPECT_EQ(tracker.try_distance({}, pose, Budget::lasting(std::chrono::seconds(-1))).because, Undecided::deadline);
    EXPECT_EQ(tracker.try_intersects({}, pose, {.steps = 0}).because, Undecided::steps);
    EXPECT_FALSE(tracker.try_intersects({}, pose, {.cancel = &cancelled}).decided());
    Scratch scratch;
    EXPECT_EQ(tracker.distance({}, pose).value, distance(knot, {}, knot, pose, scratch).value);
    EXPECT_EQ(tracker.try_distance({}, pose, {})->value, distance(knot, {}, knot, pose, scratch).value);
  }
  // Trees that are not there are not built for a call that is over.
  const Shape unbuilt(knot.mesh());
  Tracker tracker(unbuilt, knot);
  EXPECT_EQ(tracker.try_distance({}, pose, {.cancel = &cancelled}).because, Undecided::cancelled);
  EXPECT_EQ(tracker.try_intersects({}, pose, {.cancel = &cancelled}).because, Undecided::cancelled);
  EXPECT_FALSE(unbuilt.prepare({.cancel = &cancelled}));
}

TEST(Tracker, DoesNotAllocateOnceWarm) {
  const Shape knot(scenes::bumpy_knot(80, 10));
  Tracker tracker(knot, knot);
  std::vector<TrianglePair> pairs;
  pairs.reserve(4096);
  CancelToken token;
  const auto ask = [&](double x) {
    const Pose pose = translation(x, 0.3 * x, 0.1);
    (void)tracker.try_intersects({}, pose, {.steps = 20});
    (void)tracker.try_distance({}, pose, {.steps = 1000, .cancel = &token});
    (void)tracker.try_distance({}, pose, Budget::lasting(std::chrono::microseconds(20)));
    (void)tracker.intersects({}, pose);
    (void)tracker.distance({}, pose);
    (void)tracker.within({}, pose, 0.25);
    tracker.triangle_pairs({}, pose, pairs);
  };
  for (double x = 0.1; x < 4; x += 0.01) ask(x);
  const std::size_t before = test::allocations();
  for (double x = 0.105; x < 4; x += 0.01) ask(x);
  EXPECT_EQ(test::allocations(), before);
}

TEST(Tracker, ForgetsAndTakesOtherShapes) {
  const Shape box(scenes::box({-1, -1, -1}, {1, 1, 1})), small(scenes::box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}));
  Tracker tracker(box, box);
  EXPECT_TRUE(tracker.intersects({}, translation(1.5, 0, 0)));
  tracker.set_shapes(box, small);
  EXPECT_FALSE(tracker.intersects({}, translation(1.5, 0, 0)));
  Scratch scratch;
  const Pose aside = translation(1.5, 0, 0);
  EXPECT_EQ(tracker.distance({}, aside).value, distance(box, {}, small, aside, scratch).value);
  tracker.forget();
  EXPECT_TRUE(tracker.intersects({}, translation(1.05, 0, 0)));
  EXPECT_FALSE(tracker.within({}, translation(9, 0, 0), -1));
  Tracker brute(box, small, {.method = Method::brute});
  EXPECT_TRUE(brute.intersects({}, translation(1.05, 0, 0)));
  EXPECT_EQ(brute.stats().searches, 0U);
}

}  // namespace
}  // namespace snug
