#include "aligned_support.hpp"
#include "count_allocations.hpp"
#include "scenes/solids.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

// Scenes held to brute force over all pairs of bodies, through random histories of adding, removing and moving.

namespace snug {
namespace {

using scenes::Random;

/// What a scene should know, kept in the plainest way.
struct Mirror {
  struct Body {
    std::optional<Shape> shape;
    Pose pose;
    Groups groups;
  };
  std::map<BodyId, Body> bodies;
  std::vector<BodyPair> ignored;

  [[nodiscard]] bool allows(const BodyPair& pair) const {
    return meet(bodies.at(pair.a).groups, bodies.at(pair.b).groups) && !std::ranges::count(ignored, pair);
  }
  [[nodiscard]] std::vector<BodyPair> box_pairs(const Scene& scene) const {
    std::vector<BodyPair> pairs;
    for (auto a = bodies.begin(); a != bodies.end(); ++a)
      for (auto b = std::next(a); b != bodies.end(); ++b)
        if (scene.bounds(a->first).value().overlaps(scene.bounds(b->first).value()) && allows({a->first, b->first}))
          pairs.push_back({a->first, b->first});
    return pairs;
  }
  /// Pairs with shapes for which decide(shape, pose, shape, pose) holds.
  template <class Decide>
  [[nodiscard]] std::vector<BodyPair> shape_pairs(Decide&& decide) const {
    std::vector<BodyPair> pairs;
    for (auto a = bodies.begin(); a != bodies.end(); ++a)
      for (auto b = std::next(a); b != bodies.end(); ++b)
        if (a->second.shape && b->second.shape && allows({a->first, b->first}) &&
            decide(*a->second.shape, a->second.pose, *b->second.shape, b->second.pose))
          pairs.push_back({a->first, b->first});
    return pairs;
  }
};

struct World {
  double scale, spread;
  Vec3 far;
  std::vector<Shape> shapes;

