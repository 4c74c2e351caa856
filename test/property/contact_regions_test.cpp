#include "contact/regions/curves.hpp"
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

/// A convex body with the directions of its faces and edges.
struct Convex {
  explicit Convex(const Mesh& mesh) : shape(mesh) {
    const auto add = [](std::vector<Vec3>& to, const Vec3& v) {
      const Vec3 n = v.normalized();
      if (n != Vec3{} && std::ranges::none_of(to, [&](const Vec3& o) { return std::abs(o.dot(n)) > 1 - 1e-12; }))
        to.push_back(n);
    };
    for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
      const Triangle c = mesh.view().triangle(t);
      add(faces, (c[1] - c[0]).cross(c[2] - c[0]));
      for (std::size_t k = 0; k < 3; ++k) add(edges, c[(k + 1) % 3] - c[k]);
    }
  }
  Shape shape;
  std::vector<Vec3> faces, edges;
};

struct Translation {
  double depth = std::numeric_limits<double>::infinity();
  Vec3 normal;
};

/// The exact minimum translation of convex bodies, by all separating axes.
Translation minimum_translation(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b) {
  Translation best;
  const auto range = [](const Convex& body, const Pose& pose, const Vec3& n) {
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (const Point3& p : body.shape.mesh().vertices())
      lo = std::min(lo, n.dot(pose.apply(p))), hi = std::max(hi, n.dot(pose.apply(p)));
    return std::pair(lo, hi);
  };
  const auto offer = [&](const Vec3& n) {
    const auto [lo_a, hi_a] = range(a, pose_a, n);
    const auto [lo_b, hi_b] = range(b, pose_b, n);
    if (hi_b - lo_a < best.depth) best = {hi_b - lo_a, n};
    if (hi_a - lo_b < best.depth) best = {hi_a - lo_b, -n};
  };
  const auto turned = [](const Pose& pose, const Vec3& v) { return pose.apply(v) - pose.apply({}); };
  for (const Vec3& n : a.faces) offer(turned(pose_a, n));
  for (const Vec3& n : b.faces) offer(turned(pose_b, n));
  for (const Vec3& u : a.edges)
    for (const Vec3& v : b.edges)
      if (const Vec3 n = turned(pose_a, u).cross(turned(pose_b, v)); n.length() > 1e-9) offer(n.normalized());
  return best;
}

Mesh some_convex(Random& random) {
  const auto size = [&](double lo, double hi) { return random.uniform(lo, hi); };
  switch (random.below(3)) {
    case 0: {
      const Vec3 half{size(0.25, 0.9), size(0.25, 0.9), size(0.25, 0.9)};
      return scenes::box(-half, half);
    }
    case 1:
      return scenes::cylinder(size(0.3, 0.9), size(0.5, 2), 6 + static_cast<std::uint32_t>(random.below(8)));
    default:
      return scenes::sphere(size(0.4, 0.9), 4 + static_cast<std::uint32_t>(random.below(3)),
                            5 + static_cast<std::uint32_t>(random.below(5)));
  }
}

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
    Random random(seed);
    const Convex a(some_convex(random)), b(some_convex(random));
    const Pose turned_a = some_rotation(random), pose_b = some_rotation(random);
    const Vec3 way = random.point(-1, 1).normalized();
    const double wanted = random.uniform(0.001, 0.2);
    const auto at = [&](double far) { return Pose::make(turned_a.rotation(), far * way).value(); };
    double near = 0, far = 6;
    while (far - near > 1e-6) {
      const double middle = 0.5 * (near + far);
      (minimum_translation(a, at(middle), b, pose_b).depth > wanted ? near : far) = middle;
    }
    const Pose pose_a = at(near);
    const Translation truth = minimum_translation(a, pose_a, b, pose_b);
    if (truth.depth < 1e-4 || truth.depth > 0.21) continue;
    ++compared;
    for (const Normal normal : {Normal::smooth, Normal::minimum}) {
      const auto found = contacts(a.shape, pose_a, b.shape, pose_b, scratch, {.normal = normal}).value();
      ASSERT_FALSE(found.contacts.empty());
      const Contact& contact = deepest_of(found);
      EXPECT_GT(contact.normal.dot(truth.normal), 0);
      EXPECT_GT(contact.depth, (1 - 1e-9) * truth.depth);
      EXPECT_LT(contact.depth, (normal == Normal::minimum ? 1.1 : 2) * truth.depth);
      leaning += contact.depth > 1.5 * truth.depth ? 1 : 0;
      EXPECT_FALSE(intersects(a.shape, pushed(pose_a, contact), b.shape, pose_b, scratch));
      for (const Contact& c : found.contacts) EXPECT_NEAR((c.on_b - c.on_a).dot(c.normal), c.depth, 1e-12);
      expect_exchanged(found, contacts(b.shape, pose_b, a.shape, pose_a, scratch, {.normal = normal}).value());
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
