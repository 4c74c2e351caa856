#include "contact/regions/curves.hpp"
#include "scenes/contact_cases.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <snug/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

// Contact manifolds by regions, held to exact minimum translations of convex bodies and to bodies on a lattice, where everything touches.

namespace snug {
namespace {

using scenes::Random;
using Normal = RayContactOptions::Normal;
using Kind = ContactArea::Kind;

Pose some_rotation(Random& random) {
  const Vec3 axis = random.point(-1, 1);
  return rotation(axis.length() > 0.1 ? axis : Vec3{0, 0, 1}, random.uniform(0, 6.28));
}

const Contact& deepest_of(const Contacts& found) {
  return *std::ranges::max_element(found.contacts, {}, &Contact::depth);
}

Pose pushed(const Pose& pose, const Contact& contact) {
  return Pose::make(pose.rotation(), pose.translation() + (contact.depth * (1 + 1e-9) + 1e-9) * contact.normal).value();
}

void expect_exchanged(const Contacts& found, const Contacts& exchanged) {
  ASSERT_EQ(found.contacts.size(), exchanged.contacts.size());
  for (std::size_t i = 0; i < found.contacts.size(); ++i) {
    const Contact &c = found.contacts[i], &d = exchanged.contacts[i];
    EXPECT_EQ(c.depth, d.depth);
    EXPECT_EQ(c.normal, -d.normal);
    EXPECT_EQ(c.on_a, d.on_b);
    EXPECT_EQ(c.triangle_a, d.triangle_b);
  }
}

TEST(ContactRegionsOfConvexBodies, AreHeldToTheMinimumTranslation) {
  Scratch scratch;
  std::uint64_t compared = 0, leaning = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    const auto pair = scenes::some_convex_pair(seed);
    if (!pair) continue;
    const auto& [a, b, pose_a, pose_b, truth] = *pair;
    ++compared;
    for (const Normal normal : {Normal::smooth, Normal::minimum}) {
      const auto found = contacts(a, pose_a, b, pose_b, scratch, {.normal = normal}).value();
      ASSERT_FALSE(found.contacts.empty());
      const Contact& contact = deepest_of(found);
      EXPECT_GT(contact.normal.dot(truth.normal), 0);
      EXPECT_GT(contact.depth, (1 - 1e-9) * truth.depth);
      EXPECT_LT(contact.depth, (normal == Normal::minimum ? 1.1 : 2) * truth.depth);
      leaning += contact.depth > 1.5 * truth.depth ? 1 : 0;
      EXPECT_FALSE(intersects(a, pushed(pose_a, contact), b, pose_b, scratch));
      for (const Contact& c : found.contacts) EXPECT_NEAR((c.on_b - c.on_a).dot(c.normal), c.depth, 1e-12);
      expect_exchanged(found, contacts(b, pose_b, a, pose_a, scratch, {.normal = normal}).value());
    }
  }
  EXPECT_GT(compared, test::scaled(400) * 3 / 4);
  // The area vector leans where a body overhangs: of 10,000 pairs 3 are between 1.5 and 1.7 times as deep along it.
  EXPECT_LE(leaning, 1 + compared / 1000);
}

TEST(ContactRegionsOfConvexBodies, FindABoxHalfSunkIntoACube) {
  // FCL's box test: the normal is that of the flat top whichever way the box is turned.
  const Shape cube(scenes::box({-50, -50, -50}, {50, 50, 50})), box(scenes::box({-5, -10, -15}, {5, 10, 15}));
  Scratch scratch;
  for (std::uint64_t seed = 0; seed < test::scaled(2000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose = some_rotation(random);
    double lowest = 0;
    for (const Point3& p : box.mesh().vertices()) lowest = std::min(lowest, pose.apply(p).z);
    const auto found = contacts(box, pose, cube, translation(0, 0, -50), scratch).value();
    ASSERT_EQ(found.patches.size(), 1U);
    EXPECT_NEAR(found.patches[0].normal.z, 1, 1e-12);
    EXPECT_NEAR(found.patches[0].depth, -lowest, 1e-9);
  }
}

TEST(ContactRegionsOnALattice, ExistExactlyIfBodiesShareAPoint) {
  // Faces, edges and corners coincide; bodies of two boxes may cross themselves, and their shells may lie in one another.
  Scratch scratch;
  std::uint64_t sharing = 0;
  for (std::uint64_t seed = 0; seed < test::scaled(3000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto body = [&] {
      MeshInput input;
      for (std::uint64_t i = 0; i <= seed % 2; ++i) {
        Point3 lo, hi;
        for (double Point3::* const axis : {&Point3::x, &Point3::y, &Point3::z}) {
          lo.*axis = static_cast<double>(random.below(8)) - 4;
          hi.*axis = lo.*axis + 1 + static_cast<double>(random.below(5));
        }
        test::append(input, scenes::box(lo, hi));
      }
      return Shape(Mesh::build(std::move(input)).value());
    };
    const Shape a = body(), b = body();
    const auto found = contacts(a, {}, b, {}, scratch).value();
    const bool share = contacts(a, {}, b, {}, scratch).value().touching();
    EXPECT_EQ(!found.contacts.empty(), share);
    for (const ContactArea& region : found.patches) EXPECT_LT(region.begin, region.end);
    expect_exchanged(found, contacts(b, {}, a, {}, scratch).value());
    sharing += share ? 1 : 0;
  }
  EXPECT_GT(sharing, test::scaled(3000) / 4);
}

TEST(ContactRegionsOnALattice, HaveClosedCurves) {
  // The perturbed signs of all triangles agree: whatever coincides, each point of a curve ends one segment and begins another.
  Scratch scratch;
  std::uint64_t segments = 0;
  contact::Curves curves;
  for (std::uint64_t seed = 0; seed < test::scaled(2000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto box = [&] {
      Point3 lo, hi;
      for (double Point3::* const axis : {&Point3::x, &Point3::y, &Point3::z}) {
        lo.*axis = static_cast<double>(random.below(3));
        hi.*axis = lo.*axis + 1 + static_cast<double>(random.below(3));
      }
      return Shape(scenes::box(lo, hi));
    };
    const Shape a = box(), b = box();
    const Pose home;
    const contact::RayTarget target_a(a, home, RayContactOptions::Traversal::tree, Instructions::best);
    const contact::RayTarget target_b(b, home, RayContactOptions::Traversal::tree, Instructions::best);
    const auto pairs = triangle_pairs(a, {}, b, {}, scratch);
    curves.find({&target_a, &target_b}, pairs);
    std::vector<int> begins(curves.points.size()), ends(curves.points.size());
    for (const contact::CurveSegment& s : curves.segments) ++begins[s.from], ++ends[s.to];
    for (std::size_t i = 0; i < begins.size(); ++i) {
      EXPECT_EQ(begins[i], 1);
      EXPECT_EQ(ends[i], 1);
    }
    segments += curves.segments.size();
  }
  EXPECT_GT(segments, test::scaled(2000));
}

}  // namespace
}  // namespace snug