  explicit World(Random& random) {
    scale = std::array{1e-200, 1e-3, 1.0, 1e5, 1e200}[random.below(5)];
    spread = std::array{1.5, 6.0, 20.0}[random.below(3)];
    far = (random.below(2) == 0 ? 0.0 : 1e6 * scale) * random.point(-1, 1);
    for (const Mesh& mesh : {scenes::box({-1, -0.6, -0.8}, {1, 0.6, 0.8}), scenes::sphere(0.9, 5, 8),
                             scenes::pipe(0.9, 0.6, 1.2, 10), scenes::box({-0.01, -8, -0.01}, {0.01, 8, 0.01})})
      shapes.emplace_back(test::scaled(mesh, scale));
  }
  [[nodiscard]] Pose pose(Random& random) const {
    // Now and then something is flung far away.
    const double reach = random.below(40) == 0 ? 1e9 * spread : spread;
    return Pose::make(random.below(3) == 0 ? Quaternion{} : random.rotation(),
                      far + scale * reach * random.point(-1, 1))
        .value();
  }
  /// On a grid every other time, so that boxes touch exactly.
  [[nodiscard]] Aabb box(Random& random) const {
    Vec3 lo = spread * random.point(-1, 1), size = random.point(0, 2);
    if (random.below(2) == 0) {
      const auto snap = [](Vec3 v) { return Vec3{std::round(v.x), std::round(v.y), std::round(v.z)}; };
      lo = snap(lo), size = snap(size);
    }
    if (random.below(20) == 0) size = 30.0 * size;
    lo = far + scale * lo;
    return {lo, lo + scale * size};
  }
};

/// One change to scene and mirror alike.
void change(Random& random, const World& world, Scene& scene, Mirror& mirror) {
  const auto any = [&] {
    auto place = mirror.bodies.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(random.below(mirror.bodies.size())));
    return place;
  };
  const std::uint64_t kind = mirror.bodies.size() < 3 ? 0 : random.below(16);
  const auto groups = [&] { return random.below(4) == 0 ? Groups{2, 1} : Groups{}; };
  if (kind < 2) {
    Mirror::Body body{std::nullopt, {}, groups()};
    if (random.below(3) == 0) {
      mirror.bodies.emplace(scene.add_box(world.box(random), {.groups = body.groups}).value(), body);
    } else {
      body.shape = world.shapes[random.below(world.shapes.size())], body.pose = world.pose(random);
      mirror.bodies.emplace(scene.add(*body.shape, body.pose, {.groups = body.groups}).value(), body);
    }
  } else if (kind == 2) {
    const BodyId gone = any()->first;
    scene.remove(gone).value();
    mirror.bodies.erase(gone);
    std::erase_if(mirror.ignored, [&](const BodyPair& pair) { return pair.a == gone || pair.b == gone; });
  } else if (kind == 3) {
    const auto body = any();
    body->second.groups = groups();
    scene.set_groups(body->first, body->second.groups).value();
  } else if (kind == 4) {
    const BodyId a = any()->first, b = any()->first;
    if (a == b) return;
    const BodyPair pair{std::min(a, b), std::max(a, b)};
    if (std::erase(mirror.ignored, pair) > 0) {
      scene.heed(a, b).value();
    } else {
      scene.ignore(a, b).value();
      mirror.ignored.push_back(pair);
    }
  } else {
    const auto body = any();
    if (!body->second.shape) {
      scene.set_box(body->first, world.box(random)).value();
    } else {
      body->second.pose = world.pose(random);
      scene.set_pose(body->first, body->second.pose).value();
    }
  }
}

/// Everything anew, by the many.
void move_all(Random& random, const World& world, Scene& scene, Mirror& mirror) {
  std::vector<BodyId> shaped, boxed;
  std::vector<Pose> poses;
  std::vector<Aabb> boxes;
  for (auto& [id, body] : mirror.bodies) {
    if (body.shape) {
      body.pose = world.pose(random);
      shaped.push_back(id), poses.push_back(body.pose);
    } else {
      boxed.push_back(id), boxes.push_back(world.box(random));
    }
  }
  scene.set_poses(shaped, poses).value();
  scene.set_boxes(boxed, boxes).value();
}

TEST(Scenes, AnswerLikeBruteForceThroughRandomHistories) {
  std::uint64_t box_hits = 0, hits = 0, near_hits = 0;
  const std::uint64_t count = test::scaled(400);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const World world(random);
    Scene scene;
    Mirror mirror;
    SceneScratch scratch;
    Scratch own;
    std::vector<BodyPair> pairs;
    std::vector<BodyId> bodies;
    const auto bodies_count = std::array<std::uint64_t, 4>{3, 12, 50, 120}[random.below(4)];
    for (std::uint64_t i = 0; i < bodies_count; ++i) change(random, world, scene, mirror);
    for (int round = 0; round < 8; ++round) {
      SCOPED_TRACE(round);
      if (random.below(4) == 0) move_all(random, world, scene, mirror);
      for (std::uint64_t i = random.below(12); i > 0; --i) change(random, world, scene, mirror);
      ASSERT_EQ(scene.size(), mirror.bodies.size());
      const auto instructions =
          std::array{Instructions::scalar, Instructions::sse2, Instructions::avx2}[random.below(3)];
      const SceneOptions options{.threads = random.below(3) == 0 ? 3U : 1U, .instructions = instructions};
      // Not always, so that changes gather over several rounds.
      if (random.below(3) != 0) {
        scene.box_pairs(pairs, options).value();
        ASSERT_EQ(pairs, mirror.box_pairs(scene));
        box_hits += pairs.size();
      }
      ASSERT_EQ(scene.validate(), std::nullopt);
      const auto meeting = mirror.shape_pairs([&](const auto&... two) { return intersects(two..., own); });
      scene.intersecting_pairs(scratch, pairs, options).value();
      ASSERT_EQ(pairs, meeting);
      hits += pairs.size();
      ASSERT_EQ(scene.first_intersecting_pair(scratch, options).value(),
                meeting.empty() ? std::nullopt : std::optional(meeting.front()));
      const double clearance = world.scale * std::array{0.0, 0.01, 0.4, 5.0}[random.below(4)];
      scene.pairs_within(clearance, scratch, pairs, options).value();
      ASSERT_EQ(pairs, mirror.shape_pairs([&](const auto&... two) { return within(two..., clearance, own); }));
      near_hits += pairs.size();
      SceneContacts contacts;
      scene.contacts(scratch, contacts, options).value();
      ASSERT_EQ(contacts.bodies.size(), meeting.size());
      for (std::size_t i = 0; i < meeting.size(); ++i) {
        const auto &a = mirror.bodies.at(meeting[i].a), &b = mirror.bodies.at(meeting[i].b);
        ASSERT_EQ(contacts.bodies[i].a, meeting[i].a);
        ASSERT_EQ(contacts.bodies[i].b, meeting[i].b);
        ASSERT_TRUE(std::ranges::equal(contacts.of(contacts.bodies[i]),
                                       triangle_pairs(*a.shape, a.pose, *b.shape, b.pose, own)));
      }
      // One against all.
      for (const auto& [id, body] : mirror.bodies) {
        if (!body.shape || random.below(8) != 0) continue;
        std::vector<BodyId> expected, expected_near, expected_of_shape;
        for (const auto& [other_id, other] : mirror.bodies) {
          if (!other.shape) continue;
          const bool meets = intersects(*body.shape, body.pose, *other.shape, other.pose, own);
          if (meets && meet({}, other.groups)) expected_of_shape.push_back(other_id);
          if (other_id == id || !mirror.allows({std::min(id, other_id), std::max(id, other_id)})) continue;
          if (meets) expected.push_back(other_id);
          if (within(*body.shape, body.pose, *other.shape, other.pose, clearance, own))
            expected_near.push_back(other_id);
        }
        scene.bodies_meeting(id, scratch, bodies, options).value();
        ASSERT_EQ(bodies, expected);
        ASSERT_EQ(scene.first_body_meeting(id, scratch, options).value(),
                  expected.empty() ? std::nullopt : std::optional(expected.front()));
        scene.bodies_within(id, clearance, scratch, bodies, options).value();
        ASSERT_EQ(bodies, expected_near);
        scene.bodies_meeting(*body.shape, body.pose, scratch, bodies, {}, options).value();
        ASSERT_EQ(bodies, expected_of_shape);
      }
      const Aabb box = world.box(random);
      std::vector<BodyId> expected;
      for (const auto& [id, body] : mirror.bodies)
        if (scene.bounds(id).value().overlaps(box) && meet({}, body.groups)) expected.push_back(id);
      scene.bodies_in_box(box, scratch, bodies, {}, options).value();
      ASSERT_EQ(bodies, expected);
    }
  }
  EXPECT_GT(box_hits, 10 * count);
  EXPECT_GT(hits, 5 * count);
  EXPECT_GT(near_hits, hits / 2);
}

