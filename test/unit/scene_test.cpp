#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace snug {
namespace {

using Code = SceneError::Code;

Shape cube() { return Shape(scenes::box({-1, -1, -1}, {1, 1, 1})); }
Aabb unit_box(double x) { return {{x, 0, 0}, {x + 1, 1, 1}}; }

template <class R>
Code code_of(const R& result) {
  EXPECT_FALSE(result.has_value());
  return result.has_value() ? Code::cancelled : result.error().code;
}

TEST(Scene, ReportsPairsInOrderAndTouchingCounts) {
  Scene scene;
  std::vector<BodyId> id;
  for (const double x : {4.0, 0.0, 2.0, 9.0}) id.push_back(scene.add(cube(), translation(x, 0, 0)).value());
  EXPECT_EQ(scene.size(), 4U);
  SceneScratch scratch;
  std::vector<BodyPair> pairs;
  scene.intersecting_pairs(scratch, pairs).value();
  EXPECT_EQ(pairs, (std::vector<BodyPair>{{id[0], id[2]}, {id[1], id[2]}})) << "flush cubes touch";
  scene.set_pose(id[2], translation(2 + 0x1p-30, 0, 0)).value();
  scene.intersecting_pairs(scratch, pairs).value();
  EXPECT_EQ(pairs, (std::vector<BodyPair>{{id[0], id[2]}}));
  scene.pairs_within(0x1p-30, scratch, pairs).value();
  EXPECT_EQ(pairs.size(), 2U);
  scene.pairs_within(0x1p-31, scratch, pairs).value();
  EXPECT_EQ(pairs.size(), 1U);
  scene.pairs_within(std::numeric_limits<double>::infinity(), scratch, pairs).value();
  EXPECT_EQ(pairs.size(), 6U);
  EXPECT_EQ(scene.first_intersecting_pair(scratch).value(), (BodyPair{id[0], id[2]}));
  scene.remove(id[2]).value();
  EXPECT_EQ(scene.first_intersecting_pair(scratch).value(), std::nullopt);
}

TEST(Scene, TellsTheTrianglesThatMeet) {
  Scene scene;
  const auto a = scene.add(cube()).value(), b = scene.add(cube(), translation(1, 1, 1)).value();
  const auto far = scene.add(cube(), translation(50, 0, 0)).value();
  SceneScratch scratch;
  SceneContacts contacts;
  scene.contacts(scratch, contacts).value();
  ASSERT_EQ(contacts.bodies.size(), 1U);
  EXPECT_EQ(contacts.bodies[0].a, a);
  EXPECT_EQ(contacts.bodies[0].b, b);
  Scratch own;
  const auto expected = triangle_pairs(cube(), {}, cube(), translation(1, 1, 1), own);
  EXPECT_TRUE(std::ranges::equal(contacts.of(contacts.bodies[0]), expected));
  scene.set_poses(std::vector{b, far}, std::vector{translation(49, 0, 0), translation(50, 1, 0)}).value();
  scene.contacts(scratch, contacts).value();
  ASSERT_EQ(contacts.bodies.size(), 1U);
  EXPECT_EQ(contacts.bodies[0].a, b);
  EXPECT_EQ(contacts.bodies[0].b, far);
}

TEST(Scene, StaleAndForeignIdsAreErrors) {
  Scene scene, other;
  const BodyId body = scene.add(cube()).value(), second = scene.add(cube()).value();
  const BodyId foreign = other.add(cube()).value();
  EXPECT_NE(body, foreign);
  scene.remove(body).value();
  EXPECT_EQ(code_of(scene.remove(body)), Code::stale_body) << "twice";
  const BodyId again = scene.add(cube()).value();
  EXPECT_EQ(again.index, body.index) << "the slot is used again";
  EXPECT_NE(again, body);
  EXPECT_TRUE(scene.contains(again));
  SceneScratch scratch;
  std::vector<BodyId> bodies;
  BodyId beyond = again;
  beyond.index = 1'000'000;
  for (const auto& [bad, code] : {std::pair{body, Code::stale_body}, std::pair{BodyId{}, Code::stale_body},
                                  std::pair{beyond, Code::stale_body}, std::pair{foreign, Code::foreign_body}}) {
    EXPECT_FALSE(scene.contains(bad));
    EXPECT_EQ(code_of(scene.remove(bad)), code);
    EXPECT_EQ(code_of(scene.set_pose(bad, {})), code);
    EXPECT_EQ(code_of(scene.set_box(bad, unit_box(0))), code);
    EXPECT_EQ(code_of(scene.set_shape(bad, cube())), code);
    EXPECT_EQ(code_of(scene.set_groups(bad, {})), code);
    EXPECT_EQ(code_of(scene.ignore(bad, second)), code);
    EXPECT_EQ(code_of(scene.ignore(second, bad)), code);
    EXPECT_EQ(scene.ignore(second, bad).error().element, 1U);
    EXPECT_EQ(code_of(scene.heed(bad, second)), code);
    EXPECT_EQ(code_of(scene.shape(bad)), code);
    EXPECT_EQ(code_of(scene.pose(bad)), code);
    EXPECT_EQ(code_of(scene.groups(bad)), code);
    EXPECT_EQ(code_of(scene.tag(bad)), code);
    EXPECT_EQ(code_of(scene.bounds(bad)), code);
    EXPECT_EQ(code_of(scene.bodies_meeting(bad, scratch, bodies)), code);
    EXPECT_EQ(code_of(scene.bodies_within(bad, 1, scratch, bodies)), code);
    EXPECT_EQ(code_of(scene.first_body_meeting(bad, scratch)), code);
  }
  EXPECT_EQ(scene.size(), 2U);
  EXPECT_EQ(scene.validate(), std::nullopt);
}

TEST(Scene, SlotsWhoseGenerationsAreUsedUpAreRetired) {
  Scene scene;
  const BodyId first = scene.add_box(unit_box(0)).value();
  BodyId last = first;
  for (int i = 0; i < 0x10000; ++i) {
    scene.remove(last).value();
    last = scene.add_box(unit_box(0)).value();
    ASSERT_FALSE(scene.contains(first)) << i;
  }
  EXPECT_NE(last.index, first.index);
  EXPECT_EQ(scene.validate(), std::nullopt);
}

TEST(Scene, BodiesThatGoLeaveNothingBehind) {
  Scene scene;
  std::vector<BodyId> id;
  std::vector<BodyPair> pairs;
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 200; ++i) id.push_back(scene.add_box(unit_box(0.4 * i)).value());
    if (round % 3 == 0) {
      scene.box_pairs(pairs).value();
      EXPECT_EQ(pairs.size(), 199U + 198U) << "edges of 1 at steps of 0.4";
    }
    for (const BodyId body : id) scene.remove(body).value();
    id.clear();
    EXPECT_EQ(scene.size(), 0U);
  }
  scene.box_pairs(pairs).value();
  EXPECT_TRUE(pairs.empty());
  EXPECT_EQ(scene.validate(), std::nullopt);
}

