#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

// What a scene answers depends on its bodies alone: not on threads, instruction sets or how they came where they are.

namespace snug {
namespace {

using scenes::Random;

struct Answers {
  std::vector<BodyPair> boxes, meeting, near;
  SceneContacts contacts;
  std::optional<BodyPair> first;
  std::vector<BodyId> one;
  std::optional<BodyId> first_of_one;

  friend bool operator==(const Answers& a, const Answers& b) {
    return a.boxes == b.boxes && a.meeting == b.meeting && a.near == b.near && a.first == b.first && a.one == b.one &&
           a.contacts.bodies == b.contacts.bodies && a.contacts.triangles == b.contacts.triangles &&
           a.first_of_one == b.first_of_one;
  }
};

Answers ask(const Scene& scene, const Shape& probe, SceneScratch& scratch, const SceneOptions& options) {
  Answers a;
  scene.box_pairs(a.boxes, options).value();
  scene.intersecting_pairs(scratch, a.meeting, options).value();
  scene.pairs_within(0.2, scratch, a.near, options).value();
  scene.contacts(scratch, a.contacts, options).value();
  a.first = scene.first_intersecting_pair(scratch, options).value();
  scene.bodies_within(probe, {}, 0.5, scratch, a.one, {}, options).value();
  a.first_of_one = scene.first_body_meeting(probe, {}, scratch, {}, options).value();
  return a;
}

struct Parts {
  Shape ball{scenes::sphere(0.8, 6, 10)}, knot{scenes::bumpy_knot(40, 6)}, ring{scenes::torus(1.2, 0.3, 24, 10)};
  [[nodiscard]] const Shape& of(std::size_t i) const { return i % 3 == 0 ? ball : i % 3 == 1 ? knot : ring; }
};

TEST(SceneDeterminism, ThreadsAndInstructionsDoNotShow) {
  const Parts parts;
  for (std::uint64_t seed = 0; seed < test::scaled(8); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<Pose> poses;
    for (int i = 0; i < 150; ++i) poses.push_back(random.pose(7));
    std::optional<Answers> expected;
    for (const unsigned threads : {1U, 2U, 4U, 8U})
      for (const Instructions instructions : {Instructions::scalar, Instructions::sse2, Instructions::avx2}) {
        // Made anew, so that pairs are found by these threads and not remembered.
        Scene scene;
        std::vector<BodyId> id;
        for (std::size_t i = 0; i < poses.size(); ++i) id.push_back(scene.add(parts.of(i), poses[i]).value());
        SceneScratch scratch;
        Answers found = ask(scene, parts.ring, scratch, {.threads = threads, .instructions = instructions});
        const auto without_scene = [](BodyId& body) { body.scene = 0; };
        for (auto* list : {&found.boxes, &found.meeting, &found.near})
          for (BodyPair& pair : *list) without_scene(pair.a), without_scene(pair.b);
        for (auto& contact : found.contacts.bodies) without_scene(contact.a), without_scene(contact.b);
        for (BodyId& body : found.one) without_scene(body);
        if (found.first) without_scene(found.first->a), without_scene(found.first->b);
        if (found.first_of_one) without_scene(*found.first_of_one);
        if (!expected) {
          ASSERT_FALSE(found.meeting.empty());
          ASSERT_FALSE(found.one.empty());
          expected = std::move(found);
        } else {
          ASSERT_EQ(found, *expected) << threads;
        }
      }
  }
}

TEST(SceneDeterminism, TheWayToAStateDoesNotShow) {
  const Parts parts;
  for (std::uint64_t seed = 0; seed < test::scaled(20); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::size_t count = 20 + random.below(200);
    Scene scene;
    SceneScratch scratch;
    std::vector<BodyId> id;
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < count; ++i)
      poses.push_back(random.pose(6)), id.push_back(scene.add(parts.of(i), poses[i]).value());
    const Answers expected = ask(scene, parts.knot, scratch, {});
    // Away and back again: one by one, all at once, far away, with questions in between or not.
    for (int round = 0; round < 4; ++round) {
      std::vector<Pose> elsewhere;
      for (std::size_t i = 0; i < count; ++i) elsewhere.push_back(random.pose(round == 1 ? 1e6 : 10));
      if (round % 2 == 0) {
        scene.set_poses(id, elsewhere).value();
        if (round == 2) (void)ask(scene, parts.knot, scratch, {});
        scene.set_poses(id, poses).value();
      } else {
        for (std::size_t k = 0; k < count; ++k) {
          const std::size_t i = (k * 7919) % count;
          scene.set_pose(id[i], elsewhere[i]).value();
          if (k % 16 == 0) (void)scene.first_intersecting_pair(scratch).value();
        }
        for (std::size_t i = 0; i < count; ++i) scene.set_pose(id[i], poses[i]).value();
      }
      const BodyId guest = scene.add(parts.ball, random.pose(3)).value();
      scene.ignore(guest, id[0]).value();
      scene.ignore(id[1], id[0]).value();
      scene.set_groups(id[2], {4, 4}).value();
      if (round > 1) (void)ask(scene, parts.knot, scratch, {});
      scene.remove(guest).value();
      scene.heed(id[0], id[1]).value();
      scene.set_groups(id[2], {}).value();
      ASSERT_EQ(ask(scene, parts.knot, scratch, {.threads = 1U + unsigned(round)}), expected) << round;
      ASSERT_EQ(scene.validate(), std::nullopt);
    }
  }
}

TEST(SceneDeterminism, LargePairsAreSharedOutAmongThreads) {
  const Shape large(scenes::bumpy_knot(600, 10)), small(scenes::sphere(0.4, 6, 10));
  Scene scene;
  (void)scene.add(large).value();
  (void)scene.add(large, translation(0.1, 0.2, 0.1)).value();
  for (int i = 0; i < 30; ++i) (void)scene.add(small, translation(0.05 * i - 0.7, 0.3, 0)).value();
  SceneScratch scratch;
  SceneContacts one, many;
  scene.contacts(scratch, one).value();
  ASSERT_GT(one.triangles.size(), 1000U);
  for (const unsigned threads : {2U, 4U, 8U}) {
    scene.contacts(scratch, many, {.threads = threads}).value();
    EXPECT_EQ(many.bodies, one.bodies);
    EXPECT_EQ(many.triangles, one.triangles);
  }
}

TEST(SceneDeterminism, TheFirstPairWinsHoweverLateItIsFound) {
  // By brute force the first pair takes long to find: of many triangles only the last two meet. The others are found at once.
  const auto ladder = [](double x) {
    MeshInput in;
    const auto add = [&](Point3 p, double size) {
      const auto k = static_cast<std::uint32_t>(in.vertices.size());
      in.vertices.insert(in.vertices.end(), {p, p + Vec3{size, 0, 0}, p + Vec3{0, size, 0}});
      in.triangles.push_back({k, k + 1, k + 2});
    };
    for (int i = 0; i < 4000; ++i) add({x, 0, 1e-3 * i}, 1e-4);
    add({-1, -1, -1}, 0.5);
    return Shape(Mesh::build(std::move(in)).value());
  };
  const Shape slow = ladder(0), other = ladder(0.1), quick(scenes::box({-1, -1, -1}, {1, 1, 1}));
  Scene scene;
  const BodyId a = scene.add(slow).value(), b = scene.add(other).value();
  for (int i = 0; i < 60; ++i) (void)scene.add(quick, translation(9 + 0.5 * i, 0, 0)).value();
  SceneScratch scratch;
  for (const unsigned threads : {1U, 2U, 4U, 8U})
    for (int repeat = 0; repeat < 3; ++repeat)
      EXPECT_EQ(scene.first_intersecting_pair(scratch, {.threads = threads, .method = Method::brute}).value(),
                (BodyPair{a, b}));
}

TEST(SceneDeterminism, ManyThreadsMayAskAtOnce) {
  const Parts parts;
  Random random(11);
  Scene scene;
  std::vector<BodyId> id;
  for (std::size_t i = 0; i < 120; ++i) id.push_back(scene.add(parts.of(i), random.pose(5)).value());
  for (int step = 0; step < 6; ++step) {
    // Nothing is up to date when all begin to ask.
    for (std::size_t i = 0; i < id.size(); i += step % 2 == 0 ? 1 : 20) scene.set_pose(id[i], random.pose(5)).value();
    std::vector<Answers> answers(4);
    {
      std::vector<std::jthread> team;
      for (std::size_t k = 0; k < answers.size(); ++k)
        team.emplace_back([&, k] {
          SceneScratch scratch;
          answers[k] = ask(scene, parts.ball, scratch, {.threads = k == 3 ? 2U : 1U});
        });
    }
    for (const Answers& answer : answers) EXPECT_EQ(answer, answers[0]);
    EXPECT_FALSE(answers[0].meeting.empty());
  }
}

}  // namespace
}  // namespace snug
