#include "count_allocations.hpp"
#include "scenes/machine_parts.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

// Trackers of contacts held to what is so at every step, bodies that deform, and bodies that meet themselves.

namespace snug {
namespace {

using scenes::Random;
using Rays = RayContactOptions::Rays;

/// A knot that comes down on a torus, slides and turns: small steps.
struct Path {
  Shape a{scenes::bumpy_knot(36, 7)}, b{scenes::torus(0.8, 0.25, 20, 9)};

  [[nodiscard]] Pose pose(int step) const {
    const double t = step * 0.01;
    const Pose turned = rotation({1, 2, 3}, 0.7 * t);
    return Pose::make(turned.rotation(), {0.4 * t, 0.1, 1.3 - 0.9 * t}).value();
  }
};

void expect_same_but_ids(std::vector<Contact> x, std::vector<Contact> y) {
  for (auto* list : {&x, &y})
    for (Contact& contact : *list) contact.id = 0;
  ASSERT_EQ(x, y);
}

TEST(ContactTracker, StandardRaysAreTheStatelessOnes) {
  const Path path;
  Scratch scratch;
  const RayContactOptions options{.rays = Rays::standard};
  ContactTracker tracker = ContactTracker::make(options).value();
  for (int step = 0; step < 120; step += 3) {
    SCOPED_TRACE(step);
    const Pose pose = path.pose(step);
    const Contacts found = contacts(path.a, pose, path.b, {}, tracker);
    expect_same_but_ids(found.contacts, contacts(path.a, pose, path.b, {}, scratch, options).value().contacts);
    EXPECT_EQ(audit_rays(path.a, pose, path.b, {}, tracker).erroneous(), 0U);
  }
  EXPECT_EQ(tracker.stats().steps, 40U);
  EXPECT_EQ(tracker.stats().iterative_rays, 0U);
  EXPECT_GT(tracker.stats().standard_rays, 0U);
}

/// Contacts of standard rays no longer than `most` that a tracker does not tell. A vertex that has come in the way it faces, within
/// less than `most`, has such a ray, and one the other way would have foreseen it. One that came in sideways has a longer one.
std::uint64_t untold_of(const Contacts& standard, const Contacts& told, double most) {
  std::set<std::pair<Contact::Source, std::uint32_t>> known;
  for (const Contact& c : told.contacts)
    if (!c.predicted) known.emplace(c.source, c.vertex);
  return static_cast<std::uint64_t>(std::ranges::count_if(standard.contacts, [&](const Contact& c) {
    return c.depth_bound <= most && !known.contains({c.source, c.vertex});
  }));
}

TEST(ContactTracker, KnowsAtEveryStepWhetherBodiesMeet) {
  const Path path;
  Scratch scratch;
  std::uint64_t erroneous[2] = {}, untold[2] = {};
  for (const Rays rays : {Rays::iterative, Rays::predictive}) {
    const bool predictive = rays == Rays::predictive;
    ContactTracker tracker = ContactTracker::make({.rays = rays, .displacement_threshold = 0.06}).value();
    ContactTracker automatic = ContactTracker::make({.rays = rays}).value();
    ContactTracker rays_alone =
        ContactTracker::make({.rays = rays, .displacement_threshold = 0.06, .complete = false}).value();
    Contacts found, standard;
    std::uint64_t met = 0, compared = 0;
    for (int step = 0; step < 150; ++step) {
      SCOPED_TRACE(step);
      const Pose pose = path.pose(step);
      const bool meet = intersects(path.a, pose, path.b, {}, scratch, {.method = Method::brute});
      met += meet ? 1 : 0;
      contacts(path.a, pose, path.b, {}, automatic, found);
      ASSERT_EQ(found.touching(), meet);
      contacts(path.a, pose, path.b, {}, tracker, found);
      ASSERT_EQ(found.touching(), meet);
      const RayAudit audit = audit_rays(path.a, pose, path.b, {}, tracker);
      ASSERT_LE(audit.erroneous(), audit.rays);
      compared += audit.rays, erroneous[predictive] += audit.erroneous();
      contacts(path.a, pose, path.b, {}, scratch, standard, {.complete = false}).value();
      contacts(path.a, pose, path.b, {}, rays_alone, found);
      untold[predictive] += untold_of(standard, found, tracker.constants().displacement_threshold);
    }
    EXPECT_GT(met, 30U);
    EXPECT_LT(met, 150U);
    EXPECT_GT(compared, 200U);
    // Steps are some 0.01 long: rays serve for about six of them.
    EXPECT_LT(tracker.stats().standard_steps, 60U);
    EXPECT_GT(tracker.stats().standard_steps, 10U);
    EXPECT_GT(tracker.stats().iterative_rays, 0U);
    EXPECT_EQ(tracker.stats().predictions > 0, predictive);
    EXPECT_EQ(tracker.constants().displacement_threshold, 0.06);
    EXPECT_GT(automatic.constants().displacement_threshold, 0);
  }
  // What prediction is for, judged on the same poses: 102 and 17.
  EXPECT_GT(untold[0], 50U);
  EXPECT_LT(4 * untold[1], untold[0]);
  EXPECT_LT(erroneous[1], erroneous[0]);
}

TEST(ContactTracker, OrderOfTheBodiesDoesNotShow) {
  const Path path;
  ContactTracker one, other;
  for (int step = 0; step < 120; ++step) {
    SCOPED_TRACE(step);
    const Contacts found = contacts(path.a, path.pose(step), path.b, {}, one);
    const Contacts turned = contacts(path.b, {}, path.a, path.pose(step), other);
    std::multiset<std::tuple<Vec3, Vec3, double>> places, turned_places;
    for (const Contact& c : found.contacts) places.emplace(c.on_a, c.normal, c.depth);
    for (const Contact& c : turned.contacts) turned_places.emplace(c.on_b, -c.normal, c.depth);
    ASSERT_EQ(places, turned_places);
  }
  EXPECT_EQ(one.stats().standard_steps, other.stats().standard_steps);
}

TEST(ContactTracker, ContactsKeepTheirIds) {
  // Bars across each other, one sliding: edge upon edge, which no vertex names.
  const Shape bar(scenes::box({-2, -0.5, -0.5}, {2, 0.5, 0.5}));
  const Quaternion across = rotation({0, 0, 1}, 1.5707963267948966).rotation();
  ContactTracker tracker;
  std::set<std::uint64_t> ids;
  std::uint64_t kept = 0, all = 0;
  for (int step = 0; step < 40; ++step) {
    SCOPED_TRACE(step);
    const Pose pose = Pose::make(across, {0.01 * step, 0.003 * step, 0.999}).value();
    std::set<std::uint64_t> now;
    for (const Contact& c : contacts(bar, pose, bar, {}, tracker).contacts) {
      ASSERT_EQ(c.source, Contact::Source::triangles);
      ASSERT_TRUE(now.insert(c.id).second);
    }
    ASSERT_GE(now.size(), 4U);
    if (step > 1) {  // at first faces lie in one plane
      all += ids.size();
      for (const std::uint64_t id : ids) kept += now.contains(id) ? 1 : 0;
    }
    ids = now;
  }
  EXPECT_GT(5 * kept, 4 * all) << kept << " of " << all;

  // A ball that slides in a groove of another: vertices keep theirs.
  const Shape ball(scenes::sphere(0.5, 12, 18)), large(scenes::sphere(2, 20, 30));
  ContactTracker other = ContactTracker::make({.complete = false}).value();
  std::set<std::uint64_t> before;
  kept = all = 0;
  for (int step = 0; step < 40; ++step) {
    std::set<std::uint64_t> now;
    for (const Contact& c : contacts(ball, translation(0.002 * step, 0, 2.4), large, {}, other).contacts)
      if (!c.predicted && c.source != Contact::Source::triangles) now.insert(c.id);
    all += before.size();
    for (const std::uint64_t id : before) kept += now.contains(id) ? 1 : 0;
    before = now;
  }
  EXPECT_GT(all, 100U);
  EXPECT_GT(10 * kept, 9 * all) << kept << " of " << all;
}

TEST(ContactTracker, DoesNotAllocateOnceWarm) {
  const Path path;
  Scratch scratch;
  ContactTracker tracker, reducing = ContactTracker::make({.reduce = true}).value();
  Contacts found;
  const auto run = [&] {
    for (int step = 40; step < 140; ++step) {
      contacts(path.a, path.pose(step), path.b, {}, tracker, found);
      contacts(path.a, path.pose(step), path.b, {}, reducing, found);
      contacts(path.a, path.pose(step), path.b, {}, scratch, found, {.displacement_threshold = 0.05}).value();
    }
  };
  run();
  run();
  const std::size_t before = test::allocations();
  run();
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(tracker.stats().hits, 0U);
}

TEST(ContactTracker, DoesNotAllocateOnceWarmWhereWallsStandAllAround) {
  const Shape cup(scenes::cup(0.03, 0.04, 0.1, 0.003, 48));
  const Pose pose = compose(translation(1e-6, 2e-6, 0.0299), rotation({1, 0.5, 0}, 1e-5));
  const RayContactOptions options{.normal = RayContactOptions::Normal::smooth};
  Scratch scratch;
  Contacts found;
  std::size_t before = 0;
  for (int i = 0; i < 4; ++i) {
    before = test::allocations();
    ASSERT_TRUE(contacts(cup, {}, cup, pose, scratch, found, options));
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GE(found.patches.size(), 8U);
}

TEST(ContactTracker, FollowsBodiesThatDeform) {
  const Path path;
  Shape soft = path.a;
  Scratch scratch;
  ContactTracker tracker = ContactTracker::make({.displacement_threshold = 0.06}).value();
  std::uint64_t met = 0;
  for (int step = 40; step < 120; ++step) {
    SCOPED_TRACE(step);
    std::vector<Point3> vertices(path.a.mesh().vertices().begin(), path.a.mesh().vertices().end());
    for (Point3& v : vertices) v.z *= 1 - 0.002 * (step - 40);
    soft = soft.updated(std::move(vertices)).value();
    const Contacts found = contacts(soft, path.pose(step), path.b, {}, tracker);
    const bool meet = intersects(soft, path.pose(step), path.b, {}, scratch, {.method = Method::brute});
    ASSERT_EQ(found.touching(), meet);
    met += meet ? 1 : 0;
  }
  EXPECT_GT(met, 20U);
  EXPECT_LT(tracker.stats().standard_steps, 60U);  // it knew the body again
  // Another body altogether, with fewer triangles than were named before.
  const Shape box(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  for (int i = 0; i < 2; ++i) {
    const Contacts found = contacts(box, translation(0.8, 0, 0), path.b, {}, tracker);
    ASSERT_EQ(found.touching(), intersects(box, translation(0.8, 0, 0), path.b, {}, scratch));
  }
}

TEST(ContactTracker, DeformationCountsAsDisplacement) {
  // The body stays where it is and grows by 0.02 a step: rays serve for two steps more.
  const Mesh rest = scenes::sphere(0.5, 12, 18);
  const Shape ground(scenes::box({-5, -5, -1}, {5, 5, 0})), first(rest);
  ContactTracker tracker = ContactTracker::make({.displacement_threshold = 0.05}).value();
  for (int step = 0; step < 12; ++step) {
    SCOPED_TRACE(step);
    std::vector<Point3> vertices;
    for (const Point3& v : rest.vertices()) vertices.push_back((1 + 0.04 * step) * v);
    const Contacts found =
        contacts(first.updated(std::move(vertices)).value(), translation(0, 0, 0.4), ground, {}, tracker);
    EXPECT_EQ(found.stats.standard_steps, step % 3 == 0 ? 1U : 0U);
    EXPECT_TRUE(found.touching());
  }
}

TEST(ContactTracker, IdsAreNotHandedOnAcrossAJump) {
  // Bars across each other, edge upon edge. From one step to the next all contacts go 1.5 along, to the same two surfaces.
  const Shape bar(scenes::box({-2, -0.5, -0.5}, {2, 0.5, 0.5}));
  const Quaternion across = rotation({0, 0, 1}, 1.5707963267948966).rotation();
  ContactTracker tracker = ContactTracker::make({.displacement_threshold = 0.1}).value();
  std::set<std::uint64_t> before;
  for (int step = 0; step < 6; ++step) {
    SCOPED_TRACE(step);
    const Pose pose = Pose::make(across, {step % 2 == 0 ? -0.75 : 0.76, 0.1, 0.999}).value();
    std::set<std::uint64_t> now;
    for (const Contact& c : contacts(bar, pose, bar, {}, tracker).contacts) now.insert(c.id);
    EXPECT_GE(now.size(), 4U);
    for (const std::uint64_t id : now) EXPECT_FALSE(before.contains(id));
    before = std::move(now);
  }
}

/// Two tubes of one mesh, the second moved: two shells of one body.
Mesh two_balls(double apart) {
  const Mesh ball = scenes::sphere(0.5, 8, 12);
  MeshInput input;
  for (const double x : {0.0, apart})
    for (const Point3& v : ball.vertices()) input.vertices.push_back(v + Vec3{x, 0.1 * x, 0.05 * x});
  const auto count = static_cast<std::uint32_t>(ball.vertices().size());
  for (const std::uint32_t first : {0U, count})
    for (const Index3& t : ball.triangles()) input.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  return Mesh::build(std::move(input)).value();
}

TEST(SelfContacts, AreThereExactlyIfABodyMeetsItself) {
  Scratch scratch;
  std::uint64_t met = 0, by_rays = 0;
  for (int step = 0; step < 30; ++step) {
    SCOPED_TRACE(step);
    const Shape shape(two_balls(0.75 + 0.02 * step));
    const bool meets = intersects_itself(shape, scratch);
    const Contacts found = self_contacts(shape, scratch).value();
    ASSERT_EQ(found.touching(), meets);
    met += meets ? 1 : 0, by_rays += found.stats.hits;
    for (const Contact& c : found.contacts) {
      // Vertices of the left ball are pushed to the left, those of the right one to the right.
      if (c.source != Contact::Source::vertex_of_a) continue;
      const bool left = c.vertex < shape.mesh().vertices().size() / 2;
      ASSERT_EQ(c.normal.x < 0, left);
      ASSERT_GT(c.depth, 0);
      ASSERT_LT(c.depth, 0.3);
    }
    const Contacts basic = self_contacts(shape, scratch, {.traversal = RayContactOptions::Traversal::basic}).value();
    ASSERT_EQ(basic.contacts, found.contacts);
  }
  EXPECT_GT(met, 5U);
  EXPECT_LT(met, 30U);
  EXPECT_GT(by_rays, 0U);
  EXPECT_TRUE(self_contacts(Shape(scenes::bumpy_knot(60, 8)), scratch).value().contacts.empty());
  EXPECT_FALSE(self_contacts(Shape(two_balls(1)), scratch, {.confidence = 0}));
}

}  // namespace
}  // namespace snug