TEST(Scene, WhatIsNotABoxOrClearanceIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Scene scene;
  const BodyId body = scene.add_box(unit_box(0)).value(), shaped = scene.add(cube()).value();
  SceneScratch scratch;
  std::vector<BodyId> bodies;
  std::vector<BodyPair> pairs;
  for (const Aabb& bad : {Aabb{}, Aabb{{nan, 0, 0}, {1, 1, 1}}, Aabb{{0, 0, 0}, {1, nan, 1}},
                          Aabb{{0, 0, 0}, {inf, 1, 1}}, Aabb{{-inf, 0, 0}, {1, 1, 1}}, Aabb{{1, 0, 0}, {0, 1, 1}}}) {
    EXPECT_EQ(code_of(scene.add_box(bad)), Code::bad_box);
    EXPECT_EQ(code_of(scene.set_box(body, bad)), Code::bad_box);
    EXPECT_EQ(code_of(scene.bodies_in_box(bad, scratch, bodies)), Code::bad_box);
  }
  EXPECT_EQ(code_of(scene.add_box({{0, 0, 0}, {1e308, 1, 1}})), Code::bad_box);
  EXPECT_EQ(scene.bounds(body).value(), unit_box(0));
  for (const double bad : {-1.0, nan, -inf}) {
    EXPECT_EQ(code_of(scene.pairs_within(bad, scratch, pairs)), Code::bad_clearance);
    EXPECT_EQ(code_of(scene.bodies_within(shaped, bad, scratch, bodies)), Code::bad_clearance);
  }
  EXPECT_EQ(code_of(scene.set_pose(shaped, translation(nan, 0, 0))), Code::bad_pose);
  EXPECT_EQ(code_of(scene.add(cube(), Pose::invalid())), Code::bad_pose);
  EXPECT_EQ(code_of(scene.bodies_meeting(cube(), Pose::invalid(), scratch, bodies)), Code::bad_pose);
  EXPECT_EQ(code_of(scene.first_body_meeting(cube(), Pose::invalid(), scratch)), Code::bad_pose);
  EXPECT_EQ(code_of(scene.bodies_within(cube(), Pose::invalid(), 1, scratch, bodies)), Code::bad_pose);
  EXPECT_EQ(code_of(scene.cast_shape(cube(), Pose::invalid(), {1, 0, 0}, scratch)), Code::bad_pose);
  // Others can not hold a NaN in the first place.
  EXPECT_FALSE(Pose::make({nan, 0, 0, 0}, {}).has_value());
  EXPECT_FALSE(Pose::make({}, {nan, 0, 0}).has_value());
  EXPECT_EQ(code_of(scene.set_pose(body, {})), Code::no_shape);
  EXPECT_EQ(code_of(scene.set_box(shaped, unit_box(0))), Code::no_box);
  EXPECT_EQ(code_of(scene.bodies_meeting(body, scratch, bodies)), Code::no_shape);
  EXPECT_EQ(code_of(scene.ignore(body, body)), Code::same_body);
  EXPECT_EQ(code_of(scene.heed(body, body)), Code::same_body);
  EXPECT_EQ(scene.size(), 2U);
}