TEST(Scenes, FindAllPairsOfManyBoxes) {
  // Large enough that trees have several levels, threads share them out, and few movers are few.
  const std::uint64_t rounds = test::scaled(12);
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double edge = std::array{1.0, 0x1p-600, 0x1p600}[seed % 3];
    const std::size_t count = 1500 + random.below(1500);
    const bool grid = seed % 2 == 0;
    const auto place = [&] {
      Vec3 lo = random.point(0, 12), size = random.point(0, 1.5);
      if (grid)
        lo = {std::floor(lo.x), std::floor(lo.y), std::floor(lo.z)}, size = {1, 1, random.below(2) == 0 ? 0.0 : 1.0};
      if (random.below(300) == 0) size = 20.0 * size;
      if (random.below(300) == 0) lo = 1e7 * lo;
      return Aabb{edge * lo, edge * (lo + size)};
    };
    Scene scene;
    std::vector<BodyId> id;
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(place()), id.push_back(scene.add_box(boxes.back()).value());
    for (int step = 0; step < 6; ++step) {
      SCOPED_TRACE(step);
      if (step == 3) {
        for (Aabb& box : boxes) box = place();
        scene.set_boxes(id, boxes).value();
      } else if (step > 0) {
        for (std::uint64_t k = random.below(40); k > 0; --k) {
          const std::size_t i = random.below(count);
          boxes[i] = place();
          scene.set_box(id[i], boxes[i]).value();
        }
      }
      std::vector<BodyPair> expected, found;
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b)
          if (boxes[a].overlaps(boxes[b])) expected.push_back({id[a], id[b]});
      ASSERT_GT(expected.size(), count / 4);
      scene.box_pairs(found, {.threads = step % 2 == 0 ? 1U : 4U}).value();
      ASSERT_EQ(found, expected);
      ASSERT_EQ(scene.validate(), std::nullopt);
    }
  }
}

