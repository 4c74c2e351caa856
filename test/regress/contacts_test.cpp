#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

// Contacts that were missing, misplaced or of the wrong depth once.

namespace snug {
namespace {

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

std::vector<Point3> vertices_of(const Mesh& mesh) { return {mesh.vertices().begin(), mesh.vertices().end()}; }

/// Flush cubes, or all but: their corners lie on one another's surface, or a hair beside it.
TEST(Contacts, FlushCubesArePushedApartAlongTheirStack) {
  const Shape cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  Scratch scratch;
  const double beside[] = {0, 1e-16, -1e-12, 1e-6};
  for (const double sunk : {0.007, 0.1})
    for (const double x : beside)
      for (const double y : beside)
        for (const double turned : {0.0, 1e-15, 1e-9, -1e-6}) {
          SCOPED_TRACE(testing::Message() << sunk << ' ' << x << ' ' << y << ' ' << turned);
          const Pose pose = Pose::make({1, 0, 0, turned}, {x, y, 1 - sunk}).value();
          const Contacts found = contacts(cube, pose, cube, {}, scratch).value();
          ASSERT_GE(found.contacts.size(), 4U);
          for (const Contact& contact : found.contacts) {
            ASSERT_GT(contact.normal.z, 0.99);
            ASSERT_NEAR(contact.depth, sunk, 1e-5);
          }
        }
}

TEST(Contacts, FlushCubesSlideWithoutWalls) {
  const Shape cube(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  Scratch scratch;
  for (const double sunk : {0.0, 0.001})
    for (int step = 1; step < 10; ++step) {
      const Contacts found = contacts(cube, translation(0, 0.05 * step, 1 - sunk), cube, {}, scratch).value();
      ASSERT_TRUE(found.touching());
      for (const Contact& contact : found.contacts) ASSERT_GT(contact.normal.z, 0.99) << sunk << ' ' << step;
    }
}

TEST(Contacts, FeetOnOneTriangleAreToldEach) {
  // A ridge 40 mm in the ground, whose ends are beyond it, and the tip of a pin 1 mm in, two metres away.
  const Shape ground(scenes::box({-2, -1, -0.2}, {2, 1, 0}));
  MeshInput input;
  for (const double y : {-3.0, 3.0})
    for (const Point3& p : {Point3{1, y, -0.04}, Point3{1.3, y, 0.26}, Point3{0.7, y, 0.26}})
      input.vertices.push_back(p);
  input.triangles = {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}, {2, 5, 3}, {2, 3, 0}};
  for (const Point3& p : {Point3{-1, 0, -0.001}, {-0.9, 0.05, 0.3}, {-1.1, 0.05, 0.3}, {-1, -0.1, 0.3}})
    input.vertices.push_back(p);
  for (const Index3& t : {Index3{6, 8, 7}, {6, 9, 8}, {6, 7, 9}, {7, 8, 9}}) input.triangles.push_back(t);
  const Shape feet(Mesh::build(std::move(input)).value());
  Scratch scratch;
  double ridge = 0, pin = 0;
  const Contacts found = contacts(feet, {}, ground, {}, scratch).value();
  for (const Contact& contact : found.contacts) {
    double& of = contact.on_a.x > 0 ? ridge : pin;
    of = std::max(of, contact.depth * contact.normal.z);
  }
  EXPECT_NEAR(ridge, 0.04, 0.001);
  EXPECT_NEAR(pin, 0.001, 1e-6);
}

TEST(Contacts, OfTrianglesAreNotFarDeeperThanBodiesOverlap) {
  // Boxes that overlap by 0.02 along the best of the 15 axes that part boxes.
  scenes::Random random(5);
  Scratch scratch;
  int compared = 0;
  for (int i = 0; i < 600; ++i) {
    SCOPED_TRACE(i);
    const auto half = [&] { return Vec3{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)}; };
    const Vec3 ha = half(), hb = half();
    const Shape a(scenes::box(-ha, ha)), b(scenes::box(-hb, hb));
    const Pose turned = Pose::make(random.rotation(), {}).value(), pose_b = Pose::make(random.rotation(), {}).value();
    std::vector<Vec3> axes;
    const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3& u : unit) {
      axes.push_back(turned.apply(u)), axes.push_back(pose_b.apply(u));
      for (const Vec3& v : unit) {
        const Vec3 p = turned.apply(u), q = pose_b.apply(v);
        const Vec3 across{p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
        if (const double size = std::sqrt(dot(across, across)); size > 1e-3) axes.push_back((1 / size) * across);
      }
    }
    const auto overlap = [&](const Vec3& at, Vec3& way) {
      double least = 1e9;
      for (const Vec3& axis : axes)
        for (const double sign : {1.0, -1.0}) {
          double top = -1e9, bottom = 1e9;
          for (const Point3& p : b.mesh().vertices()) top = std::max(top, sign * dot(axis, pose_b.apply(p)));
          for (const Point3& p : a.mesh().vertices()) bottom = std::min(bottom, sign * dot(axis, turned.apply(p) + at));
          if (top - bottom < least) least = top - bottom, way = sign * axis;
        }
      return least;
    };
    Vec3 at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, way;
    const double first = overlap(at, way);
    at = at + (first - 0.02) * way;
    if (const double now = overlap(at, way); !(now > 0.015 && now < 0.025)) continue;
    ++compared;
    const Contacts found = contacts(a, Pose::make(turned.rotation(), at).value(), b, pose_b, scratch).value();
    ASSERT_TRUE(found.touching());
    for (const Contact& contact : found.contacts)
      ASSERT_LT(contact.source == Contact::Source::triangles ? contact.depth : 0, 0.2);
  }
  EXPECT_GT(compared, 300);
}

TEST(Contacts, ReduceKeepsWhatIsThereBeforeWhatIsPredicted) {
  Contacts found;
  const auto add = [&](double x, double y, double depth, bool predicted) {
    Contact contact;
    contact.source = Contact::Source::vertex_of_a;
    contact.vertex = static_cast<std::uint32_t>(found.contacts.size());
    contact.id = contact.vertex;
    contact.predicted = predicted;
    contact.depth = depth;
    contact.normal = {0, 0, 1};
    contact.on_a = {x, y, -depth}, contact.on_b = {x, y, 0};
    found.contacts.push_back(contact);
  };
  for (const double x : {-2.0, 2.0})
    for (const double y : {-2.0, 2.0}) add(x, y, -0.02, true), add(x / 2, y / 2, 0.01, false);
  found.patches = {ContactArea{.surface_a = 0, .surface_b = 0, .begin = 0, .end = 8, .centre = {}, .normal = {}}};
  reduce(found);
  ASSERT_EQ(found.contacts.size(), 4U);
  for (const Contact& contact : found.contacts) EXPECT_FALSE(contact.predicted);
}

TEST(Contacts, TwinShellsInsideAreToldOnce) {
  MeshInput input;
  input.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  input.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {0, 4, 5}, {0, 6, 4}, {0, 5, 6}, {4, 6, 5}};
  const Shape twins(Mesh::build(std::move(input)).value()), box(scenes::box({-9, -9, -9}, {9, 9, 9}));
  Scratch scratch;
  const Contacts found = contacts(twins, {}, box, {}, scratch).value();
  std::set<std::uint64_t> ids;
  for (const Contact& contact : found.contacts) EXPECT_TRUE(ids.insert(contact.id).second);
  EXPECT_FALSE(ids.empty());
}