TEST(Scene, ManyAtOnceAreTakenOrRefusedTogether) {
  Scene scene;
  std::vector<BodyId> id;
  for (int i = 0; i < 3; ++i) id.push_back(scene.add(cube(), translation(10.0 * i, 0, 0)).value());
  std::vector<Pose> poses(3, translation(7, 7, 7));
  EXPECT_EQ(code_of(scene.set_poses(id, std::span(poses).first(2))), Code::counts_differ);
  std::vector<BodyId> with_bad = id;
  with_bad[2].generation = 9;
  const auto refused = scene.set_poses(with_bad, poses);
  ASSERT_EQ(code_of(refused), Code::stale_body);
  EXPECT_EQ(refused.error().element, 2U);
  EXPECT_EQ(scene.pose(id[0]).value(), translation(0, 0, 0)) << "nothing has moved";
  scene.set_poses(std::vector{id[0], id[0]}, std::vector{translation(1, 0, 0), translation(2, 0, 0)}).value();
  EXPECT_EQ(scene.pose(id[0]).value(), translation(2, 0, 0)) << "the last one counts";
  scene.set_poses({}, {}).value();
  EXPECT_FALSE(refused.error().message().empty());
}

TEST(Scene, GroupsIgnoreListsAndFiltersChoosePairs) {
  Scene scene;
  std::vector<BodyId> id;
  for (int i = 0; i < 4; ++i) id.push_back(scene.add(cube(), translation(0.1 * i, 0, 0)).value());
  std::vector<BodyPair> pairs;
  const auto count = [&](const SceneOptions& options = {}) {
    scene.box_pairs(pairs, options).value();
    return pairs.size();
  };
  EXPECT_EQ(count(), 6U);
  scene.set_groups(id[0], {.member = 2, .meets = 1}).value();
  scene.set_groups(id[1], {.member = 2, .meets = 1}).value();
  EXPECT_EQ(count(), 5U) << "two of a group that does not meet itself";
  scene.ignore(id[2], id[3]).value();
  EXPECT_EQ(count(), 4U);
  scene.ignore(id[3], id[2]).value();
  scene.ignore(id[0], id[3]).value();
  EXPECT_EQ(count(), 3U);
  scene.heed(id[3], id[0]).value();
  scene.heed(id[0], id[1]).value();  // was not ignored
  EXPECT_EQ(count(), 4U);
  std::vector<BodyPair> asked;
  EXPECT_EQ(count({.filter = [&](const BodyPair& pair) { return asked.push_back(pair), pair.a == id[0]; }}), 2U);
  EXPECT_EQ(asked.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(asked));
  SceneScratch scratch;
  std::vector<BodyId> bodies;
  scene.bodies_meeting(id[3], scratch, bodies).value();
  EXPECT_EQ(bodies, (std::vector{id[0], id[1]})) << "not itself, not the ignored one";
  scene.bodies_meeting(cube(), {}, scratch, bodies, {.member = 4, .meets = 2}).value();
  EXPECT_TRUE(bodies.empty()) << "its group is not among what they meet";
  scene.bodies_meeting(cube(), {}, scratch, bodies, {.member = 1, .meets = 2}).value();
  EXPECT_EQ(bodies, (std::vector{id[0], id[1]}));
  EXPECT_EQ(scene.first_body_meeting(id[3], scratch).value(), id[0]);
  EXPECT_EQ(scene.first_body_meeting(cube(), translation(90, 0, 0), scratch).value(), std::nullopt);
  // An ignored body that is removed takes the rule along: its successor in the slot is a body like any other.
  scene.remove(id[2]).value();
  id[2] = scene.add(cube()).value();
  EXPECT_EQ(count(), 5U);
}