TEST(Scenes, ManyBoxesInOnePlaceAreNoTrouble) {
  Scene scene;
  for (int i = 0; i < 600; ++i) (void)scene.add_box({{1, 1, 1}, {1, 1, 1}}).value();
  for (int i = 0; i < 600; ++i) (void)scene.add_box({{2, 1, 1}, {2, 1, 1}}).value();
  (void)scene.add_box({{-1e200, -1e200, -1e200}, {-1e200, -1e200, -1e200}}).value();
  std::vector<BodyPair> pairs;
  scene.box_pairs(pairs).value();
  EXPECT_EQ(pairs.size(), 600U * 599U);
  EXPECT_EQ(scene.validate(), std::nullopt);
}

TEST(Scenes, DoNotAllocateOnceWarm) {
  Scene scene;
  std::vector<BodyId> id;
  Random random(5);
  const Shape ball(scenes::sphere(1, 6, 10)), knot(scenes::bumpy_knot(60, 6));
  for (int i = 0; i < 120; ++i) id.push_back(scene.add(i % 2 == 0 ? ball : knot, random.pose(6)).value());
  SceneScratch scratch;
  SceneContacts contacts;
  std::vector<BodyPair> pairs;
  std::vector<BodyId> bodies;
  std::vector<Pose> poses(id.size());
  std::size_t most = 0;
  CancelToken token;
  const auto step = [&](std::uint64_t seed) {
    Random walk(seed);
    const SceneOptions options{.cancel = seed % 3 == 0 ? &token : nullptr};
    if (seed % 2 == 0) {
      for (Pose& pose : poses) pose = walk.pose(6);
      scene.set_poses(id, poses).value();
    } else {
      for (int k = 0; k < 4; ++k) scene.set_pose(id[walk.below(id.size())], walk.pose(6)).value();
    }
    scene.box_pairs(pairs, options).value();
    scene.contacts(scratch, contacts, options).value();
    scene.intersecting_pairs(scratch, pairs, options).value();
    scene.pairs_within(0.3, scratch, pairs, options).value();
    most = std::max(most, pairs.size());
    (void)scene.first_intersecting_pair(scratch, options).value();
    scene.bodies_meeting(id[3], scratch, bodies, options).value();
    scene.bodies_within(ball, poses[0], 0.5, scratch, bodies, {}, options).value();
    (void)scene.first_body_meeting(id[4], scratch, options).value();
  };
  for (std::uint64_t seed = 0; seed < 40; ++seed) step(seed);
  ASSERT_GT(most, 10U);
  const std::size_t before = test::allocations();
  for (std::uint64_t seed = 0; seed < 40; ++seed) step(seed);
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace snug