TEST(ContactTracker, FollowsABodyThatWasDeformedWhileApart) {
  const Shape thin(scenes::box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1})), block(scenes::box({-1, -1, -1}, {1, 1, 1}));
  ContactTracker tracker;
  EXPECT_TRUE(contacts(thin, translation(0, 0, 1.05), block, {}, tracker).touching());
  // It becomes a bar that goes right through: no vertex is inside.
  const Shape bar = thin.updated(vertices_of(scenes::box({-3, -0.1, -0.1}, {3, 0.1, 0.1}))).value();
  EXPECT_FALSE(contacts(bar, translation(0, 0, 50), block, {}, tracker).touching());
  for (int step = 0; step < 3; ++step)
    EXPECT_TRUE(contacts(bar, translation(0, 0.01 * step, 0.2), block, {}, tracker).touching()) << step;
}

TEST(ContactTracker, KnowsDeformationsOfAShapeThatWasNeverAsked) {
  const Mesh rest = scenes::torus(0.8, 0.25, 20, 9);
  const Shape never_asked(rest), ground(scenes::box({-5, -5, -1}, {5, 5, 0}));
  ContactTracker tracker = ContactTracker::make({.displacement_threshold = 0.5}).value();
  for (int frame = 0; frame < 10; ++frame) {
    std::vector<Point3> moved = vertices_of(rest);
    for (Point3& p : moved) p.z += 1e-4 * frame * p.x;
    (void)contacts(never_asked.updated(std::move(moved)).value(), translation(0, 0, 0.2), ground, {}, tracker);
  }
  EXPECT_EQ(tracker.stats().standard_steps, 1U);
}

TEST(ContactTracker, PredictsBeforeBoxesMeet) {
  const Shape plate(scenes::box({-2, -2, -0.2}, {2, 2, 0})), box(scenes::box({-0.5, -0.5, 0}, {0.5, 0.5, 0.5}));
  for (const std::optional<double> extension : {std::optional<double>{}, std::optional<double>{0.06}}) {
    ContactTracker tracker = ContactTracker::make({.distance_extension = extension}).value();
    for (int step = 0; step < 5; ++step) {
      const Contacts found = contacts(box, translation(0, 0, 0.0101 - 0.002 * step), plate, {}, tracker);
      EXPECT_EQ(found.contacts.size(), 4U) << step;
      EXPECT_FALSE(found.touching());
    }
  }
}

}  // namespace
}  // namespace snug