TEST(Scene, BoxesAloneAreKnownToBoxQueries) {
  Scene scene;
  const BodyId zone = scene.add_box({{-5, -5, -5}, {5, 5, 5}}, {.tag = 77}).value();
  const BodyId body = scene.add(cube()).value();
  std::vector<BodyPair> pairs;
  std::vector<BodyId> bodies;
  SceneScratch scratch;
  scene.box_pairs(pairs).value();
  EXPECT_EQ(pairs, (std::vector<BodyPair>{{zone, body}}));
  scene.intersecting_pairs(scratch, pairs).value();
  EXPECT_TRUE(pairs.empty());
  scene.bodies_in_box({{5, 5, 5}, {6, 6, 6}}, scratch, bodies).value();
  EXPECT_EQ(bodies, (std::vector{zone})) << "a shared corner";
  EXPECT_EQ(scene.tag(zone).value(), 77U);
  scene.bodies(bodies);
  EXPECT_EQ(bodies, (std::vector{zone, body}));
  scene.set_shape(body, Shape(scenes::box({20, 0, 0}, {21, 1, 1}))).value();
  scene.box_pairs(pairs).value();
  EXPECT_TRUE(pairs.empty());
}

TEST(Scene, EmptyScenesAnswerNothing) {
  Scene scene;
  SceneScratch scratch;
  std::vector<BodyPair> pairs(3);
  std::vector<BodyId> bodies(3);
  SceneContacts contacts;
  for (int round = 0; round < 2; ++round) {
    scene.box_pairs(pairs).value();
    EXPECT_TRUE(pairs.empty());
    scene.pairs_within(1, scratch, pairs).value();
    EXPECT_TRUE(pairs.empty());
    scene.contacts(scratch, contacts).value();
    EXPECT_TRUE(contacts.bodies.empty());
    scene.bodies_meeting(cube(), {}, scratch, bodies).value();
    EXPECT_TRUE(bodies.empty());
    scene.bodies_within(cube(), {}, 9, scratch, bodies).value();
    EXPECT_TRUE(bodies.empty());
    scene.bodies_in_box(unit_box(0), scratch, bodies).value();
    EXPECT_TRUE(bodies.empty());
    EXPECT_EQ(scene.validate(), std::nullopt);
    // And again after all have gone.
    const BodyId a = scene.add(cube()).value(), b = scene.add(cube()).value();
    scene.box_pairs(pairs).value();
    EXPECT_EQ(pairs.size(), 1U);
    scene.remove(a).value();
    scene.remove(b).value();
  }
}

TEST(Scene, MovedScenesKeepTheirIds) {
  Scene first;
  const BodyId body = first.add(cube()).value();
  Scene second = std::move(first);
  EXPECT_TRUE(second.contains(body));
  first = Scene();
  EXPECT_FALSE(first.contains(body));
  EXPECT_EQ(first.add(cube()).value().index, 0U);
}

TEST(Scene, CancelledQueriesSayNothingElse) {
  Scene scene;
  for (int i = 0; i < 3000; ++i) (void)scene.add_box(unit_box(0.3 * i)).value();
  std::vector<BodyId> shaped;
  for (int i = 0; i < 40; ++i) shaped.push_back(scene.add(cube(), translation(0.5 * i, 0, 0)).value());
  SceneScratch scratch;
  std::vector<BodyPair> pairs;
  CancelToken cancelled;
  cancelled.cancel();
  for (const unsigned threads : {1U, 4U}) {
    const SceneOptions options{.threads = threads, .cancel = &cancelled};
    SceneContacts contacts;
    std::vector<BodyId> bodies;
    EXPECT_EQ(code_of(scene.box_pairs(pairs, options)), Code::cancelled);
    EXPECT_TRUE(pairs.empty());
    EXPECT_EQ(code_of(scene.intersecting_pairs(scratch, pairs, options)), Code::cancelled);
    EXPECT_EQ(code_of(scene.first_intersecting_pair(scratch, options)), Code::cancelled);
    EXPECT_EQ(code_of(scene.contacts(scratch, contacts, options)), Code::cancelled);
    EXPECT_TRUE(contacts.bodies.empty());
    EXPECT_EQ(code_of(scene.pairs_within(1, scratch, pairs, options)), Code::cancelled);
    EXPECT_EQ(code_of(scene.bodies_meeting(cube(), {}, scratch, bodies, {}, options)), Code::cancelled);
    EXPECT_EQ(code_of(scene.first_body_meeting(cube(), {}, scratch, {}, options)), Code::cancelled);
    EXPECT_EQ(code_of(scene.bodies_within(cube(), {}, 1, scratch, bodies, {}, options)), Code::cancelled);
    EXPECT_EQ(code_of(scene.bodies_in_box(unit_box(0), scratch, bodies, {}, options)), Code::cancelled);
    EXPECT_EQ(code_of(scene.ray_meets({{-9, 0, 0}, {1, 0, 0}}, scratch, 99, {}, options)), Code::cancelled);
  }
  // Later queries are whole again, also when cancelled half-way.
  for (const unsigned threads : {1U, 4U}) {
    CancelToken soon;
    SceneOptions options{.threads = threads, .cancel = &soon};
    options.progress = [&](double) { soon.cancel(); };
    EXPECT_EQ(code_of(scene.intersecting_pairs(scratch, pairs, options)), Code::cancelled);
  }
  scene.intersecting_pairs(scratch, pairs).value();
  EXPECT_EQ(pairs.size(), 39U + 38U + 37U + 36U) << "edges of 2 at steps of 0.5";
}

TEST(Scene, ProgressRisesFromZeroToOne) {
  Scene scene;
  for (int i = 0; i < 100; ++i) (void)scene.add(cube(), translation(0.5 * i, 0, 0)).value();
  SceneScratch scratch;
  SceneContacts contacts;
  for (const unsigned threads : {1U, 3U}) {
    std::vector<double> told;
    scene.contacts(scratch, contacts, {.threads = threads, .progress = [&](double f) { told.push_back(f); }}).value();
    ASSERT_GE(told.size(), 2U);
    EXPECT_EQ(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_TRUE(std::ranges::is_sorted(told));
  }
  std::vector<BodyPair> pairs;
  std::vector<BodyId> bodies;
  const std::vector<std::function<void(const SceneOptions&)>> queries{
      [&](const SceneOptions& options) { scene.box_pairs(pairs, options).value(); },
      [&](const SceneOptions& options) { scene.intersecting_pairs(scratch, pairs, options).value(); },
      [&](const SceneOptions& options) { (void)scene.first_intersecting_pair(scratch, options).value(); },
      [&](const SceneOptions& options) { scene.pairs_within(0.1, scratch, pairs, options).value(); },
      [&](const SceneOptions& options) { scene.bodies_in_box(unit_box(0), scratch, bodies, {}, options).value(); },
      [&](const SceneOptions& options) { scene.bodies_meeting(cube(), {}, scratch, bodies, {}, options).value(); },
      [&](const SceneOptions& options) { (void)scene.first_body_meeting(cube(), {}, scratch, {}, options).value(); },
      [&](const SceneOptions& options) { scene.bodies_within(cube(), {}, 1, scratch, bodies, {}, options).value(); },
      [&](const SceneOptions& options) {
        (void)scene.cast_ray({{-9, 0, 0}, {1, 0, 0}}, scratch, 99, {}, options).value();
      },
      [&](const SceneOptions& options) {
        EXPECT_TRUE(scene.ray_meets({{-9, 0, 0}, {1, 0, 0}}, scratch, 99, {}, options).value());
      },
      [&](const SceneOptions& options) {
        (void)scene.cast_shape(cube(), translation(-9, 0, 0), {99, 0, 0}, scratch, {}, options).value();
      }};
  for (std::size_t q = 0; q < queries.size(); ++q) {
    SCOPED_TRACE(q);
    std::vector<double> told;
    queries[q]({.progress = [&](double f) { told.push_back(f); }});
    ASSERT_GE(told.size(), 2U);
    EXPECT_EQ(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_TRUE(std::ranges::is_sorted(told));
  }
}

TEST(Scene, RefusedQuestionsLeaveNoOldAnswer) {
  Scene scene;
  const BodyId a = scene.add(cube()).value(), b = scene.add(cube(), translation(1, 0, 0)).value();
  SceneScratch scratch;
  std::vector<BodyId> bodies;
  scene.bodies_meeting(a, scratch, bodies).value();
  ASSERT_EQ(bodies, std::vector{b});
  scene.remove(a).value();
  EXPECT_EQ(code_of(scene.bodies_meeting(a, scratch, bodies)), Code::stale_body);
  EXPECT_TRUE(bodies.empty());
  bodies = {b};
  EXPECT_EQ(code_of(scene.bodies_within(a, 1, scratch, bodies)), Code::stale_body);
  EXPECT_TRUE(bodies.empty());
}

TEST(Scene, BoundsHoldEveryPosedVertex) {
  // The corners of a block reach its bounds, whichever way it is turned: nothing but the margin holds them.
  const Mesh knot = scenes::bumpy_knot(40, 6), block = scenes::box({-1.1, -0.7, 0.3}, {1.3, 0.9, 2.9});
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const double far = std::array{0.0, 1.0, 1e9, 1e290}[random.below(4)];
    const Pose pose = Pose::make(random.rotation(), far * random.point(-1, 1)).value();
    for (const Mesh& mesh : {knot, block}) {
      Scene scene;
      const Aabb box = scene.bounds(scene.add(Shape(mesh), pose).value()).value();
      for (const Point3& v : mesh.vertices()) {
        const Point3 p = pose.apply(v);
        ASSERT_TRUE(box.overlaps({p, p}));
      }
    }
  }
}

TEST(Scene, AFewMayLeaveForFarAway) {
  // So far that the floats made for the others no longer serve.
  for (const std::size_t count : {6U, 40U}) {
    Scene scene;
    std::vector<BodyId> id;
    for (std::size_t i = 0; i < count; ++i) id.push_back(scene.add(cube(), translation(3.0 * double(i), 0, 0)).value());
    SceneScratch scratch;
    std::vector<BodyPair> pairs;
    scene.pairs_within(1, scratch, pairs).value();
    EXPECT_EQ(pairs.size(), count - 1);
    scene.set_pose(id[0], translation(1e30, 0, 0)).value();
    scene.set_pose(id[3], translation(-1e30, 0, 0)).value();
    scene.pairs_within(1e31, scratch, pairs, {.method = Method::brute}).value();
    EXPECT_EQ(pairs.size(), count * (count - 1) / 2);
    scene.pairs_within(1, scratch, pairs).value();
    EXPECT_EQ(pairs.size(), count - 4);
    EXPECT_EQ(scene.validate(), std::nullopt);
  }
}

}  // namespace
}  // namespace snug
